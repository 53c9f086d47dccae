// Whether calls get through, judged by the calls themselves: `navigator.onLine` is a hint, never a decision (OFFLINE.md).
import type { QueryClient } from '@tanstack/react-query'
import { sync, tryNow } from '#page/start/boot.ts'
import { hearBroadcasts } from './broadcasts.ts'
import { shownPerson } from '#page/person.ts'
import { createTopic, useTopic } from '#page/topic.ts'
import { counted, toldCounts } from './unsent-counts.ts'

const firstLookMs = 3000
const longestLookMs = 30_000
/** Something waits for the network: within five seconds of its return it is there, also where the first calls meet what is left of the fault. */
const waitingTickMs = 2500
const quietTickMs = 20_000
/** Who has just signed in has everything loaded onto the device, once the first screen has what it asked for. */
const loadsAfterMs = 1000

let reachable = true
const reach = createTopic()

/** What became of a call, any call: api.ts says it. */
export function reportReachable(next: boolean): void {
  if (reachable === next) return
  reachable = next
  reach.tell()
}

let asOfMs: number | null = null
const age = createTopic()

/** From when the device's own answers are, in milliseconds since 1970: api.ts says it; NaN when the answer does not. */
export function reportAsOf(next: number): void {
  if (Number.isNaN(next) || asOfMs === next) return
  asOfMs = next
  age.tell()
}

/** Organizations of which the last answer was drawn from a part of the rows. */
let incomplete: ReadonlySet<string> = new Set()
const completeness = createTopic()

/** Whether an answer about an organization, as its address names it, lacks what only the server has (`x-docket-complete`): api.ts says it. */
export function reportComplete(url: string, isComplete: boolean): void {
  const [, id = ''] = /organizations\/([\w-]+)/.exec(url) ?? []
  if (isComplete !== incomplete.has(id)) return
  incomplete = new Set([...incomplete, id].filter((each) => !isComplete || each !== id))
  completeness.tell()
}

/** While the server is away what is on the screen is asked for again, ever more rarely, and at once when the browser says it is online. */
export function followConnection(queryClient: QueryClient): void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const ask = () => void queryClient.refetchQueries({ type: 'active' })
  const lookAfter = (delayMs: number) => {
    timer = setTimeout(() => {
      if (document.visibilityState === 'visible') ask()
      lookAfter(Math.min(delayMs * 2, longestLookMs))
    }, delayMs)
  }
  reach.listen(() => {
    clearTimeout(timer)
    if (reachable) ask()
    else lookAfter(firstLookMs)
  })
  window.addEventListener('online', () => {
    tryNow()
    ask()
  })
  keepCurrent(ask)
}

/** A page that is seen keeps the device's copy current and what is unsent moving; what the worker finds out by it is heard here. */
function keepCurrent(ask: () => void): void {
  let waiting = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let loading: typeof timer
  const tick = () => {
    clearTimeout(timer)
    const delayMs = reachable && waiting === 0 ? quietTickMs : waitingTickMs
    timer = setTimeout(() => {
      if (document.visibilityState === 'visible') sync()
      tick()
    }, delayMs)
  }
  reach.listen(tick)
  hearBroadcasts((broadcast) => {
    if (broadcast.type === 'reach') {
      reportReachable(broadcast.isReached)
      // The server was away for so short a time that nobody noticed, but when that was drawn.
      if (broadcast.isReached && !broadcast.isPulling && incomplete.size > 0) ask()
    }
    if (broadcast.type === 'session-changed') {
      // It is told twice.
      clearTimeout(loading)
      loading = setTimeout(sync, loadsAfterMs)
    }
  })
  // Told, or asked for: a page that was just loaded is told nothing of what waited before.
  counted.listen(() => {
    const next = toldCounts(shownPerson())?.waiting ?? 0
    if (next === waiting) return
    waiting = next
    tick()
  })
  // The first worker of this device has just taken the page over, or a new one has.
  if ('serviceWorker' in navigator) navigator.serviceWorker.addEventListener('controllerchange', sync)
  tick()
}

export function useReachable(): boolean {
  return useTopic(reach, () => reachable, true)
}

/** From when the device's copy is that was read last; null while none was. */
export function useAsOf(): number | null {
  return useTopic(age, () => asOfMs, null)
}

/** Whether what is shown of this organization lacks what only the server has. */
export function useIncomplete(organizationId: string | undefined): boolean {
  const among = useTopic(completeness, () => incomplete, incomplete)
  return organizationId !== undefined && among.has(organizationId)
}
