// A payment on an invoice of the device: one that waits is shown with it and changes none of its sums; the server's word does.
import type { Invoice } from '#shared/contract/invoices.ts'
import type { NewPaymentInput, Payment } from '#shared/contract/payments.ts'
import { wireBalance } from '#shared/invoice-balance.ts'
import { minorUnitsOf } from '#shared/money.ts'
import type { Row } from '#worker/copy/stores.ts'
import type { Body } from './entry.ts'

/** What a new one holds where nothing was said. */
const blank = { version: 1, method: 'transfer', reference: null, reversal: null }

/** `told`: what was sent, or what the server answered to it. */
export function withPayment(row: Row, told: Body, unsent?: 'waiting' | 'attention'): Row {
  const invoice = row as unknown as Invoice
  const { id, date, allocations, ...said } = told as unknown as Payment | NewPaymentInput
  const { version, method, reference, reversal } = { ...blank, ...said }
  // The server has it already: a pull was faster.
  if (invoice.payments.some((each) => each.id === id)) return row
  const { amount } = allocations.find(({ invoiceId }) => invoiceId === row.id)!
  const shown = { id, version, date, method, reference, reversal, amount, ...(unsent && { unsent }) }
  return {
    ...row,
    ...(!unsent && wireBalance(invoice, minorUnitsOf(amount))),
    ...(!unsent && { revision: (told as Partial<Payment>).revision ?? row['revision'] }),
    payments: [shown, ...invoice.payments],
  }
}
