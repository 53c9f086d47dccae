// Why an unsent write was refused, by the words of the form that it was written in (features/unsent/words.ts).
import { expect, test } from 'vitest'
import type { UnsentEntry } from '#shared/outbox.ts'
import { problem } from '#shared/problem.ts'
import { whyTexts } from '#page/features/unsent/words.ts'

const money = (amount: string) => ({ amount, currency: 'EUR' })

function refused(name: UnsentEntry['name'], pointer: string, body: UnsentEntry['body']): string | undefined {
  const lastProblem = problem('validation_failed', { errors: [{ pointer, detail: 'This day is still to come' }] })
  return whyTexts({
    key: '1',
    name,
    organizationId: 'o',
    kind: 'invoice',
    id: 'i',
    label: 'INV-2026-0001',
    createdAt: '2026-11-20T10:00:00.000Z',
    attempts: 1,
    nextAttemptAt: null,
    state: 'rejected',
    lastProblem,
    body,
    base: null,
    theirs: null,
  })[1]
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
