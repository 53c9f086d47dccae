// What the model of the outbox counts, and its rules: each has a name, by which a mutant is known to be caught.
import { createWatchOf, type WatchOf } from '#tests/soak/watch.ts'

export type Rule =
  /** A write that was acknowledged is neither at the server nor on the device. */
  | 'lost-write'
  /** The server did more, or less, than the writes that it answered. */
  | 'done-twice'
  /** What somebody saved in a field was put back or overwritten by a save that did not change it, and nobody decided so. */
  | 'overwritten'
  /** A write left for the server before what it names was made there. */
  | 'child-before-parent'
  /** A later write of a lane came before an earlier one. */
  | 'out-of-order'
  /** Two writes of one lane were on their way at once. */
  | 'lane-crossed'
  /** A write was sent under a key that neither the page nor the person's decision had made. */
  | 'invented-key'
  /** One person's write was sent with another's token. */
  | 'wrong-person'
  /** With a healthy network something that waits for nobody stays unsent. */
  | 'never-drains'
  /** The numbers of invoices have a gap, or one twice. */
  | 'number-gap'
  /** What is paid of an invoice is not what its payments are. */
  | 'wrong-sum'
  /** With nothing unsent the device shows something else than the server. */
  | 'copy-differs'
  /** Something was thrown that nobody caught. */
  | 'crash'
  /** Rules of the server itself (tests/soak/watch.ts). */
  | 'server-error'
  | 'served-after-revocation'
  | 'minted-after-revocation'

const nothing = {
  runs: 0,
  steps: 0,
  'writes asked for': 0,
  'writes acknowledged': 0,
  'writes done at the server': 0,
  'calls repeated by the page': 0,
  requests: 0,
  'lost requests': 0,
  'lost replies': 0,
  'stalled requests': 0,
  'delivered twice or late': 0,
  'refused for now (429, 5xx)': 0,
  'foreign or cut answers': 0,
  'worker kills': 0,
  'clock jumps': 0,
  'writes from elsewhere': 0,
  conflicts: 0,
  'merged by themselves': 0,
  'refused for good': 0,
  'decided by the person': 0,
  'taken back': 0,
  'put back': 0,
  'payments at the server': 0,
  'payments on several invoices': 0,
  'reversals at the server': 0,
  'credit notes at the server': 0,
  'sessions ended elsewhere': 0,
  'sign-ins': 0,
  'refreshes minted by the server': 0,
  rotations: 0,
}

export type Watch = WatchOf<keyof typeof nothing, Rule>

export function createWatch(): Watch {
  return createWatchOf(nothing)
}
