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
  const numberKey = invoice.number === null ? last : naturalKey(invoice.number)
  return {
    // Those of one day in the order of their numbers, not in that in which they were drafted.
    issueKey: invoice.issueDate === null ? last : `${invoice.issueDate} ${numberKey}`,
    numberKey,
    customerKey: searchKey(invoice.customerName),
    dueKey: invoice.dueDate ?? last,
  }
}

interface Adjusted {
  allowances: readonly { reason: string | null }[]
  charges: readonly { reason: string | null }[]
}

export interface SearchedInvoice extends Adjusted {
  number: string | null
  customerName: string | null
  gross: Money
  orderReference: string | null
  buyerReference: string | null
  notes: string | null
  lines: readonly ({ name: string; description: string | null } & Adjusted)[]
}

/** Some hundred lines with their descriptions: what stands last in a longer one is not searched. */
const longestSearchKey = 32_000

/** What a search of invoices, and of quotes, looks at: everything that somebody wrote on one. Stored as the keys are. */
export function invoiceSearchKey(invoice: SearchedInvoice): string {
  const { number, customerName, gross, orderReference, buyerReference, notes, lines } = invoice
  const reasons = [invoice, ...lines].flatMap(({ allowances, charges }) => [...allowances, ...charges])
  return searchKey(
    number,
    customerName,
    gross.amount,
    orderReference,
    buyerReference,
    ...lines.map(({ name }) => name),
    notes,
    ...reasons.map(({ reason }) => reason),
    ...lines.map(({ description }) => description),
  ).slice(0, longestSearchKey)
}

/** Digits padded, so that INV-9 comes before INV-10. */
function naturalKey(number: string): string {
  return number.replace(/\d+/g, (digits) => digits.padStart(12, '0'))
}
