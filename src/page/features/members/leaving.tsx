// The ways out: leaving an organization, and handing it over to another member.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Organization } from '#shared/contract/organizations.ts'
import { may } from '#shared/permissions.ts'
import { shownPerson } from '#page/person.ts'
import { problemText } from '#page/words/problem-text.ts'
import { text } from '#page/words/app-text.ts'
import { Button } from '#page/ui/button.tsx'
import { Dialog, DialogButtons } from '#page/ui/dialog.tsx'
import { SelectField } from '#page/ui/field.tsx'
import { notify } from '#page/ui/notify.ts'
import { Section } from '#page/ui/screen.tsx'
import { leaveOrganization, membersQuery, transferOrganization } from './queries.ts'

const t = text.members

export function Leave({ organization, onLeft }: { organization: Organization; onLeft: () => Promise<void> }) {
  const queryClient = useQueryClient()
  const { data: members = [] } = useQuery(membersQuery(organization.id))
  const [asking, setAsking] = useState(false)
  const own = members.find(({ id }) => id === shownPerson())
  const isOnlyOwner = own?.role === 'owner' && members.filter(({ role }) => role === 'owner').length === 1
  if (!own) return null
  async function leave(): Promise<void> {
    setAsking(false)
    await leaveOrganization(queryClient, own!, onLeft).then(
      () => notify('success', t.left(organization.name)),
      (error: unknown) => notify('error', problemText(error, 'action')),
    )
  }
  return (
    <Section title={t.leave} danger>
      <p className="text-sm text-muted">{isOnlyOwner ? t.soleOwner : t.leaveLead}</p>
      {!isOnlyOwner && (
        <Button look="danger" className="justify-self-start" onClick={() => setAsking(true)}>
          {t.leave}
        </Button>
      )}
      <Dialog open={asking} onOpenChange={setAsking} title={t.leaveTitle(organization.name)} description={t.leaveLead}>
        <DialogButtons>
          <Button onClick={() => setAsking(false)}>{text.cancel}</Button>
          <Button look="danger" onClick={() => void leave()}>
            {t.leave}
          </Button>
        </DialogButtons>
      </Dialog>
    </Section>
  )
}

export function Transfer({ organization }: { organization: Organization }) {
  const queryClient = useQueryClient()
  const { data: members = [] } = useQuery(membersQuery(organization.id))
  const [userId, setUserId] = useState('')
  const [asking, setAsking] = useState(false)
  const others = members.filter(({ id }) => id !== shownPerson())
  const chosen = others.find(({ id }) => id === userId)
  if (!may(organization, 'organization.transfer') || others.length === 0) return null
  async function hand(name: string): Promise<void> {
    setAsking(false)
    await transferOrganization(queryClient, organization, userId).then(
      () => notify('success', t.transferred(name)),
      (error: unknown) => notify('error', problemText(error, 'action')),
    )
  }
  return (
    <Section title={t.transfer} danger>
      <p className="text-sm text-muted">{t.transferLead}</p>
      <SelectField
        label={t.transferTo}
        name="userId"
        className="sm:max-w-sm"
        choices={[{ value: '', label: t.choose }, ...others.map(({ id, name }) => ({ value: id, label: name }))]}
        value={userId}
        onChange={(event) => setUserId(event.currentTarget.value)}
      />
      <Button look="danger" className="justify-self-start" disabled={!chosen} onClick={() => setAsking(true)}>
        {t.transfer}
      </Button>
      {chosen && (
        <Dialog
          open={asking}
          onOpenChange={setAsking}
          title={t.transferTitle(chosen.name)}
          description={t.transferLead}
        >
          <DialogButtons>
            <Button onClick={() => setAsking(false)}>{text.cancel}</Button>
            <Button look="danger" onClick={() => void hand(chosen.name)}>
              {t.transfer}
            </Button>
          </DialogButtons>
        </Dialog>
      )}
    </Section>
  )
}
