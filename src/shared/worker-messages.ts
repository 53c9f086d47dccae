// Everything the worker and the pages say to one another besides HTTP: a closed union each way (HOUSE.md).
import type { Session } from './session.ts'

/** Page -> worker, by `postMessage` to the worker. */
export type PageMessage =
  /** "Take control of me": a page that was loaded before the worker was active (SESSION.md fact 2). */
  | { type: 'claim' }
  /** The person agreed to the update that waits. */
  | { type: 'skip-waiting' }
  /** The person is back, or the network is: what waits for a better moment is tried now. */
  | { type: 'try-now' }

/** Worker or page gateway -> every tab, by BroadcastChannel and `clients.postMessage`. Never carries a token. */
export type Broadcast = { type: 'session-changed'; session: Session }

export const broadcastChannelName = 'docket'

const pageMessageTypes: readonly string[] = ['claim', 'skip-waiting', 'try-now'] satisfies PageMessage['type'][]

export function isPageMessage(data: unknown): data is PageMessage {
  return hasType(data) && pageMessageTypes.includes(data.type)
}

export function isBroadcast(data: unknown): data is Broadcast {
  return hasType(data) && data.type === ('session-changed' satisfies Broadcast['type'])
}

function hasType(data: unknown): data is { type: string } {
  return typeof data === 'object' && data !== null && 'type' in data && typeof data.type === 'string'
}
