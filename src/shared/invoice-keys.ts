// How lists of invoices are ordered and searched: the same keys on the server (COLLATE "C") and on the device, so that a cursor is good on both (OFFLINE.md).
import type { Money } from './money.ts'
import { searchKey } from './search-key.ts'

export interface ListedInvoice {
  number: string | null
  issueDate: string | null
  dueDate: string | null
  customerName: string | null
}

/** Sorts after every date and number: drafts, which have none yet, come first in the newest-first order. */
const last = '~'

export interface InvoiceKeys {
  issueKey: string
  numberKey: string
  customerKey: string
  dueKey: string
}

/** Stored beside the row whenever one of its parts changes. */
export function invoiceKeys(invoice: ListedInvoice): InvoiceKeys {
  return {
    issueKey: invoice.issueDate ?? last,
    numberKey: invoice.number === null ? last : naturalKey(invoice.number),
    customerKey: searchKey(invoice.customerName),
    dueKey: invoice.dueDate ?? last,
  }
}

interface SearchedInvoice {
  number: string | null
  customerName: string | null
  gross: Money
  orderReference: string | null
  notes: string | null
  lines: readonly { name: string; description: string | null }[]
}

/** What a search of invoices looks at, stored as the keys are; of a very long one what stands last here is not searched. */
export function invoiceSearchKey(invoice: SearchedInvoice): string {
  const { number, customerName, gross, orderReference, notes, lines } = invoice
  const names = lines.map(({ name }) => name)
  const descriptions = lines.map(({ description }) => description)
  return searchKey(number, customerName, gross.amount, orderReference, ...names, notes, ...descriptions).slice(0, 4000)
}

/** Digits padded, so that INV-9 comes before INV-10. */
function naturalKey(number: string): string {
  return number.replace(/\d+/g, (digits) => digits.padStart(12, '0'))
}
