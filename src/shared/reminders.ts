// Reminders: which step of a rule an invoice has come to, and what its words become.
import { addDays } from './dates.ts'

/** What stands in braces in the words of a step, and is filled in for each invoice. */
export const reminderPlaceholders = ['customer', 'number', 'amount', 'due', 'organization'] as const
export type ReminderPlaceholder = (typeof reminderPlaceholders)[number]

export const mostReminderSteps = 5

/** A reminder by hand takes the place of a step that falls on its day, before it, or as many days after. */
export const standsInForDays = 3

const placeholder = /\{([^{}]*)\}/g

/** The names in braces that stand for nothing. */
export function unknownPlaceholders(words: string): string[] {
  const named = [...words.matchAll(placeholder)].map(([, name]) => name!)
  return named.filter((name) => !(reminderPlaceholders as readonly string[]).includes(name))
}

/** Braces around anything else stay as they are. */
export function fillReminder(words: string, values: Readonly<Record<ReminderPlaceholder, string>>): string {
  return words.replace(placeholder, (whole, name: string) =>
    name in values ? values[name as ReminderPlaceholder] : whole,
  )
}

/** One step as far as dates go. `days` after the due date, less than 0 before it. What lies before the date `since` is not caught up. */
export interface TimedStep {
  days: number
  since: string
}

/**
 * The due dates that a step is about today, `YYYY-MM-DD`, both included. Each due date has come to one step
 * at most, the latest: of what was missed only that one goes out.
 */
export function dueDatesOf<Step extends TimedStep>(
  steps: readonly Step[],
  today: string,
): { step: Step; from: string; to: string }[] {
  const inOrder = steps.toSorted((a, b) => a.days - b.days)
  return inOrder.flatMap((step, index) => {
    const next = inOrder[index + 1]
    const first = addDays(step.since, -step.days)
    const afterNext = next ? addDays(today, 1 - next.days) : first
    const from = afterNext > first ? afterNext : first
    const to = addDays(today, -step.days)
    return from <= to ? [{ step, from, to }] : []
  })
}

/**
 * When an invoice comes to its next step, and which that is; null when none is left. A step that falls on the day it was issued or before does not count, nor
 * one in whose place somebody reminded by hand, on `byHandOn` for the last time.
 */
export function nextStep<Step extends TimedStep>(
  steps: readonly Step[],
  { dueDate, issueDate, byHandOn }: { dueDate: string; issueDate: string; byHandOn: string | null },
  today: string,
): { step: Step; on: string } | null {
  const stoodInUntil = byHandOn === null ? today : addDays(byHandOn, standsInForDays)
  const after = stoodInUntil > today ? stoodInUntil : today
  const coming = steps
    .map((step) => ({ step, on: addDays(dueDate, step.days) }))
    .filter(({ step, on }) => on > after && on > issueDate && on >= step.since)
    .toSorted((a, b) => (a.on < b.on ? -1 : 1))
  return coming[0] ?? null
}
