// What the gateway finds in a browser, in the worker and in a page alike.
import { apiOriginOf } from '#shared/endpoints.ts'
import { broadcastChannelName, type Broadcast } from '#shared/worker-messages.ts'
import type { Session } from '#shared/session.ts'
import { createGateway, type Gateway } from './gateway.ts'
import { createVault } from './session/vault.ts'

const lockName = 'docket-session'
/** The lock saves a second renewal; the server's idempotency is what makes it right, so a stuck lock is passed by. */
const lockPatienceMs = 10_000

export function createBrowserGateway(tell: (message: Broadcast) => void = () => {}): Gateway {
  const channel = new BroadcastChannel(broadcastChannelName)
  return createGateway({
    apiOrigin: apiOriginOf(import.meta.env.VITE_API_BASE_URL, location.origin),
    fetch: fetch.bind(globalThis),
    vault: createVault(),
    clock: Date.now,
    lock: withLock,
    announce(session: Session) {
      const message: Broadcast = { type: 'session-changed', session }
      channel.postMessage(message)
      tell(message)
    },
  })
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
