// The file of unsent writes: what an export holds, and an export read again. It may have been damaged or changed: what it sends is what it shows, or nothing.
import { deviceEndpoints } from '#shared/device-endpoints.ts'
import { pathOf } from '#shared/endpoint.ts'
import { isUuid } from '#shared/ids.ts'
import { merge } from '#shared/merge.ts'
import { intentOf, isCreate, isSave, mayFollow, type OutboxFile } from '#shared/outbox.ts'
import { asProblem } from '#shared/problem-form.ts'
import { paramsOf } from '#worker/copy/answers.ts'
import { keepBase, showProjected, shownRow } from '#worker/copy/apply.ts'
import { baseKey, change, withoutMark, type Change, type CopyDatabase, type Row } from '#worker/copy/stores.ts'
import { bringOn } from './decisions.ts'
import { laneOf, type Entry } from './entry.ts'
import { parents } from './parents.ts'
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
  state: (state) => ['queued', 'sending', 'needs-sign-in', 'conflict', 'rejected'].includes(state as string),
  schemaVersion: (version) => version === 1,
}

function isEntry(told: unknown): told is Entry {
  return isObject(told) && Object.entries(shape).every(([name, check]) => check(told[name]))
}

/** The call that it makes is the one that it is named after, of the row that it is shown with; and it does not wait for itself. */
function isItself({ name, kind, id, organizationId, path, body, base, theirs, ...entry }: Entry): boolean {
  try {
    // Nothing else is in it that an address could be read to say.
    if (path.toLowerCase() !== pathOf(deviceEndpoints[name], paramsOf(name, path)).toLowerCase()) return false
    if ([base, theirs].some((row) => row && row.id !== id) || entry.dependsOn.includes(entry.key)) return false
    const of = aggregateOf(name, path, body)
    return of?.kind === kind && of.id === id && of.organizationId === organizationId && entry.lane === laneOf(of)
  } catch {
    // No path at all, or one that says nothing in UTF-8.
    return false
  }
}

/**
 * Entries of an export, read again: those that are not here, in their order. `known`: how many are here, or were done, already. One transaction; null, and
 * nothing read, for content that cannot be reckoned with. Throws what the storage says.
 */
export async function importEntries(
  database: CopyDatabase,
  file: OutboxFile,
  userId: string,
): Promise<{ imported: number; known: number } | null> {
  const tx = change(database, 'strict')
  const outcome = { imported: 0, known: 0 }
  try {
    const stored = await tx.objectStore('outbox').getAll()
    const heirs = new Map(stored.flatMap(({ replaces, key }) => (replaces ?? []).map((old) => [old, key])))
    let isMoved = false
    for (const entry of file.entries)
      if (isEntry(entry) && entry.userId === userId && isItself(entry)) {
        const place = await putBack(tx, entry, heirs, isMoved)
        isMoved ||= place === 'new'
        if (place === 'known') outcome.known += 1
        else if (place !== 'refused') outcome.imported += 1
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

/**
 * Its old place, so that an undo changes no order; where that is taken a new one, and so has everything after it (`isBehind`), or what follows would come before
 * what it follows. A press means what is shown: it comes after all that was saved since. `known`: it is here, or was done; `refused`: what waits by now is nothing
 * that it could follow. `heirs`: what took the place of what, by key.
 */
async function putBack(
  tx: Change,
  entry: Entry,
  heirs: ReadonlyMap<string, string>,
  isBehind: boolean,
): Promise<'old' | 'new' | 'known' | 'refused'> {
  const outbox = tx.objectStore('outbox')
  const { key, lane, name } = entry
  const isHere = heirs.has(key) || (await outbox.index('byKey').get(key)) || (await tx.objectStore('settled').get(key))
  if (isHere) return 'known'
  const inLane = await outbox.index('byLane').getAll(lane)
  const shown = await shownRow(tx, entry)
  const isPress = intentOf(name) !== undefined
  if (isPress && inLane.some((other) => !mayFollow(other.name, name))) return 'refused'
  if (inLane.length === 0) await keepBase(tx, entry, shown)
  const isAfterAll = isPress && (await outbox.count(IDBKeyRange.lowerBound(entry.seq))) > 0
  const isMoved = isBehind || isAfterAll || (await outbox.get(entry.seq)) !== undefined
  const { seq: _, ...placeless } = entry
  const state = entry.state === 'sending' ? 'queued' : entry.state
  const last = inLane.at(-1)
  const basis =
    isAfterAll && last
      ? { after: last.key, baseVersion: null, base: withoutMark(shown) }
      : await basisNow(tx, entry, shown)
  // What it waits for may have been mended meanwhile, and what a press freezes changed.
  const dependsOn = isAfterAll
    ? await parents(tx, entry, shown)
    : entry.dependsOn.map((needed) => heirs.get(needed) ?? needed)
  const inPlace = { ...(isMoved ? placeless : entry), ...basis, dependsOn, state } as Entry
  const seq = await outbox.put(inPlace)
  if (!isMoved) await followAgain(tx, { ...inPlace, seq })
  await showProjected(tx, entry)
  return isMoved ? 'new' : 'old'
}

/** What is shown was saved here, and nothing of somebody else's was brought into it. */
async function isOwn(tx: Change, lane: string, shown: Row): Promise<boolean> {
  const sent = await tx.objectStore('settled').get(lane)
  return typeof sent === 'object' && sent[2] !== undefined && sent[1] === shown.version
}

/** What it followed was sent, mended or taken back meanwhile: then it is based on the row as the server has it, and repeats of what it followed nothing. */
async function basisNow(tx: Change, { after, lane, ...of }: Entry, shown: Row | null): Promise<Partial<Entry>> {
  if (intentOf(of.name) && of.baseVersion !== null && shown && (await isOwn(tx, lane, shown)))
    return { after: null, baseVersion: shown.version, base: withoutMark(shown) }
  if (after === null || (await tx.objectStore('outbox').index('byKey').get(after))?.lane === lane) return {}
  const now = (await tx.objectStore('bases').get(baseKey(of)))?.row ?? (await shownRow(tx, of))
  // Of a row that is not here the server knows the version, and says that this is none: then both are brought together.
  const basis = { after: null, baseVersion: now?.version ?? 0 }
  if (!now || !of.body || !of.base) return basis
  const { merged, inQuestion } = merge(of.base, of.body, now)
  // The server refuses what was changed by somebody else as well, and then the person is asked.
  return inQuestion.length > 0 ? { ...basis, baseVersion: 0 } : { ...basis, body: merged, base: now }
}

/**
 * What was saved after it, and was let to follow what it follows itself when it was taken back, follows it again. What was saved of an older version, and
 * knows nothing of what it was made on, never did: the server judges it.
 */
async function followAgain(tx: Change, entry: Entry): Promise<void> {
  const outbox = tx.objectStore('outbox')
  const next = (await outbox.index('byLane').getAll(entry.lane)).find(({ seq }) => seq > entry.seq)
  const isMoved =
    next?.base && !isCreate(next.name) && next.after === entry.after && next.baseVersion === entry.baseVersion
  if (!isMoved) return
  await outbox.put({ ...next, after: entry.key, baseVersion: null })
  if (isSave(entry.name) && entry.base && entry.body)
    await bringOn(tx, { ...entry, theirs: null }, { ...entry.base, ...entry.body }, entry.key)
}
