// What the page begins a reminder by hand with, and what of a rule's words is kept as its own.
import { expect, test } from 'vitest'
import { ownReminder } from '#documents/reminder-words.ts'
import type { Invoice } from '#shared/contract/invoices.ts'
import type { Organization } from '#shared/contract/organizations.ts'
import { addDays, todayIn } from '#shared/dates.ts'
import { firstWords } from '#page/features/reminders/remind-words.ts'
import { firstStep, toBody, toValues } from '#page/features/reminders/rules-values.ts'

const organization = { name: 'Ann Works', timeZone: 'Europe/Vienna', locale: 'en-IE' } as Organization
const late = (days: number) =>
  ({
    buyer: null,
    number: 'INV-7',
    language: 'en',
    amountDue: { amount: '17.18', currency: 'EUR' },
    dueDate: addDays(todayIn('Europe/Vienna', Date.now()), -days),
  }) as Invoice
const noRules = { enabled: false, steps: [], version: 1, updatedAt: null }

test('by hand as by rule: the first one is the first, however late it is', () => {
  const subject = (days: number, sent: number) => firstWords(late(days), organization, noRules, sent).subject
  expect(subject(28, 0)).toBe('Reminder: invoice INV-7')
  expect(subject(4, 1)).toBe('Second reminder: invoice INV-7')
  expect([subject(4, 2), subject(4, 9)]).toEqual(Array(2).fill('Last reminder: invoice INV-7'))
  expect(firstWords(late(28), organization, noRules, 0).message).toContain('€17.18 of our invoice INV-7 is still open')
  const mine = { en: { subject: 'Mine', message: 'Pay.' }, de: null }
  const rules = { ...noRules, steps: [{ id: '', days: 7, words: mine }] }
  expect(firstWords(late(8), organization, rules, 0).subject).toBe('Mine')
})

test('Docket’s own words in a rule are shown in their order, and are not kept as the organization’s', () => {
  const values = toValues(noRules)
  expect(values.steps.map(({ words }) => words.en)).toEqual([0, 1, 2].map((sent) => ownReminder('en', sent)))
  expect(firstStep(-3, []).words.de).toEqual(ownReminder('de', null))
  const typed = values.steps[1]!.words.en
  values.steps[1]!.words.en = { ...typed, subject: 'Ours' }
  values.steps[2]!.words.de = { subject: ' ', message: '' }
  expect(toBody(values).steps.map(({ days, words }) => [days, words])).toEqual([
    [3, { en: null, de: null }],
    [14, { en: { ...typed, subject: 'Ours' }, de: null }],
    [28, { en: null, de: null }],
  ])
})
