// Payments and their reversals on an invoice of the device: one that waits is shown with it and changes none of its sums; the server's word does.
import { paramsOf } from '#shared/device-endpoints.ts'
import type { Invoice } from '#shared/contract/invoices.ts'
import type { InvoicePayment, NewPaymentInput, Payment } from '#shared/contract/payments.ts'
import { wireBalance } from '#shared/invoice-balance.ts'
import { minorUnitsOf, type MinorUnits } from '#shared/money.ts'
import { isReversal, needsPerson, type Marked } from '#shared/outbox.ts'
import type { Row } from '#worker/copy/stores.ts'
import type { Entry } from './entry.ts'

/** What a new one holds where nothing was said. */
const blank = { version: 1, method: 'transfer', reference: null, reversal: null } as const

/** The invoice with a payment, or a reversal, that is unsent. */
export function withWaiting(row: Row, { name, path, body, userId, createdAtMs, state }: Entry): Row {
  const unsent = needsPerson(state) ? 'attention' : 'waiting'
  if (!isReversal(name)) return withPayment(row, body as unknown as NewPaymentInput, { unsent })
  const { reason } = body as { reason?: unknown }
  const told = typeof reason === 'string' ? reason : ''
  const reversal = { at: new Date(createdAtMs).toISOString(), by: userId, reason: told }
  return withReversal(row, paramsOf(name, path)['paymentId']!, { reversal, unsent })
}

/** The invoice with what the server answered to either. */
export function withAnswer(row: Row, { name }: Pick<Entry, 'name'>, answer: Row): Row {
  const payment = answer as unknown as Payment
  const { id, version, reversal, allocations } = payment
  const part = allocations.find(({ invoiceId }) => invoiceId === row.id)
  // Named by a file with another invoice than its own.
  if (!part) return row
  const told = { row, revision: payment.revision }
  const amount = minorUnitsOf(part.amount)
  if (!isReversal(name)) return paid(told, withPayment(row, payment), amount)
  return paid(told, withReversal(row, id, { version, reversal }), -amount)
}

/** `shown`: the row itself where the server had told of it already, as a pull was faster. */
function paid({ row, revision }: { row: Row; revision: number }, shown: Row, more: MinorUnits): Row {
  return shown === row ? row : { ...shown, ...wireBalance(row as unknown as Invoice, more), revision }
}

function withPayment(row: Row, told: Payment | NewPaymentInput, mark: Marked = {}): Row {
  const { payments } = row as unknown as Invoice
  const { id, date, allocations, ...said } = told
  const { version, method, reference, reversal } = { ...blank, ...said }
  const part = allocations.find(({ invoiceId }) => invoiceId.toLowerCase() === row.id)
  // Recorded here already, or named by a file with another invoice than its own.
  if (!part || payments.some((each) => each.id === id)) return row
  const { amount } = part
  return { ...row, payments: [{ id, version, date, method, reference, reversal, amount, ...mark }, ...payments] }
}

function withReversal(row: Row, id: string, reversed: Partial<InvoicePayment> & Marked): Row {
  const { payments } = row as unknown as Invoice
  if (!payments.some((each) => each.id === id && !each.reversal)) return row
  return { ...row, payments: payments.map((each) => (each.id === id ? { ...each, ...reversed } : each)) }
}
