// Money given back, in words, and what of it is left to be recorded where some waits on this device.
import { expect, test } from 'vitest'
import type { Activity } from '#shared/contract/activity.ts'
import type { Invoice } from '#shared/contract/invoices.ts'
import type { UnsentEntry } from '#shared/outbox.ts'
import { kindOf, toldChanges } from '#page/features/activity/told-changes.ts'
import { dueWithout, stillDue } from '#page/features/payments/still-due.ts'
import { whatText } from '#page/features/unsent/words.ts'

const firm = { locale: 'en-GB', timeZone: 'Europe/London' }
const eur = (amount: string) => ({ amount, currency: 'EUR' })
const issued = { type: '380', status: 'issued', gross: eur('100.00') } as const

test.each<[due: string, waiting: string[], left: bigint]>([
  ['-100.00', [], -10_000n],
  ['-100.00', ['-40'], -6000n],
  ['-100.00', ['-40', '-60'], 0n],
  // One more than there is: it is refused, and is not owed the other way.
  ['-100.00', ['-40', '-70'], 0n],
  // A payment that was refused does not make more to give back, nor a refund more to pay.
  ['-100.00', ['20'], -10_000n],
  ['100.00', ['-20'], 10_000n],
  ['100.00', ['20', '30'], 5000n],
  ['17.18', ['917.18'], 0n],
  ['0.00', ['-5'], 0n],
  ['0.00', ['5'], 0n],
])('%s due, %j waits', (due, waiting, left) => {
  const payments = [
    { amount: eur('999.00') },
    ...waiting.map((amount) => ({ amount: eur(amount), unsent: 'waiting' })),
  ] as unknown as Invoice['payments']
  expect(stillDue({ ...issued, amountDue: eur(due), payments })).toBe(left)
  // Of a list an invoice has those that wait alone, or says nothing of payments.
  expect(stillDue({ ...issued, amountDue: eur(due), payments: payments.slice(1) })).toBe(left)
  if (waiting.length === 0) expect(stillDue({ ...issued, amountDue: eur(due) })).toBe(left)
})

test.each<[due: string, reversed: string[], waiting: string[], left: bigint]>([
  ['82.82', ['17.18'], [], 10_000n],
  ['0.00', ['100'], [], 10_000n],
  // Recorded anew meanwhile.
  ['82.82', ['17.18'], ['17.81'], 8219n],
  ['0.00', ['60', '40'], ['100'], 0n],
  // A refund that is taken back is to be given back again.
  ['0.00', ['-30'], [], -3000n],
  ['0.00', ['-30'], ['-30'], 0n],
  // What waits was recorded before that of the other sign was taken back.
  ['-100.00', ['500'], ['-100'], 50_000n],
  ['50.00', ['-100'], ['50'], -10_000n],
])('%s due, %j waits to be reversed and %j to be recorded', (due, reversed, waiting, left) => {
  const payments = [
    ...reversed.map((amount) => ({ amount: eur(amount), reversal: { reason: 'Typed wrong' }, unsent: 'waiting' })),
    ...waiting.map((amount) => ({ amount: eur(amount), reversal: null, unsent: 'waiting' })),
    { amount: eur('5'), reversal: { reason: 'Long ago' } },
  ] as unknown as Invoice['payments']
  expect(stillDue({ ...issued, amountDue: eur(due), payments })).toBe(left)
})

test('a payment that is sent once more counts once, waiting or recorded; one that was reversed no more', () => {
  const own = { id: 'own', amount: eur('17.18'), reversal: null }
  const left = (due: string, payment: object) =>
    dueWithout({ ...issued, amountDue: eur(due), payments: [payment] as unknown as Invoice['payments'] }, 'own')
  expect(left('100.00', { ...own, unsent: 'waiting' })).toBe(10_000n)
  expect(left('82.82', own)).toBe(10_000n)
  expect(left('100.00', { ...own, reversal: { reason: 'Typed wrong' } })).toBe(10_000n)
  expect(left('100.00', { ...own, id: 'another', unsent: 'waiting' })).toBe(8282n)
})

test('of what waits to be issued all of it will be due, but for what waits behind that; of any other draft, and of a credit note, nothing', () => {
  const draft = { ...issued, status: 'draft', amountDue: eur('0.00') } as const
  const part = [{ amount: eur('40'), unsent: 'waiting' }] as unknown as Invoice['payments']
  expect(stillDue({ ...draft, unsent: 'issue' } as typeof draft)).toBe(10_000n)
  expect(stillDue({ ...draft, unsent: 'issue', payments: part } as typeof draft)).toBe(6000n)
  expect(stillDue(draft)).toBe(0n)
  expect(stillDue({ ...draft, unsent: 'waiting' } as typeof draft)).toBe(0n)
  expect(stillDue({ ...draft, type: '381', unsent: 'issue' } as unknown as typeof draft)).toBe(0n)
})

test('the activity tells a refund as one, recorded and reversed', () => {
  const told = (amount: unknown, before: unknown = null): Activity =>
    ({
      kind: 'payment',
      changes: [
        { field: 'date', before, after: '2026-11-20' },
        { field: 'amount', before, after: amount },
      ],
    }) as unknown as Activity
  const refund = told(eur('-5.00'))
  expect(kindOf(refund)).toBe('refund')
  expect(toldChanges(refund, firm)).toEqual([
    { field: 'date', label: 'Given back on', sides: ['', '20 Nov 2026'] },
    { field: 'amount', label: 'Amount', sides: ['', '-€5.00'] },
  ])
  expect(kindOf(told(eur('5.00')))).toBe('payment')
  expect(toldChanges(told(eur('5.00')), firm)[0]!.label).toBe('Received on')
  // Of a reversal the amount stands there to tell what it was, and is no change.
  const reversed = told(eur('-5.00'), eur('-5.00'))
  expect(kindOf(reversed)).toBe('refund')
  expect(toldChanges(reversed, firm).map(({ field }) => field)).not.toContain('amount')
  expect(kindOf({ ...refund, kind: 'invoice' })).toBe('invoice')
})

test('Unsent calls it by its name', () => {
  const entry = (amount: string) =>
    ({
      name: 'recordPayment',
      kind: 'invoice',
      label: 'INV-1',
      body: { amount: eur(amount) },
    }) as unknown as UnsentEntry
  expect(whatText(entry('-5'))).toBe('Record refund · INV-1')
  expect(whatText(entry('5'))).toBe('Record payment · INV-1')
  expect(whatText({ ...entry('5'), body: null })).toBe('Record payment · INV-1')
})
