import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { OwnInvitation } from '#shared/contract/members.ts'
import { problemText } from '#page/words/problem-text.ts'
import { text } from '#page/words/app-text.ts'
import { Button } from '#page/ui/button.tsx'
import { notify } from '#page/ui/notify.ts'
import { Section } from '#page/ui/screen.tsx'
import { answerInvitation, ownInvitationsQuery } from './queries.ts'

const t = text.invitation

/** What this person is asked to join; nothing when they are not. */
export function OwnInvitations() {
  const { data = [] } = useQuery(ownInvitationsQuery)
  if (data.length === 0) return null
  return (
    <Section title={t.listTitle}>
      <ul className="grid gap-4">
        {data.map((invitation) => (
          <li key={invitation.id} className="flex flex-wrap items-center justify-between gap-3">
            <div className="min-w-0">
              <p className="font-medium wrap-anywhere">{t.asks(invitation.invitedBy, invitation.organizationName)}</p>
              <p className="text-sm text-muted">{t.as(text.organizations.roles[invitation.role])}</p>
            </div>
            <Answers invitation={invitation} onDone={() => {}} />
          </li>
        ))}
      </ul>
    </Section>
  )
}

/** Yes or no. */
export function Answers({ invitation, onDone }: { invitation: OwnInvitation; onDone: () => void }) {
  const queryClient = useQueryClient()
  const [busy, setBusy] = useState(false)
  const { organizationName } = invitation
  async function send(answer: 'accept' | 'decline'): Promise<void> {
    setBusy(true)
    try {
      await answerInvitation(queryClient, invitation, answer)
      notify('success', answer === 'accept' ? t.joined(organizationName) : t.declined)
      onDone()
    } catch (error) {
      notify('error', problemText(error, 'action'))
      setBusy(false)
    }
  }
  return (
    <div className="flex flex-wrap gap-2">
      <Button
        look="primary"
        busy={busy}
        aria-label={t.acceptNamed(organizationName)}
        onClick={() => void send('accept')}
      >
        {t.accept}
      </Button>
      <Button busy={busy} aria-label={t.declineNamed(organizationName)} onClick={() => void send('decline')}>
        {t.decline}
      </Button>
    </div>
  )
}
