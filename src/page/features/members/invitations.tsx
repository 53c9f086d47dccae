import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Ban, Check, Clock, Mail, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import type { Invitation } from '#shared/contract/members.ts'
import type { Organization } from '#shared/contract/organizations.ts'
import { todayIn } from '#shared/dates.ts'
import { mayGive } from '#shared/permissions.ts'
import { formatDate } from '#page/words/format.ts'
import { Loaded } from '#page/loaded.tsx'
import { problemText } from '#page/words/problem-text.ts'
import { text } from '#page/words/app-text.ts'
import { Badge } from '#page/ui/badge.tsx'
import { Button } from '#page/ui/button.tsx'
import { notify } from '#page/ui/notify.ts'
import { Section } from '#page/ui/screen.tsx'
import { invitationsQuery, resendInvitation, revokeInvitation } from './queries.ts'

const t = text.members

const looks = {
  pending: { tone: 'info', Icon: Mail },
  accepted: { tone: 'good', Icon: Check },
  declined: { tone: 'warn', Icon: Ban },
  revoked: { tone: 'neutral', Icon: Ban },
  expired: { tone: 'warn', Icon: Clock },
  undelivered: { tone: 'danger', Icon: TriangleAlert },
  failing: { tone: 'warn', Icon: TriangleAlert },
} as const

const mailLookMs = 2000

function isOnItsWay({ status, mail }: Invitation): boolean {
  return status === 'pending' && mail === 'waiting'
}

/** Nobody can answer what did not reach them. */
function lookOf({ status, mail }: Invitation): keyof typeof looks {
  if (status !== 'pending') return status
  if (mail === 'given-up' || mail === 'ended') return 'undelivered'
  return mail === 'failing' ? 'failing' : status
}

/** Those that wait, and those that came to nothing; who accepted stands among the members. */
export function Invitations({ organization }: { organization: Organization }) {
  const query = useQuery({
    ...invitationsQuery(organization.id),
    // Whether it reached them is known in a moment.
    refetchInterval: ({ state }) => (state.data?.some(isOnItsWay) ? mailLookMs : false),
  })
  return (
    <Section title={t.invitations}>
      <Loaded query={query} rows={1} atServer="invitations" isPart>
        {(all) => {
          const shown = all.filter(({ status }) => status !== 'accepted' && status !== 'revoked')
          if (shown.length === 0) return <p className="text-muted">{t.noInvitations}</p>
          return (
            <ul className="divide-y divide-line rounded-lg border border-line" aria-label={t.invitations}>
              {shown.map((invitation) => (
                <Row key={invitation.id} organization={organization} invitation={invitation} />
              ))}
            </ul>
          )
        }}
      </Loaded>
    </Section>
  )
}

function Row({ organization, invitation }: { organization: Organization; invitation: Invitation }) {
  const queryClient = useQueryClient()
  const [busy, setBusy] = useState(false)
  const { email, status, role, invitedBy, expiresAt } = invitation
  const look = lookOf(invitation)
  const { tone, Icon } = looks[look]
  async function act(work: () => Promise<void>, done: string): Promise<void> {
    setBusy(true)
    await work().then(
      () => notify('success', done),
      (error: unknown) => notify('error', problemText(error, 'action')),
    )
    setBusy(false)
  }
  const isOpen = status === 'pending' || status === 'expired'
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 p-3">
      <div className="min-w-0 grow basis-52">
        <p className="font-medium wrap-anywhere">{email}</p>
        <p className="text-sm text-muted wrap-anywhere">
          {t.invitedBy(invitedBy, text.organizations.roles[role])}
          {status === 'pending' &&
            `, ${t.until(formatDate(todayIn(organization.timeZone, Date.parse(expiresAt)), organization.locale))}`}
        </p>
      </div>
      <Badge tone={tone} icon={<Icon className="size-4" aria-hidden />}>
        {t.statuses[look]}
      </Badge>
      {isOpen && mayGive(organization, role) && (
        <div className="flex flex-wrap gap-2">
          <Button
            busy={busy}
            aria-label={t.resendTo(email)}
            onClick={() => void act(() => resendInvitation(queryClient, invitation), t.invited(email))}
          >
            {t.resend}
          </Button>
          <Button
            busy={busy}
            aria-label={t.revokeOf(email)}
            onClick={() => void act(() => revokeInvitation(queryClient, invitation), t.revoked(email))}
          >
            {t.revoke}
          </Button>
        </div>
      )}
    </li>
  )
}
