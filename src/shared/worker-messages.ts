// Everything the worker and the pages say to one another besides HTTP: a closed union each way (HOUSE.md).
import type { FirstSync, UnsentCounts } from './outbox.ts'
import type { Session } from './session.ts'

/** Page -> worker, by `postMessage` to the worker. */
export type PageMessage =
  /** "Take control of me": a page that was loaded before the worker was active (SESSION.md fact 2). */
  | { type: 'claim' }
  /** The person agreed to the update that waits. */
  | { type: 'skip-waiting' }
  /** To the worker that waits, which told the page so: it asks nothing more of the worker before. */
  | { type: 'left-alone' }
  /** The person is back, or the network is: what waits for a better moment is tried now. */
  | { type: 'try-now' }
  /** A page that is seen ticks: what is due is sent, and the device's copy is brought up to date. */
  | { type: 'sync' }

/** Worker or page gateway -> every tab, by BroadcastChannel and `clients.postMessage`. Never carries a token. */
export type Broadcast =
  | { type: 'session-changed'; session: Session }
  /** Rows of these organizations, or the list of organizations itself, are newer on this device than they were. */
  | { type: 'copy-changed'; userId: string; organizations: string[] }
  /** What is written here and not yet at the server. */
  | ({ type: 'unsent-changed'; userId: string } & UnsentCounts)
  /** How far a first sync has come, now and then; null: it has come to its end. */
  | { type: 'first-sync'; userId: string; progress: FirstSync | null }
  /** The write with this key is on the disk: it is not lost whatever becomes of the page. */
  | { type: 'stored'; key: string }
  /**
   * Whether the server could be reached just now; `isPulling`: although a pull that was asked for before still hangs. `life`: of this start of the worker;
   * a page that hears a new one may not have been told what the one before had changed when it was killed.
   */
  | { type: 'reach'; isReached: boolean; isPulling?: boolean; life?: string }
  /** A new worker takes every tab over as soon as each has answered that it leaves the one before alone. */
  | { type: 'worker-leaves' }

export const broadcastChannelName = 'docket'

const pageMessageTypes: readonly string[] = [
  'claim',
  'skip-waiting',
  'left-alone',
  'try-now',
  'sync',
] satisfies PageMessage['type'][]

export function isPageMessage(data: unknown): data is PageMessage {
  return hasType(data) && pageMessageTypes.includes(data.type)
}

const broadcastTypes: readonly string[] = [
  'session-changed',
  'copy-changed',
  'unsent-changed',
  'first-sync',
  'stored',
  'reach',
  'worker-leaves',
] satisfies Broadcast['type'][]

export function isBroadcast(data: unknown): data is Broadcast {
  return hasType(data) && broadcastTypes.includes(data.type)
}

function hasType(data: unknown): data is { type: string } {
  return typeof data === 'object' && data !== null && 'type' in data && typeof data.type === 'string'
}
