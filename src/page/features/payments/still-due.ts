import type { Invoice, InvoiceSummary } from '#shared/contract/invoices.ts'
import type { InvoicePayment } from '#shared/contract/payments.ts'
import { isRefund } from '#shared/invoice-balance.ts'
import { minorUnitsOf, type MinorUnits, type Money } from '#shared/money.ts'
import { markOf, waitsForIssue } from '#page/device/saved.ts'

/** An invoice of a list: of its payments it has those that wait on this device. */
export type ListedInvoice = InvoiceSummary & { payments?: readonly InvoicePayment[] }

type Due = Pick<Invoice | ListedInvoice, 'type' | 'status' | 'gross' | 'amountDue' | 'payments'>

/** What is due (less than nothing: what the customer gets back), with what of it waits on this device to be recorded, or reversed, as if that were done. */
export function stillDue(invoice: Due): MinorUnits {
  const { payments = [] } = invoice
  const due = minorUnitsOf(dueOf(invoice))
  const waiting = payments.filter((payment) => markOf(payment) !== null)
  // What is taken back is due again, and before what is paid anew.
  const again = waiting.filter(({ reversal }) => reversal).reduce((sum, { amount }) => sum + minorUnitsOf(amount), due)
  // Of what waits to be recorded, what there was a reason for: before that is reversed, or after.
  const left = waiting
    .filter((payment) => !payment.reversal && [due, again].some((sum) => isRefund(payment) === sum < 0n))
    .reduce((rest, { amount }) => rest - minorUnitsOf(amount), again)
  // More waits than there is: the server will not take all of it.
  const isOver = again < 0n ? left > 0n : left < 0n
  return isOver ? 0n : left
}

/** What is still due, but for that payment: it is recorded once, also where its form is sent once more. */
export function dueWithout(invoice: Due, paymentId: string): MinorUnits {
  const { payments = [] } = invoice
  const own = payments.find(({ id }) => id === paymentId)
  const left = stillDue({ ...invoice, payments: payments.filter((each) => each !== own) })
  return own && !own.reversal && markOf(own) === null ? left + minorUnitsOf(own.amount) : left
}

/** Whether somebody owes something on it, or owed: also once it is issued as far as this device can. */
export function isPayable(invoice: Pick<Invoice, 'type' | 'status' | 'paymentStatus'>): boolean {
  return invoice.paymentStatus !== null || (invoice.type === '380' && waitsForIssue(invoice))
}

/** It waits to be void or uncollectible: behind that nothing may be recorded. */
export function isClosing(invoice: Pick<ListedInvoice, 'status'>): boolean {
  const mark = markOf(invoice)
  return mark === 'void' || mark === 'uncollectible'
}

/** What is due at the server; of what waits to be issued, what will be. */
export function dueOf(invoice: Omit<Due, 'payments'>): Money {
  return invoice.type === '380' && waitsForIssue(invoice) ? invoice.gross : invoice.amountDue
}
