// When something that is done again and again is due: dates of a rule, reckoned from its start so that the 31st comes back after a short month.
import { addDays, addMonths } from './dates.ts'

export const recurrenceIntervals = ['week', 'month', 'year'] as const
export type RecurrenceInterval = (typeof recurrenceIntervals)[number]

export interface Recurrence {
  interval: RecurrenceInterval
  /** Every so many of them, 1 or more. */
  every: number
  /** Dates as `YYYY-MM-DD`. */
  startsOn: string
  /** The last day that counts; null: it goes on. */
  endsOn: string | null
}

/** The date of an occurrence; the first, on the start, has the index 0. */
export function occurrenceAt({ interval, every, startsOn }: Recurrence, index: number): string {
  const count = every * index
  if (interval === 'week') return addDays(startsOn, 7 * count)
  return addMonths(startsOn, interval === 'month' ? count : 12 * count)
}

/** The first occurrence on `date` or later; null when the rule has ended by then. */
export function nextOccurrence(rule: Recurrence, date: string): string | null {
  const daysPerInterval = { week: 7, month: 31, year: 366 }[rule.interval] * rule.every
  const days = (Date.parse(date) - Date.parse(rule.startsOn)) / 86_400_000
  // As many as there must have been at least; from there one by one.
  let index = Math.max(0, Math.floor(days / daysPerInterval))
  while (occurrenceAt(rule, index) < date) index += 1
  const next = occurrenceAt(rule, index)
  return rule.endsOn !== null && next > rule.endsOn ? null : next
}
