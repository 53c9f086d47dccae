import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { useState } from 'react'
import { ActivityList } from '#page/features/activity/activity-list.tsx'
import { membersQuery } from '#page/features/members/queries.ts'
import { useOrganization } from '#page/organization-of.ts'
import { Permitted } from '#page/permitted.tsx'
import { text } from '#page/words/app-text.ts'
import { SelectField } from '#page/ui/field.tsx'
import { Screen } from '#page/ui/screen.tsx'

export const Route = createFileRoute('/_authed/organization/$organizationId/activity')({ component: ActivityScreen })

const t = text.activity
const kinds = [
  { value: '', label: t.everything },
  ...Object.entries(t.kinds).map(([value, label]) => ({ value, label })),
]

function ActivityScreen() {
  const { organizationId } = Route.useParams()
  const organization = useOrganization(organizationId)
  const { data: members = [] } = useQuery(membersQuery(organizationId))
  const [kind, setKind] = useState('')
  const [userId, setUserId] = useState('')
  return (
    <Screen title={t.title} lead={organization.name}>
      <Permitted organization={organization} permission="activity.read">
        <div className="grid grid-cols-2 gap-3">
          <SelectField
            label={t.what}
            name="kind"
            choices={kinds}
            value={kind}
            onChange={(event) => setKind(event.currentTarget.value)}
          />
          <SelectField
            label={t.who}
            name="userId"
            choices={[
              { value: '', label: t.everybody },
              ...members.map(({ id, name }) => ({ value: id, label: name || text.members.you })),
            ]}
            value={userId}
            onChange={(event) => setUserId(event.currentTarget.value)}
          />
        </div>
        <ActivityList organization={organization} filter={{ kind, userId }} />
      </Permitted>
    </Screen>
  )
}
