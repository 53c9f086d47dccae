// What the soak counts, and the rules that must hold at every moment: each has a name, by which a mutant is known to be caught.

export type Rule =
  /** The device lost a session that neither the person nor the server had ended. */
  | 'honest-sign-out'
  /** The server ended the session of an honest device by itself. */
  | 'honest-session-revoked'
  /** A call that needs a session left without its Bearer. */
  | 'bare-call'
  /** The server answered with tokens of a session that it had ended before the call began. */
  | 'minted-after-revocation'
  /** A Bearer of an ended session was still served more than a second later. */
  | 'served-after-revocation'
  /** An access token was sent before it lay on the disk. */
  | 'used-before-persisted'
  /** A session that was signed out came back, or took the place of another one without a sign-in. */
  | 'session-came-back'
  /** With a healthy network a call of a living session does not succeed. */
  | 'never-recovers'
  /** A call was answered with somebody else's data. */
  | 'wrong-user'
  /** The device goes on with a session that the server has ended. */
  | 'ghost-session'
  /** The server was never told of a sign-out. */
  | 'farewell-untold'
  /** A copied refresh token was worth something. */
  | 'replay-minted'
  /** The server answered 5xx of its own. */
  | 'server-error'

export class Violation extends Error {
  readonly rule: string
  constructor(rule: string, detail: string) {
    super(`${rule}: ${detail}`)
    this.rule = rule
  }
}

const nothing = {
  runs: 0,
  'of these with true races': 0,
  commands: 0,
  calls: 0,
  'calls answered': 0,
  'refreshes sent': 0,
  'refreshes minted by the server': 0,
  'refreshes that arrived': 0,
  rotations: 0,
  requests: 0,
  'requests in bad weather': 0,
  'lost requests': 0,
  'of these delivered late': 0,
  'lost responses': 0,
  'worker kills': 0,
  'kills with a refresh under way': 0,
  'events sent again to a new worker': 0,
  'delayed duplicates': 0,
  'foreign or broken answers': 0,
  'failed transactions': 0,
  'lock passed by': 0,
  'clock jumps': 0,
  'sign-ins': 0,
  'sign-ins by another user': 0,
  'sign-outs by the person': 0,
  'farewells told': 0,
  'remote ends': 0,
  'ends by the server that arrived': 0,
  'healthy ends of a run': 0,
}
type Count = keyof typeof nothing

/** What is counted, and the names of the rules. */
export interface WatchOf<What extends string, Name extends string> {
  readonly counts: Readonly<Record<What, number>>
  count(what: What): void
  /** Notes a broken rule wherever it is seen; `check` throws it where the run can end. */
  broke(rule: Name, detail: string): void
  /** Throws what was broken since the last look. */
  check(): void
  /** Begins a run with nothing broken. */
  forget(): void
}

export type Watch = WatchOf<Count, Rule>

export function createWatch(): Watch {
  return createWatchOf(nothing)
}

/** A watch that begins with these counts. */
export function createWatchOf<What extends string, Name extends string>(
  nothing: Readonly<Record<What, number>>,
): WatchOf<What, Name> {
  const counts: Record<What, number> = { ...nothing }
  let first: Violation | null = null
  return {
    counts,
    count: (what) => void (counts[what] += 1),
    broke: (rule, detail) => void (first ??= new Violation(rule, detail)),
    check() {
      const broken = first
      first = null
      if (broken) throw broken
    },
    forget: () => void (first = null),
  }
}
