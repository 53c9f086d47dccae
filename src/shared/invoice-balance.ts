// What is still due on an invoice and what that makes of it (DOMAIN.md "States"): derived one way on the server, the device and the page, never stored.
import type { InvoiceStatus } from './invoice-state.ts'
import { minorUnitsOf, toMoney, type MinorUnits, type Money } from './money.ts'

export const paymentStatuses = ['unpaid', 'partly-paid', 'paid', 'credited'] as const
export type PaymentStatus = (typeof paymentStatuses)[number]

/** `paid`: by payments that were not reversed; `credited`: by credit notes that were issued. Minor units. */
export interface Sums {
  type: string
  status: InvoiceStatus
  gross: MinorUnits
  paid: MinorUnits
  credited: MinorUnits
}

export interface Balance {
  /** Less than nothing: the customer has paid more than is left after a credit note, and gets it back. */
  amountDue: MinorUnits
  /** Null for what nobody pays: drafts, void invoices, credit notes. */
  paymentStatus: PaymentStatus | null
}

export function balanceOf({ type, status, gross, paid, credited }: Sums): Balance {
  if (type !== '380' || status === 'draft' || status === 'void') return { amountDue: 0n, paymentStatus: null }
  const amountDue = gross - paid - credited
  if (credited > 0n && credited >= gross) return { amountDue, paymentStatus: 'credited' }
  if (amountDue <= 0n) return { amountDue, paymentStatus: 'paid' }
  return { amountDue, paymentStatus: paid > 0n ? 'partly-paid' : 'unpaid' }
}

/** Void: as if it had never been, so nothing may hang on it, and nobody may have got it by mail, or have seen it by its link. It keeps its number. */
export function canVoid({ type, status, paid, credited }: Sums, deliveredAt: string | null): boolean {
  return type === '380' && status === 'issued' && paid === 0n && credited === 0n && !deliveredAt
}

/** Uncollectible: what is still due is no longer expected; a later payment is allowed. */
export function canWriteOff(sums: Sums): boolean {
  return sums.status === 'issued' && balanceOf(sums).amountDue > 0n
}

/** Something of it is left to be credited, paid or not: what was paid too much is given back. */
export function canCredit({ type, status, gross, credited }: Sums): boolean {
  return type === '380' && (status === 'issued' || status === 'uncollectible') && credited < gross
}

/** Money given back is a payment of less than nothing. Also of a body that nobody has checked yet. */
export function isRefund(payment: { amount?: unknown } | null): boolean {
  const { amount } = (payment?.amount ?? {}) as Partial<Money>
  return typeof amount === 'string' && amount.startsWith('-')
}

/**
 * Whether taking this much off what was paid (reversing a payment) leaves what was given back covered by what was received. Below that the customer would
 * owe on an invoice what no document says they owe: the refund is reversed first.
 */
export function canTakeBack({ paid }: Pick<Sums, 'paid'>, amount: MinorUnits): boolean {
  return paid - amount >= 0n
}

interface Paid {
  type: string
  status: InvoiceStatus
  currency: string
  gross: Money
  paid: Money
  credited: Money
}

/** Of an invoice as it is on the wire. */
export function sumsOf({ type, status, gross, paid, credited }: Paid): Sums {
  const [whole, received, credit] = [gross, paid, credited].map(minorUnitsOf) as [bigint, bigint, bigint]
  return { type, status, gross: whole, paid: received, credited: credit }
}

/** The balance of an invoice as it is on the wire, with more paid than before; less than nothing takes back. */
export function wireBalance(invoice: Paid, more: MinorUnits = 0n) {
  const { currency } = invoice
  const sums = sumsOf(invoice)
  const paid = sums.paid + more
  const { amountDue, paymentStatus } = balanceOf({ ...sums, paid })
  return { paid: toMoney(paid, currency), amountDue: toMoney(amountDue, currency), paymentStatus }
}

/** More was paid than a credit note leaves of it: the customer gets it back. */
export function isToGiveBack({ amountDue }: { amountDue: Money }): boolean {
  return minorUnitsOf(amountDue) < 0n
}

/** Somebody still owes something on it and is expected to pay; whether it is late already is another question. */
export function mayRemind(invoice: Paid): boolean {
  return invoice.status === 'issued' && balanceOf(sumsOf(invoice)).amountDue > 0n
}

/** The same amount where words say already that it goes the other way. */
export function unsigned({ amount, currency }: Money): Money {
  return { amount: amount.replace('-', ''), currency }
}
