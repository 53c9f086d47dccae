// An invoice's row and the one mapping to the contract's summary: for its own resource and for the dashboard.
import { sql } from 'kysely'
import type { InvoiceSummary } from '#shared/contract/invoices.ts'
import { isOverdue, type InvoiceStatus } from '#shared/invoice-state.ts'
import { toMoney } from '#shared/money.ts'
import type { Invoices } from './db/tables.ts'

export type InvoiceRow = Omit<Invoices, 'allowances' | 'charges'>

/** `today` is the organization's date: overdue is derived, never stored. */
export function summaryFromRow(row: InvoiceRow, today: string): InvoiceSummary {
  const status = row.status as InvoiceStatus
  const amountDue = status === 'issued' ? row.grossAmount : 0n
  return {
    id: row.id,
    organizationId: row.organizationId,
    type: '380',
    status,
    number: row.number,
    issueDate: row.issueDate,
    dueDate: row.dueDate,
    currency: row.currency,
    customerId: row.customerId,
    customerName: row.customerName,
    net: toMoney(row.netAmount, row.currency),
    tax: toMoney(row.taxAmount, row.currency),
    gross: toMoney(row.grossAmount, row.currency),
    amountDue: toMoney(amountDue, row.currency),
    paymentStatus: status === 'issued' ? 'unpaid' : null,
    overdue: isOverdue({ status, dueDate: row.dueDate, amountDue }, today),
    version: row.version,
    revision: Number(row.revision),
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  }
}

/** `isOverdue` of shared/invoice-state as a condition of the database. */
export function overdue(today: string) {
  return sql<boolean>`status = 'issued' and due_date < ${today} and gross_amount > 0`
}
