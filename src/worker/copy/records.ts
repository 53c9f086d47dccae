// Rows as the copy stores them: beside each what lists sort and search by, as the server reckons it. Where a list goes on is reckoned from the row
// anew (lists.ts): whoever changes how a key is reckoned raises the database's version, or a list would begin again where it stands.
import type { Customer } from '#shared/contract/customers.ts'
import type { Invoice, InvoiceSummary } from '#shared/contract/invoices.ts'
import type { Payment } from '#shared/contract/payments.ts'
import type { Item } from '#shared/contract/items.ts'
import { customerKeys } from '#shared/customer-keys.ts'
import { invoiceKeys, invoiceSearchKey } from '#shared/invoice-keys.ts'
import { itemKeys } from '#shared/item-keys.ts'
import { summaryNames } from '#shared/invoice-summary.ts'
import { minorUnitsOf } from '#shared/money.ts'
import { paymentKeys } from '#shared/payment-keys.ts'
import type { Marked } from '#shared/outbox.ts'

/** The orders that a list can have, and what each goes by; rows of one organization lie together, and those that are equal by their id. */
export const namedIndexes = { byName: 'nameKey', byUpdate: 'row.updatedAt' } as const
export const invoiceIndexes = {
  byIssue: 'issueKey',
  byNumber: 'numberKey',
  byCustomer: 'customerKey',
  byGross: 'gross',
  byDue: 'dueKey',
  byUpdate: 'row.updatedAt',
} as const
export const paymentIndexes = { byDate: 'dateKey' } as const
export type NamedIndex = keyof typeof namedIndexes
export type InvoiceIndex = keyof typeof invoiceIndexes

/** What goes by a name: a customer, an item. */
export interface NamedRecord<Row> {
  organizationId: string
  id: string
  nameKey: string
  searchKey: string
  row: Row & Marked
}

export interface InvoiceRecord {
  organizationId: string
  id: string
  issueKey: string
  numberKey: string
  customerKey: string
  /** In minor units. */
  gross: number
  dueKey: string
  searchKey: string
  /** With the payments on it that wait here, while anything of it does. */
  row: InvoiceSummary & Marked & { payments?: Invoice['payments'] }
}

export interface PaymentRecord {
  organizationId: string
  id: string
  dateKey: string
  searchKey: string
  row: Payment & Marked
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

/** Keys as IndexedDB is to order them; what is searched stays as it is. */
function sortableKeys<Keys extends { searchKey: string }>(keys: Keys): Keys {
  const sorted = Object.entries<string>({ ...keys }).map(([name, key]) => [name, sortable(key)])
  return { ...(Object.fromEntries(sorted) as Keys), searchKey: keys.searchKey }
}

export function customerRecord(row: Customer & Marked): NamedRecord<Customer> {
  return { ...rowKeys(row), ...sortableKeys(customerKeys(row)), row }
}

export function itemRecord(row: Item & Marked): NamedRecord<Item> {
  return { ...rowKeys(row), ...sortableKeys(itemKeys(row)), row }
}

export function paymentRecord(row: Payment & Marked): PaymentRecord {
  return { ...rowKeys(row), ...paymentKeys(row), row }
}

function rowKeys({ organizationId, id }: { organizationId: string; id: string }) {
  return { organizationId, id }
}

export function invoiceRecord(invoice: Invoice & Marked): InvoiceRecord {
  return {
    ...rowKeys(invoice),
    ...sortableKeys({ ...invoiceKeys(invoice), searchKey: invoiceSearchKey(invoice) }),
    // At most 10^15 (shared/money.ts), which a number holds exactly.
    gross: Number(minorUnitsOf(invoice.gross)),
    row: {
      ...(Object.fromEntries(summaryNames.map((name) => [name, invoice[name]])) as unknown as InvoiceSummary),
      ...(invoice.unsent && {
        unsent: invoice.unsent,
        payments: invoice.payments.filter((each) => (each as Marked).unsent),
      }),
    },
  }
}
