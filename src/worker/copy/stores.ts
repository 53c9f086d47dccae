// What a person's device holds: one database, with the rows of their organizations and what they wrote that the server has not got yet (OFFLINE.md).
import { deleteDB, openDB, type DBSchema, type IDBPDatabase, type IDBPTransaction } from 'idb'
import type { Customer } from '#shared/contract/customers.ts'
import type { Invoice } from '#shared/contract/invoices.ts'
import type { Item } from '#shared/contract/items.ts'
import type { Member } from '#shared/contract/members.ts'
import type { Organization } from '#shared/contract/organizations.ts'
import { toMoney } from '#shared/money.ts'
import type { AggregateKind } from '#shared/endpoint.ts'
import { isOfPayment, type Marked } from '#shared/outbox.ts'
import { basisBehind, sharesLane, type Entry } from '#worker/outbox/entry.ts'
import {
  customerRecord,
  invoiceIndexes,
  invoiceRecord,
  namedIndexes,
  paymentIndexes,
  type InvoiceIndex,
  type InvoiceRecord,
  type NamedIndex,
  type NamedRecord,
  type PaymentRecord,
} from './records.ts'

/** How far the copy of an organization has come. */
export interface Feed {
  organizationId: string
  /** Where the next pull goes on; empty before the first. */
  since: string
  /** False until the first pull has come to its end: until then the copy answers nothing but what has something unsent on it. */
  isComplete: boolean
  /** When it last had everything, in milliseconds of the server's time; 0 before. */
  asOfMs: number
  told: number
  total: number
  /** More invoices were told than this device keeps: of those it has the ones that were changed last. */
  isCapped?: boolean
  /** Its first pull rests until the person has it go on. */
  isPaused?: boolean
}

/** The feed of no organization: that the list of them was pulled, and when. */
export const wholeList: Feed = { organizationId: '', since: '', isComplete: true, asOfMs: 0, told: 0, total: 0 }

/** What a write is about; an organization is its own. Members are only read. */
export interface Aggregate {
  organizationId: string
  kind: AggregateKind | 'payment' | 'member'
  id: string
}

/** A row as the server has it, kept while something of it is unsent; the copy shows what the two make together. */
export interface Base extends Aggregate {
  row: Row | null
}

/** Its key among the bases. */
export function baseKey({ organizationId, kind, id }: Aggregate): [string, Aggregate['kind'], string] {
  return [organizationId, kind, id]
}

/** Any row, with what is known of it here. */
export type Row = Record<string, unknown> & { id: string; organizationId?: string; version: number } & Marked

/** As the server would have it: what is kept as a base says nothing of this device. */
export function withoutMark(row: Row | null): Row | null {
  if (!row) return null
  const { unsent: _, ...plain } = row
  return plain
}

export interface DeviceSchema extends DBSchema {
  organizations: { key: string; value: Organization & Marked }
  feeds: { key: string; value: Feed }
  customers: {
    key: [string, string]
    value: NamedRecord<Customer>
    indexes: Record<NamedIndex, IDBValidKey[]>
  }
  items: {
    key: [string, string]
    value: NamedRecord<Item>
    indexes: Record<NamedIndex, IDBValidKey[]>
  }
  invoices: {
    key: [string, string]
    value: InvoiceRecord
    indexes: Record<InvoiceIndex, IDBValidKey[]>
  }
  payments: { key: [string, string]; value: PaymentRecord; indexes: { byDate: IDBValidKey[] } }
  /** Whole invoices, apart from what lists read: a page of a list need not load every line of it. */
  invoiceDetails: { key: [string, string]; value: { organizationId: string; id: string; row: Invoice & Marked } }
  members: { key: [string, string]; value: { organizationId: string; id: string; row: Member } }
  outbox: { key: number; value: Entry; indexes: { byKey: string; byLane: string } }
  bases: { key: [string, Aggregate['kind'], string]; value: Base }
  /**
   * Keys of writes that are done under another: a page that never heard of it, or an export, may still bring them. And of each lane the version that its last
   * save was shown with here, the one that it got at the server, and its key, which builds before did not keep.
   */
  settled: { key: string; value: true | readonly [shown: number, version: number, key?: string | undefined] }
}

export type CopyDatabase = IDBPDatabase<DeviceSchema>
export const rowStores = ['customers', 'items', 'invoices', 'invoiceDetails', 'payments', 'members'] as const
/** What was read from the server; the rest is what was written here. */
export const readStores = ['organizations', 'feeds', ...rowStores] as const
const allStores = [...readStores, 'outbox', 'bases', 'settled'] as const
/** A change of the copy or the outbox: one transaction over everything, so that what a write did and the write itself are never apart. */
export type Change = IDBPTransaction<DeviceSchema, typeof allStores, 'readwrite'>

const namePrefix = 'docket-device.'

const rowKey = { keyPath: ['organizationId', 'id'] }

/** `whenNew`: asked where there is none; false leaves it at that, and nothing is opened (AbortError). */
export function openCopyDatabase(userId: string, whenNew = () => true): Promise<CopyDatabase> {
  return openDB<DeviceSchema>(namePrefix + userId, 9, {
    async upgrade(database, from, _, tx) {
      if (!from && !whenNew()) return abort(tx)
      const addRows = (store: (typeof rowStores)[number], indexes: Readonly<Record<string, string>>) => {
        const rows = database.createObjectStore(store, rowKey)
        for (const [index, path] of Object.entries(indexes))
          rows.createIndex(index as never, ['organizationId', path, 'id'])
      }
      if (!from) {
        database.createObjectStore('organizations', { keyPath: 'id' })
        database.createObjectStore('feeds', { keyPath: 'organizationId' })
        database.createObjectStore('invoiceDetails', rowKey)
        const outbox = database.createObjectStore('outbox', { keyPath: 'seq', autoIncrement: true })
        outbox.createIndex('byKey', 'key', { unique: true })
        database.createObjectStore('bases', { keyPath: ['organizationId', 'kind', 'id'] })
      }
      if (from < 2) {
        const customers = from ? await tx.objectStore('customers').getAll() : []
        if (from) for (const store of ['customers', 'invoices'] as const) database.deleteObjectStore(store)
        addRows('customers', namedIndexes)
        addRows('items', namedIndexes)
        addRows('invoices', invoiceIndexes)
        database.createObjectStore('settled')
        for (const { row } of customers) await tx.objectStore('customers').put(customerRecord(row))
      }
      if (from < 3) {
        addRows('payments', paymentIndexes)
        const details = tx.objectStore('invoiceDetails')
        const bases = tx.objectStore('bases')
        for (const detail of await details.getAll()) {
          const row = unpaid(detail.row)
          await details.put({ ...detail, row })
          await tx.objectStore('invoices').put(invoiceRecord(row))
        }
        for (const base of await bases.getAll())
          if (base.kind === 'invoice' && base.row) await bases.put({ ...base, row: unpaid(base.row as never) as never })
        database.createObjectStore('members', rowKey)
      }
      if (from < 6) {
        // Rows have got fields since, and kinds that had no store, which a row that stays as it is tells nobody of: everything is told once more.
        const feeds = tx.objectStore('feeds')
        for (const feed of await feeds.getAll()) await feeds.put({ ...feed, since: '', told: 0 })
      }
      if (from < 8) {
        // A write may be in several lanes; before it was in one.
        const outbox = tx.objectStore('outbox')
        if (from) outbox.deleteIndex('byLane')
        for (const { lane, ...entry } of (await outbox.getAll()) as (Entry & { lane?: string })[])
          await outbox.put({ ...entry, lanes: [lane!] })
        outbox.createIndex('byLane', 'lanes', { multiEntry: true })
      }
      if (from && from < 9) {
        // What came behind a payment followed that.
        const outbox = tx.objectStore('outbox')
        const entries = await outbox.getAll()
        for (const entry of entries) {
          const isBefore = (other: Entry) => other.seq < entry.seq && sharesLane(other, entry)
          const followed = entries.find(({ key }) => key === entry.after)
          if (followed && isOfPayment(followed.name))
            await outbox.put({ ...entry, ...basisBehind(entries.filter(isBefore), entry.base) })
        }
      }
      // What a search looks at is more than it was, and what is of one day goes by its number: of drafts that changes mostly nothing.
      if (from >= 3) {
        const invoices = tx.objectStore('invoices')
        const keysOf = ({ searchKey, issueKey }: InvoiceRecord) => searchKey + issueKey
        const known = new Map((await invoices.getAll()).map((record) => [record.id, keysOf(record)]))
        for (const { row } of await tx.objectStore('invoiceDetails').getAll()) {
          const record = invoiceRecord(row)
          if (keysOf(record) !== known.get(row.id)) await invoices.put(record)
        }
      }
    },
    blocking: (_, __, event) => (event.target as IDBDatabase).close(),
  })
}

/** As builds before kept it, with what they did not know of. */
function unpaid(row: Invoice): Invoice {
  const nothing = toMoney(0n, row.currency)
  return { ...row, paid: nothing, credited: nothing, payments: [], creditedInvoice: null, creditNotes: [] }
}

/** `strict`: on the disk when it completes, as what a person saved must be. */
export function change(database: CopyDatabase, durability: 'strict' | 'relaxed'): Change {
  return database.transaction(allStores, 'readwrite', { durability }) as Change
}

/** Whose it is. */
export function personOf(database: CopyDatabase): string {
  return database.name.slice(namePrefix.length)
}

/** Everybody's devices' data here: the users whose it is. */
export async function copiesHere(): Promise<string[]> {
  const names = (await indexedDB.databases()).map(({ name }) => name ?? '')
  return names.filter((name) => name.startsWith(namePrefix)).map((name) => name.slice(namePrefix.length))
}

/** Whether writes wait here of anybody but these; nothing of them is read, nor brought back or changed in shape for being looked at. */
export async function othersWait(userIds: readonly string[]): Promise<boolean> {
  for (const other of await copiesHere()) {
    if (userIds.includes(other)) continue
    try {
      const database = await openDB<DeviceSchema>(namePrefix + other, undefined, {
        upgrade: (_database, _from, _to, tx) => abort(tx),
      })
      const count = await database.count('outbox').finally(() => database.close())
      if (count > 0) return true
    } catch {
      // It has gone meanwhile.
    }
  }
  return false
}

function abort(tx: Pick<IDBPTransaction<DeviceSchema, never, 'versionchange'>, 'done' | 'abort'>): void {
  tx.done.catch(() => {})
  tx.abort()
}

export function deleteCopy(userId: string): Promise<void> {
  return deleteDB(namePrefix + userId)
}

/** Everything of one organization in a store or an index: an empty array sorts after every other key. */
export function allOf(organizationId: string): IDBKeyRange {
  return IDBKeyRange.bound([organizationId], [organizationId, []])
}
