import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { seriesQuery } from '#page/features/organizations/queries.ts'
import { Series } from '#page/features/organizations/series-report.tsx'
import { Loaded } from '#page/loaded.tsx'
import { useOrganization } from '#page/organization-of.ts'
import { text } from '#page/app-text.ts'
import { Screen } from '#page/ui/screen.tsx'

export const Route = createFileRoute('/_authed/organization/$organizationId/numbers')({ component: NumbersScreen })

function NumbersScreen() {
  const { organizationId } = Route.useParams()
  const { locale } = useOrganization(organizationId)
  const query = useQuery(seriesQuery(organizationId))
  return (
    <Screen title={text.numbers.title} lead={text.numbers.lead}>
      <Loaded query={query}>
        {({ data }) => data.map((series) => <Series key={series.id} series={series} locale={locale} />)}
      </Loaded>
    </Screen>
  )
}
