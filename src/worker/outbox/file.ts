// The file of unsent writes: what an export holds, and an export read again. It may have been damaged or changed: what it sends is what it shows, or nothing.
import { deviceEndpoints } from '#shared/device-endpoints.ts'
import { pathOf } from '#shared/endpoint.ts'
import { isUuid } from '#shared/ids.ts'
import { merge } from '#shared/merge.ts'
import { intentOf, isCreate, isDelete, isSave, mayFollow, type OutboxFile } from '#shared/outbox.ts'
import { asProblem } from '#shared/problem-form.ts'
import { paramsOf } from '#worker/copy/answers.ts'
import { keepBase, showProjected, shownRow } from '#worker/copy/apply.ts'
import { baseKey, change, withoutMark, type Change, type CopyDatabase, type Row } from '#worker/copy/stores.ts'
import { bringOn } from './decisions.ts'
import { isClosing, laneOf, type Entry } from './entry.ts'
import { freezing, parents } from './parents.ts'
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
    const before = how === 'every-one' ? new Set<string>() : new Set(stored.map(({ key }) => key))
    let isMoved = false
    for (const entry of file.entries)
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

type Place = 'old' | 'new' | 'known' | 'refused'

/**
 * Its old place, so that an undo changes no order; where that is taken a new one, and so has everything after it (`isBehind`), or what follows would come before
 * what it follows. A press means what is shown: it comes after all that was saved since. `known`: it is here, or was done; `refused`: it does not go together
 * with what was done since. `heirs`: what took the place of what, by key; `before`: keys of what was here before any of the file, which alone it may not go with.
 */
async function putBack(
  tx: Change,
  entry: Entry,
  heirs: ReadonlyMap<string, string>,
  before: ReadonlySet<string>,
  isBehind: boolean,
): Promise<Place> {
  const outbox = tx.objectStore('outbox')
  const { key, lane, name } = entry
  const isDone = async () => (await tx.objectStore('settled').get(key)) === true
  if (heirs.has(key) || (await outbox.index('byKey').get(key)) || (await isDone())) return 'known'
  const inLane = await outbox.index('byLane').getAll(lane)
  const isPress = intentOf(name) !== undefined
  const ofBefore = (entries: Entry[]) => entries.filter((each) => before.has(each.key))
  if (isOvertaken(entry, ofBefore(inLane)) || isClosing(ofBefore(await ofOrganization(tx, entry)))) return 'refused'
  // It would be frozen by what was pressed without it.
  const needed = entry.dependsOn.map((each) => heirs.get(each) ?? each)
  const isBefore = (press: Entry) => needed.includes(press.key) && (isBehind || press.seq < entry.seq)
  if (!ofBefore(await freezing(tx, entry)).every(isBefore)) return 'refused'
  const shown = await shownRow(tx, entry)
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
  const dependsOn = isPress ? await parents(tx, entry, shown) : needed
  const inPlace = { ...(isMoved ? placeless : entry), ...basis, dependsOn, state } as Entry
  const seq = await outbox.put(inPlace)
  if (!isMoved) await followAgain(tx, { ...inPlace, seq })
  await showProjected(tx, entry)
  return isMoved ? 'new' : 'old'
}

/**
 * Whether something was done meanwhile that it cannot stand beside: a press goes behind no deletion, and behind a press only as when it is made (`mayFollow`); what is
 * waiting to be issued or closed is changed no more; and what was saved since is not to be deleted.
 */
function isOvertaken({ name, seq }: Entry, inLane: readonly Entry[]): boolean {
  return inLane.some((other) => {
    if (isDelete(name) && other.seq > seq) return true
    return (intentOf(name) || intentOf(other.name)) && !mayFollow(other.name, name)
  })
}

function ofOrganization(tx: Change, { organizationId }: Entry): Promise<Entry[]> {
  return tx
    .objectStore('outbox')
    .index('byLane')
    .getAll(laneOf({ kind: 'organization', id: organizationId }))
}

/** What it followed was sent, mended or taken back meanwhile: then it is based on the row as the server has it, and repeats of what it followed nothing. */
async function basisNow(tx: Change, entry: Entry, shown: Row | null): Promise<Partial<Entry>> {
  const { after, lane, name, body, base } = entry
  if (after !== null && (await tx.objectStore('outbox').index('byKey').get(after))?.lane === lane) return {}
  if (!isSave(name)) return seenBy(tx, entry, shown)
  if (after === null) return {}
  const now = (await tx.objectStore('bases').get(baseKey(entry)))?.row ?? shown
  // Of a row that is not here the server knows the version, and says that this is none: then both are brought together.
  const basis = { after: null, baseVersion: now?.version ?? 0 }
  if (!now || !body || !base) return basis
  const { merged, inQuestion } = merge(base, body, now)
  // The server refuses what was changed by somebody else as well, and then the person is asked.
  return inQuestion.length > 0 ? { ...basis, baseVersion: 0 } : { ...basis, body: merged, base: now }
}

/**
 * A press or a deletion means what the person saw: what it was made on, or what they have saved since. Of anything else the server says that it is another version,
 * and the person is asked.
 */
async function seenBy(
  tx: Change,
  { after, lane, baseVersion, base }: Entry,
  shown: Row | null,
): Promise<Partial<Entry>> {
  // Payments go by no version.
  if (after === null && baseVersion === null) return {}
  const sent = await tx.objectStore('settled').get(lane)
  // Without a key somebody else's was brought into it.
  const [told = 0, version, key] = Array.isArray(sent) ? sent : []
  const isSince = after === null || told >= (base?.version ?? 0)
  if (shown && key !== undefined && isSince && shown.version === version)
    return { after: null, baseVersion: version, base: withoutMark(shown) }
  if (after === null) return {}
  if (version !== undefined && key === after) return { after: null, baseVersion: version }
  // What is issued is changed by nobody.
  const isIssued = shown?.['status'] !== undefined && shown['status'] !== 'draft'
  return { after: null, baseVersion: isIssued ? shown.version : 0 }
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
