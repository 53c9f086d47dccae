// Why an unsent write was refused, by the words of the form that it was written in (features/unsent/words.ts).
import { expect, test } from 'vitest'
import type { UnsentEntry } from '#shared/outbox.ts'
import { problem } from '#shared/problem.ts'
import { isFrozen, whyTexts } from '#page/features/unsent/words.ts'

const money = (amount: string) => ({ amount, currency: 'EUR' })

const entry: UnsentEntry = {
  key: '1',
  name: 'saveInvoice',
  organizationId: 'o',
  kind: 'invoice',
  id: 'i',
  label: 'INV-2026-0001',
  createdAt: '2026-11-20T10:00:00.000Z',
  attempts: 1,
  nextAttemptAt: null,
  state: 'rejected',
  lastProblem: null,
  body: {},
  base: null,
  theirs: null,
}

function refused(name: UnsentEntry['name'], pointer: string, body: UnsentEntry['body']): string | undefined {
  const lastProblem = problem('validation_failed', { errors: [{ pointer, detail: 'This day is still to come' }] })
  return whyTexts({ ...entry, name, lastProblem, body })[1]
}

test('what is done to an invoice has the fields of its own form, not those of the invoice', () => {
  const why = [
    refused('recordPayment', '/date', { amount: money('1.00') }),
    refused('recordPayment', '/allocations/0/amount', { amount: money('1.00') }),
    refused('recordPayment', '/date', { amount: money('-1.00') }),
    refused('sendInvoice', '/to', {}),
    refused('sendInvoice', '/subject', {}),
    refused('saveInvoice', '/dueDate', {}),
  ]
  expect(why.map((each) => each?.split(': ')[0])).toEqual([
    'Received on',
    'Amount',
    'Given back on',
    'To',
    'Subject',
    'Due date',
  ])
})

test('no connection is waited for where the server has answered, and nothing is to be looked at beside what is gone', () => {
  const queued = { ...entry, state: 'queued' } as const
  const conflict = { ...entry, state: 'conflict' } as const
  const why = [
    { ...queued, lastProblem: problem('undeliverable') },
    { ...queued, lastProblem: problem('unavailable') },
    { ...queued, lastProblem: problem('too_many_requests') },
    { ...conflict, lastProblem: problem('stale'), theirs: {} },
    { ...conflict, lastProblem: problem('not_found') },
    { ...conflict, lastProblem: problem('invalid_transition') },
    { ...conflict, body: null, lastProblem: problem('stale'), theirs: {} },
  ].map((each) => whyTexts(each))
  expect(why.map(([first]) => first)).toEqual([
    'Waits for a connection.',
    'It is tried again by itself.',
    'It is tried again by itself.',
    'This was changed elsewhere meanwhile. Look at both and decide.',
    'This was deleted elsewhere meanwhile.',
    'Something was done with this meanwhile. Look at it and decide.',
    'Something was done with this meanwhile. Look at it and decide.',
  ])
  expect(why[4]).toHaveLength(1)
})

test('what the server refuses of a change of what was issued is to be decided; of a reversal it may be tried again', () => {
  const refusal = { ...entry, lastProblem: problem('invalid_transition') }
  expect(isFrozen(refusal)).toBe(true)
  const reversal = { ...refusal, name: 'reversePayment' } as const
  expect(isFrozen(reversal)).toBe(false)
  // As builds before kept it.
  expect(isFrozen({ ...reversal, state: 'conflict', theirs: { status: 'issued' } })).toBe(true)
})
