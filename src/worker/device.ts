// What the gateway keeps on the device for the person who is signed in: reads are answered from the copy, writes go through the outbox (OFFLINE.md).
import type { DeviceEndpointName } from '#shared/device-endpoints.ts'
import { countsOf, holdMs, isReversal, needsPerson } from '#shared/outbox.ts'
import type { Broadcast } from '#shared/worker-messages.ts'
import { answerFromCopy } from './copy/answers.ts'
import { createConnection } from './copy/connection.ts'
import { createPuller } from './copy/puller.ts'
import { copiesHere, deleteCopy, openCopyDatabase, readStores, type Row } from './copy/stores.ts'
import { atLeisure } from './leisure.ts'
import { createNews } from './news.ts'
import { createDrain } from './outbox/drain.ts'
import { blockedOf, isHeld, waitsForPerson, type Entry } from './outbox/entry.ts'
import { answerOutbox, answerSealed } from './outbox/calls.ts'
import { enqueue } from './outbox/enqueue.ts'
import { goOn, makeDue } from './outbox/queue.ts'
import { createSpare, dropSpare, isSpareRead } from './outbox/spare.ts'
import { answerOf, callOf, echo, paidBy, rowPath, writeOf, type Outcome } from './outbox/write.ts'
import { pause } from './patience.ts'
import { deviceAnswer, deviceProblem, getCall, ifUndeliverable, Undeliverable, type Call } from './wire.ts'

const answerWithinMs = 2500
const lookEndsAfterMs = 20_000
/** A worker that starts sends what an earlier one left, once the screen has what it asked for. */
const startAfterMs = 1000
/** Work on the second copy takes from what a person waits for. */
const spareFollowsAt = { afterMs: 50, restPerWork: 20, longestRestMs: 2000 }

export interface DeviceParts {
  apiOrigin: string
  /** The device's own clock, in milliseconds. */
  clock: () => number
  /** The server's time as far as known. */
  now: () => number
  random: () => number
  /** Sends as this person; null when they are not signed in here. Throws Undeliverable. */
  send(userId: string, call: Call): Promise<Response | null>
  /** Whether the session of this device is theirs, as far as is on its disk. */
  isHere(userId: string): Promise<boolean>
  /** Runs alone among all contexts of this origin; null where there are no locks. */
  lock: (<T>(name: string, work: () => Promise<T>) => Promise<T>) | null
  tell: (message: Broadcast) => void
  /** Of an organization on this device; left out, as many as copy/cap.ts says. */
  mostInvoices?: number
  /** Asks the browser to wake the worker when there is a network, where it can. */
  wakeLater: () => void
}

export interface Device {
  /** Null: the copy does not have it, and the call goes to the network. */
  read(userId: string, name: DeviceEndpointName, url: URL): Promise<Response | null>
  /** Null: it is no write that may wait, or this device cannot store it; the call goes to the network. */
  write(userId: string, name: DeviceEndpointName, call: Call): Promise<Response | null>
  /** The calls of shared/outbox.ts. */
  answerOutbox(userId: string, call: Call): Promise<Response>
  /** Their one answer to whoever is not signed in; what is of `leavers` is about to go. */
  sealedOutbox(leavers: readonly string[]): Promise<Response>
  /** Sends what is due and brings the copy up to date; with `dueNow` everything that waits is due. True when the server was reached. */
  sync(userId: string, dueNow: boolean): Promise<boolean>
  /** Brings the copy up to date with what was just done at the server: a pull that is under way may have been answered before. */
  catchUp(userId: string): Promise<boolean>
  /** Whether the server is there, as far as a call of its own can tell. */
  isThere(userId: string): Promise<boolean>
  /** The browser woke the worker, perhaps with no page there. False: something is left that could be sent. */
  wake(userId: string): Promise<boolean>
  /** The person leaves: nothing of theirs stays. */
  forget(userId: string): Promise<void>
  /** Their session ended without them: what they read goes, what they wrote stays for them alone. Also whatever others left. */
  seal(userId: string | null): Promise<void>
}

/** With the version as the page is to name it in If-Match. */
function tagged(answer: Response, version: number | string): Response {
  answer.headers.set('etag', `"${version}"`)
  return answer
}

/** A page's call that waits for what becomes of its write; null: it is kept, and no more is known. */
type Waiter = (heard: { entry: Entry; outcome: NonNullable<Outcome> } | null) => void

export function createDevice(parts: DeviceParts): Device {
  const { clock, tell } = parts
  const connection = createConnection(parts.isHere)
  const { using } = connection
  const spare = createSpare()
  const news = createNews(tell, (userId) =>
    using(userId, async (database) => countsOf(await database.getAll('outbox'))),
  )
  const puller = createPuller({ ...parts, using, news })
  let started: string | null = null
  let sealing: Promise<void> = Promise.resolve()
  const waiters = new Map<string, Waiter>()

  const drain = createDrain({
    clock,
    random: parts.random,
    lock: parts.lock && ((work) => parts.lock!('docket-drain', work)),
    send(entry, signal) {
      const call = callOf(entry, parts.apiOrigin, signal)
      // What may be done under a key is in the second copy as it is sent: brought back, it is the same call.
      return spare.keep(entry).then(() => parts.send(entry.userId, call))
    },
    async fetchRow(entry) {
      const answer = await parts.send(entry.userId, getCall(parts.apiOrigin + rowPath(entry), lookEndsAfterMs))
      if (answer?.status === 404) return null
      const row: unknown = answer?.ok ? await answer.json().catch(() => null) : null
      if (!row) throw new Undeliverable()
      return row as Row
    },
    onMerged(key, freshKey) {
      const waiter = waiters.get(key)
      if (waiter) waiters.set(freshKey, waiter)
    },
    onChange(entry, outcome) {
      if (outcome) waiters.get(entry.key)?.({ entry, outcome })
      if (outcome) followSoon(entry.userId)
      news.note(entry.userId, [entry.organizationId], true)
    },
  })

  const life = crypto.randomUUID()

  /** What waits on this device: from now on the second copy has that and no more. What it has alone so far is read before, or it stays. */
  const spareFollows = (userId: string) =>
    using(userId, async (database) => {
      if (await isSpareRead(database, userId)) await spare.follow(userId, () => database.getAll('outbox'))
    })
  /** Something was answered. Of a long queue it may be behind: what it holds too long is sent once more under its key. */
  const followSoon = atLeisure(spareFollows, spareFollowsAt)

  function enter(userId: string): void {
    connection.enter(userId)
    if (started === userId) return
    started = userId
    setTimeout(() => void send(userId).catch(() => {}), startAfterMs)
  }

  /** The server's own answer to a read; null when it cannot be had in the time that a person waits. */
  async function heard(userId: string, { pathname, search }: URL): Promise<Response | null> {
    const answer = await ifUndeliverable(
      parts.send(userId, getCall(parts.apiOrigin + pathname + search, answerWithinMs)),
      null,
    )
    return answer && answer.status !== 429 && answer.status < 500 ? answer : null
  }

  /** What is on its way there is known here alone, however old the rest is; what waits for its person may do so for weeks. */
  const isBehind = async (userId: string) =>
    puller.isBehind(userId) && waitsForPerson(await using(userId, (database) => database.getAll('outbox')))

  /** Sends what is due; what the server did to rows that depend on it, or on what was sent just before, comes with the next pull. */
  async function send(userId: string, isOver = () => {}, wasSent = false): Promise<void> {
    const wasHeard = await using(userId, (database) => drain.run(database))
    isOver()
    if (wasHeard || wasSent) await puller.pullAnew(userId)
  }

  return {
    async read(userId, name, url) {
      enter(userId)
      const found = await using(userId, (database) => answerFromCopy(database, name, url, parts.now()))
      if (!found) return null
      // Not all of it is here, or newer than this: the server's word comes first, if there is one.
      const isNewest = found.isComplete && !(await isBehind(userId))
      const theirs = isNewest ? null : await heard(userId, url)
      if (theirs) return theirs
      const answer = found.body ? deviceAnswer(found.body) : deviceProblem('not_found')
      if (found.asOfMs) answer.headers.set('x-docket-as-of', new Date(found.asOfMs).toISOString())
      if (!found.isComplete) answer.headers.set('x-docket-complete', 'false')
      return found.etag === null ? answer : tagged(answer, found.etag)
    },

    async write(userId, name, call) {
      enter(userId)
      const paid = isReversal(name) ? await using(userId, (database) => paidBy(database, call)) : undefined
      const write = writeOf(userId, name, call, clock(), paid)
      if (!write) return null
      spare.prepare(userId)
      let isSpared = Promise.resolve()
      // Nothing is told to be safe before it lies in both, for as long as a person waits for a word anyway.
      const spareIt = (entry: Entry) => void (isSpared = spare.keep(entry, answerWithinMs))
      const stored = await using(userId, (database) => enqueue(database, write, spareIt))
      if (!stored) return null
      if ('refused' in stored)
        return deviceProblem(stored.refused, stored.detail === undefined ? {} : { detail: stored.detail })
      if ('done' in stored) return tagged(deviceAnswer(stored.done), stored.done.version)
      const { entry, row } = stored
      const kept = async () => {
        await isSpared
        return tagged(deviceAnswer(row ?? echo(entry), 202), `after-${entry.key}`)
      }
      // While the page is there: without one the browser refuses.
      parts.wakeLater()
      void isSpared.then(() => tell({ type: 'stored', key: entry.key }))
      news.note(userId, [entry.organizationId], true)
      // Until then its person may take it back.
      const inMs = write.heldUntilMs && write.heldUntilMs - clock()
      if (inMs > 0) {
        setTimeout(() => void send(userId).catch(() => {}), inMs)
        return kept()
      }
      const heard = await new Promise<Parameters<Waiter>[0]>((resolve) => {
        waiters.set(entry.key, resolve)
        setTimeout(() => resolve(null), answerWithinMs)
        void send(userId, () => resolve(null)).catch(() => resolve(null))
      })
      for (const key of [entry.key, heard?.entry.key ?? '']) waiters.delete(key)
      // What passes by itself is not the page's to worry about: it is kept, and sent again.
      if (heard && (heard.outcome.status < 400 || needsPerson(heard.entry.state)))
        return answerOf(heard.entry, heard.outcome)
      return kept()
    },

    isThere(userId) {
      enter(userId)
      return puller.isThere(userId)
    },

    catchUp(userId) {
      enter(userId)
      return puller.pullAnew(userId)
    },

    answerOutbox(userId, call) {
      enter(userId)
      return using(userId, async (database) => {
        const { answer, isChanged, isSent } = await answerOutbox(database, userId, call, clock())
        if (isChanged) {
          await spareFollows(userId)
          const organizations = (await database.getAll('organizations')).map(({ id }) => id)
          news.note(userId, organizations, true)
        }
        if (isSent) {
          parts.wakeLater()
          void this.sync(userId, false).catch(() => {})
        }
        return answer
      })
    },

    sealedOutbox: answerSealed,

    async sync(userId, dueNow) {
      enter(userId)
      await using(userId, async (database) => {
        await goOn(database)
        if (dueNow) await makeDue(database, clock())
      })
      const askedAtMs = clock()
      const drained = using(userId, (database) => drain.run(database))
      // Heard below: until then a person who leaves meanwhile is no error that nobody catches.
      drained.catch(() => {})
      const isReached = await puller.isThere(userId)
      const say = (isPulling: boolean) => tell({ type: 'reach', isReached, isPulling, life })
      const isPulling = puller.isPulling(userId)
      say(isPulling)
      if (isReached) drain.letGo(askedAtMs)
      const wasSent = await drained
      if (!isReached) return false
      // The network is there: what was put off for its sake is sent at once.
      await using(userId, (database) => makeDue(database, clock()))
      await send(userId, undefined, wasSent)
      await puller.ended(userId)
      if (isPulling) say(false)
      return true
    },

    async wake(userId) {
      enter(userId)
      const sendable = () =>
        using(userId, async (database) => {
          const entries = await database.getAll('outbox')
          const blocked = blockedOf(entries)
          return entries.filter((entry) => !blocked.has(entry) && !needsPerson(entry.state))
        })
      // A save online wakes the worker as well, and then its own try is all there is to wait for.
      await using(userId, (database) => drain.run(database))
      let left = await sendable()
      if (left.length > 0 && left.every((entry) => isHeld(entry, clock()))) {
        await pause(holdMs)
        await using(userId, (database) => drain.run(database))
        left = await sendable()
      }
      if (left.length === 0) return true
      await this.sync(userId, true)
      return (await sendable()).length === 0
    },

    async forget(userId) {
      await connection.leave()
      // It opens what is to be deleted, and would bring it back.
      await sealing.catch(() => {})
      await spare.drop(userId)
      await deleteCopy(userId)
      // A try that was noted while the database closed may have kept its entry once more; from now on there is none.
      await spare.drop(userId)
    },

    seal: (userId) => (sealing = seal(userId)),
  }

  async function seal(userId: string | null): Promise<void> {
    await connection.leave(userId)
    for (const other of await copiesHere()) {
      if (other === userId) continue
      const database = await openCopyDatabase(other, () => false).catch(() => null)
      // Taken away by another context meanwhile.
      if (!database) continue
      // Back by now, in whichever context: what is here they have read since.
      if (await parts.isHere(other)) {
        database.close()
        continue
      }
      const clearing = database.transaction(readStores, 'readwrite')
      for (const store of readStores) void clearing.objectStore(store).clear()
      await clearing.done
      // Removed only when somebody else is here: what its owner's last call was still writing must not go with it, nor what the second copy has alone.
      const isEmpty = (await isSpareRead(database, other)) && (await database.count('outbox')) === 0
      database.close()
      if (!isEmpty || userId === null) continue
      await dropSpare(other)
      await deleteCopy(other)
    }
  }
}
