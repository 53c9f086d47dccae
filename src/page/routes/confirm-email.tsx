import { useQuery, useQueryClient } from '@tanstack/react-query'
import { createFileRoute, Link, useRouter } from '@tanstack/react-router'
import { MailCheck, MailQuestion, MailX } from 'lucide-react'
import type { ReactNode } from 'react'
import { ProblemError } from '#shared/problem.ts'
import { accountQuery } from '#page/features/account/queries.ts'
import { PublicFrame } from '#page/features/auth/public-frame.tsx'
import { confirmEmail } from '#page/features/auth/queries.ts'
import { useLinkToken } from '#page/link-token.ts'
import { confirmWords } from '#page/words/confirm-words.ts'
import { language } from '#page/words/language.ts'
import { problemText } from '#page/words/problem-text.ts'
import { useSession } from '#page/session.ts'
import { text } from '#page/words/text.ts'
import { Button, buttonClass } from '#page/ui/button.tsx'
import { Notice } from '#page/ui/screen.tsx'

export const Route = createFileRoute('/confirm-email')({
  validateSearch: (search: Record<string, unknown>): { confirmToken?: string } => ({
    ...(typeof search['confirmToken'] === 'string' && { confirmToken: search['confirmToken'] }),
  }),
  component: ConfirmEmail,
})

function ConfirmEmail() {
  const t = confirmWords[language()]
  const router = useRouter()
  const queryClient = useQueryClient()
  const session = useSession()
  const { confirmToken = '' } = Route.useSearch()
  const token = useLinkToken(
    confirmToken,
    () => void router.navigate({ to: '/confirm-email', search: {}, replace: true }),
  )
  // A link's token is used once in this tab, however often the screen is drawn or looked at; kept in memory alone.
  const query = useQuery({
    queryKey: ['confirm-email', token],
    queryFn: async () => {
      const confirmed = await confirmEmail(token)
      void queryClient.invalidateQueries({ queryKey: accountQuery.queryKey })
      return confirmed
    },
    enabled: token !== '',
    staleTime: Infinity,
    retry: false,
    retryOnMount: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })

  const onwards =
    session.status === 'anonymous' ? (
      <Link to="/login" className={buttonClass('primary', 'justify-self-start')}>
        {t.toSignIn}
      </Link>
    ) : (
      <Link to="/account" className={buttonClass('primary', 'justify-self-start')}>
        {t.toAccount}
      </Link>
    )
  if (token === '')
    return (
      <PublicFrame title={t.title} lead={t.missing}>
        {onwards}
      </PublicFrame>
    )
  if (query.isFetching || query.isPending)
    return (
      <PublicFrame title={t.title}>
        <Notice>{t.checking}</Notice>
      </PublicFrame>
    )
  if (query.error instanceof ProblemError && query.error.code === 'link_expired')
    return (
      <Outcome title={t.expiredTitle} icon={<MailX className="size-10 text-muted" aria-hidden />} words={t.expired}>
        {onwards}
      </Outcome>
    )
  if (query.isError)
    return (
      <PublicFrame title={t.title}>
        <Notice tone="danger">{problemText(query.error, 'action')}</Notice>
        <Button look="primary" className="justify-self-start" onClick={() => void query.refetch()}>
          {text.tryAgain}
        </Button>
      </PublicFrame>
    )
  const { status, email } = query.data
  return status === 'waiting' ? (
    <Outcome
      title={t.waitingTitle}
      icon={<MailQuestion className="size-10 text-warn" aria-hidden />}
      words={t.waiting(email)}
    >
      {onwards}
    </Outcome>
  ) : (
    <Outcome
      title={t.changedTitle}
      icon={<MailCheck className="size-10 text-good" aria-hidden />}
      words={t.changed(email)}
    >
      {onwards}
    </Outcome>
  )
}

function Outcome({
  title,
  icon,
  words,
  children,
}: {
  title: string
  icon: ReactNode
  words: string
  children: ReactNode
}) {
  return (
    <PublicFrame title={title} icon={icon}>
      <output className="block">{words}</output>
      {children}
    </PublicFrame>
  )
}
