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

export function createSpare(): Spare {
  let known: { userId: string; keys: Set<string> } | null = null
  let last: Promise<unknown> = Promise.resolve()

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = last.then(work)
    last = done.catch(() => {})
    return done
  }

  /** `entries` are there then; `only` they. */
  async function put(userId: string, entries: Entry[], only: boolean): Promise<void> {
    const cache = await caches.open(cachePrefix + userId)
    if (known?.userId !== userId)
      known = { userId, keys: new Set((await cache.keys()).map(({ url }) => new URL(url).pathname.slice(1))) }
    const { keys } = known
    const waiting = new Set(entries.map(({ key }) => key))
    const gone = only ? [...keys].filter((key) => !waiting.has(key)) : []
    await Promise.all([
      ...gone.map((key) => keys.delete(key) && cache.delete(addressOf(key))),
      ...entries.map(
        (entry) =>
          keys.has(entry.key) || cache.put(addressOf(entry.key), Response.json(entry)).then(() => keys.add(entry.key)),
      ),
    ])
  }

  return {
    keep: (entry) => inTurn(() => put(entry.userId, [entry], false)).catch(() => {}),
    follow: (userId, read) =>
      inTurn(async () => {
        const entries = await read()
        await put(userId, entries, true).catch(() => {})
        return entries
      }),
    drop(userId) {
      known = null
      return inTurn(() => dropSpare(userId))
    },
  }
}

/** What a database that was lost had not sent goes into the one that was made in its place, once. Any of it may have arrived. */
export async function readSpare(database: CopyDatabase, userId: string): Promise<void> {
  if (await database.get('settled', lookedFor)) return
  const cache = await caches.open(cachePrefix + userId)
  const entries: Entry[] = await Promise.all((await cache.matchAll()).map((answer) => answer.json()))
  const inOrder = entries.map((entry) => ({ ...entry, attempts: entry.attempts + 1 })).toSorted((a, b) => a.seq - b.seq)
  await importEntries(database, fileOf(userId, inOrder), userId)
  await database.put('settled', true, lookedFor)
}

export async function dropSpare(userId: string): Promise<void> {
  await globalThis.caches?.delete(cachePrefix + userId)
}
