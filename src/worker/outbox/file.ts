// The file of unsent writes: what an export holds, and an export read again. It may have been damaged or changed: what it sends is what it shows, or nothing.
import { deviceEndpoints, paramsOf } from '#shared/device-endpoints.ts'
import { pathOf } from '#shared/endpoint.ts'
import { isUuid } from '#shared/ids.ts'
import { isReversal, type OutboxFile } from '#shared/outbox.ts'
import { asProblem } from '#shared/problem-form.ts'
import { change, type CopyDatabase } from '#worker/copy/stores.ts'
import { rowsOf, type Entry } from './entry.ts'
import { putBack, type Place } from './put-back.ts'
import { aggregateOf, isKey } from './write.ts'

export function fileOf(userId: string, entries: Entry[]): OutboxFile {
  return { docket: 'unsent', version: 1, userId, entries }
}

type Check = (value: unknown) => boolean
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isKeys: Check = (value) => Array.isArray(value) && value.every(isKey)
const isNumber: Check = (value) => Number.isFinite(value)
const isId: Check = (value) => typeof value === 'string' && isUuid(value)
const isTime: Check = (ms) => isNumber(ms) && !Number.isNaN(new Date(ms as number).getTime())
const isProblem: Check = (told) => {
  const { errors = [] } = asProblem(told) ?? { errors: null }
  const isError: Check = (error) =>
    isObject(error) && typeof error['pointer'] === 'string' && typeof error['detail'] === 'string'
  return Array.isArray(errors) && errors.every(isError)
}
const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value)

/** Everything of an entry that the outbox reckons with. */
const shape: Partial<Record<keyof Entry, Check>> = {
  // From 2^32 on a shown version would not be a whole number any more (`shownVersion`).
  seq: (seq) => Number.isInteger(seq) && (seq as number) > 0 && (seq as number) < 2 ** 32,
  key: isKey,
  id: isId,
  organizationId: isId,
  replaces: (keys) => keys === undefined || isKeys(keys),
  broughtOn: (times) =>
    times === undefined || (Number.isInteger(times) && (times as number) >= 0 && (times as number) < 1000),
  dependsOn: isKeys,
  after: orNull(isKey),
  body: orNull(isObject),
  base: orNull(isObject),
  theirs: orNull(isObject),
  lastProblem: orNull(isProblem),
  baseVersion: orNull(isNumber),
  attempts: isNumber,
  createdAtMs: isTime,
  nextAttemptAtMs: isTime,
  sendingSinceMs: isNumber,
  lanes: (lanes) => Array.isArray(lanes) && lanes.length > 0 && lanes.every((lane) => typeof lane === 'string'),
  state: (state) => ['queued', 'sending', 'needs-sign-in', 'conflict', 'rejected'].includes(state as string),
  schemaVersion: (version) => version === 1,
}

function isEntry(told: unknown): told is Entry {
  return isObject(told) && Object.entries(shape).every(([name, check]) => check(told[name]))
}

/** The call that it makes is the one that it is named after, of the row that it is shown with; and it does not wait for itself. */
function isItself({ name, kind, id, organizationId, path, body, base, theirs, lanes, ...entry }: Entry): boolean {
  try {
    // Nothing else is in it that an address could be read to say.
    if (path.toLowerCase() !== pathOf(deviceEndpoints[name], paramsOf(name, path)).toLowerCase()) return false
    if ([base, theirs].some((row) => row && row.id !== id) || entry.dependsOn.includes(entry.key)) return false
    const rows = rowsOf({ organizationId, lanes })
    // Which invoices a reversal is of stands in its lanes alone.
    const of = aggregateOf(name, path, body, isReversal(name) ? rows.map((row) => row.id) : undefined)
    const isOwn = of?.kind === kind && of.id === id && of.organizationId === organizationId
    return isOwn && of.lanes.join() === lanes.join()
  } catch {
    // No path at all, or one that says nothing in UTF-8.
    return false
  }
}

/** As today's builds keep it: before, an entry was in one lane. */
function asToday(told: unknown): unknown {
  if (!isObject(told) || told['lanes'] !== undefined) return told
  const { lane, ...entry } = told
  return { ...entry, lanes: [lane] }
}

/**
 * Entries of an export, read again: those that are not here, in their order. `known`: how many are here, or were done, already. `how`: what goes together with
 * what was done since; all of them or none; or, of a database that was lost, every one. One transaction; null, and nothing read, for content that cannot be
 * reckoned with. Throws what the storage says.
 */
export async function importEntries(
  database: CopyDatabase,
  file: OutboxFile,
  userId: string,
  how: 'what-fits' | 'all-or-none' | 'every-one' = 'what-fits',
): Promise<{ imported: number; known: number } | null> {
  const tx = change(database, 'strict')
  const outcome = { imported: 0, known: 0 }
  try {
    const stored = await tx.objectStore('outbox').getAll()
    const heirs = new Map(stored.flatMap(({ replaces, key }) => (replaces ?? []).map((old) => [old, key])))
    const refused = new Set<string>()
    const before = how === 'every-one' ? null : new Set(stored.map(({ key }) => key))
    let isMoved = false
    for (const entry of file.entries.map(asToday))
      if (isEntry(entry) && entry.userId === userId && isItself(entry)) {
        // What goes on from what is not put back is nothing without it.
        const isLeft = [entry.after ?? '', ...entry.dependsOn].some((key) => refused.has(key))
        const place: Place = isLeft ? 'refused' : await putBack(tx, entry, heirs, before, isMoved)
        isMoved ||= place === 'new'
        if (place === 'refused') refused.add(entry.key)
        else if (place === 'known') outcome.known += 1
        else outcome.imported += 1
      }
    if (how === 'all-or-none' && refused.size > 0) {
      tx.abort()
      await tx.done.catch(() => {})
      return { imported: 0, known: 0 }
    }
    await tx.done
    return outcome
  } catch (error) {
    if (error instanceof DOMException) throw error
    tx.abort()
    await tx.done.catch(() => {})
    return null
  }
}
