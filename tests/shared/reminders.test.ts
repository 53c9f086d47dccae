import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addDays, hourIn, startOfHour, todayIn } from '#shared/dates.ts'
import { dueDatesOf, fillReminder, nextStep, unknownPlaceholders } from '#shared/reminders.ts'

const someDay = fc.integer({ min: 0, max: 800 }).map((days) => addDays('2025-06-01', days))
const someSteps = fc
  .uniqueArray(fc.integer({ min: -60, max: 365 }), { minLength: 1, maxLength: 5 })
  .chain((days) => fc.tuple(...days.map((each) => someDay.map((since) => ({ days: each, since })))))

describe('steps of a reminder', () => {
  test('each due date has come to one step at most: the latest, unless that lies before it counts', () => {
    fc.assert(
      fc.property(someSteps, someDay, someDay, (steps, today, dueDate) => {
        const found = dueDatesOf(steps, today).filter(({ from, to }) => from <= dueDate && dueDate <= to)
        const reached = steps
          .map((step) => ({ step, on: addDays(dueDate, step.days) }))
          .filter(({ on }) => on <= today)
          .toSorted((a, b) => (a.on < b.on ? 1 : -1))
        const latest = reached[0]
        expect(found.map(({ step }) => step)).toEqual(latest && latest.on >= latest.step.since ? [latest.step] : [])
      }),
    )
  })

  test('the next one is the first that comes after today, after the issue, and not before it counts', () => {
    const steps = [14, -3, 7].map((days) => ({ days, since: '2026-11-01' }))
    const invoice = { issueDate: '2026-11-10', dueDate: '2026-11-12', byHandOn: null }
    expect(nextStep(steps, invoice, '2026-11-01')).toEqual({ step: steps[2], on: '2026-11-19' })
    expect(nextStep(steps, invoice, '2026-11-19')).toEqual({ step: steps[0], on: '2026-11-26' })
    expect(nextStep(steps, invoice, '2026-11-26')).toBeNull()
    expect(nextStep([{ days: 7, since: '2026-12-01' }], invoice, '2026-11-01')).toBeNull()
    const byHand = (byHandOn: string) => nextStep(steps, { ...invoice, byHandOn }, '2026-11-16')?.on
    expect([byHand('2026-11-15'), byHand('2026-11-16')]).toEqual(['2026-11-19', '2026-11-26'])
  })

  test('words are filled in once: what is filled in is not looked at again', () => {
    const values = { customer: '{number}', number: 'INV-1', amount: '€1.00', due: '1 May', organization: '$&' }
    expect(fillReminder('{customer} {number} {organization} {x} {', values)).toBe('{number} INV-1 $& {x} {')
    expect(unknownPlaceholders('{customer} {sum} {}')).toEqual(['sum', ''])
  })
})

test.each(['Europe/Berlin', 'America/New_York', 'Pacific/Auckland', 'Asia/Kathmandu', 'America/Havana', 'Etc/UTC'])(
  'nine o’clock in %s, also on days that are an hour shorter or longer',
  (zone) => {
    for (let day = '2026-01-01'; day < '2027-01-01'; day = addDays(day, 7)) {
      for (const date of [day, addDays(day, 3)]) {
        const atMs = startOfHour(date, 9, zone)
        expect([todayIn(zone, atMs), hourIn(zone, atMs)]).toEqual([date, 9])
        expect(hourIn(zone, atMs - 1)).toBe(8)
      }
    }
  },
)
