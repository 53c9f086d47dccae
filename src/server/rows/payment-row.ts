// Payments from their rows, and the one mapping to the contract: for their own resource, for invoices and for the changes feed.
import type { InvoicePayment, Payment } from '#shared/contract/payments.ts'
import { toMoney } from '#shared/money.ts'
import type { Tx } from '#server/db/database.ts'
import type { Payments } from '#server/db/tables.ts'

/** With its reversal, where there is one. */
export function selectPayments(tx: Tx, organizationId: string) {
  return tx
    .selectFrom('payments')
    .leftJoin('paymentReversals', (join) =>
      join
        .onRef('paymentReversals.organizationId', '=', 'payments.organizationId')
        .onRef('paymentReversals.paymentId', '=', 'payments.id'),
    )
    .selectAll('payments')
    .select(['paymentReversals.reversedAt', 'paymentReversals.reversedBy', 'paymentReversals.reason'])
    .where('payments.organizationId', '=', organizationId)
}

export type PaymentRow = Payments & { reversedAt: string | null; reversedBy: string | null; reason: string | null }

/** Those of these ids that are there, in no order. */
export async function findPayments(tx: Tx, organizationId: string, ids: readonly string[]): Promise<Payment[]> {
  if (ids.length === 0) return []
  const rows = await selectPayments(tx, organizationId).where('payments.id', 'in', ids).execute()
  return withAllocations(tx, organizationId, rows)
}

export async function findPayment(tx: Tx, organizationId: string, id: string): Promise<Payment | null> {
  return (await findPayments(tx, organizationId, [id]))[0] ?? null
}

/** In the order of the rows. */
export async function withAllocations(tx: Tx, organizationId: string, rows: readonly PaymentRow[]): Promise<Payment[]> {
  if (rows.length === 0) return []
  const allocations = await tx
    .selectFrom('paymentAllocations')
    .innerJoin('invoices', (join) =>
      join
        .onRef('invoices.organizationId', '=', 'paymentAllocations.organizationId')
        .onRef('invoices.id', '=', 'paymentAllocations.invoiceId'),
    )
    .select(['paymentId', 'invoiceId', 'invoices.number', 'amount'])
    .where('paymentAllocations.organizationId', '=', organizationId)
    .where(
      'paymentId',
      'in',
      rows.map(({ id }) => id),
    )
    .orderBy('paymentId')
    .orderBy('position')
    .execute()
  const byPayment = Map.groupBy(allocations, ({ paymentId }) => paymentId)
  return rows.map((row) => ({
    ...shownFromRow(row),
    organizationId,
    amount: toMoney(row.amount, row.currency),
    customerId: row.customerId,
    customerName: row.customerName,
    allocations: (byPayment.get(row.id) ?? []).map(({ invoiceId, number, amount }) => ({
      invoiceId,
      invoiceNumber: number ?? '',
      amount: toMoney(amount, row.currency),
    })),
    recordedBy: row.recordedBy,
    revision: Number(row.revision),
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  }))
}

/** What each of these invoices shows of its payments, the last one recorded first. */
export async function paymentsOfInvoices(
  tx: Tx,
  organizationId: string,
  invoiceIds: readonly string[],
): Promise<Map<string, InvoicePayment[]>> {
  if (invoiceIds.length === 0) return new Map()
  const rows = await selectPayments(tx, organizationId)
    .innerJoin('paymentAllocations', (join) =>
      join
        .onRef('paymentAllocations.organizationId', '=', 'payments.organizationId')
        .onRef('paymentAllocations.paymentId', '=', 'payments.id'),
    )
    .select(['paymentAllocations.invoiceId', 'paymentAllocations.amount as allocated'])
    .where('paymentAllocations.invoiceId', 'in', invoiceIds)
    .orderBy('payments.createdAt', 'desc')
    .orderBy('payments.id', 'desc')
    .execute()
  const byInvoice = Map.groupBy(rows, ({ invoiceId }) => invoiceId)
  return new Map(
    [...byInvoice].map(([invoiceId, paid]) => [
      invoiceId,
      paid.map((row) => ({ ...shownFromRow(row), amount: toMoney(row.allocated, row.currency) })),
    ]),
  )
}

function shownFromRow({ id, version, date, method, reference, reversedAt, reversedBy, reason }: PaymentRow) {
  const reversal = reversedAt === null ? null : { at: reversedAt, by: reversedBy!, reason: reason! }
  return { id, version, date, method: method as Payment['method'], reference, reversal }
}
