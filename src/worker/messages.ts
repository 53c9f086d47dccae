import type { Gateway } from './gateway.ts'
import { pause } from './patience.ts'
import { isPageMessage, type Broadcast, type PageMessage } from '#shared/worker-messages.ts'

/** What pages ask of the worker. */
export function handleMessage(event: ExtendableMessageEvent, gateway: Pick<Gateway, 'tryNow' | 'sync'>): void {
  if (!isPageMessage(event.data)) return
  const message: PageMessage = event.data
  switch (message.type) {
    case 'claim':
      return event.waitUntil(self.clients.claim())
    case 'skip-waiting':
      return event.waitUntil(takeOver())
    case 'left-alone':
      return answered.get((event.source as Client | null)?.id ?? '')?.()
    case 'try-now':
      return event.waitUntil(gateway.tryNow())
    case 'sync':
      return event.waitUntil(gateway.sync())
  }
}

/** A tab that is frozen, or whose page does not know of it, does not answer. */
const leftWithinMs = 2000
/** Of pages that were told to leave the worker before alone, by their id: that they have answered. */
const answered = new Map<string, () => void>()

/** Every page leaves the worker before this one alone first: Chromium goes on for minutes with one to which anything comes while it is being ended. */
async function takeOver(): Promise<void> {
  const left = (await allPages()).map(
    (page) =>
      new Promise<void>((resolve) => {
        answered.set(page.id, resolve)
        page.postMessage({ type: 'worker-leaves' } satisfies Broadcast)
      }),
  )
  await Promise.race([Promise.all(left), pause(leftWithinMs)])
  await self.skipWaiting()
}

export async function tellPages(message: Broadcast): Promise<void> {
  for (const page of await allPages()) page.postMessage(message)
}

/** Those that this worker does not control as well. */
const allPages = () => self.clients.matchAll({ includeUncontrolled: true, type: 'window' })

declare const self: ServiceWorkerGlobalScope
