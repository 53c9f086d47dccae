// What a person saved, on the disk: the entry, what it follows and waits for, and its effect on the copy, in one transaction (OFFLINE.md "Writing").
import type { DeviceEndpointName } from '#shared/device-endpoints.ts'
import type { Payment } from '#shared/contract/payments.ts'
import { merge } from '#shared/merge.ts'
import { minorUnitsOf } from '#shared/money.ts'
import { intentOf, isCreate, isDelete, isReversal, isSave, mayFollow, needsPerson } from '#shared/outbox.ts'
import type { DeviceProblemCode } from '#shared/problem-form.ts'
import { beginFeed, keepBases, showProjected, showReckoned, shownRow } from '#worker/copy/apply.ts'
import {
  baseKey,
  change,
  withoutMark,
  type Change,
  type CopyDatabase,
  type DeviceSchema,
  type Row,
} from '#worker/copy/stores.ts'
import { asShown } from './as-shown.ts'
import { bringOn, isOther } from './decisions.ts'
import { basisBehind, isClosing, laneOf, rowsOf, shownVersion, type Body, type Entry } from './entry.ts'
import { inLanesOf, parents, samePayment } from './parents.ts'
import { sendAnew } from './queue.ts'
import type { Write } from './write.ts'

/** `done`: it is, under another key; the row as it is now. */
export type Enqueued =
  | { entry: Entry; row: Row | null }
  | { done: Row }
  | { refused: DeviceProblemCode; detail?: string }

/** Why nothing can be saved upon a press, or upon a payment: it is on its way, or it came back. */
const waits = 'Something else about it is not sent yet. Take that back under Unsent first.'
const cameBack = 'Something else about it was refused. Decide about that under Unsent first.'
const waitsToBeReversed = 'This payment waits to be reversed already.'

/** Stores the write and its effect, on the disk when this resolves; what is to be done with the entry meanwhile begins while the disk is waited for. Null for content that cannot be reckoned with: the server says why. Throws what the storage says. */
export async function enqueue(
  database: CopyDatabase,
  write: Write,
  meanwhile: (entry: Entry) => void = () => {},
): Promise<Enqueued | null> {
  const tx = change(database, 'strict')
  const settled = tx.done.then(
    () => null,
    (error: unknown) => (error instanceof Error ? error : new Error(String(error))),
  )
  try {
    const result = await store(tx, write)
    if ('refused' in result) tx.abort()
    if ('entry' in result) meanwhile(result.entry)
    const error = await settled
    if (error && !('refused' in result)) throw error
    return result
  } catch (error) {
    if (error instanceof DOMException) throw error
    tx.abort()
    await settled
    return null
  }
}

async function store(tx: Change, asked: Write): Promise<Enqueued> {
  const { organizationId, kind, id, name, key } = asked
  const write = { ...asked, body: await asShown(tx, asked) }
  const outbox = tx.objectStore('outbox')
  // Side by side: each is a question to another process, and a person waits.
  const [inLanes, shown, isSettled, sent, ofOrganization] = await Promise.all([
    inLanesOf(tx, write),
    shownRow(tx, write),
    tx.objectStore('settled').get(key),
    tx.objectStore('settled').get(laneOf(write)),
    outbox.index('byLane').getAll(laneOf({ kind: 'organization', id: organizationId })),
  ])
  const basedOn = asSent(write.basedOn, sent)
  const repeated = inLanes.find((entry) => entry.key === key || entry.replaces?.includes(key))
  if (repeated) return { entry: repeated, row: shown }
  const twin = await samePayment(tx, write)
  if (twin && isOther(twin.body, write.body)) {
    if (!isReversal(name)) return { refused: 'id_taken' }
    return { refused: 'invalid_transition', detail: needsPerson(twin.state) ? cameBack : waitsToBeReversed }
  }
  if (twin?.state === 'rejected') return madeAfterAll(tx, twin, write)
  if (twin) return { entry: twin, row: shown }
  if (name === 'recordPayment' && (await isAnotherThanRecorded(tx, write))) return { refused: 'id_taken' }
  if (isSettled) return shown ? { done: shown } : { refused: 'not_found' }
  const last = inLanes.at(-1)
  const refused = isCreate(name) && inLanes.find((entry) => entry.name === name && entry.state === 'rejected')
  if (refused) return madeAfterAll(tx, refused, write)
  // What the server would say to it is known already.
  if (isCreate(name) && inLanes.some((entry) => isCreate(entry.name))) return { refused: 'id_taken' }
  const mended = isSave(name) ? fromRefused(inLanes) : []
  for (const entry of inLanes) {
    // What was pressed upon what is mended now asks once more.
    if (mended.includes(entry)) break
    // A pull was faster than its answer: it is issued.
    if (intentOf(entry.name) === 'issue' && (await shownRow(tx, entry))?.['status'] === 'issued') continue
    if (mayFollow(entry.name, name)) continue
    if (isDelete(entry.name)) return { refused: 'not_found' }
    return { refused: 'invalid_transition', detail: needsPerson(entry.state) ? cameBack : waits }
  }
  // A tab may still show an organization that is to be closed.
  if (isClosing(ofOrganization)) return { refused: 'not_found' }
  const isNext =
    last !== undefined &&
    basedOn !== null &&
    ('after' in basedOn
      ? basedOn.after === last.key && isAsLeft(last, shown)
      : // Of a row that is not here the number that its save was answered with is all there is.
        basedOn.version === (shown?.version ?? shownVersion(last)))
  const merged = isNext ? null : mergedWith(last, { ...write, basedOn }, shown)
  const follows = isNext || (last !== undefined && merged !== null)
  const body = merged ?? write.body
  if (follows && mended.length > 0) return insteadOf(tx, mended, { ...write, body })
  if (mended.some((entry) => intentOf(entry.name))) return { refused: 'invalid_transition', detail: cameBack }
  if (name === 'createOrganization') await beginFeed(tx, organizationId, write.nowMs)
  await keepBases(tx, write, inLanes, shown)
  const fresh: Omit<Entry, 'seq'> = {
    key,
    replaces: [],
    userId: write.userId,
    organizationId,
    kind,
    id,
    lanes: write.lanes,
    dependsOn: await parents(tx, { ...write, body }, shown),
    name,
    path: write.path,
    ...(body !== asked.body && { isMerged: true }),
    body,
    ...(follows
      ? basisBehind(inLanes, shown)
      : { after: null, baseVersion: basedOn === null ? write.ofPayment : 'version' in basedOn ? basedOn.version : 0 }),
    // What the person saw, if that is what the copy shows: only then can it be told later who changed what.
    base:
      follows || (basedOn ? 'version' in basedOn && basedOn.version === shown?.version : intentOf(name))
        ? withoutMark(shown)
        : null,
    createdAtMs: write.nowMs,
    attempts: 0,
    nextAttemptAtMs: 0,
    heldUntilMs: write.heldUntilMs,
    sendingSinceMs: 0,
    state: 'queued',
    lastProblem: null,
    theirs: null,
    schemaVersion: 1,
  }
  const entry = follows && (await mayReplace(tx, last, name)) ? replaced(last, fresh) : fresh
  const seq = await outbox.put(entry as Entry)
  return { entry: { ...entry, seq }, row: await showWritten(tx, write) }
}

/** The row that it is of; what else it is on shows it too. */
async function showWritten(tx: Change, write: Write): Promise<Row | null> {
  const row = await showReckoned(tx, write)
  for (const more of rowsOf(write).slice(1)) await showProjected(tx, more)
  return row
}

/** The first of two tabs has been at the server with it; or it was reversed since, and asked for once more it would stay so. */
async function isAnotherThanRecorded(tx: Change, { organizationId, body }: Write): Promise<boolean> {
  const known = (await tx.objectStore('payments').get([organizationId, String(body?.['id'])]))?.row
  const asked = body as unknown as Pick<Payment, 'amount' | 'allocations'>
  const sums = ({ amount, allocations }: typeof asked) =>
    [amount, ...allocations.map((part) => part.amount)].map(minorUnitsOf).join()
  const named = ({ allocations }: typeof asked) => allocations.map(({ invoiceId }) => invoiceId).join()
  return !!known && (!!known.reversal || sums(known) !== sums(asked) || named(known) !== named(asked))
}

/** Whether the device shows what that write left: a save may have been brought on since, and of what is made a pull may have brought a later version. */
function isAsLeft(last: Entry, shown: Row | null): boolean {
  return isCreate(last.name) ? !shown || shown.version === shownVersion(last) : !last.broughtOn
}

/** What was opened as the device showed it, and has been sent since, is the server's version of it. */
function asSent(basedOn: Write['basedOn'], sent: DeviceSchema['settled']['value'] | undefined): Write['basedOn'] {
  if (!basedOn || typeof sent !== 'object') return basedOn
  const [shown, version, key] = sent
  return ('after' in basedOn ? basedOn.after === key : basedOn.version === shown) ? { version } : basedOn
}

/**
 * What the server refused of it, and the saves and presses that wait behind that. None when there is something else among them, a save of a form from before
 * it too: what was refused is nowhere in that.
 */
function fromRefused(inLane: readonly Entry[]): Entry[] {
  const first = inLane.findIndex(({ name, state }) => state === 'rejected' && (isCreate(name) || isSave(name)))
  const open = first < 0 ? [] : inLane.slice(first)
  const isBuiltOn = ({ name, after }: Entry) => (isSave(name) ? after !== null : intentOf(name))
  return open.slice(1).every((entry) => entry.state === 'queued' && isBuiltOn(entry)) ? open : []
}

/** Saved once more on its own screen, what was refused is mended: the whole content is in that, and behind what is refused it would wait for ever. */
async function insteadOf(tx: Change, [refused, ...behind]: Entry[], write: Write): Promise<Enqueued> {
  const between = behind.filter(({ name }) => isSave(name))
  for (const each of between) await tx.objectStore('outbox').delete(each.seq)
  const keys = between.flatMap(({ key, replaces = [] }) => [...replaces, key])
  const replaces = [...(refused!.replaces ?? []), ...keys]
  const body = isCreate(refused!.name) ? madeAs(refused!, write.body) : write.body
  const made = await madeAfterAll(tx, { ...refused!, replaces, isMerged: true }, { ...write, body })
  // Of the saves nothing is left to be brought on: a press asks.
  await bringOn(tx, refused!, {}, write.key, isOther(refused!.body, body))
  return made
}

/** The form of what was refused, sent again: it takes the place of that, and what was built on it meanwhile stays. */
async function madeAfterAll(tx: Change, refused: Entry, write: Write): Promise<Enqueued> {
  const entry = await sendAnew(tx, refused, write.key, { body: write.body })
  return { entry, row: await showWritten(tx, write) }
}

/**
 * Saved once more from a screen that never had the answer to its earlier save, or from another tab: brought together with what is unsent already.
 * Null when it cannot be, or is about another version; the server then says that it was changed meanwhile.
 */
function mergedWith(last: Entry | undefined, { name, body, basedOn }: Write, shown: Row | null): Body | null {
  // What it was brought on with since is in its base as well, and the form never showed that.
  const isSameBase =
    last?.base && !last.broughtOn && basedOn && 'version' in basedOn && last.base.version === basedOn.version
  if (!isSameBase || !isSave(name) || !body || !shown) return null
  const both = merge(last.base, body, shown)
  return both.inQuestion.length === 0 ? both.merged : null
}

/**
 * A save that was never tried, and that nothing waits for, gives its place to the next one: the whole content is in that. So does a draft that was never tried to be
 * made, which else would go on waiting for the customer that it was made for; but not one that is at the server and was asked for once more.
 */
async function mayReplace(tx: Change, last: Entry, name: DeviceEndpointName): Promise<boolean> {
  if (!isSave(name) || last.attempts > 0 || last.state !== 'queued') return false
  if (last.name !== name && !(last.kind === 'invoice' && isCreate(last.name))) return false
  if (isCreate(last.name) && (await tx.objectStore('bases').get(baseKey(last)))?.row) return false
  const all = await tx.objectStore('outbox').getAll()
  return !all.some(({ dependsOn }) => dependsOn.includes(last.key))
}

function replaced(last: Entry, fresh: Omit<Entry, 'seq'>): Entry {
  const { seq, name, path, baseVersion, after, base, broughtOn = 0 } = last
  const entry = { ...fresh, seq, baseVersion, after, broughtOn, replaces: [...(last.replaces ?? []), last.key] }
  if (!isCreate(name)) return { ...entry, base }
  // Who has it open as it was first made is met with what was changed since.
  return { ...entry, name, path, body: madeAs(last, fresh.body), base: base ?? fresh.base, isMerged: true }
}

/** What is made, with what was saved of it since: of a draft that is all, of anything else what it leaves out stays (shared/contract). */
function madeAs({ kind, id, body }: Entry, saved: Body | null): Body {
  return kind === 'invoice' ? { ...saved, id } : { ...body, ...saved }
}
