// What is unsent, once more outside of the database. Chromium that is killed in the middle of a write to it may find it damaged at a later start, and then
// begins with an empty one (decision 039). Nothing here may fail a save: this is the second copy.
import type { CopyDatabase } from '#worker/copy/stores.ts'
import type { Entry } from './entry.ts'
import { fileOf, importEntries } from './file.ts'

/** Each call in its turn. */
export interface Spare {
  /** Resolves when it is kept, or cannot be. */
  keep(entry: Entry): Promise<void>
  /** Keeps what `read` finds of this person and no more, and says what that is. */
  follow(userId: string, read: () => Promise<Entry[]>): Promise<Entry[]>
  /** Nothing of this person's stays. */
  drop(userId: string): Promise<void>
}

const cachePrefix = 'docket-unsent.'
const addressOf = (key: string) => `/${key}`
/** Among what is settled in a database: what an earlier one had not sent was looked for. */
const lookedFor = 'spare'

const patienceMs = 1000

/** Resolves with the work, its failure, or when it has taken long enough to be let be. */
export async function inTime(work: Promise<void>): Promise<void> {
  await Promise.race([work, new Promise((resolve) => setTimeout(resolve, patienceMs))]).catch(() => {})
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

export function createSpare(): Spare {
  let known: { userId: string; texts: Map<string, string> } | null = null
  let last: Promise<unknown> = Promise.resolve()

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = last.then(work)
    last = done.catch(() => {})
    return done
  }

  /** `entries` are there then; `only` they. At any moment it is what the outbox was, or is sent once more: what follows an entry is changed before that goes. */
  async function put(userId: string, entries: Entry[], only: boolean): Promise<void> {
    const cache = await caches.open(cachePrefix + userId)
    if (known?.userId !== userId) known = { userId, texts: await textsIn(cache) }
    const { texts } = known
    const waiting = new Map(entries.map((entry) => [entry.key, textOf(entry)]))
    const fresh = [...waiting].filter(([key, text]) => texts.get(key) !== text)
    await Promise.all(
      fresh.map(async ([key, text]) => {
        await cache.put(addressOf(key), new Response(text))
        texts.set(key, text)
      }),
    )
    const gone = only ? [...texts.keys()].filter((key) => !waiting.has(key)) : []
    for (const key of gone) texts.delete(key)
    await Promise.all(gone.map((key) => cache.delete(addressOf(key))))
  }

  return {
    keep: (entry) => inTurn(() => inTime(put(entry.userId, [entry], false))),
    follow: (userId, read) =>
      inTurn(async () => {
        const entries = await read()
        await inTime(put(userId, entries, true))
        return entries
      }),
    drop(userId) {
      known = null
      return inTurn(() => dropSpare(userId))
    },
  }
}

/** By key. A kill may have cut one in two as well: that says nothing of the others. */
async function textsIn(cache: Cache): Promise<Map<string, string>> {
  const read = async (answer: Response): Promise<[string, string][]> => {
    const text = await answer.text()
    return [[(JSON.parse(text) as Entry).key, text]]
  }
  const answers = await cache.matchAll()
  return new Map((await Promise.all(answers.map((answer) => read(answer).catch(() => [])))).flat())
}

/** What a database that was lost had not sent goes into the one that was made in its place, once. */
export async function readSpare(database: CopyDatabase, userId: string): Promise<void> {
  if (await database.get('settled', lookedFor)) return
  const texts = await textsIn(await caches.open(cachePrefix + userId))
  const entries = [...texts.values()].map((text) => JSON.parse(text) as Entry).toSorted((a, b) => a.seq - b.seq)
  const replaced = new Set(entries.flatMap(({ replaces }) => replaces ?? []))
  const latest = entries.filter(({ key }) => !replaced.has(key))
  await importEntries(database, fileOf(userId, latest), userId)
  await database.put('settled', true, lookedFor)
}

export async function dropSpare(userId: string): Promise<void> {
  await globalThis.caches?.delete(cachePrefix + userId)
}
