import { reminderWords } from '#documents/reminder-words.ts'
import { documentLocale } from '#documents/words.ts'
import type { Invoice } from '#shared/contract/invoices.ts'
import type { Organization } from '#shared/contract/organizations.ts'
import type { ReminderRules } from '#shared/contract/reminders.ts'
import { addDays, todayIn } from '#shared/dates.ts'
import { formatDate, formatMoney } from '#shared/format.ts'
import { fillReminder } from '#shared/reminders.ts'
import { now } from '#page/device/clock.ts'

/**
 * Of the latest step that it has come to; before the first one, that one's. In the language of the invoice, as the rule itself would write, after so many
 * reminders that were `sent`.
 */
export function firstWords(
  invoice: Invoice,
  { name, timeZone, ...organization }: Organization,
  { steps }: ReminderRules,
  sent: number,
) {
  const { buyer, number, amountDue, dueDate, language } = invoice
  const locale = documentLocale(language, organization.locale)
  const today = todayIn(timeZone, now())
  const inOrder = steps.toSorted((a, b) => a.days - b.days)
  const reached = inOrder.filter(({ days }) => dueDate !== null && addDays(dueDate, days) <= today)
  const step = reached.at(-1) ?? inOrder[0]
  const { subject, message } = reminderWords(step?.words, language, { dueDate, today, sent })
  const values = {
    customer: buyer?.contactName ?? buyer?.name ?? '',
    number: number!,
    amount: formatMoney(amountDue, locale),
    due: formatDate(dueDate, locale),
    organization: name,
  }
  return { subject: fillReminder(subject, values), message: fillReminder(message, values) }
}
