import { createFileRoute, Outlet, redirect, useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { isSignedIn } from '#shared/session.ts'
import { organizationsQuery } from '#page/current-organization.ts'
import { showDecisionsBy } from '#page/device/decision.ts'
import { AppShell } from '#page/features/shell/app-shell.tsx'
import { takeTab } from '#page/features/shell/own-tab.ts'
import { openAppWords } from '#page/words/language.ts'
import { hasLeft, sessionForGuard } from '#page/session.ts'

/** The guard of every protected screen (seed section 2). */
export const Route = createFileRoute('/_authed')({
  beforeLoad: async ({ context, location }) => {
    const session = await sessionForGuard()
    if (!isSignedIn(session)) throw redirect({ to: '/login', search: hasLeft() ? {} : { to: location.href } })
    if (session.status === 'WAITING_FOR_EMAIL_VERIFICATION')
      throw redirect({ to: '/verify-email', search: { verificationToken: '' } })
    await Promise.all([context.paintCache.open(session.userId), openAppWords()])
    return { person: session.userId }
  },
  loader: ({ context }) => void context.queryClient.prefetchQuery(organizationsQuery),
  component: Authed,
})

/** Begun anew for another person: nothing that the one before had opened or typed is theirs. */
function Authed() {
  const { person } = Route.useRouteContext()
  const navigate = useNavigate()
  useEffect(() => takeTab(person), [person])
  useEffect(() => showDecisionsBy((key) => navigate({ to: '/unsent/$key', params: { key } })), [navigate])
  return (
    <AppShell key={person}>
      <Outlet />
    </AppShell>
  )
}
