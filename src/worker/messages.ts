import type { Gateway } from './gateway.ts'
import { isPageMessage, type Broadcast, type PageMessage } from '#shared/worker-messages.ts'

/** What pages ask of the worker. */
export function handleMessage(event: ExtendableMessageEvent, gateway: Pick<Gateway, 'tryNow' | 'sync'>): void {
  if (!isPageMessage(event.data)) return
  const message: PageMessage = event.data
  switch (message.type) {
    case 'claim':
      return event.waitUntil(self.clients.claim())
    case 'skip-waiting':
      return event.waitUntil(self.skipWaiting())
    case 'try-now':
      return event.waitUntil(gateway.tryNow())
    case 'sync':
      return event.waitUntil(gateway.sync())
  }
}

/** Reaches pages that this worker does not control as well. */
export async function tellPages(message: Broadcast): Promise<void> {
  for (const client of await self.clients.matchAll({ includeUncontrolled: true, type: 'window' }))
    client.postMessage(message)
}

declare const self: ServiceWorkerGlobalScope
