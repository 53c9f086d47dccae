// The edges of the outbox: which unsent writes must be at the server before another (OFFLINE.md "The outbox").
import { intentOf, isCreate, isDelete, isOfPayment, isSave, needsPerson } from '#shared/outbox.ts'
import type { Change, Row } from '#worker/copy/stores.ts'
import { laneOf, withWhatWaits, type Entry } from './entry.ts'

/**
 * What must be at the server before: the rows it names, where they are made here; before an issue also their changes, which it freezes, and before a change the
 * issues that freeze what it changes; before an organization is closed everything in it that can be sent without the person.
 */
export async function parents(
  tx: Change,
  write: Pick<Entry, 'key' | 'kind' | 'organizationId' | 'id' | 'name' | 'body'>,
  shown: Row | null,
): Promise<string[]> {
  const ofOrganization = write.kind === 'organization'
  const before = ofOrganization ? await whatItCloses(tx, write) : await whatItNames(tx, write, shown)
  const keys = [...before, ...(await freezing(tx, write))].map(({ key }) => key)
  if (keys.length === 0) return []
  // Discarded, or done, and asked for once more under its key, or sent anew: what waits for it, through however many, it cannot wait for.
  const waiting = withWhatWaits(await tx.objectStore('outbox').getAll(), [write.key])
  return keys.filter((key) => !waiting.has(key))
}

async function whatItCloses(tx: Change, { name, id }: Pick<Entry, 'name' | 'id'>): Promise<Entry[]> {
  if (!isDelete(name)) return []
  const outbox = tx.objectStore('outbox')
  const before = (await outbox.getAll()).filter(
    (entry) => entry.organizationId === id && entry.kind !== 'organization' && !needsPerson(entry.state),
  )
  // What could still be taken back is not waited for.
  for (const entry of before) if (entry.heldUntilMs) await outbox.put({ ...entry, heldUntilMs: 0 })
  return before
}

async function whatItNames(
  tx: Change,
  { kind, organizationId, id, name, body }: Parameters<typeof parents>[1],
  shown: Row | null,
): Promise<Entry[]> {
  const byLane = tx.objectStore('outbox').index('byLane')
  const named = [laneOf({ kind: 'organization', id: organizationId })]
  const customerId = body?.['customerId'] ?? (kind === 'invoice' && shown?.['customerId'])
  if (typeof customerId === 'string') named.push(laneOf({ kind: 'customer', id: customerId }))
  const entries = (await Promise.all(named.map((lane) => byLane.getAll(lane)))).flat()
  // A rate is into the organization's currency, which may have been changed here too.
  const wants = (entry: Entry) => isCreate(entry.name) || (entry.kind === 'organization' && Boolean(body?.['exchange']))
  const needed = entries.filter((entry) => intentOf(name) === 'issue' || wants(entry))
  // Drafts that are saved elsewhere or deleted before let go of the customer.
  const drafts =
    name === 'deleteCustomer' ? (await tx.objectStore('outbox').getAll()).filter(isInvoiceFor(organizationId, id)) : []
  return [...needed, ...drafts]
}

/**
 * The presses to issue that freeze what this changes as it is before, and go first. What was refused is pressed once more, and then means what is shown. Only of
 * what comes after all else: those presses wait for changes of before.
 */
export async function freezing(tx: Change, { name, kind, id }: Pick<Entry, 'name' | 'kind' | 'id'>): Promise<Entry[]> {
  if (!isSave(name) || (kind !== 'organization' && kind !== 'customer')) return []
  return (await tx.objectStore('outbox').getAll()).filter(
    (entry) =>
      intentOf(entry.name) === 'issue' &&
      !needsPerson(entry.state) &&
      (kind === 'organization' ? entry.organizationId : entry.base?.['customerId']) === id,
  )
}

/** All that waits in the lanes of a write, itself too, in order. */
export async function inLanesOf(tx: Change, { lanes }: Pick<Entry, 'lanes'>): Promise<Entry[]> {
  const byLane = tx.objectStore('outbox').index('byLane')
  const found = (await Promise.all(lanes.map((lane) => byLane.getAll(lane)))).flat()
  return [...new Map(found.map((entry) => [entry.seq, entry])).values()].toSorted((a, b) => a.seq - b.seq)
}

/** What records or reverses the same payment. Two tabs had the same form open: it is done once. What is sent of the other would come back from the server. */
export async function samePayment(
  tx: Change,
  { name, path, body }: Pick<Entry, 'name' | 'path' | 'body'>,
): Promise<Entry | undefined> {
  if (!isOfPayment(name)) return undefined
  return (await tx.objectStore('outbox').getAll()).find(
    (entry) => entry.name === name && entry.path === path && entry.body?.['id'] === body?.['id'],
  )
}

/** Made for this customer, or saved as somebody else's. */
export function isInvoiceFor(organizationId: string, customerId: string): (entry: Entry) => boolean {
  return ({ kind, body, base, ...entry }) =>
    kind === 'invoice' &&
    entry.organizationId === organizationId &&
    [body, base].some((row) => row?.['customerId'] === customerId)
}
