import { useQuery } from '@tanstack/react-query'
import { createFileRoute, Link, useRouter } from '@tanstack/react-router'
import { MailOpen, MailX } from 'lucide-react'
import type { OwnInvitation } from '#shared/contract/members.ts'
import { ProblemError } from '#shared/problem.ts'
import { PublicFrame } from '#page/features/auth/public-frame.tsx'
import { rememberTypedEmail } from '#page/features/auth/typed-email.ts'
import { Answers } from '#page/features/members/own-invitations.tsx'
import { findInvitation, ownInvitationsQuery } from '#page/features/members/queries.ts'
import { openAppWords } from '#page/words/language.ts'
import { useLinkToken } from '#page/link-token.ts'
import { problemText } from '#page/words/problem-text.ts'
import { useSession } from '#page/session.ts'
import { text } from '#page/words/app-text.ts'
import { Button, buttonClass } from '#page/ui/button.tsx'
import { Notice } from '#page/ui/screen.tsx'

/** Where the link of an invitation leads. The token only shows what is asked: joining goes by the verified email, on whichever device. */
export const Route = createFileRoute('/invitation')({
  validateSearch: (search: Record<string, unknown>): { invitationToken?: string } => ({
    ...(typeof search['invitationToken'] === 'string' && { invitationToken: search['invitationToken'] }),
  }),
  beforeLoad: openAppWords,
  component: InvitationScreen,
})

const t = text.invitation
const organizations = '/dashboard/organizations'

function InvitationScreen() {
  const router = useRouter()
  const { invitationToken = '' } = Route.useSearch()
  const token = useLinkToken(
    invitationToken,
    () => void router.navigate({ to: '/invitation', search: {}, replace: true }),
  )
  const query = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => findInvitation(token),
    enabled: token !== '',
    staleTime: Infinity,
    retry: false,
  })
  if (token === '') return <Over lead={t.missing} />
  if (query.isPending)
    return (
      <PublicFrame title={t.title}>
        <Notice>{t.checking}</Notice>
      </PublicFrame>
    )
  if (query.error instanceof ProblemError && query.error.code === 'link_expired') return <Over lead={t.expired} />
  if (query.isError)
    return (
      <PublicFrame title={t.title}>
        <Notice tone="danger">{problemText(query.error, 'action')}</Notice>
        <Button look="primary" className="justify-self-start" onClick={() => void query.refetch()}>
          {text.tryAgain}
        </Button>
      </PublicFrame>
    )
  const { status } = query.data
  return status === 'pending' ? <Asked invitation={query.data} /> : <Over lead={t.overLead[status]} />
}

function Asked({ invitation }: { invitation: OwnInvitation }) {
  const router = useRouter()
  const session = useSession()
  const isActive = session.status === 'ACTIVE'
  const own = useQuery({ ...ownInvitationsQuery, enabled: isActive })
  const isTheirs = own.data?.some(({ id }) => id === invitation.id)
  const { email, invitedBy, organizationName, role } = invitation
  return (
    <PublicFrame
      title={t.asks(invitedBy, organizationName)}
      lead={t.as(text.organizations.roles[role])}
      icon={<MailOpen className="size-10 text-accent" aria-hidden />}
    >
      {session.status === 'anonymous' ? (
        <>
          <p>{t.how(email)}</p>
          <div className="flex flex-wrap gap-3">
            <Link
              to="/login"
              search={{ to: organizations }}
              className={buttonClass('primary')}
              onClick={() => rememberTypedEmail(email)}
            >
              {text.account.signIn}
            </Link>
            <Link to="/register" className={buttonClass()} onClick={() => rememberTypedEmail(email)}>
              {text.account.create}
            </Link>
          </div>
        </>
      ) : !isActive ? (
        <>
          <p>{t.verifyFirst}</p>
          <Link to="/verify-email" search={{ verificationToken: '' }} className={buttonClass('primary')}>
            {t.toVerify}
          </Link>
        </>
      ) : isTheirs ? (
        <Answers invitation={invitation} onDone={() => void router.navigate({ to: organizations })} />
      ) : (
        <>
          {own.data && <Notice tone="warn">{t.otherAccount(email)}</Notice>}
          {own.error && <Notice tone="danger">{problemText(own.error, 'action')}</Notice>}
          <Onwards />
        </>
      )}
    </PublicFrame>
  )
}

function Over({ lead }: { lead: string }) {
  return (
    <PublicFrame title={t.over} lead={lead} icon={<MailX className="size-10 text-muted" aria-hidden />}>
      <Onwards />
    </PublicFrame>
  )
}

function Onwards() {
  return (
    <Link to={organizations} className={buttonClass('plain', 'justify-self-start')}>
      {t.toOrganizations}
    </Link>
  )
}
