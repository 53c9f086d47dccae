// Recording: what was received, or given back, is written down and taken off what is due, in one transaction, with the organization's counter row held.
import { isDeepStrictEqual } from 'node:util'
import type { NewPayment, Payment } from '#shared/contract/payments.ts'
import { addDays } from '#shared/dates.ts'
import { balanceOf } from '#shared/invoice-balance.ts'
import { canInvoice, type InvoiceStatus } from '#shared/invoice-state.ts'
import { formatAmount, largestAmount, minorUnitsOf, toMoney, type MinorUnits, type Money } from '#shared/money.ts'
import { paymentKeys } from '#shared/payment-keys.ts'
import type { FieldError } from '#shared/problem-form.ts'
import { ProblemError } from '#shared/problem.ts'
import type { Tx } from '#server/db/database.ts'
import { changePaid, findToPay } from './invoices.ts'

export interface Recording {
  organizationId: string
  asked: NewPayment
  userId: string
  revision: bigint
  /** In the organization's zone. */
  today: string
  now: string
}

export async function recordPayment(tx: Tx, { organizationId, asked, userId, revision, today, now }: Recording) {
  const { currency } = asked.amount
  const invoices = await findToPay(
    tx,
    organizationId,
    asked.allocations.map(({ invoiceId }) => invoiceId),
  )
  const first = invoices.get(asked.allocations[0]!.invoiceId)
  const errors: FieldError[] = []
  // Where it was written down it may be tomorrow already.
  if (asked.date > addDays(today, 1)) errors.push({ pointer: '/date', detail: 'This day is still to come' })
  if (asked.date < '2000-01-01') errors.push({ pointer: '/date', detail: 'Enter a year from 2000 on' })
  let allocated: MinorUnits = 0n
  asked.allocations.forEach(({ invoiceId, amount }, index) => {
    const refuse = (field: string, detail: string) => errors.push({ pointer: `/allocations/${index}/${field}`, detail })
    const invoice = invoices.get(invoiceId)
    const isSecond = asked.allocations.findIndex((each) => each.invoiceId === invoiceId) < index
    if (!invoice) return refuse('invoiceId', 'This invoice does not exist')
    if (isSecond) return refuse('invoiceId', 'This invoice is named twice')
    if (invoice.type !== '380' || !canInvoice('pay', invoice.status as InvoiceStatus))
      return refuse('invoiceId', 'Only an invoice that is issued can be paid')
    if (invoice.customerId !== first?.customerId) return refuse('invoiceId', 'This invoice is another customer’s')
    if (invoice.currency !== currency || amount.currency !== currency)
      return refuse('amount', `Must be in the invoice’s currency, ${invoice.currency}`)
    const { grossAmount: gross, paidAmount: paid, creditedAmount: credited } = invoice
    const status = invoice.status as InvoiceStatus
    const { amountDue } = balanceOf({ type: invoice.type, status, gross, paid, credited })
    const part = minorUnitsOf(amount)
    allocated += part
    const detail = part > 0n ? overpaid(part, amountDue, currency) : overRefunded(part, amountDue, currency)
    if (detail !== null) refuse('amount', detail)
  })
  const whole = minorUnitsOf(asked.amount)
  if (errors.length === 0 && allocated !== whole)
    errors.push({
      pointer: '/amount',
      detail: `Must be what is allocated, ${formatAmount(allocated, currency)} ${currency}`,
    })
  if (whole > largestAmount || whole < -largestAmount)
    errors.push({ pointer: '/amount', detail: 'This amount is too large' })
  if (errors.length > 0) throw new ProblemError('validation_failed', { errors })

  const { allocations, amount: _, ...plain } = asked
  const customer = { customerId: first!.customerId!, customerName: first!.customerName ?? '' }
  const named = allocations.map(({ invoiceId }) => ({ invoiceNumber: invoices.get(invoiceId)!.number! }))
  await tx
    .insertInto('payments')
    .values({
      organizationId,
      ...plain,
      currency,
      amount: whole,
      ...customer,
      ...paymentKeys({ ...plain, ...customer, allocations: named }),
      recordedBy: userId,
      version: 1,
      revision,
      createdAt: now,
      updatedAt: now,
    })
    .execute()
  await tx
    .insertInto('paymentAllocations')
    .values(
      allocations.map(({ invoiceId, amount }, position) => ({
        organizationId,
        paymentId: asked.id,
        position,
        invoiceId,
        amount: minorUnitsOf(amount),
      })),
    )
    .execute()
  for (const { invoiceId, amount } of allocations)
    await changePaid(tx, { organizationId, invoiceId, by: minorUnitsOf(amount), revision, now })
}

/** Whether a repeated create says what is recorded already: amounts may be spelled with fewer places. */
export function asksForTheSame({ amount, allocations, ...asked }: NewPayment, stored: Payment): boolean {
  const plain = (money: Money) => toMoney(minorUnitsOf(money), money.currency)
  const { id, date, method, reference } = stored
  return isDeepStrictEqual(
    {
      ...asked,
      amount: plain(amount),
      allocations: allocations.map((each) => ({ invoiceId: each.invoiceId, amount: plain(each.amount) })),
    },
    {
      id,
      date,
      method,
      reference,
      amount: stored.amount,
      allocations: stored.allocations.map((each) => ({ invoiceId: each.invoiceId, amount: each.amount })),
    },
  )
}

function overpaid(part: MinorUnits, amountDue: MinorUnits, currency: string): string | null {
  if (part <= amountDue) return null
  return amountDue > 0n
    ? `Only ${formatAmount(amountDue, currency)} ${currency} is due`
    : 'Nothing is due on this invoice'
}

/** Only what was paid too much, by a credit note that came after, is the customer's again. */
function overRefunded(part: MinorUnits, amountDue: MinorUnits, currency: string): string | null {
  if (part >= amountDue) return null
  return amountDue < 0n
    ? `Only ${formatAmount(-amountDue, currency)} ${currency} is to be given back`
    : 'Nothing is to be given back on this invoice'
}
