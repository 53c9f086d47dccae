// Brings the copy up to date, one pull at a time for each person; and by that knows whether the server is there.
import { deviceEndpoints } from '#shared/device-endpoints.ts'
import { pathOf } from '#shared/endpoint.ts'
import type { News } from '#worker/news.ts'
import { unlessFull } from '#worker/full.ts'
import { tryLost } from '#worker/outbox/queue.ts'
import { sendRead } from '#worker/patience.ts'
import { getCall, ifUndeliverable, Undeliverable, type Call } from '#worker/wire.ts'
import type { Connection } from './connection.ts'
import { pullAll } from './pull.ts'

/** What stands still ends sooner (`sendRead`). */
const pageEndsAfterMs = 300_000
/** The first call of a pull is small: what takes longer is a network that is not there. */
const probeEndsAfterMs = 8000
/** What hangs for longer is asked beside, by the next trigger: an open page has sent what waits within five seconds of the network's return. */
const hangingMs = 1500
const askedBesideMs = 5000
const listPath = pathOf(deviceEndpoints.listOrganizations)

export interface PullerParts {
  apiOrigin: string
  clock: () => number
  now: () => number
  send(userId: string, call: Call): Promise<Response | null>
  mostInvoices?: number
  using: Connection['using']
  news: News
}

export interface Puller {
  /** Joins the one that is under way; true when all of it was had. */
  pull(userId: string): Promise<boolean>
  /** Begins after one that is under way, which was asked for before. */
  pullAnew(userId: string): Promise<boolean>
  isPulling(userId: string): boolean
  /** The last pull brought what this device has no room for: what it holds is of before. */
  isBehind(userId: string): boolean
  /** Resolves when the one that is under way, if any, is over. */
  ended(userId: string): Promise<void>
  /**
   * Whether the server is there. The next answer that a pull gets tells, however much more there is to come; where one hangs it is asked beside: the network it
   * began on may be another by now.
   */
  isThere(userId: string): Promise<boolean>
}

/** `askedAtMs`: when it made its latest call. `giveUp` ends its first, which asks what others ask as well. `listeners`: who waits for its next answer. */
interface Pull {
  work: Promise<boolean>
  askedAtMs: number
  giveUp: AbortController
  listeners: ((isHeard: true) => void)[]
}

/** Who has not confirmed their address may not see the list, and hears from the server all the same. */
const isHeard = ({ ok, status }: Response) => ok || status === 403

export function createPuller({ apiOrigin, clock, now, send, mostInvoices, using, news }: PullerParts): Puller {
  const pulling = new Map<string, Pull>()
  const behind = new Set<string>()
  let timesReached = 0

  const get = (userId: string, asking: Pull) => async (path: string) => {
    asking.askedAtMs = clock()
    const call = getCall(apiOrigin + path, path === listPath ? probeEndsAfterMs : pageEndsAfterMs)
    if (path === listPath) call.signal = AbortSignal.any([call.signal!, asking.giveUp.signal])
    // As long as something of a page comes it may take its time.
    return sendRead(call, async (limited) => {
      const answer = await send(userId, limited)
      if (!answer) throw new Undeliverable()
      if (isHeard(answer)) for (const hear of asking.listeners.splice(0)) hear(true)
      return answer
    })
  }

  function pull(userId: string): Promise<boolean> {
    const underWay = pulling.get(userId)
    if (underWay) return underWay.work
    const begun = { askedAtMs: clock(), giveUp: new AbortController(), listeners: [] as Pull['listeners'] } as Pull
    pulling.set(userId, begun)
    const work = using(userId, async (database) => {
      const { changed, isListNew } = await pullAll(database, get(userId, begun), now, {
        ...(mostInvoices && { mostInvoices }),
        onFirstSync: (progress) => news.progress(userId, progress),
      })
      if (isListNew) await tryLost(database)
      if (changed.length > 0 || isListNew) news.note(userId, changed, false)
      behind.delete(userId)
      return true
    })
    begun.work = ifUndeliverable(
      unlessFull(work, () => passBy(userId)),
      false,
    ).finally(() => pulling.delete(userId))
    return begun.work
  }

  /** What there is no room for has come: pages ask for it anew, and have it from the server. */
  async function passBy(userId: string): Promise<boolean> {
    behind.add(userId)
    const organizations = await using(userId, (database) => database.getAllKeys('organizations'))
    news.note(userId, organizations, false)
    return true
  }

  function nextAnswer(userId: string): Promise<boolean> {
    const work = pull(userId)
    const next = new Promise<boolean>((resolve) => pulling.get(userId)!.listeners.push(resolve))
    return Promise.race([work, next])
  }

  async function askBeside(userId: string): Promise<boolean> {
    try {
      const answer = await send(userId, getCall(apiOrigin + listPath, askedBesideMs))
      return answer !== null && isHeard(answer) && (await answer.json()) !== null
    } catch {
      return false
    }
  }

  return {
    pull,
    async pullAnew(userId) {
      await pulling.get(userId)?.work
      return pull(userId)
    },
    isBehind: (userId) => behind.has(userId),
    isPulling: (userId) => pulling.has(userId),
    ended: async (userId) => void (await pulling.get(userId)?.work),
    async isThere(userId) {
      const before = timesReached
      const underWay = pulling.get(userId)
      const hanging = underWay && clock() - underWay.askedAtMs > hangingMs ? underWay : null
      if (await (hanging ? askBeside(userId) : nextAnswer(userId))) {
        timesReached += 1
        hanging?.giveUp.abort()
      }
      // Asked later and answered sooner counts as well.
      return timesReached > before
    },
  }
}
