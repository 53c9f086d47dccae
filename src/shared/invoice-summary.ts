// What a list shows of an invoice, and what of it depends on the day: the same on the server's rows and on the device's copy (OFFLINE.md).
import { isOverdue, type InvoiceStatus } from './invoice-state.ts'
import { minorUnitsOf, type Money } from './money.ts'

/** The fields of a summary, as contract/invoices.ts lists them; a test holds them against it. */
export const summaryNames = [
  'id',
  'organizationId',
  'type',
  'status',
  'number',
  'issueDate',
  'dueDate',
  'currency',
  'customerId',
  'customerName',
  'net',
  'tax',
  'gross',
  'paid',
  'credited',
  'amountDue',
  'paymentStatus',
  'overdue',
  'sentAt',
  'viewedAt',
  'version',
  'revision',
  'createdAt',
  'updatedAt',
] as const

interface Dated {
  status: InvoiceStatus
  dueDate: string | null
  amountDue: Money
  overdue: boolean
}

/** The invoice as it is on that day (`YYYY-MM-DD` in the organization's zone): overdue is derived, never kept. */
export function onDay<Invoice extends Dated>(invoice: Invoice, today: string): Invoice {
  const amountDue = minorUnitsOf(invoice.amountDue)
  return { ...invoice, overdue: isOverdue({ ...invoice, amountDue }, today) }
}
