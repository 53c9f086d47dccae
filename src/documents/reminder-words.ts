// Docket's own words of reminders, in each language that an invoice can be in: what a rule begins with, and what goes out where it says nothing itself.
import type { Language } from '#shared/language.ts'
import type { ReminderStep, ReminderWords } from '#shared/contract/reminders.ts'
import { wordsOf } from './words.ts'

/** The days that an organization begins with, and that of a notice before it is due. */
export const firstDays = [3, 14, 28] as const
export const noticeDays = -3

/** The later, the more serious. */
export function ownReminder(language: Language, days: number): ReminderWords {
  const { notice, first, second, last } = wordsOf(language).reminders
  if (days < 0) return notice
  return days < firstDays[1] ? first : days < firstDays[2] ? second : last
}

/** In that language; Docket's own where nobody wrote any, rather than words in another one. */
export function reminderWords({ words, days }: Pick<ReminderStep, 'words' | 'days'>, language: Language | undefined) {
  const spoken = language ?? 'en'
  return words[spoken] ?? ownReminder(spoken, days)
}
