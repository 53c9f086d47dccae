// What time it is. A device's clock may be days off: what is proposed as today, or held against it, goes by the server's, as its answers told it.
import { shownPerson } from '#page/person.ts'

/** For a start without a network; goes with everything else of the person at sign-out (query-client.ts seals by the same beginning). */
const key = 'docket.paint.clock'
/** Less is the network's, and nobody's day. */
const aMinuteMs = 60_000
/** How far the device's clock is behind the server's. */
let behindMs: number | null = null

export function now(): number {
  return Date.now() + (behindMs ??= kept())
}

/** The server's time when its answer was passed on to a page that asked at `sentMs` of its own; NaN when the answer does not say. */
export function reportNow(theirsMs: number, sentMs: number): void {
  const next = theirsMs - Date.now()
  // In a page that slept meanwhile, or had its clock set, it is no longer now; the next answer tells.
  if (Date.now() - sentMs > aMinuteMs || !(Math.abs(theirsMs - now()) > aMinuteMs)) return
  behindMs = Math.abs(next) > aMinuteMs ? next : 0
  // Of who has left nothing is written again.
  if (shownPerson() === null) return
  try {
    localStorage.setItem(key, String(behindMs))
  } catch {
    // Full: the next start asks the network.
  }
}

function kept(): number {
  try {
    return Number(localStorage.getItem(key)) || 0
  } catch {
    return 0
  }
}
