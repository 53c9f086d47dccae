// What the gateway finds in a browser, in the worker and in a page alike.
import { apiOriginOf } from '#shared/endpoint.ts'
import { broadcastChannelName, type Broadcast } from '#shared/worker-messages.ts'
import type { Session } from '#shared/session.ts'
import { createDevice } from './device.ts'
import { createGateway, type Gateway } from './gateway.ts'
import { createVault } from './session/vault.ts'

const lockName = 'docket-session'
/** The lock saves a second renewal; the server's idempotency is what makes it right, so a stuck lock is passed by. */
const lockPatienceMs = 10_000

export function createBrowserGateway(tell: (message: Broadcast) => void = () => {}): Gateway {
  const channel = new BroadcastChannel(broadcastChannelName)
  const say = (message: Broadcast) => {
    channel.postMessage(message)
    tell(message)
  }
  const locks = 'locks' in navigator ? navigator.locks : null
  const apiOrigin = apiOriginOf(import.meta.env.VITE_API_BASE_URL, location.origin)
  return createGateway({
    apiOrigin,
    fetch: fetch.bind(globalThis),
    vault: createVault(),
    clock: Date.now,
    lock: withLock,
    announce: (session: Session) => say({ type: 'session-changed', session }),
    device: (road) =>
      createDevice({
        ...road,
        apiOrigin,
        mostInvoices: Number(import.meta.env.VITE_DEVICE_INVOICES ?? 0),
        clock: Date.now,
        random: Math.random,
        // Where there are locks: what two contexts sent at once would be done once all the same, and only wastes a cheap phone's network.
        lock: locks && ((name, work) => locks.request(name, work)),
        tell: say,
        wakeLater,
      }),
  })
}

/** One-off Background Sync, where the browser has it and this is the worker. */
function wakeLater(): void {
  const { registration } = globalThis as { registration?: { sync?: { register(tag: string): Promise<void> } } }
  registration?.sync?.register('docket-outbox').catch(() => {})
}

async function withLock<T>(work: () => Promise<T>): Promise<T> {
  if (!('locks' in navigator)) return work()
  let started = false
  const run = () => {
    started = true
    return work()
  }
  try {
    return await navigator.locks.request(lockName, { signal: AbortSignal.timeout(lockPatienceMs) }, run)
  } catch (error) {
    if (started) throw error
    return work()
  }
}
