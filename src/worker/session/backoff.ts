// How long to wait between tries of a renewal that could not be delivered: 1 to 60 s with full jitter, or what the server asks for (SESSION.md).
// Without it twenty tabs would keep a server that is coming back from coming back.

const firstMs = 1000
const longestMs = 60_000
/** A server may ask for more than we would wait of ourselves, but not for ever. */
const longestAskedMs = 60 * 60_000

export interface Backoff {
  mayTry(): boolean
  /** `askedMs`: what a Retry-After of the server's own said; null without one. */
  failed(askedMs: number | null): void
  succeeded(): void
  /** Somebody is waiting, or the network came back: the next try need not wait longer than the server asked for. */
  tryNow(): void
}

/** `clock` in milliseconds; it may jump, and then the wait is over. `random` from 0 to 1. */
export function createBackoff(clock: () => number, random: () => number): Backoff {
  let failures = 0
  let failedAtMs = 0
  let waitMs = 0
  let askedForMs = 0
  return {
    mayTry() {
      const passedMs = clock() - failedAtMs
      return passedMs < 0 || passedMs >= waitMs
    },
    failed(askedMs) {
      const most = Math.min(longestMs, firstMs * 2 ** failures)
      failures += 1
      failedAtMs = clock()
      askedForMs = Math.min(askedMs ?? 0, longestAskedMs)
      waitMs = Math.max(random() * most, askedForMs)
    },
    succeeded() {
      failures = 0
      waitMs = 0
    },
    tryNow() {
      waitMs = Math.min(waitMs, askedForMs)
    },
  }
}

/** A Retry-After header in milliseconds from now: seconds, or a date (RFC 9110 section 10.2.3); null without a readable one. */
export function retryAfterMs(answer: Response, nowMs: number): number | null {
  const header = answer.headers.get('retry-after')?.trim()
  if (!header) return null
  if (/^\d+$/.test(header)) return Number(header) * 1000
  const at = Date.parse(header)
  return Number.isNaN(at) ? null : Math.max(0, at - nowMs)
}
