// Sends what waits: lanes in parallel, each in order; only the server's own answer takes an entry off the disk (OFFLINE.md "Writing: the outbox").
import { uuidv7 } from '#shared/ids.ts'
import { isCreate, isDelete, isReversal, needsPerson } from '#shared/outbox.ts'
import { merge, takesChanges, type Merge } from '#shared/merge.ts'
import { asProblem, deviceCatalogue, problemIn, type Problem } from '#shared/problem-form.ts'
import type { CopyDatabase, Row } from '#worker/copy/stores.ts'
import { retryAfterMs } from '#worker/session/backoff.ts'
import { ifUndeliverable } from '#worker/wire.ts'
import { blockedOf, dueMs, isHeld, longestWaitMs, sharesLane, type Entry } from './entry.ts'
import { resolve } from './decisions.ts'
import { unlessFull } from '#worker/full.ts'
import { again, begin, done, isStuck, park, returnStuck } from './queue.ts'
import type { Outcome } from './write.ts'

const triesAtOnce = 3
/** A worker that lives for one event should end its work within this; the next trigger goes on. */
const longestRunMs = 20_000
const firstWaitMs = 1000
const leaseMs = 60_000
/** A try that nobody answers ends; where the network is known to be there, sooner. */
const longestTryMs = 20_000
const hangingMs = 2500

/** What is sent in place of what met another version. */
type Resent = Pick<Merge, 'inQuestion'> & { merged: Merge['merged'] | null }

/** Whether the server answered, and the entry as it is on the disk now; null when it is done, undefined when that is not known. */
interface Attempted {
  isHeard: boolean
  left: Entry | null | undefined
}

export interface DrainParts {
  /** Sends with the person's Bearer; null when nobody is signed in. Rejects with Undeliverable when there is no answer of ours, or the signal ends it; throws when the entry makes no call. */
  send(entry: Entry, signal: AbortSignal): Promise<Response | null>
  /** The row as it stands at the server; null when it is gone. Throws like `send`. */
  fetchRow(entry: Entry): Promise<Row | null>
  /** Runs alone among all contexts of this origin; null where there are no locks. */
  lock: (<T>(work: () => Promise<T>) => Promise<T>) | null
  clock: () => number
  random: () => number
  /** Something was taken off, parked or put off. */
  onChange(entry: Entry, outcome: Outcome): void
  /** Somebody else's change was of other fields: both are sent, as a write of its own. */
  onMerged(key: string, freshKey: string): void
}

export interface Drain {
  /** Sends what is due, until nothing is or the time is over. True when the server answered at least once. */
  run(database: CopyDatabase): Promise<boolean>
  /** The network is there, as was asked then: what has hung since before is given up, to be tried again under its key. */
  letGo(askedAtMs: number): void
}

export function createDrain(parts: DrainParts): Drain {
  const { clock } = parts
  let running: Promise<boolean> | null = null
  let wake: () => void = () => {}
  let isAskedAgain = false
  /** Whoever held the lock before is gone: what it was sending is not known to have arrived. */
  const stuckAfterMs = parts.lock ? -1 : leaseMs
  const tries = new Set<{ giveUp: AbortController; sinceMs: number; key: string }>()
  /** How often a try was given up although the network is there: a slow one that works gets the time it needs. */
  const givenUp = new Map<string, number>()

  /** What is asked for while a run is ending begins another: nothing may fall between the two. */
  async function runUntilNobodyAsks(database: CopyDatabase): Promise<boolean> {
    let wasHeard = false
    try {
      do {
        const work = () => runAlone(database)
        wasHeard = (await (parts.lock ? parts.lock(work) : work())) || wasHeard
      } while (isAskedAgain)
    } finally {
      running = null
    }
    return wasHeard
  }

  async function runAlone(database: CopyDatabase): Promise<boolean> {
    await returnStuck(database, clock(), stuckAfterMs)
    const endAtMs = clock() + longestRunMs
    const inFlight = new Map<Entry, Promise<void>>()
    let wasHeard = false
    // Where one goes unheard the others would too: they wait for the next trigger.
    let isAway = false
    // What one success makes due is tried once more, whenever it was put off to.
    let isDone = false
    const triedSince = new Set<string>()
    // A long queue is not read anew for each entry that is tried, only when something else may have changed.
    let known = new Map<number, Entry>()
    let isStale = true
    let isReading = false
    for (;;) {
      if (isStale || isAskedAgain) {
        // Whoever asks may know more of the network.
        isAway &&= !isAskedAgain
        isStale = isAskedAgain = false
        isReading = true
        // What is stuck could not be noted as waiting on a device without room; what this run sends itself is known by its lane.
        const waiting = (entry: Entry): Entry =>
          isStuck(entry, clock(), stuckAfterMs) ? { ...entry, state: 'queued' } : entry
        known = new Map((await database.getAll('outbox')).map((entry) => [entry.seq, waiting(entry)]))
        isReading = false
      }
      const entries = [...known.values()]
      const blocked = blockedOf(entries)
      for (const entry of entries) {
        if (inFlight.size >= triesAtOnce || clock() > endAtMs || (isAway && !wasHeard)) break
        const isMadeDue = isDone && !triedSince.has(entry.key) && dueMs(entry, clock()) <= clock()
        const isDue = entry.nextAttemptAtMs <= clock() || isMadeDue
        if (entry.state !== 'queued' || !isDue || blocked.has(entry) || isHeld(entry, clock())) continue
        if ([...inFlight.keys()].some((other) => sharesLane(entry, other))) continue
        if (isDone) triedSince.add(entry.key)
        const work = attempt(database, entry)
          .then(({ isHeard, left }) => {
            wasHeard ||= isHeard
            isDone ||= left === null
            isAway ||= !isHeard && left?.state === 'queued'
            if (left === undefined || isReading) isStale = true
            else if (left) known.set(left.seq, left)
            else known.delete(entry.seq)
          })
          .finally(() => inFlight.delete(entry))
        inFlight.set(entry, work)
      }
      if (inFlight.size === 0) {
        if ((isStale || isAskedAgain) && clock() <= endAtMs) continue
        return wasHeard
      }
      await Promise.race([...inFlight.values(), new Promise<void>((resolve) => (wake = resolve))])
    }
  }

  async function attempt(database: CopyDatabase, waiting: Entry): Promise<Attempted> {
    const entry = await begin(database, waiting, clock(), stuckAfterMs)
    if (!entry) return { isHeard: false, left: undefined }
    const giveUp = new AbortController()
    AbortSignal.timeout(longestTryMs).addEventListener('abort', () => giveUp.abort())
    const underWay = { giveUp, sinceMs: clock(), key: entry.key }
    tries.add(underWay)
    const attempted = await tried(database, entry, giveUp.signal).finally(() => tries.delete(underWay))
    if (attempted.isHeard || !attempted.left) givenUp.delete(entry.key)
    return attempted
  }

  async function tried(database: CopyDatabase, entry: Entry, signal: AbortSignal): Promise<Attempted> {
    let sent
    try {
      sent = parts.send(entry, signal)
    } catch {
      // It makes no call at all: it waits for the person, and the rest goes on.
      return settled(
        entry,
        null,
        await park(database, entry, 'rejected', problemIn(deviceCatalogue, 'invalid_request')),
      )
    }
    const answer = await ifUndeliverable(sent, undefined)
    if (answer === null) return settled(entry, null, await park(database, entry, 'needs-sign-in', null))
    if (answer === undefined) return settled(entry, null, await again(database, entry, nextTry(entry, null), null))
    const { status } = answer
    const body: unknown = status === 204 ? null : await answer.json().catch(() => undefined)
    const outcome: Outcome = {
      status,
      body,
      etag: answer.headers.get('etag'),
      retryAfter: answer.headers.get('retry-after'),
    }
    // Cut off on its way: the same key gets the same answer again.
    if (body === undefined) return settled(entry, null, await again(database, entry, nextTry(entry, null), null))
    if (answer.ok) {
      const isGone = await done(database, entry, body as Row | null)
      parts.onChange(entry, outcome)
      const later = clock() + longestWaitMs
      return { isHeard: true, left: isGone ? null : { ...entry, state: 'queued', nextAttemptAtMs: later } }
    }
    const said = asProblem(body) ?? problemIn(deviceCatalogue, 'internal')
    if (status === 412 || isOvertaken(entry, said)) {
      const parked = await conflict(database, entry, said)
      return settled(parked ?? entry, parked && needsPerson(parked.state) ? outcome : null, parked)
    }
    const passes = status === 401 || status === 408 || status === 425 || status === 429 || status >= 500
    if (passes) {
      const askedMs = retryAfterMs(answer, clock())
      // What the server asked for binds every trigger; how long this device would wait of itself does not.
      const notBeforeMs = status === 429 && askedMs ? clock() + Math.min(askedMs, longestWaitMs) : 0
      return settled(entry, outcome, await again(database, entry, nextTry(entry, askedMs), said, notBeforeMs))
    }
    return settled(entry, outcome, await park(database, entry, 'rejected', said))
  }

  /** Issued meanwhile, or deleted: with how it stands now the person is told more than that it was refused. */
  function isOvertaken({ kind, name, lanes }: Entry, { code }: Problem): boolean {
    // Of a payment on several invoices the server's word says which of them it was, and of a reversal what stands in its way.
    if (isCreate(name) || isReversal(name) || lanes.length > 1) return false
    return code === 'not_found' || (kind === 'invoice' && code === 'invalid_transition')
  }

  function settled(entry: Entry, outcome: Outcome, changed: Entry | null): Attempted {
    parts.onChange(changed ?? entry, outcome)
    return { isHeard: outcome !== null, left: changed ?? undefined }
  }

  async function conflict(database: CopyDatabase, entry: Entry, said: Problem): Promise<Entry | null> {
    const look = (at: Entry) => ifUndeliverable(parts.fetchRow(at), undefined)
    const theirs = await look(entry)
    // Gone with all of its organization: that is not this person's any more, and of the row nothing is known.
    const home = theirs === null ? await look({ ...entry, kind: 'organization', id: entry.organizationId }) : theirs
    if (theirs === undefined || home === undefined) return again(database, entry, nextTry(entry, null), said)
    if (home === null) return park(database, entry, 'rejected', said)
    // Deleted by somebody else meanwhile: that is what was asked for.
    if (theirs === null && isDelete(entry.name)) {
      await done(database, entry, null)
      parts.onChange(entry, { status: 204, body: null, etag: null, retryAfter: null })
      return null
    }
    const parked = await park(database, entry, 'conflict', said, theirs)
    const both = mergeable(entry, theirs, said)
    if (both?.inQuestion.length !== 0) return parked
    const key = uuidv7()
    const merged = { body: both.merged, baseVersion: theirs!.version }
    if (!(await unlessFull(resolve(database, entry.key, merged, key, false), () => false))) return parked
    parts.onMerged(entry.key, key)
    return null
  }

  /** Null when there is nothing to bring together: no known beginning, or a row that takes no changes any more. */
  function mergeable(entry: Entry, theirs: Row | null, { code }: Problem): Resent | null {
    const { base, body, baseVersion, replaces } = entry
    // What nobody changed was refused on its way, not by the server: it goes once more.
    const isForeign = code === 'stale' && theirs?.version === baseVersion
    if (isForeign && replaces?.length) return null
    if (!body) return isForeign ? { merged: null, inQuestion: [] } : null
    return base && theirs && takesChanges(theirs) ? merge(base, body, theirs) : null
  }

  function nextTry({ attempts }: Entry, askedMs: number | null): number {
    const most = Math.min(longestWaitMs, firstWaitMs * 2 ** (attempts - 1))
    return clock() + Math.max(parts.random() * most, Math.min(askedMs ?? 0, longestWaitMs))
  }

  return {
    run(database) {
      isAskedAgain = true
      wake()
      running ??= runUntilNobodyAsks(database)
      return running
    },
    letGo(askedAtMs) {
      for (const { giveUp, sinceMs, key } of tries) {
        if (sinceMs >= askedAtMs) continue
        const times = givenUp.get(key) ?? 0
        const end = () => {
          if (giveUp.signal.aborted) return
          givenUp.set(key, times + 1)
          giveUp.abort()
        }
        setTimeout(end, sinceMs + hangingMs * 2 ** times - clock())
      }
    },
  }
}
