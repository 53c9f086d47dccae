import { createFileRoute } from '@tanstack/react-router'
import { RecurringList } from '#page/features/recurring/recurring-list.tsx'
import { useOrganization } from '#page/organization-of.ts'
import { text } from '#page/words/app-text.ts'
import { Screen } from '#page/ui/screen.tsx'

export const Route = createFileRoute('/_authed/organization/$organizationId/recurring/')({
  component: RecurringScreen,
})

function RecurringScreen() {
  const organization = useOrganization(Route.useParams().organizationId)
  return (
    <Screen title={text.recurring.title} lead={organization.name} wide>
      <RecurringList organization={organization} />
    </Screen>
  )
}
