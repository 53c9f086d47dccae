import type { Invoice, InvoiceSummary } from '#shared/contract/invoices.ts'
import type { InvoicePayment } from '#shared/contract/payments.ts'
import { isRefund } from '#shared/invoice-balance.ts'
import { minorUnitsOf, type MinorUnits } from '#shared/money.ts'
import { markOf } from '#page/device/saved.ts'

/** An invoice of a list: of its payments it has those that wait on this device. */
export type ListedInvoice = InvoiceSummary & { payments?: readonly InvoicePayment[] }

/** What is due (less than nothing: what the customer gets back), but for what of it waits on this device to be recorded. */
export function stillDue({
  amountDue,
  payments = [],
}: Pick<Invoice | ListedInvoice, 'amountDue' | 'payments'>): MinorUnits {
  const due = minorUnitsOf(amountDue)
  const left = payments
    .filter((payment) => markOf(payment) !== null && isRefund(payment) === due < 0n)
    .reduce((rest, { amount }) => rest - minorUnitsOf(amount), due)
  // More waits than there is: the server will not take all of it.
  const isOver = due < 0n ? left > 0n : left < 0n
  return isOver ? 0n : left
}
