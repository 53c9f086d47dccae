import { useQuery, useQueryClient } from '@tanstack/react-query'
import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { ReminderRules } from '#shared/contract/reminders.ts'
import { reminderRulesQuery } from '#page/features/reminders/queries.ts'
import { ReminderRulesForm } from '#page/features/reminders/rules-form.tsx'
import { Loaded } from '#page/loaded.tsx'
import { useOrganization } from '#page/organization-of.ts'
import { text } from '#page/words/app-text.ts'
import { notify } from '#page/ui/notify.ts'
import { Screen } from '#page/ui/screen.tsx'

export const Route = createFileRoute('/_authed/organization/$organizationId/reminders')({ component: RemindersScreen })

function RemindersScreen() {
  const { organizationId } = Route.useParams()
  const query = useQuery(reminderRulesQuery(organizationId))
  return (
    <Screen title={text.reminders.title} lead={text.reminders.lead}>
      <Loaded query={query} atServer="reminders">
        {(rules) => <Opened organizationId={organizationId} opened={rules} />}
      </Loaded>
    </Screen>
  )
}

/** The version that was opened: what arrives meanwhile waits until the person asks for it. */
function Opened({ organizationId, opened }: { organizationId: string; opened: ReminderRules }) {
  const organization = useOrganization(organizationId)
  const [rules, setRules] = useState(opened)
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  return (
    <ReminderRulesForm
      key={rules.version}
      organization={organization}
      rules={rules}
      onReload={() =>
        void queryClient.fetchQuery({ ...reminderRulesQuery(organizationId), staleTime: 0 }).then(setRules)
      }
      onSaved={() => {
        notify('success', text.reminders.saved)
        void navigate({ to: '/organization/$organizationId/settings', params: { organizationId } })
      }}
    />
  )
}
