import { expect, test } from 'vitest'
import { sentWords } from '#page/features/invoices/sent-words.ts'

const at = { sentAt: '2026-11-20T10:00:00.000Z', viewedAt: null }
const mail = (kind: 'invoice' | 'reminder', state: 'sent' | 'given-up') => ({
  kind,
  state,
  recipient: 'bob@example.com',
})

test('an invoice whose last mail was given up is not told as sent', () => {
  expect(sentWords(at)).toMatch(/^Sent /)
  expect(sentWords(at, [mail('invoice', 'given-up')])).toBe(
    'Not delivered: the mail to bob@example.com did not get through',
  )
  // Sent again since; and a reminder that was lost is not the invoice.
  expect(sentWords(at, [mail('invoice', 'sent'), mail('invoice', 'given-up')])).toMatch(/^Sent /)
  expect(sentWords(at, [mail('reminder', 'given-up'), mail('invoice', 'sent')])).toMatch(/^Sent /)
})
