import { createFileRoute } from '@tanstack/react-router'
import { may } from '#shared/permissions.ts'
import { FailureList } from '#page/features/failures/failure-list.tsx'
import { useOrganization } from '#page/organization-of.ts'
import { text } from '#page/words/app-text.ts'
import { Notice, Screen } from '#page/ui/screen.tsx'

export const Route = createFileRoute('/_authed/organization/$organizationId/failures')({ component: FailuresScreen })

function FailuresScreen() {
  const { organizationId } = Route.useParams()
  const organization = useOrganization(organizationId)
  return (
    <Screen title={text.failures.title} lead={organization.name}>
      {may(organization, 'failure.manage') ? (
        <FailureList organization={organization} />
      ) : (
        <Notice>{text.failures.notYours}</Notice>
      )}
    </Screen>
  )
}
