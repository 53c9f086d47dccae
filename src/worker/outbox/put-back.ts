// What is put back: an undo, an export read again, what a lost database had not sent. It stands beside what was done since, or is refused.
import { merge } from '#shared/merge.ts'
import { intentOf, isCreate, isDelete, isOfPayment, isSave, mayFollow } from '#shared/outbox.ts'
import { beginFeed, keepBases, shownRow, showRows } from '#worker/copy/apply.ts'
import { baseKey, withoutMark, type Change, type Row } from '#worker/copy/stores.ts'
import { bringOn } from './decisions.ts'
import { basisBehind, isClosing, laneOf, rowsOf, sharesLane, type Entry } from './entry.ts'
import { freezing, inLanesOf, isInvoiceFor, parents, samePayment } from './parents.ts'

export type Place = 'old' | 'new' | 'known' | 'refused'

/**
 * Its old place, so that an undo changes no order; where that is taken a new one, and so has everything after it (`isBehind`), or what follows would come before
 * what it follows. A press means what is shown: it comes after all that was saved since; a payment only after the issue that it needs. `known`: it is here, or was done; `refused`: it does not go together
 * with what was done since. `heirs`: what took the place of what, by key; `before`: keys of what was here before any of the file, which alone it may not go with;
 * null where nothing is refused, for it is nowhere else.
 */
export async function putBack(
  tx: Change,
  entry: Entry,
  heirs: ReadonlyMap<string, string>,
  before: ReadonlySet<string> | null,
  isBehind: boolean,
): Promise<Place> {
  const outbox = tx.objectStore('outbox')
  const { key, name } = entry
  const isHere = heirs.has(key) || (await outbox.index('byKey').get(key)) || (await tx.objectStore('settled').get(key))
  if (isHere) return 'known'
  const inLanes = await inLanesOf(tx, entry)
  const isPress = intentOf(name) !== undefined
  const ofBefore = (entries: Entry[]) => entries.filter((each) => before?.has(each.key))
  const isFree = !isBehind && (await outbox.get(entry.seq)) === undefined
  const shown = await shownRow(tx, entry)
  const isOpen = shown === null || shown['status'] === 'draft'
  if (isOvertaken(entry, ofBefore(inLanes), isFree && isOpen) || isClosing(ofBefore(await ofOrganization(tx, entry))))
    return 'refused'
  if (isDelete(name) && ofBefore(await outbox.getAll()).some((each) => takesAlong(entry, each))) return 'refused'
  // It would be frozen by what was pressed without it.
  const needed = entry.dependsOn.map((each) => heirs.get(each) ?? each)
  const isBefore = (press: Entry) => needed.includes(press.key) && (isBehind || press.seq < entry.seq)
  if (!ofBefore(await freezing(tx, entry)).every(isBefore)) return 'refused'
  // A payment is recorded and reversed once; and what is paid is issued before, or stands behind that.
  if (before && (await samePayment(tx, entry))) return 'refused'
  if (before && name === 'recordPayment' && !(await areIssued(tx, entry))) return 'refused'
  if (name === 'createOrganization') await beginFeed(tx, entry.organizationId, entry.createdAtMs)
  await keepBases(tx, entry, inLanes, shown)
  const isBeforeIssue = inLanes.some((other) => intentOf(other.name) === 'issue' && other.seq > entry.seq)
  // A payment is what it is, whatever is shown: there may be nothing due any more after what was done since. What is issued is so before it is paid.
  const isInOrder = isOfPayment(name) ? !isBeforeIssue : inLanes.some((other) => isFree && isForIssued(entry, other))
  const isAfterAll = isPress && !isInOrder && (await outbox.count(IDBKeyRange.lowerBound(entry.seq))) > 0
  const isMoved = isAfterAll || !isFree
  const { seq: _, ...placeless } = entry
  const state = entry.state === 'sending' ? 'queued' : entry.state
  const basis = isOfPayment(name)
    ? { base: withoutMark(shown) ?? entry.base }
    : isAfterAll && inLanes.length > 0
      ? { ...basisBehind(inLanes, shown), base: withoutMark(shown) }
      : await basisNow(tx, entry, shown)
  // What it waits for may have been mended meanwhile, and what a press freezes changed.
  const dependsOn = isPress ? await parents(tx, entry, shown) : needed
  const inPlace = { ...(isMoved ? placeless : entry), ...basis, dependsOn, state } as Entry
  const seq = await outbox.put(inPlace)
  if (!isMoved && !isOfPayment(name)) await followAgain(tx, { ...inPlace, seq })
  await showRows(tx, entry)
  return isMoved ? 'new' : 'old'
}

/** Or will be: what waits for that is here. */
async function areIssued(tx: Change, entry: Entry): Promise<boolean> {
  for (const row of rowsOf(entry)) {
    const inLane = await tx.objectStore('outbox').index('byLane').getAll(laneOf(row))
    const isDraft = (await shownRow(tx, row))?.['status'] === 'draft'
    if (isDraft && !inLane.some((other) => intentOf(other.name) === 'issue')) return false
  }
  return true
}

/**
 * Whether something was done meanwhile that it cannot stand beside: a press goes behind no deletion, and behind a press only as when it is made (`mayFollow`); and
 * what is waiting to be issued or closed is changed no more. `isGround`: it goes to its old place, before what waits for what it makes or issues.
 */
function isOvertaken(entry: Entry, inLanes: readonly Entry[], isGround: boolean): boolean {
  const { name } = entry
  return inLanes.some(
    (other) =>
      (intentOf(name) || intentOf(other.name)) &&
      !mayFollow(other.name, name) &&
      !(isGround && isForIssued(entry, other)),
  )
}

/** Whether it makes or issues what the other, saved since, is to be done with. */
function isForIssued({ name, seq }: Entry, other: Entry): boolean {
  return (
    (isCreate(name) || intentOf(name) === 'issue') &&
    other.seq > seq &&
    intentOf(other.name) !== undefined &&
    mayFollow('issueInvoice', other.name)
  )
}

/** Whether a deletion would take along what was saved since: of the same, in that organization, or for that customer. */
function takesAlong(entry: Entry, other: Entry): boolean {
  const { kind, organizationId, id } = entry
  if (other.seq <= entry.seq) return false
  if (kind === 'organization') return other.organizationId === id
  return sharesLane(other, entry) || (kind === 'customer' && isInvoiceFor(organizationId, id)(other))
}

function ofOrganization(tx: Change, { organizationId }: Entry): Promise<Entry[]> {
  return tx
    .objectStore('outbox')
    .index('byLane')
    .getAll(laneOf({ kind: 'organization', id: organizationId }))
}

/** What it followed was sent, mended or taken back meanwhile: then it is based on the row as the server has it, and repeats of what it followed nothing. */
async function basisNow(tx: Change, entry: Entry, shown: Row | null): Promise<Partial<Entry>> {
  const { after, name, body, base } = entry
  const followed = after === null ? undefined : await tx.objectStore('outbox').index('byKey').get(after)
  // Builds before let a mail follow a payment.
  if (followed && sharesLane(followed, entry) && !isOfPayment(followed.name)) return {}
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
 * A press means what the person saw: what it was made on, or what they have saved since; a deletion what it was made on alone. Of anything else the server says
 * that it is another version, and the person is asked.
 */
async function seenBy(tx: Change, entry: Entry, shown: Row | null): Promise<Partial<Entry>> {
  const { name, after, baseVersion, base } = entry
  // What goes by no version.
  if (after === null && (baseVersion === null || isDelete(name))) return {}
  const sent = await tx.objectStore('settled').get(laneOf(entry))
  // Without a key somebody else's was brought into it.
  const [told = 0, version, key] = typeof sent === 'object' ? sent : []
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
  const next = (await inLanesOf(tx, entry)).find(({ seq }) => seq > entry.seq)
  const isMoved =
    next?.base &&
    !isCreate(next.name) &&
    !isOfPayment(next.name) &&
    next.after === entry.after &&
    next.baseVersion === entry.baseVersion
  if (!isMoved) return
  await outbox.put({ ...next, after: entry.key, baseVersion: null })
  if (isSave(entry.name) && entry.base && entry.body)
    await bringOn(tx, { ...entry, theirs: null }, { ...entry.base, ...entry.body }, entry.key)
}
