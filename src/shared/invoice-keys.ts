// How lists of invoices are ordered: the same keys on the server (COLLATE "C") and on the device, so that a cursor is good on both (OFFLINE.md).
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
  searchKey: string
}

/** Stored beside the row whenever one of its parts changes. `lineNames` are searched too. */
export function invoiceKeys(invoice: ListedInvoice, lineNames: readonly string[]): InvoiceKeys {
  return {
    issueKey: invoice.issueDate ?? last,
    numberKey: invoice.number === null ? last : naturalKey(invoice.number),
    customerKey: searchKey(invoice.customerName),
    dueKey: invoice.dueDate ?? last,
    searchKey: searchKey(invoice.number, invoice.customerName, ...lineNames).slice(0, 4000),
  }
}

/** Digits padded, so that INV-9 comes before INV-10. */
function naturalKey(number: string): string {
  return number.replace(/\d+/g, (digits) => digits.padStart(12, '0'))
}
