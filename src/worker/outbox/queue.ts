// The outbox on the disk. Every step is one transaction that moves an entry and what the copy shows of it together (OFFLINE.md "Writing: the outbox").
import { wasTold } from '#shared/feed-mark.ts'
import { isCreate, isSave, needsPerson } from '#shared/outbox.ts'
import type { Problem } from '#shared/problem-form.ts'
import { dropOrganization, putTold, shownRow, showProjected, showRows } from '#worker/copy/apply.ts'
import {
  baseKey,
  change,
  withoutMark,
  type Aggregate,
  type Change,
  type CopyDatabase,
  type Row,
} from '#worker/copy/stores.ts'
import { unlessFull } from '#worker/full.ts'
import { asShown, leavesOut } from './as-shown.ts'
import { dueMs, isServersVersion, laneOf, needs, rowsOf, shownVersion, type Body, type Entry } from './entry.ts'
import { inLanesOf, parents } from './parents.ts'
import { withAnswer } from './payment.ts'
import { aggregateOf } from './write.ts'

/**
 * Notes on the disk, and waits for it, that it is about to be sent: from now on it may have arrived. Where there is no room for the note it goes without.
 * Null when it is gone, has changed or is another context's meanwhile, where there are no locks.
 */
export function begin(
  database: CopyDatabase,
  { seq, key }: Entry,
  nowMs: number,
  stuckAfterMs: number,
): Promise<Entry | null> {
  const sending = (entry: Entry): Entry | null =>
    entry.state === 'sending' && !isStuck(entry, nowMs, stuckAfterMs)
      ? null
      : { ...entry, state: 'sending', attempts: entry.attempts + 1, sendingSinceMs: nowMs }
  return update(database, seq, key, 'strict', sending)
}

/**
 * It did not arrive, or the server asked to wait, with `notBeforeMs` so that no trigger goes before. Should the power fail before that is on the disk, it is
 * found as being sent (`returnStuck`).
 */
export function again(
  database: CopyDatabase,
  { seq, key }: Entry,
  nextAttemptAtMs: number,
  lastProblem: Problem | null,
  notBeforeMs = 0,
): Promise<Entry | null> {
  const queued = (entry: Entry): Entry => ({ ...entry, state: 'queued', nextAttemptAtMs, notBeforeMs, lastProblem })
  return update(database, seq, key, 'relaxed', queued)
}

/** Only the person moves it on; what follows it in its lane, and what needs it, waits. Should the power fail, the server says the same once more. */
export function park(
  database: CopyDatabase,
  { seq, key }: Entry,
  state: 'needs-sign-in' | 'conflict' | 'rejected',
  lastProblem: Problem | null,
  theirs: Row | null = null,
): Promise<Entry | null> {
  return update(database, seq, key, 'relaxed', (entry) => ({ ...entry, state, lastProblem, theirs }))
}

/**
 * The server has done it (false: the device has no room to say so to what follows, and it stays): the entry goes, its answer is the row, and what follows is based on it. One transaction. Should the power fail before it is on
 * the disk, the write is sent once more under its key. What there is no room to note is found anew: the pull brings the row, which keeps its sign until then.
 */
export function done(database: CopyDatabase, entry: Entry, row: Row | null): Promise<boolean> {
  return unlessFull(
    settle(database, entry, row).then(() => true),
    () => takeOff(database, entry),
  )
}

async function settle(database: CopyDatabase, { seq, key }: Entry, row: Row | null): Promise<void> {
  const tx = change(database, 'relaxed')
  const entry = await stored(tx, seq, key)
  if (entry) {
    const { organizationId, id } = entry
    await tx.objectStore('outbox').delete(seq)
    // Who sends once more what went in another's place, or with another body than theirs is now, is answered here: the server would take it for another call.
    const isAnothers = entry.isMerged || entry.broughtOn || leavesOut(entry)
    for (const settled of [...(entry.replaces ?? []), ...(isAnothers ? [key] : [])])
      await tx.objectStore('settled').put(true, settled)
    // Who has the row open as it was shown meanwhile has seen this, but not by its key what was brought together with somebody else's since.
    if (row && (isSave(entry.name) || isCreate(entry.name)))
      await tx
        .objectStore('settled')
        .put([shownVersion(entry), row.version, entry.broughtOn ? undefined : key], laneOf(entry))
    if (isPayment(entry, row)) await putTold(tx, { organizationId, kind: 'payment', id: row.id }, row, false)
    for (const each of rowsOf(entry)) await settleRow(tx, entry, each, row)
    if (entry.name === 'deleteOrganization') await dropOrganization(tx, id)
  }
  await tx.done
}

async function settleRow(tx: Change, entry: Entry, of: Aggregate, row: Row | null): Promise<void> {
  // A pull that was faster may have brought a later one.
  const known = (await tx.objectStore('bases').get(baseKey(of)))?.row ?? null
  const isLater = row && ((known && known.version > row.version) || (await isPulled(tx, entry, row)))
  const now = isPayment(entry, row) ? known && withAnswer(known, entry, row) : isLater ? known : row
  await tx.objectStore('bases').put({ ...of, row: now })
  for (const next of await tx.objectStore('outbox').index('byLane').getAll(laneOf(of)))
    if (next.after === entry.key) {
      // What was made and is asked for once more is answered as it was then.
      const isSeen = isCreate(entry.name) && isServersVersion(next.base?.version)
      const version = (isSeen ? next.base : row)?.version
      await tx.objectStore('outbox').put({ ...next, after: null, baseVersion: version ?? next.baseVersion })
    }
  await showProjected(tx, of)
}

/** The answer to a payment, and to its reversal, is the payment. */
function isPayment({ id }: Entry, row: Row | null): row is Row {
  return row !== null && row.id !== id
}

/** Takes away and adds nothing. What follows in its lane wants to know its answer: then it stays, and gets the same answer again. */
async function takeOff(database: CopyDatabase, entry: Entry): Promise<boolean> {
  const { seq, key, name, id } = entry
  const tx = change(database, 'relaxed')
  const isFree = !(await inLanesOf(tx, entry)).some(({ after }) => after === key)
  if (isFree) await tx.objectStore('outbox').delete(seq)
  for (const row of rowsOf(entry)) {
    const inLane = await tx.objectStore('outbox').index('byLane').getAll(laneOf(row))
    if (inLane.every((each) => each.key === key)) await tx.objectStore('bases').delete(baseKey(row))
  }
  if (isFree && name === 'deleteOrganization') await dropOrganization(tx, id)
  await tx.done
  return isFree
}

/** The feed has come past this answer, which a repeated call was given again: what the pull left, be it nothing, is the newer. */
async function isPulled(tx: Change, { kind, organizationId }: Entry, row: Row): Promise<boolean> {
  if (kind === 'organization') return false
  const feed = await tx.objectStore('feeds').get(organizationId)
  return wasTold(feed?.since ?? '', Number(row['revision']))
}

/**
 * What was being sent by somebody who is gone, or for longer than the lease: whether it arrived is not known, so it is sent again under its key.
 * Begun in the future it was by a clock that has been set back since.
 */
export async function returnStuck(database: CopyDatabase, nowMs: number, leaseMs: number): Promise<void> {
  await changeAll(database, (entry) => (isStuck(entry, nowMs, leaseMs) ? { ...entry, state: 'queued' } : null))
}

export function isStuck({ state, sendingSinceMs }: Entry, nowMs: number, leaseMs: number): boolean {
  return state === 'sending' && Math.abs(nowMs - sendingSinceMs) > leaseMs
}

/** Everything that waits is due, but for what the server put off to a time of its own: the network came back, or a page is looked at. */
export async function makeDue(database: CopyDatabase, nowMs: number): Promise<void> {
  await changeAll(database, (entry) => {
    const nextAttemptAtMs = dueMs(entry, nowMs)
    return entry.state === 'queued' && entry.nextAttemptAtMs > nextAttemptAtMs ? { ...entry, nextAttemptAtMs } : null
  })
}

/** Which organizations there are has changed: what was refused because its own was not this person's any more is tried again. */
export async function tryLost(database: CopyDatabase): Promise<void> {
  await changeAll(database, (entry) =>
    entry.state === 'rejected' && entry.lastProblem?.code === 'not_found'
      ? { ...entry, state: 'queued', nextAttemptAtMs: 0 }
      : null,
  )
}

/** What waited for this person to sign in goes on. */
export async function goOn(database: CopyDatabase): Promise<void> {
  await changeAll(database, (entry) =>
    entry.state === 'needs-sign-in' ? { ...entry, state: 'queued', nextAttemptAtMs: 0 } : null,
  )
}

/** With other content, as a write of its own under a fresh key: due now, and what follows it or waits for it does so under that key. */
export async function sendAnew(
  tx: Change,
  entry: Entry,
  freshKey: string,
  changed: Pick<Entry, 'body'> & Partial<Entry>,
): Promise<Entry> {
  const outbox = tx.objectStore('outbox')
  const body = await asShown(tx, { ...entry, body: changed.body })
  const replaces = [...(entry.replaces ?? []), entry.key]
  const moved = await movedLanes(tx, entry, body)
  const anew: Entry = {
    ...entry,
    ...changed,
    ...moved,
    body,
    ...(body !== changed.body && { isMerged: true }),
    key: freshKey,
    // Other content may name what was made here since.
    dependsOn: body && entry.kind === 'invoice' ? await parents(tx, { ...entry, body }, null) : entry.dependsOn,
    replaces,
    state: 'queued',
    attempts: 0,
    nextAttemptAtMs: 0,
    lastProblem: null,
  }
  await outbox.put(anew)
  const now = (key: string) => (replaces.includes(key) ? freshKey : key)
  for (const other of await outbox.getAll())
    if (replaces.some((key) => needs(other, { key })))
      await outbox.put({ ...other, after: other.after && now(other.after), dependsOn: other.dependsOn.map(now) })
  // On an invoice that it is on no more nothing waits of it.
  if (moved) for (const row of rowsOf(entry)) await showProjected(tx, row)
  return anew
}

/** A payment that was typed anew waits with those of its invoices that it is on now; null where those are the same. */
async function movedLanes(
  tx: Change,
  { name, path, lanes }: Entry,
  body: Body | null,
): Promise<Pick<Entry, 'id' | 'lanes' | 'base'> | null> {
  const of = name === 'recordPayment' ? aggregateOf(name, path, body) : null
  if (!of || of.lanes.join() === lanes.join()) return null
  return { id: of.id, lanes: of.lanes, base: withoutMark(await shownRow(tx, of)) }
}

/** Every entry that becomes another by it; none, and false, where there is no room for that. `then`: what else that brings with it, once all are changed. */
export async function changeAll(
  database: CopyDatabase,
  next: (entry: Entry) => Entry | null,
  then: (tx: Change, before: Entry, now: Entry) => Promise<void> | undefined = () => undefined,
): Promise<boolean> {
  // Most often there is nothing to do, and then nobody waits for a transaction over everything.
  if (!(await database.getAll('outbox')).some((entry) => next(entry))) return true
  const work = async () => {
    const tx = change(database, 'relaxed')
    const changed: [before: Entry, now: Entry][] = []
    for (const entry of await tx.objectStore('outbox').getAll()) {
      const now = next(entry)
      if (!now) continue
      changed.push([entry, now])
      await tx.objectStore('outbox').put(now)
      if (needsPerson(now.state) !== needsPerson(entry.state)) await showRows(tx, entry)
    }
    for (const [before, now] of changed) await then(tx, before, now)
    await tx.done
    return true
  }
  return unlessFull(work(), () => false)
}

async function update(
  database: CopyDatabase,
  seq: number,
  key: string,
  durability: 'strict' | 'relaxed',
  next: (entry: Entry) => Entry | null,
): Promise<Entry | null> {
  let changed: Entry | null = null
  const note = async () => {
    const tx = change(database, durability)
    const entry = await stored(tx, seq, key)
    changed = entry && next(entry)
    if (changed) {
      await tx.objectStore('outbox').put(changed)
      if (needsPerson(changed.state) !== needsPerson(entry!.state)) await showRows(tx, changed)
    }
    await tx.done
    return changed
  }
  return unlessFull(note(), () => changed)
}

async function stored(tx: Change, seq: number, key: string): Promise<Entry | null> {
  const entry = await tx.objectStore('outbox').get(seq)
  return entry?.key === key ? entry : null
}
