import type { Invoice } from '#shared/contract/invoices.ts'
import type { Organization } from '#shared/contract/organizations.ts'
import type { ReminderRules } from '#shared/contract/reminders.ts'
import { addDays, todayIn } from '#shared/dates.ts'
import { fillReminder } from '#shared/reminders.ts'
import { text } from '#page/words/app-text.ts'
import { formatDate, formatMoney } from '#page/words/format.ts'

const t = text.reminders

/** Of the latest step that it has come to; before the first one, that one's. */
export function firstWords(invoice: Invoice, { name, locale, timeZone }: Organization, { steps }: ReminderRules) {
  const { buyer, number, amountDue, dueDate } = invoice
  const today = todayIn(timeZone, Date.now())
  const inOrder = (steps.length > 0 ? steps : t.first).toSorted((a, b) => a.days - b.days)
  const reached = inOrder.filter(({ days }) => dueDate !== null && addDays(dueDate, days) <= today)
  const { subject, message } = reached.at(-1) ?? inOrder[0]!
  const values = {
    customer: buyer?.contactName ?? buyer?.name ?? '',
    number: number!,
    amount: formatMoney(amountDue, locale),
    due: formatDate(dueDate, locale),
    organization: name,
  }
  return { subject: fillReminder(subject, values), message: fillReminder(message, values) }
}
