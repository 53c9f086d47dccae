// The outbox on the disk. Every step is one transaction that moves an entry and what the copy shows of it together (OFFLINE.md "Writing: the outbox").
import type { EndpointName } from '#shared/endpoints.ts'
import { needsPerson, type AggregateKind, type OutboxFile, type Resolution } from '#shared/outbox.ts'
import { problem, type Problem } from '#shared/problem.ts'
import { showProjected, shownRow } from '#worker/copy/apply.ts'
import { change, type Change, type CopyDatabase, type Row } from '#worker/copy/stores.ts'
import { isCreate, isSave, laneOf, type Body, type Entry } from './entry.ts'

/** What the page asked for. */
export interface Write {
  key: string
  userId: string
  name: EndpointName
  organizationId: string
  kind: AggregateKind
  id: string
  path: string
  body: Body | null
  /** The version in If-Match, or the key of the write that it follows (`after-<key>`); null for what is made new. */
  basedOn: { version: number } | { after: string } | null
  nowMs: number
}

export type Enqueued = { entry: Entry; row: Row | null } | { refused: Problem }

/** Stores the write and its effect, on the disk when this resolves. Null for content that cannot be reckoned with: the server says why. Throws what the storage says. */
export async function enqueue(database: CopyDatabase, write: Write): Promise<Enqueued | null> {
  const tx = change(database, 'strict')
  const settled = tx.done.then(
    () => null,
    (error: unknown) => (error instanceof Error ? error : new Error(String(error))),
  )
  try {
    const result = await store(tx, write)
    if ('refused' in result) tx.abort()
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

async function store(tx: Change, write: Write): Promise<Enqueued> {
  const { organizationId, kind, id, name, key, basedOn } = write
  const outbox = tx.objectStore('outbox')
  const lane = laneOf(kind, id)
  const inLane = await outbox.index('byLane').getAll(lane)
  const shown = await shownRow(tx, organizationId, kind, id)
  const repeated = inLane.find((entry) => entry.key === key)
  if (repeated) return { entry: repeated, row: shown }
  const last = inLane.at(-1)
  // What the server would say to it is known already.
  if (isCreate(name) && inLane.some((entry) => isCreate(entry.name))) return { refused: problem('id_taken') }
  if (inLane.some((entry) => entry.name === 'issueInvoice')) return { refused: problem('invalid_transition') }
  if (last?.name.startsWith('delete')) return { refused: problem('not_found') }
  const follows =
    last !== undefined &&
    basedOn !== null &&
    ('after' in basedOn ? basedOn.after === last.key : basedOn.version === shown?.version)
  if (name === 'createOrganization') await beginFeed(tx, organizationId, write.nowMs)
  if (inLane.length === 0) await tx.objectStore('bases').put({ organizationId, kind, id, row: withoutMark(shown) })
  const fresh: Omit<Entry, 'seq'> = {
    key,
    userId: write.userId,
    organizationId,
    kind,
    id,
    lane,
    dependsOn: await parents(tx, write),
    name,
    path: write.path,
    body: write.body,
    baseVersion: follows || basedOn === null ? null : 'version' in basedOn ? basedOn.version : 0,
    after: follows ? last.key : null,
    // What the person saw, if that is what the copy shows: only then can it be told later who changed what.
    base:
      follows || (basedOn && 'version' in basedOn && basedOn.version === shown?.version) ? withoutMark(shown) : null,
    createdAtMs: write.nowMs,
    attempts: 0,
    nextAttemptAtMs: 0,
    sendingSinceMs: 0,
    state: 'queued',
    lastProblem: null,
    theirs: null,
    schemaVersion: 1,
  }
  const entry = follows && (await mayReplace(tx, last, name)) ? replaced(last, fresh) : fresh
  const seq = await outbox.put(entry as Entry)
  return { entry: { ...entry, seq }, row: await showProjected(tx, organizationId, kind, id) }
}

/** Of what is made here everything is known here. */
async function beginFeed(tx: Change, organizationId: string, nowMs: number): Promise<void> {
  const feeds = tx.objectStore('feeds')
  if (await feeds.get(organizationId)) return
  await feeds.put({ organizationId, since: '', isComplete: true, asOfMs: nowMs, told: 0, total: 0 })
}

/** A save that was never tried, and that nothing waits for, gives its place to the next one: the whole content is in that. */
async function mayReplace(tx: Change, last: Entry, name: EndpointName): Promise<boolean> {
  if (!isSave(name) || last.name !== name || last.attempts > 0 || last.state !== 'queued') return false
  const all = await tx.objectStore('outbox').getAll()
  return !all.some(({ dependsOn }) => dependsOn.includes(last.key))
}

function replaced(last: Entry, fresh: Omit<Entry, 'seq'>): Entry {
  const { seq, baseVersion, after, base } = last
  return { ...fresh, seq, baseVersion, after, base }
}

/** What must be at the server before: the rows it names, where they are made here; before an issue also their changes, which it freezes. */
async function parents(tx: Change, { kind, organizationId, id, name, body }: Write): Promise<string[]> {
  if (kind === 'organization') return []
  const byLane = tx.objectStore('outbox').index('byLane')
  const named = [laneOf('organization', organizationId)]
  const shown = kind === 'invoice' ? await shownRow(tx, organizationId, kind, id) : null
  const customerId = body?.['customerId'] ?? shown?.['customerId']
  if (typeof customerId === 'string') named.push(laneOf('customer', customerId))
  const entries = (await Promise.all(named.map((lane) => byLane.getAll(lane)))).flat()
  const needed = entries.filter((entry) => name === 'issueInvoice' || isCreate(entry.name))
  // Drafts that are saved elsewhere or deleted before let go of the customer.
  const drafts =
    name === 'deleteCustomer' ? (await tx.objectStore('outbox').getAll()).filter(isOfInvoice(organizationId)) : []
  return [...needed, ...drafts].map(({ key }) => key)
}

function isOfInvoice(organizationId: string): (entry: Entry) => boolean {
  return (entry) => entry.kind === 'invoice' && entry.organizationId === organizationId
}

/** Notes on the disk that it is about to be sent. Null when it is gone or has changed meanwhile. */
export function begin(database: CopyDatabase, { seq, key }: Entry, nowMs: number): Promise<Entry | null> {
  return update(database, seq, key, (entry) => ({
    ...entry,
    state: 'sending',
    attempts: entry.attempts + 1,
    sendingSinceMs: nowMs,
  }))
}

/** It did not arrive, or the server asked to wait. */
export function again(
  database: CopyDatabase,
  { seq, key }: Entry,
  nextAttemptAtMs: number,
  lastProblem: Problem | null,
): Promise<Entry | null> {
  return update(database, seq, key, (entry) => ({ ...entry, state: 'queued', nextAttemptAtMs, lastProblem }))
}

/** Only the person moves it on; what follows it in its lane, and what needs it, waits. */
export function park(
  database: CopyDatabase,
  { seq, key }: Entry,
  state: 'needs-sign-in' | 'conflict' | 'rejected',
  lastProblem: Problem | null,
  theirs: Row | null = null,
): Promise<Entry | null> {
  return update(database, seq, key, (entry) => ({ ...entry, state, lastProblem, theirs }))
}

/** The server has done it: the entry goes, its answer is the row, and what follows is based on it. One transaction. */
export async function done(database: CopyDatabase, { seq, key }: Entry, row: Row | null): Promise<void> {
  const tx = change(database, 'strict')
  const entry = await stored(tx, seq, key)
  if (entry) {
    const { organizationId, kind, id } = entry
    await tx.objectStore('outbox').delete(seq)
    // A pull that was faster may have brought a later one.
    const known = (await tx.objectStore('bases').get([organizationId, kind, id]))?.row ?? null
    const isLater = row && ((known && known.version > row.version) || (await isPulled(tx, entry, row)))
    await tx.objectStore('bases').put({ organizationId, kind, id, row: isLater ? known : row })
    for (const next of await tx.objectStore('outbox').index('byLane').getAll(entry.lane))
      if (next.after === key)
        await tx.objectStore('outbox').put({ ...next, after: null, baseVersion: row?.version ?? next.baseVersion })
    await showProjected(tx, organizationId, kind, id)
  }
  await tx.done
}

/** The feed has come past this answer, which a repeated call was given again: what the pull left, be it nothing, is the newer. */
async function isPulled(tx: Change, { kind, organizationId }: Entry, row: Row): Promise<boolean> {
  if (kind === 'organization') return false
  const [revision, ...within] = ((await tx.objectStore('feeds').get(organizationId))?.since || '0').split('.')
  return Number(row['revision']) + (within.length > 0 ? 1 : 0) <= Number(revision)
}

/**
 * Takes it back, and with what was to be made everything that builds on it: nothing of them is sent. A change that followed a change is then based on
 * what that was based on. Answers what was taken, in order; none when it is on its way already.
 */
export async function discard(database: CopyDatabase, key: string): Promise<Entry[]> {
  const tx = change(database, 'strict')
  const outbox = tx.objectStore('outbox')
  const entry = await outbox.index('byKey').get(key)
  const taken = !entry || entry.state === 'sending' ? [] : withWhatBuildsOn(entry, await outbox.getAll())
  const lanes = new Map<string, Entry>()
  for (const each of taken) {
    await outbox.delete(each.seq)
    lanes.set(each.lane, each)
    if (each.name === 'createOrganization') await tx.objectStore('feeds').delete(each.organizationId)
  }
  if (entry)
    for (const next of await outbox.index('byLane').getAll(entry.lane))
      if (next.after === key) await outbox.put({ ...next, after: entry.after, baseVersion: entry.baseVersion })
  for (const { organizationId, kind, id } of lanes.values()) await showProjected(tx, organizationId, kind, id)
  await tx.done
  return taken
}

function withWhatBuildsOn(first: Entry, all: readonly Entry[]): Entry[] {
  const taken = [first]
  for (const entry of all) {
    const isBuilt = taken.some(
      ({ seq, key, name, lane }) =>
        isCreate(name) && entry.seq > seq && (entry.lane === lane || entry.dependsOn.includes(key)),
    )
    if (isBuilt) taken.push(entry)
  }
  return taken
}

/** The person's answer to a conflict or a refusal: sent anew with this content, as a write of its own. */
export async function resolve(
  database: CopyDatabase,
  key: string,
  { body, baseVersion }: Resolution,
  freshKey: string,
): Promise<boolean> {
  const tx = change(database, 'strict')
  const outbox = tx.objectStore('outbox')
  const entry = await outbox.index('byKey').get(key)
  const isOpen = entry !== undefined && entry.state !== 'sending'
  if (isOpen) {
    const { theirs, ...kept } = entry
    await outbox.put({
      ...kept,
      key: freshKey,
      body,
      baseVersion,
      after: null,
      base: theirs ?? kept.base,
      theirs: null,
      state: 'queued',
      attempts: 0,
      nextAttemptAtMs: 0,
      lastProblem: null,
    })
    for (const other of await outbox.getAll())
      if (other.after === key || other.dependsOn.includes(key))
        await outbox.put({
          ...other,
          after: other.after === key ? freshKey : other.after,
          dependsOn: other.dependsOn.map((each) => (each === key ? freshKey : each)),
        })
    await showProjected(tx, entry.organizationId, entry.kind, entry.id)
  }
  await tx.done
  return isOpen
}

/** What was being sent by somebody who is gone: whether it arrived is not known, so it is sent again under its key. */
export async function returnStuck(database: CopyDatabase, startedBeforeMs: number): Promise<void> {
  await changeAll(database, (entry) =>
    entry.state === 'sending' && entry.sendingSinceMs < startedBeforeMs ? { ...entry, state: 'queued' } : null,
  )
}

/** Everything that waits is due: the network came back, or somebody asks. */
export async function makeDue(database: CopyDatabase): Promise<void> {
  await changeAll(database, (entry) =>
    entry.state === 'queued' && entry.nextAttemptAtMs > 0 ? { ...entry, nextAttemptAtMs: 0 } : null,
  )
}

/** The person asks to try what was refused once more; a conflict wants an answer, not another try. */
export async function retryParked(database: CopyDatabase): Promise<void> {
  await changeAll(database, (entry) =>
    entry.state === 'rejected' ? { ...entry, state: 'queued', nextAttemptAtMs: 0 } : null,
  )
}

/** What waited for this person to sign in goes on. */
export async function goOn(database: CopyDatabase): Promise<void> {
  await changeAll(database, (entry) =>
    entry.state === 'needs-sign-in' ? { ...entry, state: 'queued', nextAttemptAtMs: 0 } : null,
  )
}

async function changeAll(database: CopyDatabase, next: (entry: Entry) => Entry | null): Promise<void> {
  // Most often there is nothing to do, and then nobody waits for a transaction over everything.
  if (!(await database.getAll('outbox')).some((entry) => next(entry))) return
  const tx = change(database, 'relaxed')
  for (const entry of await tx.objectStore('outbox').getAll()) {
    const changed = next(entry)
    if (!changed) continue
    await tx.objectStore('outbox').put(changed)
    if (needsPerson(changed.state) !== needsPerson(entry.state))
      await showProjected(tx, entry.organizationId, entry.kind, entry.id)
  }
  await tx.done
}

/** Entries of an export, read again: those that are not here, in their order. */
export async function importEntries(database: CopyDatabase, file: OutboxFile, userId: string): Promise<number> {
  const tx = change(database, 'strict')
  const outbox = tx.objectStore('outbox')
  let imported = 0
  for (const each of file.entries as Entry[]) {
    if (each.userId !== userId || each.schemaVersion !== 1) continue
    if (await outbox.index('byKey').get(each.key)) continue
    const { organizationId, kind, id } = each
    const isFirst = (await outbox.index('byLane').count(each.lane)) === 0
    if (isFirst) {
      const shown = await shownRow(tx, organizationId, kind, id)
      await tx.objectStore('bases').put({ organizationId, kind, id, row: withoutMark(shown) })
    }
    // Its old place, so that an undo changes no order; a new one where that is taken.
    const isTaken = (await outbox.get(each.seq)) !== undefined
    const { seq: _, ...placeless } = each
    const state = each.state === 'sending' ? 'queued' : each.state
    await outbox.put({ ...(isTaken ? placeless : each), state } as Entry)
    await showProjected(tx, organizationId, kind, id)
    imported += 1
  }
  await tx.done
  return imported
}

async function update(
  database: CopyDatabase,
  seq: number,
  key: string,
  next: (entry: Entry) => Entry,
): Promise<Entry | null> {
  const tx = change(database, 'strict')
  const entry = await stored(tx, seq, key)
  const changed = entry && next(entry)
  if (changed) {
    await tx.objectStore('outbox').put(changed)
    if (needsPerson(changed.state) !== needsPerson(entry.state))
      await showProjected(tx, changed.organizationId, changed.kind, changed.id)
  }
  await tx.done
  return changed
}

async function stored(tx: Change, seq: number, key: string): Promise<Entry | null> {
  const entry = await tx.objectStore('outbox').get(seq)
  return entry?.key === key ? entry : null
}

function withoutMark(row: Row | null): Row | null {
  if (!row) return null
  const { unsent: _, ...plain } = row
  return plain
}
