// What a page does by itself about the connection: it asks again while the server is away, and keeps the device's copy current and what is unsent moving.
import type { QueryClient } from '@tanstack/react-query'
import { isLeaving, sync, tryNow } from '#page/start/boot.ts'
import { shownPerson } from '#page/person.ts'
import { hearBroadcasts } from './broadcasts.ts'
import { isPartShown, isReachable, reach, reportReachable } from './connection.ts'
import { counted, toldCounts } from './unsent-counts.ts'

const firstLookMs = 3000
const longestLookMs = 30_000
/** Something waits for the network: within five seconds of its return it is there, also where the first calls meet what is left of the fault. */
const waitingTickMs = 2500
const quietTickMs = 20_000
/** Who has just signed in has everything loaded onto the device, once the first screen has what it asked for. */
const loadsAfterMs = 1000

/** While the server is away what is on the screen is asked for again, ever more rarely, and at once when the browser says it is online. */
export function followConnection(queryClient: QueryClient): void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const ask = () => void queryClient.refetchQueries({ type: 'active' })
  const lookAfter = (delayMs: number) => {
    timer = setTimeout(() => {
      if (document.visibilityState === 'visible' && !isLeaving()) ask()
      lookAfter(Math.min(delayMs * 2, longestLookMs))
    }, delayMs)
  }
  reach.listen(() => {
    clearTimeout(timer)
    if (isReachable()) ask()
    else lookAfter(firstLookMs)
  })
  window.addEventListener('online', () => {
    tryNow()
    ask()
  })
  // A hint: what the worker finds out by it is heard.
  window.addEventListener('offline', sync)
  keepCurrent(ask)
}

/** A page that is seen keeps the device's copy current and what is unsent moving; what the worker finds out by it is heard here. */
function keepCurrent(ask: () => void): void {
  let waiting = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let loading: typeof timer
  const tick = () => {
    clearTimeout(timer)
    const delayMs = isReachable() && waiting === 0 ? quietTickMs : waitingTickMs
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
      if (broadcast.isReached && !broadcast.isPulling && isPartShown()) ask()
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
