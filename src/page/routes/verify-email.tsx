import { createFileRoute, Link, redirect, useRouter } from '@tanstack/react-router'
import { MailOpen, MailX } from 'lucide-react'
import { useEffect, useState } from 'react'
import { ProblemError } from '#shared/problem.ts'
import { Countdown } from '#page/forms/countdown.tsx'
import { sendVerificationMail } from '#page/features/account/queries.ts'
import { PublicFrame } from '#page/features/auth/public-frame.tsx'
import { verifyEmail } from '#page/features/auth/queries.ts'
import { logError, logNote } from '#page/log.ts'
import { problemText } from '#page/words/problem-text.ts'
import { knownSession, rehydrate, useSession } from '#page/session.ts'
import { text } from '#page/words/text.ts'
import { useWait } from '#page/forms/wait.ts'
import { Button, buttonClass } from '#page/ui/button.tsx'
import { Logo } from '#page/ui/logo.tsx'
import { notify } from '#page/ui/notify.ts'
import { Notice } from '#page/ui/screen.tsx'

export const Route = createFileRoute('/verify-email')({
  validateSearch: (search: Record<string, unknown>): { verificationToken?: string } => ({
    ...(typeof search['verificationToken'] === 'string' && { verificationToken: search['verificationToken'] }),
  }),
  beforeLoad: ({ search }) => {
    if (!search.verificationToken && knownSession()?.status === 'ACTIVE') throw redirect({ to: '/dashboard' })
  },
  component: VerifyEmail,
})

const resentKey = 'docket.resent'
/** A link's token is used once in this tab, however often React draws the screen. */
const tried = new Set<string>()

function VerifyEmail() {
  const router = useRouter()
  const session = useSession()
  const { verificationToken = '' } = Route.useSearch()
  const [verifying, setVerifying] = useState(verificationToken !== '')
  const [expired, setExpired] = useState(false)
  const [busy, setBusy] = useState(false)
  const wait = useWait()

  useEffect(() => {
    if (verificationToken === '') {
      if (!tried.size) logNote('No verification token: nothing to verify')
      return
    }
    if (tried.has(verificationToken)) return
    tried.add(verificationToken)
    // Out of the address bar before anything else: addresses are copied, shared and kept.
    void router.navigate({ to: '/verify-email', search: { verificationToken: '' }, replace: true })
    verifyEmail(verificationToken).then(
      () => {
        notify('success', text.verify.done)
        void router.navigate({ to: '/dashboard' })
      },
      (error: unknown) => {
        setVerifying(false)
        setExpired(error instanceof ProblemError && error.code === 'link_expired')
        notify('error', text.verify.failed)
        logError(text.verify.failed, error)
      },
    )
  }, [verificationToken, router])

  useEffect(() => {
    if (sessionStorage.getItem(resentKey)) {
      sessionStorage.removeItem(resentKey)
      notify('success', text.verify.resent)
    }
    void rehydrate()
  }, [])

  useEffect(() => {
    if (session.status === 'ACTIVE' && !verifying) void router.navigate({ to: '/dashboard' })
  }, [session.status, verifying, router])

  async function resend(): Promise<void> {
    setBusy(true)
    try {
      await sendVerificationMail()
      sessionStorage.setItem(resentKey, '1')
      location.reload()
    } catch (error) {
      if (!wait.beginsWith(error)) notify('error', problemText(error, 'action'))
      setBusy(false)
    }
  }

  const isSignedOut = session.status === 'anonymous'
  // Nothing says that a mail is on its way to whoever opened this link.
  if (expired && isSignedOut)
    return (
      <PublicFrame title={text.verify.expiredTitle} icon={<MailX className="size-10 text-muted" aria-hidden />}>
        <output className="block">{text.verify.expired}</output>
        <Link to="/login" className={buttonClass('primary', 'justify-self-start')}>
          {text.account.signIn}
        </Link>
      </PublicFrame>
    )
  return (
    <div className="mx-auto grid min-h-dvh w-full max-w-md content-start gap-8 px-4 py-8 sm:content-center">
      <Logo />
      <main className="grid gap-5">
        <MailOpen className="size-10 text-accent" aria-hidden />
        <h1 className="text-2xl font-semibold tracking-tight">{text.verify.title}</h1>
        {verifying && <Notice>{text.verify.verifying}</Notice>}
        {expired && <Notice tone="warn">{text.verify.expiredWaiting}</Notice>}
        <p>{text.verify.lead}</p>
        <p className="text-muted">{text.verify.hint}</p>
        <div className="flex flex-wrap gap-3">
          <a href="mailto:" className={buttonClass(expired ? 'plain' : 'primary')}>
            {text.verify.open}
          </a>
          {isSignedOut ? (
            <Link to="/login" className={buttonClass('plain')}>
              {text.verify.signInForLink}
            </Link>
          ) : (
            <Button
              look={expired ? 'primary' : 'plain'}
              busy={busy}
              disabled={wait.isWaiting}
              onClick={() => void resend()}
            >
              {text.verify.resend}
            </Button>
          )}
        </div>
        <Countdown wait={wait} />
        <p className="text-sm text-muted">
          {text.verify.footer}{' '}
          {!isSignedOut && (
            <a href="/account" className="text-accent underline">
              {text.account.title}
            </a>
          )}
        </p>
      </main>
    </div>
  )
}
