// A canary in each of the two stores of this device: when one is gone and the other is not, the browser has cleared what Docket kept.
import { createStore, get, set } from 'idb-keyval'

/** Of this device, nobody's in particular: both outlive a sign-out. */
const key = 'docket.canary'
/** What is written to localStorage may not be on the disk for a while: before it surely is, its absence means nothing. */
const settledMs = 60_000

interface Canary {
  /** Milliseconds since 1970. */
  since: number
  /** The one in localStorage was seen when it was long since written. */
  isPaired: boolean
}

/** `database`: what the worker keeps is gone, and the session with it. `text`: what was typed and not saved is. */
export type Loss = 'database' | 'text'

/** What was cleared since the last time; null when all is there, on a new device, and where nothing can be kept. Says so until {@link settleCanary}. */
export async function findLoss(): Promise<Loss | null> {
  try {
    const store = openStore()
    const kept = await get<Canary>(key, store)
    const mark = localStorage.getItem(key)
    if (mark !== null && !kept) return 'database'
    if (mark === null && kept?.isPaired) return 'text'
    if (!kept || mark === null) await settleCanary()
    else if (!kept.isPaired && Math.abs(Date.now() - kept.since) > settledMs)
      await set(key, { ...kept, isPaired: true } satisfies Canary, store)
    return null
  } catch {
    // A database that does not open is not an empty one.
    return null
  }
}

/** Both anew; the database's first, because only the mark in localStorage accuses it. */
export async function settleCanary(): Promise<void> {
  await set(key, { since: Date.now(), isPaired: false } satisfies Canary, openStore())
  localStorage.setItem(key, '1')
}

function openStore() {
  return createStore('docket-canary', 'canary')
}
