// A page that no worker controls (a private window, a full disk, a first visit): the gateway runs in it. Where no worker is to come either, nothing keeps
// the app's files for when the network is away: this page loads them while it is there.
import type { AnyRoute, AsyncRouteComponent } from '@tanstack/react-router'
import { createBrowserGateway } from '#worker/surroundings.ts'
import { pieces, whenThere } from '#page/lazily.ts'
import { routeTree } from '#page/route-tree.gen.ts'

/** The first screen comes first; and a worker of a first visit is registered by then. */
const afterMs = 10_000

export function openGatewayHere() {
  setTimeout(() => void loadEveryFile().catch(() => {}), afterMs)
  return createBrowserGateway()
}

/** What is imported in the middle of some work, and has its place in no screen. Kept by hand; a test finds what it lacks, and says what is left out and why. */
const inWork = [
  () => import('#page/device/decision.ts'),
  () => import('#page/device/logo.ts'),
  () => import('#page/features/invoices/download.ts'),
  () => import('#page/features/invoices/issue-check.ts'),
  () => import('#page/features/reminders/remind-chosen.ts'),
  () => import('#shared/contract/invoices.ts'),
  () => import('#shared/contract/quotes.ts'),
  () => import('#shared/contract/recurring.ts'),
  () => import('#shared/credit-note.ts'),
  () => import('fflate'),
]

async function loadEveryFile(): Promise<void> {
  if ('serviceWorker' in navigator && (await navigator.serviceWorker.getRegistration())) return
  const screens = all(routeTree).map(({ options }) => async () => {
    await (options.component as Partial<AsyncRouteComponent<object>> | undefined)?.preload?.()
  })
  // One after the other: what a person waits for meanwhile comes between them. Screens first, for they name the pieces.
  for (const loads of [screens, inWork, pieces]) for (const load of loads) await whenThere<unknown>(load)
}

function all(route: AnyRoute): AnyRoute[] {
  return [route, ...Object.values((route.children ?? {}) as Record<string, AnyRoute>).flatMap(all)]
}
