import { expect, test } from 'vitest'
import { sentWords } from '#page/features/invoices/sent-words.ts'

const at = { sentAt: '2026-11-20T10:00:00.000Z', viewedAt: null }
const mail = (kind: 'invoice' | 'reminder', state: 'sent' | 'given-up' | 'failing') => ({
  kind,
  state,
  recipient: 'bob@example.com',
})

const firm = { locale: 'en-GB', timeZone: 'Pacific/Auckland' }

test('it says when by the clock of the organization, wherever its reader is', () => {
  expect(sentWords(at, firm)).toBe('Sent 20 Nov 2026, 23:00')
})

test('an invoice whose last mail was given up, or is still tried, is not told as sent', () => {
  expect(sentWords(at, firm)).toMatch(/^Sent /)
  expect(sentWords(at, firm, [mail('invoice', 'given-up')])).toBe(
    'Not delivered: the mail to bob@example.com did not get through',
  )
  expect(sentWords(at, firm, [mail('invoice', 'failing')])).toBe(
    'Not delivered yet: the mail to bob@example.com is tried again',
  )
  // Sent again since; and a reminder that was lost is not the invoice.
  expect(sentWords(at, firm, [mail('invoice', 'sent'), mail('invoice', 'given-up')])).toMatch(/^Sent /)
  expect(sentWords(at, firm, [mail('reminder', 'given-up'), mail('invoice', 'sent')])).toMatch(/^Sent /)
})
