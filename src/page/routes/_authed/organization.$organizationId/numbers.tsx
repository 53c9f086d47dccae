import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { may } from '#shared/permissions.ts'
import { seriesQuery } from '#page/features/organizations/queries.ts'
import { Series } from '#page/features/organizations/series-report.tsx'
import { Loaded } from '#page/loaded.tsx'
import { useOrganization } from '#page/organization-of.ts'
import { Permitted } from '#page/permitted.tsx'
import { text } from '#page/words/app-text.ts'
import { Screen } from '#page/ui/screen.tsx'

export const Route = createFileRoute('/_authed/organization/$organizationId/numbers')({ component: NumbersScreen })

function NumbersScreen() {
  const { organizationId } = Route.useParams()
  const organization = useOrganization(organizationId)
  const query = useQuery({ ...seriesQuery(organizationId), enabled: may(organization, 'series.read') })
  return (
    <Screen title={text.numbers.title} lead={text.numbers.lead}>
      <Permitted organization={organization} permission="series.read">
        <Loaded query={query} atServer="numbers">
          {({ data }) => data.map((series) => <Series key={series.id} series={series} locale={organization.locale} />)}
        </Loaded>
      </Permitted>
    </Screen>
  )
}
