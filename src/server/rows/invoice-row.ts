// An invoice's row and the one mapping to the contract's summary: for its own resource and for the dashboard.
import { sql } from 'kysely'
import type { InvoiceSummary } from '#shared/contract/invoices.ts'
import { balanceOf, type PaymentStatus } from '#shared/invoice-balance.ts'
import { isOverdue, type InvoiceStatus } from '#shared/invoice-state.ts'
import { toMoney } from '#shared/money.ts'
import type { Invoices } from '#server/db/tables.ts'

export type InvoiceRow = Omit<Invoices, 'allowances' | 'charges'>

/** `today` is the organization's date: overdue is derived, never stored. */
export function summaryFromRow(row: InvoiceRow, today: string): InvoiceSummary {
  const status = row.status as InvoiceStatus
  const { grossAmount: gross, paidAmount: paid, creditedAmount: credited } = row
  const { amountDue, paymentStatus } = balanceOf({ type: row.type, status, gross, paid, credited })
  return {
    id: row.id,
    organizationId: row.organizationId,
    type: row.type as InvoiceSummary['type'],
    status,
    number: row.number,
    issueDate: row.issueDate,
    dueDate: row.dueDate,
    currency: row.currency,
    customerId: row.customerId,
    customerName: row.customerName,
    net: toMoney(row.netAmount, row.currency),
    tax: toMoney(row.taxAmount, row.currency),
    gross: toMoney(gross, row.currency),
    paid: toMoney(paid, row.currency),
    credited: toMoney(credited, row.currency),
    amountDue: toMoney(amountDue, row.currency),
    paymentStatus,
    overdue: isOverdue({ status, dueDate: row.dueDate, amountDue }, today),
    sentAt: row.sentAt,
    viewedAt: row.viewedAt,
    version: row.version,
    revision: Number(row.revision),
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  }
}

/** What a credit note takes back counts against what was invoiced. */
export const signedGross = sql<bigint>`(case when type = '381' then -gross_amount else gross_amount end)`

/** `isOverdue` of shared/invoice-state as a condition of the database. */
export function overdue(today: string) {
  return sql<boolean>`type = '380' and status = 'issued' and due_date < ${today} and gross_amount - paid_amount - credited_amount > 0`
}

/** More was paid than is left after credit notes: the customer gets it back. */
export const toGiveBack = sql<boolean>`type = '380' and status in ('issued', 'uncollectible') and gross_amount - paid_amount - credited_amount < 0`

/** `balanceOf` of shared/invoice-balance as conditions of the database. */
export function hasPaymentStatus(status: PaymentStatus) {
  const isCredited = sql`credited_amount > 0 and credited_amount >= gross_amount`
  const isOpen = sql`gross_amount - paid_amount - credited_amount > 0`
  const conditions = {
    credited: isCredited,
    paid: sql`not (${isCredited}) and not (${isOpen})`,
    'partly-paid': sql`not (${isCredited}) and ${isOpen} and paid_amount > 0`,
    unpaid: sql`not (${isCredited}) and ${isOpen} and paid_amount = 0`,
  }
  return sql<boolean>`type = '380' and status in ('issued', 'uncollectible') and ${conditions[status]}`
}
