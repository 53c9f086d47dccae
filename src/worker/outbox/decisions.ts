// What the person does about unsent writes: take back, decide, try again, read an export. Each is one transaction, as every step of the outbox is.
import { deviceEndpoints } from '#shared/device-endpoints.ts'
import { apiPath, matchIn } from '#shared/endpoint.ts'
import { merge } from '#shared/merge.ts'
import { intentOf, isCreate, isSave, type OutboxFile, type Resolution } from '#shared/outbox.ts'
import { paramsOf } from '#worker/copy/answers.ts'
import { keepBase, showProjected, shownRow } from '#worker/copy/apply.ts'
import { baseKey, change, type Change, type CopyDatabase } from '#worker/copy/stores.ts'
import { laneOf, needs, type Body, type Entry } from './entry.ts'
import { changeAll, sendAnew } from './queue.ts'

/**
 * Takes it back, and with what was to be made or issued everything that builds on it: nothing of them is sent. A change that followed a change is then based on
 * what that was based on, and repeats it no more. Answers what was taken, in order; none when it is on its way already, or, `alone`, when something was saved
 * after it that would go too or change.
 */
export async function discard(database: CopyDatabase, key: string, alone = false): Promise<Entry[]> {
  const tx = change(database, 'strict')
  const outbox = tx.objectStore('outbox')
  const entry = await outbox.index('byKey').get(key)
  const all = await outbox.getAll()
  const isFree = entry && entry.state !== 'sending' && !(alone && all.some((other) => needs(other, entry)))
  const taken = isFree ? await withWhatBuildsOn(tx, entry, all) : []
  if (isFree && entry.base) await bringOn(tx, { ...entry, theirs: null }, entry.base, key)
  const lanes = new Map<string, Entry>()
  for (const each of taken) {
    await outbox.delete(each.seq)
    lanes.set(each.lane, each)
    if (each.name === 'createOrganization') await tx.objectStore('feeds').delete(each.organizationId)
  }
  if (isFree)
    for (const next of await outbox.index('byLane').getAll(entry.lane))
      if (next.after === key) await outbox.put({ ...next, after: entry.after, baseVersion: entry.baseVersion })
  for (const each of lanes.values()) await showProjected(tx, each)
  await tx.done
  return taken
}

async function withWhatBuildsOn(tx: Change, first: Entry, all: readonly Entry[]): Promise<Entry[]> {
  const taken: Entry[] = []
  const grounds: Entry[] = []
  for (const entry of all) {
    // Closing an organization waits for what was saved in it, and wants it no less without that.
    const isBuilt = grounds.some(
      ({ key, lane }) => entry.lane === lane || (entry.dependsOn.includes(key) && entry.name !== 'deleteOrganization'),
    )
    if (!isBuilt && entry.seq !== first.seq) continue
    taken.push(entry)
    if (await isGround(tx, entry)) grounds.push(entry)
  }
  return taken
}

/** Whether what came after it would be nothing without it. What the server shows as issued, by whomever, stays so. */
async function isGround(tx: Change, entry: Entry): Promise<boolean> {
  if (isCreate(entry.name)) return true
  if (intentOf(entry.name) !== 'issue') return false
  return (await tx.objectStore('bases').get(baseKey(entry)))?.row?.['status'] !== 'issued'
}

/**
 * What follows was saved on what is decided anew, and repeats of it what it does not change: that is now as decided, or it would be put back unasked. What
 * follows changes as well as somebody else, it meets in its turn, with the version that the server has refused already.
 */
async function bringOn(tx: Change, first: Entry, decided: Body, freshKey: string): Promise<void> {
  const outbox = tx.objectStore('outbox')
  let row = decided
  let before = freshKey
  for (const next of await outbox.index('byLane').getAll(first.lane)) {
    if (next.after !== before || !isSave(next.name) || !next.body || !next.base) continue
    const { merged, inQuestion } = merge(next.base, next.body, row)
    if (first.theirs && inQuestion.length > 0) {
      await outbox.put({ ...next, after: null, baseVersion: first.baseVersion })
      return
    }
    await outbox.put({ ...next, body: merged, base: { ...next.base, ...row, version: next.base.version } })
    row = { ...row, ...merged }
    before = next.key
  }
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
    const { theirs } = entry
    const decided = {
      body,
      baseVersion: baseVersion ?? entry.baseVersion,
      after: null,
      base: theirs ?? entry.base,
      theirs: null,
    }
    await sendAnew(tx, entry, freshKey, decided)
    if (body) await bringOn(tx, entry, { ...decided.base, ...body }, freshKey)
    await showProjected(tx, entry)
  }
  await tx.done
  return isOpen
}

/** The person asks to try what was refused once more; a conflict wants an answer, not another try, unless there was nothing to decide upon. */
export async function retryParked(database: CopyDatabase): Promise<void> {
  await changeAll(database, (entry) =>
    entry.state === 'rejected' || (entry.state === 'conflict' && !entry.theirs)
      ? { ...entry, state: 'queued', nextAttemptAtMs: 0 }
      : null,
  )
}

/** A file may have been changed: the call that it makes is the one that it is named after, of the row that it is shown with. */
function isItself({ name, kind, id, organizationId, path, lane }: Entry): boolean {
  const { method, queued } = deviceEndpoints[name] ?? {}
  if (!queued || queued !== kind || lane !== laneOf({ kind, id }) || typeof path !== 'string') return false
  if (!path.startsWith(`${apiPath}/`) || matchIn(deviceEndpoints, method!, path) !== name) return false
  const said = paramsOf(name, path)
  return (said['organizationId'] ?? organizationId) === organizationId && (said[`${kind}Id`] ?? id) === id
}

/** Entries of an export, read again: those that are not here, in their order. `known`: how many are here, or were done, already. */
export async function importEntries(
  database: CopyDatabase,
  file: OutboxFile,
  userId: string,
): Promise<{ imported: number; known: number }> {
  const tx = change(database, 'strict')
  const outbox = tx.objectStore('outbox')
  const heirs = new Map(
    (await outbox.getAll()).flatMap(({ replaces, key }) => (replaces ?? []).map((old) => [old, key])),
  )
  let imported = 0
  let known = 0
  for (const each of file.entries as Entry[]) {
    // Nor what this build would not know how to send, or what would send another thing than it says.
    if (each.userId !== userId || each.schemaVersion !== 1 || !isItself(each)) continue
    const isHere = heirs.has(each.key) || (await outbox.index('byKey').get(each.key))
    if (isHere || (await tx.objectStore('settled').get(each.key))) {
      known += 1
      continue
    }
    const isFirst = (await outbox.index('byLane').count(each.lane)) === 0
    if (isFirst) await keepBase(tx, each, await shownRow(tx, each))
    // Its old place, so that an undo changes no order; a new one where that is taken.
    const isTaken = (await outbox.get(each.seq)) !== undefined
    const { seq: _, ...placeless } = each
    const state = each.state === 'sending' ? 'queued' : each.state
    // What it waits for may have been mended meanwhile.
    const dependsOn = each.dependsOn.map((needed) => heirs.get(needed) ?? needed)
    const inPlace = { ...(isTaken ? placeless : each), ...(await basisNow(tx, each)), dependsOn, state } as Entry
    const seq = await outbox.put(inPlace)
    if (!isTaken) await followAgain(tx, { ...inPlace, seq })
    await showProjected(tx, each)
    imported += 1
  }
  await tx.done
  return { imported, known }
}

/** What it followed was sent, mended or taken back meanwhile: then it is based on the row as the server has it, and repeats of what it followed nothing. */
async function basisNow(tx: Change, { after, lane, ...of }: Entry): Promise<Partial<Entry>> {
  if (after === null || (await tx.objectStore('outbox').index('byKey').get(after))?.lane === lane) return {}
  const now = (await tx.objectStore('bases').get(baseKey(of)))?.row ?? (await shownRow(tx, of))
  const basis = { after: null, baseVersion: now?.version ?? null }
  if (!now || !of.body || !of.base) return basis
  const { merged, inQuestion } = merge(of.base, of.body, now)
  // The server refuses what was changed by somebody else as well, and then the person is asked.
  return inQuestion.length > 0 ? { ...basis, baseVersion: 0 } : { ...basis, body: merged, base: now }
}

/** What was saved after it, and was let to follow what it follows itself when it was taken back, follows it again. */
async function followAgain(tx: Change, entry: Entry): Promise<void> {
  const outbox = tx.objectStore('outbox')
  const next = (await outbox.index('byLane').getAll(entry.lane)).find(({ seq }) => seq > entry.seq)
  const isMoved = next && !isCreate(next.name) && next.after === entry.after && next.baseVersion === entry.baseVersion
  if (!isMoved) return
  await outbox.put({ ...next, after: entry.key, baseVersion: null })
  if (isSave(entry.name) && entry.base && entry.body)
    await bringOn(tx, { ...entry, theirs: null }, { ...entry.base, ...entry.body }, entry.key)
}
