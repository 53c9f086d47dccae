import { describe, expect, test } from 'vitest'
import { startOfDay, todayIn } from '#shared/dates.ts'
import { nextOccurrence, occurrenceAt, recurrenceIntervals } from '#shared/recurrence.ts'

const monthly = { interval: 'month', every: 1, startsOn: '2027-01-31', endsOn: null } as const

test('the 31st comes back after a short month, a leap day after three years without one', () => {
  expect([0, 1, 2, 3, 13].map((index) => occurrenceAt(monthly, index))).toEqual([
    '2027-01-31',
    '2027-02-28',
    '2027-03-31',
    '2027-04-30',
    '2028-02-29',
  ])
  const yearly = { ...monthly, interval: 'year', startsOn: '2028-02-29' } as const
  expect([1, 4].map((index) => occurrenceAt(yearly, index))).toEqual(['2029-02-28', '2032-02-29'])
})

test('the next one is the first on or after a day, up to the end', () => {
  for (const interval of recurrenceIntervals)
    for (const every of [1, 2, 5]) {
      const rule = { interval, every, startsOn: '2026-08-31', endsOn: null }
      const all = Array.from({ length: 500 }, (_, index) => occurrenceAt(rule, index))
      for (const day of ['2020-01-01', '2026-08-31', '2026-09-01', '2027-02-28', '2027-03-01', '2029-12-31'])
        expect(nextOccurrence(rule, day)).toBe(all.find((each) => each >= day))
    }
  expect(nextOccurrence({ ...monthly, endsOn: '2027-03-30' }, '2027-03-01')).toBeNull()
})

describe('where a day begins', () => {
  test.each([
    'Europe/Amsterdam',
    'Pacific/Kiritimati',
    'Pacific/Pago_Pago',
    'Asia/Kathmandu',
    'America/Santiago',
    'UTC',
  ])('in %s', (zone) => {
    for (const day of ['2026-03-29', '2026-10-25', '2026-09-06', '2026-12-31']) {
      const ms = startOfDay(day, zone)
      expect([todayIn(zone, ms), todayIn(zone, ms - 1) < day]).toEqual([day, true])
    }
  })
})
