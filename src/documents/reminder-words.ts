// Docket's own words of reminders, in each language that an invoice can be in: what a rule begins with, and what goes out where it says nothing itself.
import type { Language } from '#shared/language.ts'
import type { ReminderStep, ReminderWords } from '#shared/contract/reminders.ts'
import { wordsOf } from './words.ts'

/** The days that an organization begins with, and that of a notice before it is due. */
export const firstDays = [3, 14, 28] as const
export const noticeDays = -3

/** What an invoice has come to: its due date, and how many reminders went out since (due-reminders.ts), none of those from before counted. */
export interface Reminded {
  dueDate: string | null
  today: string
  sent: number
}

/**
 * The oftener somebody was asked, the more serious: however late the invoice is, the first mail that says so is no second reminder. Null: it is not
 * late yet.
 */
export function ownReminder(language: Language, sent: number | null): ReminderWords {
  const { notice, first, second, last } = wordsOf(language).reminders
  return sent === null ? notice : ([first, second][sent] ?? last)
}

/** What `ownReminder` gives where every step before this one has gone out: of a rule that is being written. */
export function ownOfStep(language: Language, days: number, all: readonly number[]): ReminderWords {
  return ownReminder(language, days <= 0 ? null : all.filter((each) => each > 0 && each < days).length)
}

/** Nobody wrote them: kept as a rule's own they would say "second" of whatever goes out. */
export function isOwnReminder(language: Language, { subject, message }: ReminderWords): boolean {
  return Object.values(wordsOf(language).reminders).some(
    (own) => own.subject === subject.trim() && own.message === message.trim(),
  )
}

/** In that language; Docket's own where nobody wrote any, rather than words in another one. */
export function reminderWords(
  words: ReminderStep['words'] | undefined,
  language: Language | undefined,
  { dueDate, today, sent }: Reminded,
): ReminderWords {
  const spoken = language ?? 'en'
  return words?.[spoken] ?? ownReminder(spoken, dueDate !== null && dueDate < today ? sent : null)
}
