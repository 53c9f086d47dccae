// Rows as the copy stores them: beside each what lists sort and search by, as the server reckons it.
import type { Customer } from '#shared/contract/customers.ts'
import type { Invoice, InvoiceSummary } from '#shared/contract/invoices.ts'
import type { Item } from '#shared/contract/items.ts'
import { customerKeys } from '#shared/customer-keys.ts'
import { invoiceKeys } from '#shared/invoice-keys.ts'
import { itemKeys } from '#shared/item-keys.ts'
import { summaryNames } from '#shared/invoice-summary.ts'
import { minorUnitsOf } from '#shared/money.ts'
import type { Marked } from '#shared/outbox.ts'

/** Organization, sort key, id: rows of one organization lie together, in the order of a list. */
type Place<Key> = [organizationId: string, key: Key, id: string]

/** The orders that a list can have; each is a place in the record. */
export const namedIndexes = ['byName', 'byUpdate'] as const
export const invoiceIndexes = ['byIssue', 'byNumber', 'byCustomer', 'byGross', 'byDue', 'byUpdate'] as const
export type NamedIndex = (typeof namedIndexes)[number]
export type InvoiceIndex = (typeof invoiceIndexes)[number]

/** What goes by a name: a customer, an item. */
export interface NamedRecord<Row> {
  organizationId: string
  id: string
  byName: Place<string>
  byUpdate: Place<string>
  nameKey: string
  searchKey: string
  row: Row & Marked
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
  row: InvoiceSummary & Marked
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

export function customerRecord(row: Customer & Marked): NamedRecord<Customer> {
  return namedRecord(row, customerKeys(row))
}

export function itemRecord(row: Item & Marked): NamedRecord<Item> {
  return namedRecord(row, itemKeys(row))
}

function namedRecord<Row extends { organizationId: string; id: string; updatedAt: string }>(
  row: Row,
  keys: { nameKey: string; searchKey: string },
): NamedRecord<Row> {
  const { organizationId, id } = row
  return {
    organizationId,
    id,
    byName: [organizationId, sortable(keys.nameKey), id],
    byUpdate: [organizationId, row.updatedAt, id],
    ...keys,
    row,
  }
}

export function invoiceRecord(invoice: Invoice & Marked): InvoiceRecord {
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
    row: {
      ...(Object.fromEntries(summaryNames.map((name) => [name, invoice[name]])) as unknown as InvoiceSummary),
      ...(invoice.unsent && { unsent: invoice.unsent }),
    },
  }
}
