import { CSPProvider } from '@base-ui/react/csp-provider'
import { createFileRoute, Link, Outlet, redirect } from '@tanstack/react-router'
import { LogOut } from 'lucide-react'
import type { ReactNode } from 'react'
import { isSignedIn } from '#shared/session.ts'
import { Announcements } from '#page/features/shell/announcements.tsx'
import { AppShell } from '#page/features/shell/app-shell.tsx'
import { SignOut } from '#page/features/shell/sign-out.tsx'
import { openAppWords } from '#page/words/language.ts'
import { hasLeft, sessionForGuard, useSession } from '#page/session.ts'
import { text } from '#page/words/text.ts'
import { Button } from '#page/ui/button.tsx'
import { Logo } from '#page/ui/logo.tsx'

/** Needs a session, but no verified email: an expired link is renewed here (seed, verify-email footer). */
export const Route = createFileRoute('/account')({
  beforeLoad: async ({ context, location }) => {
    const session = await sessionForGuard()
    if (!isSignedIn(session)) throw redirect({ to: '/login', search: hasLeft() ? {} : { to: location.href } })
    await Promise.all([context.paintCache.open(session.userId), openAppWords()])
    return { person: session.userId }
  },
  component: Account,
})

/** Begun anew for another person, like every screen of their own (_authed.tsx). */
function Account() {
  const { person } = Route.useRouteContext()
  return (
    <Frame key={person}>
      <Outlet />
    </Frame>
  )
}

/** Who waits for verification has nowhere else to go yet. Whoever is just signing out keeps the frame until the guard has decided. */
function Frame({ children }: { children: ReactNode }) {
  if (useSession().status !== 'WAITING_FOR_EMAIL_VERIFICATION') return <AppShell>{children}</AppShell>
  return (
    <CSPProvider disableStyleElements>
      <header className="flex items-center justify-between gap-3 border-b border-line px-4 py-1.5">
        <Link
          to="/verify-email"
          search={{ verificationToken: '' }}
          className="inline-flex min-h-11 items-center rounded-lg text-ink no-underline"
        >
          <Logo />
        </Link>
        <SignOut>
          {(press) => (
            <Button look="quiet" icon={<LogOut className="size-5" aria-hidden />} onClick={press}>
              {text.account.signOut}
            </Button>
          )}
        </SignOut>
      </header>
      <Announcements />
      <main>{children}</main>
    </CSPProvider>
  )
}
