// What the person does about unsent writes: take back, decide, try again, read an export. Each is one transaction, as every step of the outbox is.
import { deviceEndpoints } from '#shared/device-endpoints.ts'
import { merge } from '#shared/merge.ts'
import { intentOf, isCreate, type OutboxFile, type Resolution } from '#shared/outbox.ts'
import { keepBase, showProjected, shownRow } from '#worker/copy/apply.ts'
import { change, type Change, type CopyDatabase } from '#worker/copy/stores.ts'
import type { Body, Entry } from './entry.ts'
import { changeAll } from './queue.ts'

/**
 * Takes it back, and with what was to be made or issued everything that builds on it: nothing of them is sent. A change that followed a change is then based on
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
  for (const each of lanes.values()) await showProjected(tx, each)
  await tx.done
  return taken
}

function withWhatBuildsOn(first: Entry, all: readonly Entry[]): Entry[] {
  const taken = [first]
  for (const entry of all) {
    const isBuilt = taken.some(
      ({ seq, key, name, lane }) =>
        (isCreate(name) || intentOf(name) === 'issue') &&
        entry.seq > seq &&
        (entry.lane === lane || entry.dependsOn.includes(key)),
    )
    if (isBuilt) taken.push(entry)
  }
  return taken
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
    if (next.after !== before || !next.body || !next.base) continue
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
    const { theirs, ...kept } = entry
    await outbox.put({
      ...kept,
      key: freshKey,
      replaces: [...(kept.replaces ?? []), key],
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
    if (body) await bringOn(tx, entry, { ...(theirs ?? kept.base), ...body }, freshKey)
    await showProjected(tx, entry)
  }
  await tx.done
  return isOpen
}

/** The person asks to try what was refused once more; a conflict wants an answer, not another try. */
export async function retryParked(database: CopyDatabase): Promise<void> {
  await changeAll(database, (entry) =>
    entry.state === 'rejected' ? { ...entry, state: 'queued', nextAttemptAtMs: 0 } : null,
  )
}

/** Entries of an export, read again: those that are not here, in their order. */
export async function importEntries(database: CopyDatabase, file: OutboxFile, userId: string): Promise<number> {
  const tx = change(database, 'strict')
  const outbox = tx.objectStore('outbox')
  const replaced = new Set((await outbox.getAll()).flatMap(({ replaces }) => replaces ?? []))
  let imported = 0
  for (const each of file.entries as Entry[]) {
    // Nor what this build would not know how to send.
    if (each.userId !== userId || each.schemaVersion !== 1 || !deviceEndpoints[each.name]?.queued) continue
    const isHere = replaced.has(each.key) || (await outbox.index('byKey').get(each.key))
    if (isHere || (await tx.objectStore('settled').get(each.key))) continue
    const isFirst = (await outbox.index('byLane').count(each.lane)) === 0
    if (isFirst) await keepBase(tx, each, await shownRow(tx, each))
    // Its old place, so that an undo changes no order; a new one where that is taken.
    const isTaken = (await outbox.get(each.seq)) !== undefined
    const { seq: _, ...placeless } = each
    const state = each.state === 'sending' ? 'queued' : each.state
    await outbox.put({ ...(isTaken ? placeless : each), state } as Entry)
    await showProjected(tx, each)
    imported += 1
  }
  await tx.done
  return imported
}
