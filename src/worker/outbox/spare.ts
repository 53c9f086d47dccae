// What is unsent, once more outside of the database. Chromium that is killed in the middle of a write to it may find it damaged at a later start, and then
// begins with an empty one (decision 039). Nothing here may fail a save: this is the second copy.
import { copiesHere, othersWait, type CopyDatabase } from '#worker/copy/stores.ts'
import { pause } from '#worker/patience.ts'
import type { Entry } from './entry.ts'
import { fileOf, importEntries } from './file.ts'

export interface Spare {
  /** Somebody is about to save: a worker that has just started opens both stores side by side. */
  prepare(userId: string): void
  /** Resolves when it is kept, cannot be, or has taken long enough (in milliseconds). */
  keep(entry: Entry, withinMs?: number): Promise<void>
  /** Keeps what `read` finds of this person and no more. */
  follow(userId: string, read: () => Promise<Entry[]>): Promise<void>
  /** Nothing of this person's stays. */
  drop(userId: string): Promise<void>
}

const cachePrefix = 'docket-unsent.'
const addressOf = (key: string) => `/${key}`
/** Among what is settled in a database: what an earlier one had not sent was looked for. */
const lookedFor = 'spare'

const patienceMs = 1000

/** Resolves with the work, its failure, or when it has taken long enough to be let be. */
export async function inTime(work: Promise<void>, withinMs = patienceMs): Promise<void> {
  await Promise.race([work, pause(withinMs)]).catch(() => {})
}

/** As it is sent the first time, or again. What became of its tries the server says once more. */
function textOf(entry: Entry): string {
  const untried = {
    attempts: 1,
    nextAttemptAtMs: 0,
    sendingSinceMs: 0,
    state: 'queued',
    lastProblem: null,
    theirs: null,
  }
  return JSON.stringify({ ...entry, ...untried })
}

/** Where two are alike the same is sent, upon the same. */
function markOf({ after, baseVersion, dependsOn, body }: Entry): string {
  return JSON.stringify([after, baseVersion, dependsOn, body])
}

/** One that it holds, and when it was last to be kept: what was read of the outbox before says nothing of that. */
interface Held {
  mark: string
  turn: number
}

export function createSpare(): Spare {
  /** `held`: by key; what earlier workers left in it, once that was read. */
  let opened: { userId: string; cache: Promise<Cache>; held: Map<string, Held>; isRead: boolean } | null = null
  let turn = 0
  let last: Promise<unknown> = Promise.resolve()

  function open(userId: string): NonNullable<typeof opened> {
    if (opened?.userId !== userId) {
      const cache = Promise.resolve().then(() => caches.open(cachePrefix + userId))
      cache.catch(() => (opened = null))
      opened = { userId, cache, held: new Map(), isRead: false }
    }
    return opened
  }

  async function put(entry: Entry): Promise<void> {
    const { cache, held } = open(entry.userId)
    const mark = markOf(entry)
    const known = held.get(entry.key)
    if (known) known.turn = turn += 1
    if (known?.mark === mark) return
    await (await cache).put(addressOf(entry.key), new Response(textOf(entry)))
    held.set(entry.key, { mark, turn: (turn += 1) })
  }

  return {
    prepare: (userId) => void open(userId),
    keep(entry, withinMs) {
      const kept = inTime(put(entry), withinMs)
      last = Promise.all([last, kept])
      return kept
    },
    follow(userId, read) {
      const follows = async () => {
        const of = open(userId)
        const cache = await of.cache
        const { held } = of
        if (!of.isRead)
          for (const entry of await entriesIn(cache))
            if (!held.has(entry.key)) held.set(entry.key, { mark: markOf(entry), turn })
        of.isRead = true
        // Before the entries are read: what is kept meanwhile is not among them, though it may have been here from before.
        const before = [...held.keys()]
        const readAt = turn
        const entries = await read()
        // What follows an entry is changed before that goes: so it is at any moment what the outbox was. Where there is no room for one, what goes makes it.
        await Promise.allSettled(entries.map(put))
        const waiting = new Set(entries.map(({ key }) => key))
        const gone = before.filter((key) => !waiting.has(key) && (held.get(key)?.turn ?? Infinity) <= readAt)
        for (const key of gone) held.delete(key)
        await Promise.all(gone.map((key) => cache.delete(addressOf(key))))
      }
      const done = last.then(() => inTime(follows()))
      last = done
      return done
    },
    async drop(userId) {
      await last
      const opening = opened?.cache
      opened = null
      await dropSpare(userId)
      // One that was only about to be opened would be there again.
      void opening?.then(() => dropSpare(userId)).catch(() => {})
    },
  }
}

/** A kill may have cut one in two as well: that says nothing of the others. */
async function entriesIn(cache: Cache): Promise<Entry[]> {
  const answers = await cache.matchAll()
  const read = await Promise.all(answers.map((answer) => answer.json().catch(() => []) as Promise<Entry | []>))
  return read.flat()
}

/** What a database that was lost had not sent goes into the one that was made in its place, once. */
export async function readSpare(database: CopyDatabase, userId: string): Promise<void> {
  if (await database.get('settled', lookedFor)) return
  // Where there is no Cache Storage there is nothing to read.
  const held = globalThis.caches ? await entriesIn(await caches.open(cachePrefix + userId)) : []
  const entries = held.toSorted((a, b) => a.seq - b.seq)
  const replaced = new Set(entries.flatMap(({ replaces }) => replaces ?? []))
  const latest = entries.filter(({ key }) => !replaced.has(key))
  await importEntries(database, fileOf(userId, latest), userId, 'every-one')
  await database.put('settled', true, lookedFor)
}

/** Whether it has been read, now or before: until then it may hold what nothing else does, and nothing is taken out of it. */
export function isSpareRead(database: CopyDatabase, userId: string): Promise<boolean> {
  const read = readSpare(database, userId).then(() => true)
  return Promise.race([read, pause(patienceMs).then(() => false)]).catch(() => false)
}

export async function dropSpare(userId: string): Promise<void> {
  await globalThis.caches?.delete(cachePrefix + userId)
}

/** Whether something of anybody but these waits: in their databases, or where those were lost, in what is left of them here. */
export async function anybodyWaits(userIds: readonly string[]): Promise<boolean> {
  return (
    (await othersWait(userIds)) ||
    Promise.race([isLeft(userIds), pause(patienceMs).then(() => false)]).catch(() => false)
  )
}

async function isLeft(userIds: readonly string[]): Promise<boolean> {
  const known = [...userIds, ...(await copiesHere())].map((each) => cachePrefix + each)
  for (const name of (await globalThis.caches?.keys()) ?? [])
    if (name.startsWith(cachePrefix) && !known.includes(name) && (await (await caches.open(name)).keys()).length > 0)
      return true
  return false
}
