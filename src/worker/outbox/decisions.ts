// What the person does about unsent writes: take back, decide, try again. Each is one transaction, as every step of the outbox is.
import { merge } from '#shared/merge.ts'
import { intentOf, isCreate, isSave, needsPerson, type Resolution } from '#shared/outbox.ts'
import { showProjected, shownRow, showRows } from '#worker/copy/apply.ts'
import { baseKey, change, withoutMark, type Change, type CopyDatabase } from '#worker/copy/stores.ts'
import { isAfterPress, laneOf, needs, rowsOf, sharesLane, type Body, type Entry } from './entry.ts'
import { inLanesOf, parents } from './parents.ts'
import { changeAll, sendAnew } from './queue.ts'
import { aggregateOf } from './write.ts'

/**
 * Takes it back, and with what was to be made or issued everything that builds on it, and with a change the press to issue that was to freeze it: nothing of them
 * is sent. A change that followed a change is then based on what that was based on, and repeats it no more. Answers what was taken, in order; none when it is on its way already, or, `alone`, when something was saved
 * after it that would go too or change.
 */
export async function discard(database: CopyDatabase, key: string, alone = false): Promise<Entry[]> {
  const tx = change(database, 'strict')
  const outbox = tx.objectStore('outbox')
  const entry = await outbox.index('byKey').get(key)
  const all = await outbox.getAll()
  const built = entry && entry.state !== 'sending' ? await withWhatBuildsOn(tx, entry, all) : []
  const isNeeded = () => all.some((other) => needs(other, { key }) && !isAfterPress(other, entry!))
  const taken = alone && (built.length > 1 || isNeeded()) ? [] : built
  for (const each of taken) if (each.base) await bringOn(tx, { ...each, theirs: null }, each.base, each.key)
  for (const each of taken) {
    await outbox.delete(each.seq)
    if (each.name === 'createOrganization') await tx.objectStore('feeds').delete(each.organizationId)
  }
  // What was to be frozen before it changed no longer is.
  for (const other of await outbox.getAll())
    if (taken.some((each) => needs(other, each) && isAfterPress(other, each)))
      await outbox.put({ ...other, dependsOn: other.dependsOn.filter((of) => !taken.some((each) => each.key === of)) })
  // In the lane of each: what only built on it was taken elsewhere too. The last first: what it followed may be taken as well.
  for (const { key: gone, lanes, after, baseVersion } of taken.toReversed())
    for (const lane of lanes)
      for (const next of await outbox.index('byLane').getAll(lane))
        if (next.after === gone) await outbox.put({ ...next, after, baseVersion })
  const rows = new Map(taken.flatMap(rowsOf).map((row) => [laneOf(row), row]))
  for (const row of rows.values()) await showProjected(tx, row)
  await tx.done
  return taken
}

async function withWhatBuildsOn(tx: Change, first: Entry, all: readonly Entry[]): Promise<Entry[]> {
  const taken: Entry[] = []
  const grounds: Entry[] = []
  for (const entry of all) {
    // Closing an organization waits for what was saved in it, and wants it no less without that.
    const isBuilt = grounds.some(
      (ground) =>
        sharesLane(entry, ground) ||
        (entry.dependsOn.includes(ground.key) && entry.name !== 'deleteOrganization' && !isAfterPress(entry, ground)),
    )
    // A customer was let go of by a draft's deletion or change, and is not without it.
    const isHeldBack = entry.name === 'deleteCustomer' && taken.some(({ key }) => entry.dependsOn.includes(key))
    // Nobody has seen what would be issued without this change, of the draft or of what it takes over from its customer and organization.
    const isUnseen =
      intentOf(entry.name) === 'issue' &&
      taken.some((each) => isSave(each.name) && (sharesLane(entry, each) || entry.dependsOn.includes(each.key)))
    if (!isBuilt && !isHeldBack && !isUnseen && entry.seq !== first.seq) continue
    taken.push(entry)
    if (await isGround(tx, entry)) grounds.push(entry)
  }
  return taken
}

/** Whether what came after it would be nothing without it. What the server shows as issued, by whomever, stays so. */
async function isGround(tx: Change, entry: Entry): Promise<boolean> {
  if (isCreate(entry.name)) return true
  if (intentOf(entry.name) !== 'issue') return false
  // Of a row that is not here the base says nothing: what it met at the server does.
  const theirs = entry.theirs ?? (await tx.objectStore('bases').get(baseKey(entry)))?.row
  return theirs?.['status'] !== 'issued'
}

/**
 * What follows was saved on what is decided anew, and repeats of it what it does not change: that is now as decided, or it would be put back unasked. What
 * follows changes as well as somebody else, it meets in its turn, with the version that the server has refused already. So does, `isUnseen`, a press
 * to issue or delete it: nobody has seen what that would be done to.
 */
export async function bringOn(
  tx: Change,
  first: Entry,
  decided: Body,
  freshKey: string,
  isUnseen = false,
): Promise<void> {
  const outbox = tx.objectStore('outbox')
  let row = decided
  let before = freshKey
  for (const next of await inLanesOf(tx, first)) {
    if (next.after === before && isUnseen && !isSave(next.name))
      await outbox.put({ ...next, after: null, baseVersion: first.baseVersion ?? 0 })
    if (next.after !== before || !isSave(next.name) || !next.body || !next.base) continue
    const { merged, inQuestion } = merge(next.base, next.body, row)
    if (first.theirs && inQuestion.length > 0) {
      await outbox.put({ ...next, after: null, baseVersion: first.baseVersion })
      return
    }
    // A form that was opened on it as it was is of other content than it has now.
    const broughtOn = (next.broughtOn ?? 0) + Number(isOther(next.body, merged))
    const base = { ...next.base, ...row, version: next.base.version }
    await outbox.put({ ...next, body: merged, base, broughtOn })
    row = { ...row, ...merged }
    before = next.key
  }
}

/** Whether there is other content in it than was saved. */
export function isOther(saved: Body | null, decided: Body | null): boolean {
  return saved !== null && decided !== null && merge(null, saved, decided).inQuestion.length > 0
}

/** What is made and may have arrived cannot be made once more under another key: what is typed is a change of it then. */
function isOnItsWay({ name, state, attempts }: Entry): boolean {
  const isMaking = isCreate(name) || name === 'recordPayment'
  return state === 'sending' || (isMaking && state === 'queued' && attempts > 0)
}

/** A payment is typed anew on the invoices that it waits with, or on some of them: on another it would come before what stands there. */
function isWithin({ name, path, lanes }: Entry, body: Body | null): boolean {
  return name !== 'recordPayment' || aggregateOf(name, path, body)?.lanes.every((lane) => lanes.includes(lane)) === true
}

/** The answer to a conflict or a refusal, the person's unless `isSeen` is false: sent anew with this content, as a write of its own. */
export async function resolve(
  database: CopyDatabase,
  key: string,
  { body, baseVersion }: Resolution,
  freshKey: string,
  isSeen = true,
): Promise<boolean> {
  const tx = change(database, 'strict')
  const outbox = tx.objectStore('outbox')
  const entry = await outbox.index('byKey').get(key)
  const isOpen = entry !== undefined && !isOnItsWay(entry) && isWithin(entry, body)
  if (isOpen) {
    const { theirs } = entry
    const decided = {
      body,
      baseVersion: baseVersion ?? entry.baseVersion,
      after: null,
      base: theirs ?? entry.base,
      theirs: null,
      // Somebody else's is in it, which nobody here has seen.
      ...(!isSeen && isOther(entry.body, body) && { broughtOn: (entry.broughtOn ?? 0) + 1 }),
    }
    const anew = await sendAnew(tx, entry, freshKey, decided)
    // Refused for another's change of nothing that was saved here too, it is as it was seen. What is mended was not when it was to be issued.
    const isUnseen = (!isSeen || entry.state === 'rejected') && isOther(entry.body, body)
    if (body) await bringOn(tx, entry, { ...decided.base, ...body }, freshKey, isUnseen)
    await showRows(tx, anew)
    // Who decides has seen what is there by now.
    if (isSeen) for (const each of await inLanesOf(tx, entry)) await pressAgain(tx, each)
  }
  await tx.done
  return isOpen
}

/** A press to issue, once more: it means what is shown by now, and goes after all that was saved of it. What waited for it no longer does. */
async function pressAgain(tx: Change, press: Entry): Promise<void> {
  if (intentOf(press.name) !== 'issue') return
  const outbox = tx.objectStore('outbox')
  for (const other of await outbox.getAll())
    if (needs(other, press) && isAfterPress(other, press))
      await outbox.put({ ...other, dependsOn: other.dependsOn.filter((key) => key !== press.key) })
  const shown = await shownRow(tx, press)
  await outbox.put({ ...press, base: withoutMark(shown) ?? press.base, dependsOn: await parents(tx, press, shown) })
}

/**
 * The person asks for everything to be sent now: what was refused once more, what could still be taken back, and what the server put off. A conflict wants an answer, not another try,
 * unless there was nothing to decide upon. False: there is no room to note it.
 */
export function retryParked(database: CopyDatabase): Promise<boolean> {
  const again = (entry: Entry): Entry | null =>
    entry.state === 'rejected' ||
    (entry.state === 'conflict' && !entry.theirs) ||
    (entry.state === 'queued' && (entry.heldUntilMs || entry.nextAttemptAtMs))
      ? { ...entry, state: 'queued', nextAttemptAtMs: 0, heldUntilMs: 0 }
      : null
  return changeAll(database, again, (tx, before, now) => (needsPerson(before.state) ? pressAgain(tx, now) : undefined))
}
