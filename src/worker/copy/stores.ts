// The device's copy: one database per person, entity stores with the sort keys of the server as indexes (OFFLINE.md "Three layers of reading" 2).
import { deleteDB, openDB, type DBSchema, type IDBPDatabase, type IDBPTransaction } from 'idb'
import type { Change } from '#shared/contract/changes.ts'
import type { Customer } from '#shared/contract/customers.ts'
import type { Invoice, InvoiceSummary } from '#shared/contract/invoices.ts'
import type { Organization } from '#shared/contract/organizations.ts'
import { customerKeys } from '#shared/customer-keys.ts'
import { invoiceKeys } from '#shared/invoice-keys.ts'
import { summaryNames } from '#shared/invoice-summary.ts'
import { minorUnitsOf } from '#shared/money.ts'

/** Organization, sort key, id: rows of one organization lie together, in the order of a list. */
type Place<Key> = [organizationId: string, key: Key, id: string]

export interface CustomerRecord {
  organizationId: string
  id: string
  byName: Place<string>
  byUpdate: Place<string>
  nameKey: string
  searchKey: string
  row: Customer
}

export interface InvoiceRecord {
  organizationId: string
  id: string
  byIssue: Place<string>
  byNumber: Place<string>
  byCustomer: Place<string>
  byGross: Place<number>
  byDue: Place<string>
  byUpdate: Place<string>
  /** The sort keys as text, for cursors. */
  keys: Record<'issueKey' | 'numberKey' | 'customerKey' | 'dueKey', string>
  searchKey: string
  row: InvoiceSummary
}

/** How far the copy of an organization has come. */
export interface Feed {
  organizationId: string
  /** Where the next pull goes on; empty before the first. */
  since: string
  /** False until the first pull has come to its end: until then the copy answers nothing. */
  isComplete: boolean
  /** When it last had everything, in milliseconds of the server's time. */
  asOfMs: number
  told: number
  total: number
}

interface CopySchema extends DBSchema {
  organizations: { key: string; value: Organization }
  feeds: { key: string; value: Feed }
  customers: {
    key: [string, string]
    value: CustomerRecord
    indexes: { byName: Place<string>; byUpdate: Place<string> }
  }
  invoices: {
    key: [string, string]
    value: InvoiceRecord
    indexes: {
      byIssue: Place<string>
      byNumber: Place<string>
      byCustomer: Place<string>
      byGross: Place<number>
      byDue: Place<string>
      byUpdate: Place<string>
    }
  }
  /** Whole invoices, apart from what lists read: a page of a list need not load every line of it. */
  invoiceDetails: { key: [string, string]; value: { organizationId: string; id: string; row: Invoice } }
}

export type CopyDatabase = IDBPDatabase<CopySchema>
type Rows = 'customers' | 'invoices' | 'invoiceDetails'
type Applying = IDBPTransaction<CopySchema, (Rows | 'feeds')[], 'readwrite'>

const rowStores = ['customers', 'invoices', 'invoiceDetails'] as const satisfies Rows[]
const fedStores: (Rows | 'feeds')[] = [...rowStores, 'feeds']
const namePrefix = 'docket-copy.'

export function openCopyDatabase(userId: string): Promise<CopyDatabase> {
  return openDB<CopySchema>(namePrefix + userId, 1, {
    upgrade(database) {
      database.createObjectStore('organizations', { keyPath: 'id' })
      database.createObjectStore('feeds', { keyPath: 'organizationId' })
      const key = { keyPath: ['organizationId', 'id'] }
      const customers = database.createObjectStore('customers', key)
      for (const name of ['byName', 'byUpdate'] as const) customers.createIndex(name, name)
      const invoices = database.createObjectStore('invoices', key)
      for (const name of ['byIssue', 'byNumber', 'byCustomer', 'byGross', 'byDue', 'byUpdate'] as const)
        invoices.createIndex(name, name)
      database.createObjectStore('invoiceDetails', key)
    },
    blocking: (_, __, event) => (event.target as IDBDatabase).close(),
  })
}

/** Removes everybody's copy but this person's; null: everybody's. */
export async function deleteCopies(butOf: string | null): Promise<void> {
  const all = await indexedDB.databases()
  for (const { name } of all) {
    if (name?.startsWith(namePrefix) && name !== namePrefix + (butOf ?? '')) await deleteDB(name)
  }
}

/** One page of the feed and how far it came, in one transaction. False when another tab has come further meanwhile. */
export async function applyChanges(
  database: CopyDatabase,
  before: Feed | undefined,
  next: Feed,
  changes: readonly Change[],
): Promise<boolean> {
  const tx = database.transaction(fedStores, 'readwrite')
  const { organizationId } = next
  const stored = await tx.objectStore('feeds').get(organizationId)
  if (stored?.since !== before?.since) {
    await tx.done
    return false
  }
  const work = changes.map((change) => applyChange(tx, organizationId, change))
  await Promise.all([...work, tx.objectStore('feeds').put(next), tx.done])
  return true
}

async function applyChange(tx: Applying, organizationId: string, change: Change): Promise<void> {
  const key: [string, string] = [organizationId, change.id]
  if (change.kind === 'customer') {
    const customers = tx.objectStore('customers')
    await (change.row ? customers.put(customerRecord(change.row)) : customers.delete(key))
    return
  }
  const [invoices, details] = [tx.objectStore('invoices'), tx.objectStore('invoiceDetails')]
  await Promise.all(
    change.row
      ? [invoices.put(invoiceRecord(change.row)), details.put({ organizationId, id: change.id, row: change.row })]
      : [invoices.delete(key), details.delete(key)],
  )
}

/** The person belongs to these and no others: what they no longer belong to leaves the device. */
export async function keepOrganizations(database: CopyDatabase, organizations: readonly Organization[]): Promise<void> {
  const tx = database.transaction(['organizations', 'feeds', ...rowStores], 'readwrite')
  const named = new Set(organizations.map(({ id }) => id))
  for (const id of await tx.objectStore('organizations').getAllKeys()) {
    if (named.has(id)) continue
    await tx.objectStore('organizations').delete(id)
    await tx.objectStore('feeds').delete(id)
    for (const store of rowStores) await tx.objectStore(store).delete(allOf(id))
  }
  for (const organization of organizations) await tx.objectStore('organizations').put(organization)
  await tx.done
}

/** Begins an organization's copy anew: the server was put back to an older state. */
export async function forgetRows(database: CopyDatabase, organizationId: string): Promise<void> {
  const tx = database.transaction(fedStores, 'readwrite')
  await tx.objectStore('feeds').delete(organizationId)
  for (const store of rowStores) await tx.objectStore(store).delete(allOf(organizationId))
  await tx.done
}

/** Everything of one organization in a store or an index: an empty array sorts after every other key. */
export function allOf(organizationId: string): IDBKeyRange {
  return IDBKeyRange.bound([organizationId], [organizationId, []])
}

/**
 * The text with its UTF-16 code units moved so that IndexedDB orders it as the server does (COLLATE "C"), by code point: surrogates, which
 * stand for what comes last, change places with the private use area and what follows it.
 */
export function sortable(text: string): string {
  return text.replace(/[\ud800-\uffff]/g, (unit) => {
    const code = unit.charCodeAt(0)
    return String.fromCharCode(code < 0xe000 ? code + 0x2000 : code - 0x800)
  })
}

function customerRecord(row: Customer): CustomerRecord {
  const { organizationId, id } = row
  const keys = customerKeys(row)
  return {
    organizationId,
    id,
    byName: [organizationId, sortable(keys.nameKey), id],
    byUpdate: [organizationId, row.updatedAt, id],
    ...keys,
    row,
  }
}

function invoiceRecord(invoice: Invoice): InvoiceRecord {
  const { organizationId, id } = invoice
  const { searchKey: searched, ...keys } = invoiceKeys(
    invoice,
    invoice.lines.map(({ name }) => name),
  )
  return {
    organizationId,
    id,
    byIssue: [organizationId, sortable(keys.issueKey), id],
    byNumber: [organizationId, sortable(keys.numberKey), id],
    byCustomer: [organizationId, sortable(keys.customerKey), id],
    // At most 10^15 (shared/money.ts), which a number holds exactly.
    byGross: [organizationId, Number(minorUnitsOf(invoice.gross)), id],
    byDue: [organizationId, sortable(keys.dueKey), id],
    byUpdate: [organizationId, invoice.updatedAt, id],
    keys,
    searchKey: searched,
    row: Object.fromEntries(summaryNames.map((name) => [name, invoice[name]])) as unknown as InvoiceSummary,
  }
}
