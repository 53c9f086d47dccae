import * as z from 'zod'
import { isCurrency } from '#shared/currency.ts'
import { isRefund } from '#shared/invoice-balance.ts'
import { parseMoney } from '#shared/money.ts'
import { date, id, instant, line, money, oneOf, optionalLine, page, pageQuery, rowFields } from './common.ts'

export const paymentMethods = ['transfer', 'card', 'cash', 'direct-debit', 'other'] as const
export type PaymentMethod = (typeof paymentMethods)[number]

const oneSign = 'Money received and money given back are two payments'

/** Not nothing, with no more places than its currency has; less than nothing is given back. */
const moved = money.superRefine(({ amount, currency }, context) => {
  if (!isCurrency(currency)) {
    context.addIssue({ code: 'custom', path: ['currency'], message: 'Choose a currency' })
    return
  }
  const parsed = parseMoney(amount, currency)
  const message = !parsed.ok ? parsed.error : parsed.value === 0n ? 'Must not be 0' : null
  if (message !== null) context.addIssue({ code: 'custom', path: ['amount'], message })
})

/**
 * All of a payment is allocated, to invoices of one customer in its currency; never more than is due on each. Of one sign: what was received, or, less
 * than nothing, what was given back (a refund), never more than was paid too much on each.
 */
export const newPayment = z
  .object({
    id,
    date,
    amount: moved,
    method: oneOf(paymentMethods).default('transfer'),
    reference: optionalLine(200),
    allocations: z
      .array(z.object({ invoiceId: id, amount: moved }))
      .min(1, 'Choose an invoice')
      .max(50, 'At most 50 invoices'),
  })
  .superRefine(({ amount, allocations }, context) =>
    allocations.forEach((each, index) => {
      if (isRefund(each) !== isRefund({ amount }))
        context.addIssue({ code: 'custom', path: ['allocations', index, 'amount'], message: oneSign })
    }),
  )
  .meta({ id: 'NewPayment' })
export type NewPayment = z.infer<typeof newPayment>
export type NewPaymentInput = z.input<typeof newPayment>

export const paymentReversal = z
  .object({ reason: line(500, 'Say why it is reversed') })
  .meta({ id: 'NewPaymentReversal' })

const reversal = z.object({ at: instant, by: id, reason: z.string() }).meta({ id: 'PaymentReversal' })

const common = {
  id,
  version: rowFields.version,
  date,
  method: oneOf(paymentMethods),
  reference: z.string().nullable(),
  /** Null unless it was taken back. It stays, and pays nothing any more. */
  reversal: reversal.nullable(),
}

/** What an invoice shows of a payment; the amount is the part that is allocated to it. */
export const invoicePayment = z.object({ ...common, amount: money }).meta({ id: 'InvoicePayment' })
export type InvoicePayment = z.infer<typeof invoicePayment>

export const payment = z
  .object({
    ...common,
    organizationId: id,
    amount: money,
    customerId: id,
    customerName: z.string(),
    allocations: z.array(z.object({ invoiceId: id, invoiceNumber: z.string(), amount: money })),
    recordedBy: id,
    ...rowFields,
  })
  .meta({ id: 'Payment' })
export type Payment = z.infer<typeof payment>

export const paymentQuery = pageQuery.extend({
  sort: oneOf(['-date', 'date']).default('-date'),
  invoiceId: id.optional(),
  customerId: id.optional(),
})
export type PaymentQuery = z.infer<typeof paymentQuery>

export const paymentPage = page(payment).meta({ id: 'PaymentPage' })
export type PaymentPage = z.infer<typeof paymentPage>
