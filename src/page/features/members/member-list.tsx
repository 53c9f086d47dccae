import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import type { Member } from '#shared/contract/members.ts'
import type { Organization } from '#shared/contract/organizations.ts'
import { todayIn } from '#shared/dates.ts'
import { may, mayGive, roles, type Role } from '#shared/permissions.ts'
import { formatDate } from '#page/words/format.ts'
import { Loaded } from '#page/loaded.tsx'
import { shownPerson } from '#page/person.ts'
import { problemText } from '#page/words/problem-text.ts'
import { text } from '#page/words/app-text.ts'
import { Badge } from '#page/ui/badge.tsx'
import { Button } from '#page/ui/button.tsx'
import { Dialog, DialogButtons } from '#page/ui/dialog.tsx'
import { notify } from '#page/ui/notify.ts'
import { Section } from '#page/ui/screen.tsx'
import { membersQuery, removeMember, saveMember } from './queries.ts'

const t = text.members
const names = text.organizations.roles

/** Who belongs here; whoever may, changes roles and removes. */
export function MemberList({ organization }: { organization: Organization }) {
  const query = useQuery(membersQuery(organization.id))
  return (
    <Section title={t.title}>
      <Loaded query={query} rows={2}>
        {(members) => (
          <ul className="divide-y divide-line rounded-lg border border-line" aria-label={t.title}>
            {members.map((member) => (
              <Row key={member.id} organization={organization} member={member} />
            ))}
          </ul>
        )}
      </Loaded>
    </Section>
  )
}

function Row({ organization, member }: { organization: Organization; member: Member }) {
  const isOwn = member.id === shownPerson()
  const manages = may(organization, 'member.manage') && mayGive(organization, member.role)
  const about = useId()
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 p-3">
      <div className="min-w-0 grow basis-52">
        <p className="flex flex-wrap items-center gap-2 font-medium wrap-anywhere">
          {member.name}
          {isOwn && (
            <Badge tone="info" icon={null}>
              {t.you}
            </Badge>
          )}
        </p>
        <p id={about} className="text-sm text-muted wrap-anywhere">
          {/* Of whoever made their first organization without a network the device knows no more than that. */}
          {member.email && `${member.email}, `}
          {t.since(formatDate(todayIn(organization.timeZone, Date.parse(member.createdAt)), organization.locale))}
        </p>
      </div>
      {manages && !isOwn ? (
        <div className="flex flex-wrap gap-2">
          <RoleSelect organization={organization} member={member} />
          <Remove member={member} about={about} />
        </div>
      ) : (
        <span className="text-muted">{names[member.role]}</span>
      )}
    </li>
  )
}

function RoleSelect({ organization, member }: { organization: Organization; member: Member }) {
  const queryClient = useQueryClient()
  const [wanted, setWanted] = useState<Role | null>(null)
  async function save(role: Role): Promise<void> {
    setWanted(role)
    await saveMember(queryClient, member, role).then(
      () => notify('success', t.changed(member.name, names[role])),
      (error: unknown) => notify('error', problemText(error, 'action')),
    )
    setWanted(null)
  }
  return (
    <select
      className="control w-auto"
      aria-label={t.roleOf(member.name)}
      value={wanted ?? member.role}
      disabled={wanted !== null}
      onChange={(event) => void save(event.currentTarget.value as Role)}
    >
      {roles
        .filter((role) => mayGive(organization, role))
        .map((role) => (
          <option key={role} value={role}>
            {names[role]}
          </option>
        ))}
    </select>
  )
}

function Remove({ member, about }: { member: Member; about: string }) {
  const queryClient = useQueryClient()
  const [asking, setAsking] = useState(false)
  const [busy, setBusy] = useState(false)
  async function remove(): Promise<void> {
    setAsking(false)
    setBusy(true)
    await removeMember(queryClient, member).then(
      () => notify('success', t.removed(member.name)),
      (error: unknown) => notify('error', problemText(error, 'action')),
    )
    setBusy(false)
  }
  return (
    <>
      <Button
        busy={busy}
        aria-label={t.removeNamed(member.name)}
        aria-describedby={about}
        onClick={() => setAsking(true)}
      >
        {t.remove}
      </Button>
      <Dialog open={asking} onOpenChange={setAsking} title={t.removeTitle(member.name)} description={t.removeLead}>
        <DialogButtons>
          <Button onClick={() => setAsking(false)}>{text.cancel}</Button>
          <Button look="danger" onClick={() => void remove()}>
            {t.remove}
          </Button>
        </DialogButtons>
      </Dialog>
    </>
  )
}
