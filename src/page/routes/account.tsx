import { useQuery } from '@tanstack/react-query'
import { createFileRoute, Link, redirect } from '@tanstack/react-router'
import { BadgeCheck, LogOut, MailWarning } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { isSignedIn } from '#shared/session.ts'
import { accountQuery, sendVerificationMail } from '#page/features/auth/queries.ts'
import { AppShell } from '#page/features/shell/app-shell.tsx'
import { Loaded } from '#page/loaded.tsx'
import { problemText } from '#page/problem-text.ts'
import { hasLeft, sessionForGuard, signOut, useSession } from '#page/session.ts'
import { text } from '#page/text.ts'
import { Badge } from '#page/ui/badge.tsx'
import { Button } from '#page/ui/button.tsx'
import { Logo } from '#page/ui/logo.tsx'
import { notify } from '#page/ui/notify.ts'
import { Screen, Section } from '#page/ui/screen.tsx'
import { setTheme, useTheme } from '#page/ui/theme.ts'

/** Needs a session, but no verified email: an expired link is renewed here (seed, verify-email footer). */
export const Route = createFileRoute('/account')({
  beforeLoad: async ({ context, location }) => {
    const session = await sessionForGuard()
    if (!isSignedIn(session)) throw redirect({ to: '/login', search: hasLeft() ? {} : { to: location.href } })
    await context.paintCache.open(session.userId)
  },
  component: AccountScreen,
})

function AccountScreen() {
  const account = useQuery(accountQuery)
  const theme = useTheme()
  const session = useSession()
  const [busy, setBusy] = useState(false)

  async function resend(): Promise<void> {
    setBusy(true)
    await sendVerificationMail().then(
      () => notify('success', text.verify.resent),
      (error: unknown) => notify('error', problemText(error)),
    )
    setBusy(false)
  }

  return (
    <Frame>
      <Screen title={text.account.title}>
        <Section>
          <Loaded query={account} rows={2}>
            {({ name, email, status }) => (
              <div className="grid gap-4">
                <div>
                  <p className="text-lg font-semibold">{name}</p>
                  <p className="break-all text-muted">{email}</p>
                </div>
                {status === 'ACTIVE' ? (
                  <p>
                    <Badge tone="good" icon={<BadgeCheck className="size-4" aria-hidden />}>
                      {text.account.verified}
                    </Badge>
                  </p>
                ) : (
                  <>
                    <p>
                      <Badge tone="warn" icon={<MailWarning className="size-4" aria-hidden />}>
                        {text.account.notVerified}
                      </Badge>
                    </p>
                    <p className="text-muted">{text.account.verifyHint}</p>
                    <Button className="justify-self-start" busy={busy} onClick={() => void resend()}>
                      {text.verify.resend}
                    </Button>
                  </>
                )}
              </div>
            )}
          </Loaded>
        </Section>
        <Section title={text.account.appearance}>
          <fieldset className="flex gap-2" aria-label={text.account.appearance}>
            {(['dark', 'light'] as const).map((each) => (
              <Button
                key={each}
                look={theme === each ? 'primary' : 'plain'}
                aria-pressed={theme === each}
                onClick={() => setTheme(each)}
              >
                {text.account[each]}
              </Button>
            ))}
          </fieldset>
        </Section>
        {/* The frame of everybody else has its own way out. */}
        {session.status !== 'ACTIVE' && (
          <Section title={text.account.device}>
            <p className="text-muted">{text.account.deviceHint}</p>
            <Button
              look="danger"
              className="justify-self-start"
              icon={<LogOut className="size-5" aria-hidden />}
              onClick={() => void signOut().catch((error: unknown) => notify('error', problemText(error)))}
            >
              {text.account.signOut}
            </Button>
          </Section>
        )}
      </Screen>
    </Frame>
  )
}

/** Who waits for verification has nowhere else to go yet. */
function Frame({ children }: { children: ReactNode }) {
  if (useSession().status === 'ACTIVE') return <AppShell>{children}</AppShell>
  return (
    <>
      <header className="border-b border-line px-4 py-1.5">
        <Link
          to="/verify-email"
          search={{ verificationToken: '' }}
          className="inline-flex min-h-11 items-center rounded-lg text-ink no-underline"
        >
          <Logo />
        </Link>
      </header>
      <main>{children}</main>
    </>
  )
}
