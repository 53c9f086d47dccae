import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { reminderRulesQuery } from '#page/features/reminders/queries.ts'
import { ReminderRulesForm } from '#page/features/reminders/rules-form.tsx'
import { Loaded } from '#page/loaded.tsx'
import { EditedRow } from '#page/edited-row.tsx'
import { useOnward } from '#page/onward.ts'
import { useOrganization } from '#page/organization-of.ts'
import { text } from '#page/words/app-text.ts'
import { notify } from '#page/ui/notify.ts'
import { Screen } from '#page/ui/screen.tsx'

export const Route = createFileRoute('/_authed/organization/$organizationId/reminders')({ component: RemindersScreen })

function RemindersScreen() {
  const { organizationId } = Route.useParams()
  const organization = useOrganization(organizationId)
  const onward = useOnward()
  const query = useQuery(reminderRulesQuery(organizationId))
  return (
    <Screen title={text.reminders.title} lead={text.reminders.lead}>
      <Loaded query={query} atServer="reminders">
        {(rules) => (
          <EditedRow newest={rules} query={query}>
            {(opened, reload) => (
              <ReminderRulesForm
                organization={organization}
                rules={opened}
                onReload={reload}
                onSaved={() => {
                  notify('success', text.reminders.saved)
                  void onward({ to: '/organization/$organizationId/settings', params: { organizationId } })
                }}
              />
            )}
          </EditedRow>
        )}
      </Loaded>
    </Screen>
  )
}
