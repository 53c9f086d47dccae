// Lists from the device's copy: the same filters, orders and page marks as the server's (server/customers/store.ts, server/invoices/list.ts).
import type { IDBPIndex } from 'idb'
import type { Customer } from '#shared/contract/customers.ts'
import type { Item } from '#shared/contract/items.ts'
import type { InvoiceFilter, InvoiceSummary } from '#shared/contract/invoices.ts'
import type { InvoicePayment, Payment } from '#shared/contract/payments.ts'
import { readCursor, writeCursor, type Cursor } from '#shared/cursor.ts'
import { isToGiveBack, paymentStatuses } from '#shared/invoice-balance.ts'
import { invoiceKeys } from '#shared/invoice-keys.ts'
import { invoiceStatuses } from '#shared/invoice-state.ts'
import { onDay } from '#shared/invoice-summary.ts'
import { minorUnitsOf, toMoney, type Money } from '#shared/money.ts'
import { isUuid } from '#shared/ids.ts'
import { paramsOf } from '#shared/device-endpoints.ts'
import { isReversal, type Marked } from '#shared/outbox.ts'
import { matchesSearch, searchKey } from '#shared/search-key.ts'
import { rowsOf } from '#worker/outbox/entry.ts'
import {
  paymentRecord,
  sortable,
  type InvoiceIndex,
  type InvoiceRecord,
  type NamedIndex,
  type NamedRecord,
  type PaymentRecord,
} from './records.ts'
import { allOf, type CopyDatabase, type DeviceSchema } from './stores.ts'

export interface Page<Row> {
  data: Row[]
  page: { nextCursor: string | null; limit: number }
}

/** What a sort goes by: its index, a record's key as the page mark holds it, and that mark as a key of the index (undefined: no mark of ours). */
interface Order<Index, Record> {
  index: Index
  keyOf(record: Record): string
  toKey(mark: string): IDBValidKey | undefined
}

const instant = (mark: string) => (/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/.test(mark) ? mark : undefined)

const namedOrders: Record<string, Order<NamedIndex, NamedRecord<Customer | Item>>> = {
  name: { index: 'byName', keyOf: ({ row }) => searchKey(row.name), toKey: sortable },
  updatedAt: { index: 'byUpdate', keyOf: ({ row }) => row.updatedAt, toKey: instant },
}

const invoiceOrders: Record<string, Order<InvoiceIndex, InvoiceRecord>> = {
  issueDate: { index: 'byIssue', keyOf: ({ row }) => invoiceKeys(row).issueKey, toKey: sortable },
  number: { index: 'byNumber', keyOf: ({ row }) => invoiceKeys(row).numberKey, toKey: sortable },
  customer: { index: 'byCustomer', keyOf: ({ row }) => invoiceKeys(row).customerKey, toKey: sortable },
  gross: {
    index: 'byGross',
    keyOf: ({ row }) => String(minorUnitsOf(row.gross)),
    toKey: (mark) => (/^-?\d{1,18}$/.test(mark) ? Number(mark) : undefined),
  },
  dueDate: { index: 'byDue', keyOf: ({ row }) => invoiceKeys(row).dueKey, toKey: sortable },
  updatedAt: { index: 'byUpdate', keyOf: ({ row }) => row.updatedAt, toKey: instant },
}

const paymentOrders: Record<string, Order<'byDate', PaymentRecord>> = {
  date: { index: 'byDate', keyOf: ({ dateKey }) => dateKey, toKey: sortable },
}

const rowsAtOnce = 500

const namedParams = new Set(['limit', 'cursor', 'sort', 'q'])
const invoiceParams = new Set([...namedParams, 'status', 'customerId'])
const paymentParams = new Set([...namedParams, 'invoiceId', 'customerId'])
const statuses = new Set<string>([
  ...invoiceStatuses,
  'overdue',
  'to-give-back',
  ...paymentStatuses,
] satisfies InvoiceFilter[])
const namedSorts = new Set(['name', '-name', '-updatedAt'])

/** Customers or items. Null for a query that is not one of ours: the server says what is wrong with it. */
export async function listNamed(
  database: CopyDatabase,
  store: 'customers' | 'items',
  organizationId: string,
  query: URLSearchParams,
): Promise<Page<Customer | Item> | null> {
  const sort = query.get('sort') ?? 'name'
  const asked = readAsked(query, namedParams, namedSorts.has(sort) ? namedOrders : {}, sort)
  if (!asked) return null
  const { q } = asked
  const wanted = (record: NamedRecord<Customer | Item>) => matchesSearch(record.searchKey, q)
  const records = await collect<NamedRecord<Customer | Item>>(database, store, organizationId, asked, wanted)
  return toPage(records, asked, ({ row }) => row)
}

/** `today` is the organization's date. */
export async function listInvoices(
  database: CopyDatabase,
  organizationId: string,
  query: URLSearchParams,
  today: string,
): Promise<Page<InvoiceSummary> | null> {
  const sort = query.get('sort') ?? '-issueDate'
  const asked = readAsked(query, invoiceParams, sort === 'updatedAt' ? {} : invoiceOrders, sort)
  const [status, customerId] = [query.get('status'), query.get('customerId')?.toLowerCase()]
  if (!asked || (status !== null && !statuses.has(status))) return null
  const wanted = ({ row, searchKey: searched }: InvoiceRecord) =>
    (status === null ||
      row.status === status ||
      row.paymentStatus === status ||
      (status === 'overdue' && onDay(row, today).overdue) ||
      (status === 'to-give-back' && isToGiveBack(row))) &&
    (customerId === undefined || row.customerId === customerId) &&
    matchesSearch(searched, asked.q)
  const records = await collect<InvoiceRecord>(database, 'invoices', organizationId, asked, wanted)
  return toPage(records, asked, ({ row }) => onDay(row, today))
}

export async function listPayments(
  database: CopyDatabase,
  organizationId: string,
  query: URLSearchParams,
): Promise<Page<Payment> | null> {
  const asked = readAsked(query, paymentParams, paymentOrders, query.get('sort') ?? '-date')
  if (!asked) return null
  const [invoiceId, customerId] = [query.get('invoiceId')?.toLowerCase(), query.get('customerId')?.toLowerCase()]
  const wanted = ({ row, searchKey: searched }: PaymentRecord) =>
    (invoiceId === undefined || row.allocations.some((each) => each.invoiceId === invoiceId)) &&
    (customerId === undefined || row.customerId === customerId) &&
    matchesSearch(searched, asked.q)
  // Asked first: what is recorded meanwhile is then found twice, and shown once.
  const { recorded, reversed } = await waitingPayments(database, organizationId)
  const waiting = recorded.filter(wanted)
  const records = await collect<PaymentRecord>(database, 'payments', organizationId, asked, wanted)
  return toPage(withWaiting(records, waiting, asked), asked, ({ row }) => ({ ...row, ...reversed.get(row.id) }))
}

/** Those that wait to be recorded, or reversed, as their invoices show them. */
export async function waitingPayments(database: CopyDatabase, organizationId: string) {
  const recorded: PaymentRecord[] = []
  const reversed = new Map<string, Pick<Payment, 'reversal'> & Marked>()
  for (const { name, path, lanes, body, userId, createdAtMs } of await database.getAll('outbox')) {
    const id = isReversal(name) ? paramsOf(name, path)['paymentId'] : name === 'recordPayment' && body!['id']
    if (!id) continue
    const rows = rowsOf({ organizationId, lanes })
    const invoices = await Promise.all(rows.map((of) => database.get('invoiceDetails', [organizationId, of.id])))
    const parts = invoices.flatMap((found) => {
      const part: (InvoicePayment & Marked) | undefined = found?.row.payments.find((each) => each.id === id)
      return found && part?.unsent ? [{ invoice: found.row, part: { ...part, unsent: part.unsent } }] : []
    })
    const [first] = parts
    if (!first) continue
    if (isReversal(name)) {
      const { reversal, unsent } = first.part
      reversed.set(first.part.id, { reversal, unsent })
      continue
    }
    const { customerId, customerName, currency } = first.invoice
    const at = new Date(createdAtMs).toISOString()
    // What waits to be issued has no number yet.
    const allocations = parts.map(({ invoice, part }) => {
      return { invoiceId: invoice.id, invoiceNumber: invoice.number ?? '', amount: part.amount }
    })
    // Of all its invoices, be they on this device or not.
    const amount = toMoney(minorUnitsOf(body!['amount'] as Money), currency)
    const whose = { customerId: customerId ?? '', customerName: customerName ?? '' }
    const of = { organizationId, amount, allocations, recordedBy: userId, ...whose }
    recorded.push(paymentRecord({ ...first.part, ...of, revision: 0, createdAt: at, updatedAt: at }))
  }
  return { recorded, reversed }
}

/** At their places in the page. */
function withWaiting(
  records: readonly PaymentRecord[],
  waiting: readonly PaymentRecord[],
  { start, limit, descending }: Asked<'byDate', PaymentRecord>,
): readonly PaymentRecord[] {
  const isPast = (a: PaymentRecord, date: IDBValidKey, id: string) =>
    a.dateKey === date ? a.id !== id && a.id < id === descending : a.dateKey < (date as string) === descending
  const here = waiting.filter(
    (each) => (!start || isPast(each, start.key, start.id)) && !records.some(({ id }) => id === each.id),
  )
  return [...records, ...here].toSorted((a, b) => (isPast(a, b.dateKey, b.id) ? 1 : -1)).slice(0, limit + 1)
}

interface Asked<Index, Record> {
  order: Order<Index, Record>
  descending: boolean
  limit: number
  start: { key: IDBValidKey; id: string } | null
  q: string
}

function readAsked<Index, Record>(
  query: URLSearchParams,
  known: ReadonlySet<string>,
  orders: Readonly<{ [sort: string]: Order<Index, Record> }>,
  sort: string,
): Asked<Index, Record> | null {
  // What is there twice, or is no id, is the server's to judge.
  for (const [name, value] of query)
    if (!known.has(name) || query.getAll(name).length > 1 || (name.endsWith('Id') && !isUuid(value))) return null
  const descending = sort.startsWith('-')
  const order = orders[sort.replace('-', '')]
  const limit = Number(query.get('limit') ?? 50)
  const q = query.get('q') ?? ''
  if (!order || !Number.isInteger(limit) || limit < 1 || limit > 200 || q.length > 200 || q.includes('\0')) return null
  const mark = query.get('cursor')
  if (mark === null) return { order, descending, limit, start: null, q }
  const cursor = readMark(mark)
  const key = cursor && order.toKey(cursor.key)
  return cursor && key !== undefined && key !== null
    ? { order, descending, limit, start: { key, id: cursor.id }, q }
    : null
}

/** The records of a page and one more, if there is one. */
async function collect<Record extends { id: string }>(
  database: CopyDatabase,
  store: ListedStore,
  organizationId: string,
  { order, descending, limit, start }: Asked<string, Record>,
  wanted: (record: Record) => boolean,
): Promise<Record[]> {
  const found: Record[] = []
  const index = database.transaction(store as 'invoices').store.index(order.index as 'byUpdate')
  const { lower, upper } = allOf(organizationId)
  let place = start && [organizationId, start.key, start.id]
  let count = limit + 1
  for (;;) {
    const range = !place
      ? IDBKeyRange.bound(lower, upper)
      : descending
        ? IDBKeyRange.bound(lower, place, false, true)
        : IDBKeyRange.bound(place, upper, true, false)
    const records = (await read(index, range, count, descending)) as Record[]
    found.push(...records.filter(wanted))
    if (found.length > limit || records.length < count) return found.slice(0, limit + 1)
    const last = records.at(-1)!
    place = [organizationId, order.toKey(order.keyOf(last))!, last.id]
    // What is looked for is rare: each reading costs far more than a row of it.
    count = rowsAtOnce
  }
}

type ListedStore = 'customers' | 'items' | 'invoices' | 'payments'
type Index = IDBPIndex<DeviceSchema, ['invoices'], 'invoices', 'byUpdate'>

/** Backwards in one reading where the browser can, which those have in common that have `getAllRecords`; elsewhere row by row. */
async function read(index: Index, range: IDBKeyRange, count: number, descending: boolean): Promise<unknown[]> {
  const query = range as never
  if (!descending) return index.getAll(query, count)
  if ('getAllRecords' in index) return index.getAll({ query, count, direction: 'prev' } as never)
  const records: unknown[] = []
  let cursor = await index.openCursor(query, 'prev')
  while (cursor && records.push(cursor.value) < count) cursor = await cursor.continue()
  return records
}

function toPage<Record extends { id: string }, Row>(
  records: readonly Record[],
  { order, limit }: Asked<string, Record>,
  rowOf: (record: Record) => Row,
): Page<Row> {
  const shown = records.slice(0, limit)
  const last = shown.at(-1)
  const nextCursor = records.length > limit && last ? writeMark({ key: order.keyOf(last), id: last.id }) : null
  return { data: shown.map(rowOf), page: { nextCursor, limit } }
}

/** The page marks of server/http/paging.ts: base64url of JSON in UTF-8. */
function writeMark(cursor: Cursor): string {
  const binary = String.fromCharCode(...new TextEncoder().encode(writeCursor(cursor)))
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

function readMark(mark: string): Cursor | null {
  try {
    const binary = atob(mark.replaceAll('-', '+').replaceAll('_', '/'))
    return readCursor(new TextDecoder().decode(Uint8Array.from(binary, (character) => character.charCodeAt(0))))
  } catch {
    return null
  }
}
