// What stands in the form of the reminder rules, and what of it is saved.
import { firstDays, isOwnReminder, ownOfStep } from '#documents/reminder-words.ts'
import type { ReminderRules, ReminderRulesEdit, ReminderWords } from '#shared/contract/reminders.ts'
import { uuidv7 } from '#shared/ids.ts'
import type { Language } from '#shared/language.ts'

export type Values = ReturnType<typeof toValues>

/** What goes out stands there, Docket's own words too: those of an invoice that every step before this one has reminded of. */
export function firstStep(
  days: number,
  all: readonly number[],
  written?: Readonly<Record<Language, ReminderWords | null>>,
) {
  const words = (language: Language) => written?.[language] ?? ownOfStep(language, days, all)
  return {
    id: uuidv7(),
    days: String(Math.abs(days)),
    when: days < 0 ? 'before' : 'after',
    words: { en: words('en'), de: words('de') },
  }
}

export function toValues({ enabled, steps, updatedAt }: ReminderRules) {
  const all = steps.map(({ days }) => days)
  return {
    enabled: enabled ? 'on' : 'off',
    // Nobody has thought about them yet: words to begin with.
    steps:
      updatedAt === null
        ? firstDays.map((days) => firstStep(days, firstDays))
        : steps.map(({ id, days, words }) => ({ ...firstStep(days, all, words), id })),
  }
}

/** After the due date; NaN where no whole number is typed. */
export function dayOf({ days, when }: Pick<Values['steps'][number], 'days' | 'when'>): number {
  const count = /^\d+$/.test(days.trim()) ? Number(days) : Number.NaN
  return when === 'before' && count !== 0 ? -count : count
}

/** Left as Docket has them, or both fields left empty: Docket's own, which go by what an invoice was reminded of and not by the step. */
function writtenWords(language: Language, words: ReminderWords): ReminderWords | null {
  const isEmpty = words.subject.trim() === '' && words.message.trim() === ''
  return isEmpty || isOwnReminder(language, words) ? null : words
}

export function toBody({ enabled, steps }: Values): ReminderRulesEdit {
  return {
    enabled: enabled === 'on',
    steps: steps.map(({ id, days, when, words }) => ({
      id,
      days: dayOf({ days, when }),
      words: { en: writtenWords('en', words.en), de: writtenWords('de', words.de) },
    })),
  }
}
