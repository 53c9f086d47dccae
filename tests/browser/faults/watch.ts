// What the schedules of faults count, and the rules that they must not break: each has a name, by which a mutant is known to be caught.
import { createWatchOf, type WatchOf } from '#tests/soak/watch.ts'
import type { Fault } from '#tests/support/network.ts'

export type Rule =
  /** The screen said of a write that it is saved, and the server never got it. */
  | 'lost-write'
  /** The server did one write two times, or judged it anew although it was done. */
  | 'done-twice'
  /** What was saved in a field gave its place to something older, by a save that did not change it. */
  | 'overwritten'
  /** The server holds what nobody asked for. */
  | 'unasked'
  /** What is paid of an invoice is not what was asked to be paid of it. */
  | 'wrong-sum'
  /** A screen goes on saying what is not so. */
  | 'false-screen'
  /** The server refused a write because what it names was not there yet. */
  | 'child-before-parent'
  /** A write was refused, and nobody had done anything that would forbid it. */
  | 'refused'
  /** The numbers of invoices have a gap, or one twice. */
  | 'number-gap'
  /** With a healthy network something that waits for nobody stays unsent. */
  | 'never-drains'
  /** The device is signed out, and nobody asked for it. */
  | 'honest-sign-out'
  /** The server answered 5xx of its own. */
  | 'server-error'
  /** A screen does not open, or the page does not answer. */
  | 'stuck'

/** By what each fault is counted. */
export const faultNames = {
  down: 'lost requests: the connection ended',
  hang: 'lost requests: no answer came',
  'lost-answer': 'lost replies',
  twice: 'duplicated requests',
  late: 'reordered requests',
  stalled: 'stalled bodies',
  cut: 'truncated JSON',
  portal: 'pages of a captive portal',
  unauthorized: 'answers of 401',
  stale: 'answers of 412',
  limited: 'answers of 429 with retry-after',
  unavailable: 'answers of 503',
} as const satisfies Record<Exclude<Fault, 'none'>, string>

const kills = {
  'worker kills': 0,
  'tab closes': 0,
  'SIGKILLs of the browser': 0,
  'databases that the browser lost': 0,
}

const nothing = {
  seeds: 0,
  moves: 0,
  'writes asked for': 0,
  'of these by a form': 0,
  'writes acknowledged': 0,
  'writes done at the server': 0,
  'invoices numbered': 0,
  'payments at the server': 0,
  'of these on two invoices': 0,
  'screens held against the server': 0,
  'saves of forms opened before another save': 0,
  'writes from elsewhere': 0,
  'decided by the person': 0,
  'calls of the API': 0,
  ...(Object.fromEntries(Object.values(faultNames).map((name) => [name, 0])) as Record<
    (typeof faultNames)[keyof typeof faultNames],
    0
  >),
  ...kills,
}

export type Count = keyof typeof nothing
export type Watch = WatchOf<Count, Rule>

export function createWatch(): Watch {
  return createWatchOf<Count, Rule>(nothing)
}

/** Faults, kills and payments that never happened: a run without them proves nothing of them. */
export function neverHappened({ counts }: Watch): string[] {
  const needed: Count[] = [...Object.values(faultNames), ...(Object.keys(kills) as Count[]), 'payments at the server']
  return needed.filter((name) => counts[name] === 0)
}
