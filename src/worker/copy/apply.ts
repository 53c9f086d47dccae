// Writes into the copy: pages of the feed, the list of organizations, and rows one by one. What is unsent stays on top of what the server says.
import type { Change as Told } from '#shared/contract/changes.ts'
import type { Organization } from '#shared/contract/organizations.ts'
import { searchKey } from '#shared/search-key.ts'
import { isShownVersion, laneOf, rowsOf, type Entry } from '#worker/outbox/entry.ts'
import { project } from '#worker/outbox/project.ts'
import { keepLatest } from './cap.ts'
import { customerRecord, invoiceRecord, itemRecord, paymentRecord, sortable } from './records.ts'
import {
  allOf,
  baseKey,
  change,
  rowStores,
  wholeList,
  withoutMark,
  type Aggregate,
  type Change,
  type CopyDatabase,
  type Feed,
  type Row,
} from './stores.ts'

/** One page of the feed and how far it came, in one transaction. False when another tab has come further meanwhile. */
export async function applyChanges(
  database: CopyDatabase,
  before: Feed | undefined,
  next: Feed,
  changes: readonly Told[],
  mostInvoices: number,
): Promise<boolean> {
  if (changes.length === 0) return noteSeen(database, before, next)
  const tx = change(database, 'relaxed')
  const { organizationId } = next
  const stored = await tx.objectStore('feeds').get(organizationId)
  if (stored?.since !== before?.since) {
    await tx.done
    return false
  }
  const unsent = new Set((await tx.objectStore('bases').getAllKeys(allOf(organizationId))).map((key) => key.join()))
  const put = async ({ kind, id, row }: Told) => {
    // A server of a later build tells of what this one does not know; the build that does is told everything again (stores.ts).
    if (!(kind in places)) return
    const of: Aggregate = { organizationId, kind, id }
    const isUnsent = unsent.has(baseKey(of).join())
    // At the first pull as well: what waited from before may have been answered since this page was asked for.
    await putTold(tx, of, row as Row | null, isUnsent)
  }
  // Drafts go by the names of their customers.
  await Promise.all(changes.filter(isOfCustomer).map(put))
  await Promise.all(changes.filter((told) => !isOfCustomer(told)).map(put))
  const isUnsent = (id: string) => unsent.has(baseKey({ organizationId, kind: 'invoice', id }).join())
  // Counting takes as long as there are many: not while fewer rows of all kinds were told than there may be invoices.
  const isOver = next.told > mostInvoices && (await keepLatest(tx, organizationId, mostInvoices, isUnsent))
  await tx.objectStore('feeds').put({ ...next, ...said(stored), ...(isOver && { isCapped: true }) })
  await tx.done
  return true
}

/** What a page of the feed says nothing of. */
function said(stored: Feed | undefined): Pick<Feed, 'isCapped' | 'isPaused'> {
  return { isCapped: stored?.isCapped ?? false, ...(stored?.isPaused && { isPaused: true }) }
}

/** What is not here yet stops coming, or goes on with the next pull. */
export async function pauseFirstSync(database: CopyDatabase, isPaused: boolean): Promise<void> {
  const tx = database.transaction(['organizations', 'feeds'], 'readwrite')
  const feeds = tx.objectStore('feeds')
  for (const organizationId of await tx.objectStore('organizations').getAllKeys()) {
    const feed = (await feeds.get(organizationId)) ?? { ...wholeList, organizationId, isComplete: false }
    if (!feed.isComplete) await feeds.put({ ...feed, isPaused })
  }
  await tx.done
}

/** Of an organization that is made here everything is known here. */
export async function beginFeed(tx: Change, organizationId: string, nowMs: number): Promise<void> {
  const feeds = tx.objectStore('feeds')
  if (await feeds.get(organizationId)) return
  await feeds.put({ organizationId, since: '', isComplete: true, asOfMs: nowMs, told: 0, total: 0 })
}

/** Nothing is new, as at most pulls: who saves something meanwhile does not wait for a change of everything. */
async function noteSeen(database: CopyDatabase, before: Feed | undefined, next: Feed): Promise<boolean> {
  const tx = database.transaction('feeds', 'readwrite', { durability: 'relaxed' })
  const stored = await tx.store.get(next.organizationId)
  const isNext = stored?.since === before?.since
  if (isNext) await tx.store.put({ ...next, ...said(stored) })
  await tx.done
  return isNext
}

/** What a pull was told. The answer to a write may have been faster than a pull that was asked for before it: then the pull's row is the older. */
export async function putTold(tx: Change, of: Aggregate, told: Row | null, isUnsent: boolean): Promise<void> {
  const known = await (isUnsent ? baseRow : shownRow)(tx, of)
  if (told && known && isLater(of.kind, known, told)) return
  await (isUnsent ? putUnderUnsent : putRow)(tx, of, told)
}

/**
 * Payments, credits and views of an invoice move its revision and leave its version. Of an organization, which a server that was put back tells of once
 * more, the version decides alone.
 */
function isLater(kind: Aggregate['kind'], known: Row, told: Row): boolean {
  // Left as it was shown by a device that had no room to note that it is done (queue.ts).
  if (isShownVersion(known.version)) return false
  if (known.version !== told.version || kind === 'organization') return known.version > told.version
  return Number(known['revision'] ?? 0) > Number(told['revision'] ?? 0)
}

/** The server's row of something that has unsent changes here: kept under them. */
async function putUnderUnsent(tx: Change, of: Aggregate, row: Row | null): Promise<void> {
  const { organizationId, kind, id } = of
  await tx.objectStore('bases').put({ organizationId, kind, id, row })
  await showProjected(tx, of)
}

/**
 * Writes what the server's row and the unsent entries on it make together; with no entry left, the server's row alone. Content that can no longer be
 * reckoned with (its organization has another currency by now) is not shown, and stops nothing else.
 */
export async function showProjected(tx: Change, of: Aggregate): Promise<Row | null> {
  try {
    return await showReckoned(tx, of)
  } catch (error) {
    if (error instanceof DOMException) throw error
    return putRow(tx, of, await baseRow(tx, of))
  }
}

/** All that a write is of. */
export async function showRows(tx: Change, entry: Entry): Promise<void> {
  for (const row of rowsOf(entry)) await showProjected(tx, row)
}

/** The same; for content that cannot be reckoned with it throws, and has written nothing. */
export async function showReckoned(tx: Change, of: Aggregate): Promise<Row | null> {
  const [entries, base] = await Promise.all([
    tx.objectStore('outbox').index('byLane').getAll(laneOf(of)),
    baseRow(tx, of),
  ])
  const row = await project(of.kind as Entry['kind'], base, entries, {
    organization: async () => (await tx.objectStore('organizations').get(of.organizationId)) ?? null,
    customer: async (id) => (await tx.objectStore('customers').get([of.organizationId, id]))?.row ?? null,
    invoice: async (id) => (await tx.objectStore('invoiceDetails').get([of.organizationId, id]))?.row ?? null,
  })
  const shown = await putRow(tx, of, row)
  if (entries.length === 0) await tx.objectStore('bases').delete(baseKey(of))
  return shown
}

async function baseRow(tx: Change, of: Aggregate): Promise<Row | null> {
  return (await tx.objectStore('bases').get(baseKey(of)))?.row ?? null
}

/** From now on something of it is unsent: what the copy shows is the server's row, kept under what was written here. */
async function keepBase(tx: Change, of: Aggregate, shown: Row | null): Promise<void> {
  const { organizationId, kind, id } = of
  await tx.objectStore('bases').put({ organizationId, kind, id, row: withoutMark(shown) })
}

/** The same of each row that a write is of, where nothing waits yet. `shown`: the first of them. */
export async function keepBases(
  tx: Change,
  write: Pick<Entry, 'organizationId' | 'lanes'>,
  inLanes: readonly Entry[],
  shown: Row | null,
): Promise<void> {
  const rows = rowsOf(write).filter((row) => !inLanes.some(({ lanes }) => lanes.includes(laneOf(row))))
  for (const row of rows) await keepBase(tx, row, laneOf(row) === write.lanes[0] ? shown : await shownRow(tx, row))
}

/** All of it, where the rows it stands on were cleared away. */
export async function showUnsent(database: CopyDatabase): Promise<void> {
  if ((await database.count('outbox')) === 0) return
  const tx = change(database, 'relaxed')
  const rows = (await tx.objectStore('outbox').getAll()).flatMap(rowsOf)
  for (const each of new Map(rows.map((row) => [baseKey(row).join(), row])).values()) await showProjected(tx, each)
  await tx.done
}

/** What the copy shows of it now; null when it has nothing. */
export async function shownRow(tx: Change, of: Aggregate): Promise<Row | null> {
  const [name] = places[of.kind].at(-1)!
  const found = await tx.objectStore(name as 'members').get(keyOf(of))
  return ((of.kind === 'organization' ? found : found?.row) as Row | undefined) ?? null
}

type Stored = (row: never, of: Aggregate) => unknown
const whole: Stored = (row, { organizationId, id }) => ({ organizationId, id, row })

/** Where the rows of a kind are and as what; the last one holds it whole. */
const places: Record<Aggregate['kind'], readonly (readonly [(typeof rowStores)[number] | 'organizations', Stored])[]> =
  {
    organization: [['organizations', (row: Row) => row]],
    customer: [['customers', customerRecord]],
    item: [['items', itemRecord]],
    invoice: [
      ['invoices', invoiceRecord],
      ['invoiceDetails', whole],
    ],
    payment: [['payments', paymentRecord]],
    member: [['members', whole]],
  }

/**
 * A draft goes by its customer's name of today, as the device shows it: whatever waits of either, and whichever of the two is put. At the server both
 * change in one transaction.
 */
async function putRow(tx: Change, of: Aggregate, row: Row | null): Promise<Row | null> {
  const { organizationId, kind } = of
  const isDraft = kind === 'invoice' && row?.['status'] === 'draft'
  const customerId = isOfCustomer(of) ? of.id : isDraft && (row['customerId'] as string | null)
  const customer: Aggregate | null = customerId ? { organizationId, kind: 'customer', id: customerId } : null
  const name = customer && (await nameOf(tx, customer))
  const shown = isDraft && name ? { ...row, customerName: name } : row
  await Promise.all(
    places[kind].map(([store, record]) => {
      // Each record fits the store it is named with.
      const rows = tx.objectStore(store as 'members')
      return shown ? rows.put(record(shown as never, of) as never) : rows.delete(keyOf(of))
    }),
  )
  if (isOfCustomer(of) && name && name !== (await nameOf(tx, of))) await renameDrafts(tx, of, name)
  return shown
}

/** One that is to be deleted here goes by the name that it has at the server; undefined: it is not here. */
async function nameOf(tx: Change, customer: Aggregate): Promise<string | undefined> {
  return ((await shownRow(tx, customer)) ?? (await baseRow(tx, customer)))?.['name'] as string | undefined
}

async function renameDrafts(tx: Change, { organizationId, id }: Aggregate, old: string): Promise<void> {
  const key = [organizationId, sortable(searchKey(old))]
  const range = IDBKeyRange.bound(key, [...key, []])
  for (const { row } of await tx.objectStore('invoices').index('byCustomer').getAll(range)) {
    const of: Aggregate = { organizationId, kind: 'invoice', id: row.id }
    if (row.status === 'draft' && row.customerId === id) await putRow(tx, of, await shownRow(tx, of))
  }
}

function isOfCustomer({ kind }: { kind: string }): boolean {
  return kind === 'customer'
}

function keyOf({ organizationId, kind, id }: Aggregate): [string, string] {
  return kind === 'organization' ? (id as never) : [organizationId, id]
}

/** Organizations that the server knew before it is asked now; one that is made meanwhile may not be in its answer. */
export async function settledOrganizations(database: CopyDatabase): Promise<Set<string>> {
  const settled = new Set([...(await database.getAllKeys('organizations')), ...(await database.getAllKeys('feeds'))])
  for (const { name, id } of await database.getAll('outbox')) if (name === 'createOrganization') settled.delete(id)
  // The feed of the list itself.
  settled.delete('')
  return settled
}

/** The person belongs to these and no others: what they no longer belong to leaves the device; what they wrote there and is unsent stays. True when something is new. */
export async function keepOrganizations(
  database: CopyDatabase,
  organizations: readonly Organization[],
  nowMs: number,
  settled: ReadonlySet<string>,
): Promise<boolean> {
  const seen: Feed = { ...wholeList, asOfMs: nowMs }
  const named = new Set(organizations.map(({ id }) => id))
  const byId = (rows: readonly Organization[]) => JSON.stringify(rows.toSorted((a, b) => (a.id < b.id ? -1 : 1)))
  const isSame = byId(organizations) === byId(await database.getAll('organizations'))
  // One that is to be closed is not shown any more, and has its feed.
  if (isSame && [...settled].every((id) => named.has(id))) {
    await noteSeen(database, await database.get('feeds', ''), seen)
    return false
  }
  const tx = change(database, 'relaxed')
  const known = await tx.objectStore('organizations').getAll()
  const before = JSON.stringify(known)
  const held = new Set([...known.map(({ id }) => id), ...(await tx.objectStore('feeds').getAllKeys())])
  const entries = await tx.objectStore('outbox').getAll()
  const madeHere = new Set(entries.filter(({ name }) => name === 'createOrganization').map(({ id }) => id))
  for (const id of settled) if (!named.has(id) && !madeHere.has(id)) await dropOrganization(tx, id)
  const changedHere = new Set(entries.filter(({ kind }) => kind === 'organization').map(({ id }) => id))
  for (const organization of organizations) {
    const row = organization as unknown as Row
    // Closed while the server was answering.
    if (settled.has(row.id) && !held.has(row.id)) continue
    const of: Aggregate = { organizationId: row.id, kind: 'organization', id: row.id }
    await putTold(tx, of, row, changedHere.has(row.id))
  }
  // What was written there is shown again with the organization that it is reckoned by.
  const returned = new Set([...named].filter((id) => !known.some((each) => each.id === id)))
  for (const entry of entries)
    if (entry.kind !== 'organization' && returned.has(entry.organizationId)) await showRows(tx, entry)
  await tx.objectStore('feeds').put(seen)
  const after = JSON.stringify(await tx.objectStore('organizations').getAll())
  await tx.done
  return before !== after
}

/** What the server said of it, whatever else is unsent there. */
export async function dropOrganization(tx: Change, id: string): Promise<void> {
  await tx.objectStore('organizations').delete(id)
  await tx.objectStore('feeds').delete(id)
  for (const store of [...rowStores, 'bases'] as const) await tx.objectStore(store).delete(allOf(id))
  // What is unsent there is laid over the server's rows again if this person is taken back in.
  const unsent = (await tx.objectStore('outbox').getAll()).flatMap(rowsOf)
  for (const each of unsent)
    if (each.organizationId === id && each.kind !== 'organization')
      await tx.objectStore('bases').put({ ...each, row: null })
}

/** Begins an organization's copy anew: the server was put back to an older state. What is unsent stays and is shown again with the rows. */
export async function forgetRows(database: CopyDatabase, organizationId: string): Promise<void> {
  const tx = change(database, 'relaxed')
  await tx.objectStore('feeds').delete(organizationId)
  for (const store of rowStores) await tx.objectStore(store).delete(allOf(organizationId))
  // Which of them stays: what the server says of it now, whatever version that has, is the later.
  const organization = await tx.objectStore('organizations').get(organizationId)
  if (organization) await tx.objectStore('organizations').put({ ...organization, version: 0 })
  for (const base of await tx.objectStore('bases').getAll(allOf(organizationId))) {
    const row = base.kind === 'organization' && base.row ? { ...base.row, version: 0 } : null
    await tx.objectStore('bases').put({ ...base, row })
  }
  await tx.done
}
