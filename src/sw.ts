// The service worker: a table of contents, one line per event.
import type { PrecacheEntry } from 'workbox-precaching'
import { handleMessage, tellPages } from '#worker/messages.ts'
import { answerFromShell, keepShell, shellFile } from '#worker/shell.ts'
import { createBrowserGateway } from '#worker/surroundings.ts'

declare const self: ServiceWorkerGlobalScope & { __WB_MANIFEST: (string | PrecacheEntry)[] }

const gateway = createBrowserGateway((message) => void tellPages(message).catch(() => {}))
keepShell(self.__WB_MANIFEST)

self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))
self.addEventListener('message', (event) => handleMessage(event, gateway))
self.addEventListener('online', () => void gateway.tryNow())
// Background Sync, where there is one: the network came back while no page is open. As long as something is left the browser tries again, later each time.
self.addEventListener('sync', (event) =>
  (event as ExtendableEvent).waitUntil(
    gateway.wake().then((isDone) => (isDone ? undefined : Promise.reject(new Error('Something is left')))),
  ),
)
self.addEventListener('fetch', (event) => {
  if (gateway.owns(event.request))
    return event.respondWith(gateway.answer(event.request, (work) => event.waitUntil(work)))
  const file = shellFile(event.request)
  if (file !== null) event.respondWith(answerFromShell(file, event.request))
})
