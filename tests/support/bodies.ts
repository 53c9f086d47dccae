// The smallest bodies that do (the issue of the walking skeleton), each with a fresh id.
import type { Invoice } from '#shared/contract/invoices.ts'
import { uuidv7 } from '#shared/ids.ts'

export function organizationBody(more: object = {}) {
  return { id: uuidv7(), name: 'Ann Works', country: 'NL', currency: 'EUR', ...more }
}

export function customerBody(more: object = {}) {
  return { id: uuidv7(), name: 'Bob the Baker', country: 'NL', ...more }
}

export function itemBody(more: object = {}) {
  return { id: uuidv7(), name: 'Hour of work', unitPrice: '85', ...more }
}

export function recurringBody(customerId: string, more: object = {}) {
  const invoice = { customerId, taxMode: 'net', lines: [websiteLine] }
  return { id: uuidv7(), interval: 'month', every: 1, startsOn: '2026-01-31', action: 'draft', invoice, ...more }
}

/** One reminder a week after the due date. */
export function remindersBody(more: object = {}) {
  const words = { subject: 'Reminder: {number}', message: 'Hello {customer},\n\n{amount} was due on {due}.' }
  return { enabled: true, steps: [{ id: uuidv7(), days: 7, words: { en: words, de: null } }], ...more }
}

export const websiteLine = { name: 'Website', quantity: '2', unitPrice: '379.00', vat: { category: 'S', rate: '21' } }

export function invoiceBody(customerId: string | null, more: object = {}) {
  return { id: uuidv7(), customerId, taxMode: 'net', lines: [websiteLine], ...more }
}

/** Part of what is due on one invoice, or all of it; of what is to be given back, where less than nothing is due. */
export function paymentBody(
  { id: invoiceId, currency, amountDue }: Invoice,
  amount = amountDue.amount,
  more: object = {},
) {
  const money = { amount, currency }
  return { id: uuidv7(), date: '2026-11-20', amount: money, allocations: [{ invoiceId, amount: money }], ...more }
}
