// Reminds an organization's customers by its rules, each morning: every invoice in a transaction of its own, in which it is asked once more whether
// anything is due, so that a job that dies goes on where it ended and a payment that was faster is seen.
import { reminderWords } from '#documents/reminder-words.ts'
import { documentLocale } from '#documents/words.ts'
import type { Invoice } from '#shared/contract/invoices.ts'
import type { Organization } from '#shared/contract/organizations.ts'
import { addDays, hourIn, startOfHour, todayIn } from '#shared/dates.ts'
import { formatDate, formatMoney } from '#shared/format.ts'
import { fillReminder } from '#shared/reminders.ts'
import { recordActivity } from '#server/rows/activity-log.ts'
import type { Database, Tx } from '#server/db/database.ts'
import { dueReminders, reminderRulesOf, type DueReminder, type KeptRules } from '#server/rows/due-reminders.ts'
import { setDue } from '#server/jobs/due-work.ts'
import { mailInvoice } from '#server/outgoing/invoice-mail.ts'
import { mailsLeft } from '#server/mail/limit.ts'
import { organizationForJob } from '#server/rows/organization-row.ts'
import { holdRevision } from '#server/rows/revision.ts'
import { findInvoice } from '#server/rows/whole-invoice.ts'

/** Mails of this kind go out by day, in the organization's zone: from the one hour to the other. */
const firstHour = 9
const lastHour = 19
const againMs = 30 * 60_000
const mostAtOnce = 200

interface Surroundings {
  apiPublicUrl: string
  mailQueued: () => void
}

interface Place {
  tx: Tx
  organization: Organization
  rules: KeptRules
  today: string
  nowMs: number
  now: string
}

/** The job. What it could not reach anybody about stays due, and is tried again each morning. */
export function remindCustomers({ apiPublicUrl, mailQueued }: Surroundings) {
  return async (db: Database, organizationId: string, nowMs: number): Promise<void> => {
    const inside = <T>(work: (place: Place) => Promise<T>): Promise<T | null> =>
      db.asApp({ organizationIds: [organizationId] }, async (tx) => {
        const organization = await organizationForJob(tx, organizationId)
        const rules = await reminderRulesOf(tx, organizationId)
        if (!organization || !rules.enabled) {
          await setDue(tx, organizationId, 'reminders', null)
          return null
        }
        const today = todayIn(organization.timeZone, nowMs)
        return work({ tx, organization, rules, today, nowMs, now: new Date(nowMs).toISOString() })
      })
    const due = (await inside(whomToRemind)) ?? []
    const failed: unknown[] = []
    for (const each of due)
      try {
        if ((await inside((place) => remindOne(place, each, apiPublicUrl))) === true) mailQueued()
      } catch (error) {
        // What is wrong with one invoice keeps no other customer's reminder back.
        failed.push(error)
      }
    if (failed.length > 0) throw failed[0]
    await inside((place) => noteNextRun(place, due.length))
  }
}

/** Those that can be reached; none at night. */
async function whomToRemind({ tx, organization, rules, today, nowMs, now }: Place): Promise<DueReminder[]> {
  if (!isDay(organization.timeZone, nowMs)) return []
  const limit = Math.min(mostAtOnce, await mailsLeft(tx, organization.id, now))
  if (limit <= 0) return []
  const found = await dueReminders(tx, organization.id, rules.steps, today, { limit, unaddressed: false })
  return found.slice(0, limit)
}

/** False where it is settled meanwhile: paid, credited, paused, or reminded by another job. */
async function remindOne({ tx, organization, rules, today, now }: Place, asked: DueReminder, apiPublicUrl: string) {
  const organizationId = organization.id
  // Whoever pays, credits or voids it changes this row, with the revision held: they come before, and are seen, or after.
  await holdRevision(tx, organizationId)
  await tx
    .selectFrom('invoices')
    .select('id')
    .where('organizationId', '=', organizationId)
    .where('id', '=', asked.invoiceId)
    .forUpdate()
    .execute()
  const [still] = await dueReminders(tx, organizationId, rules.steps, today, { only: asked.invoiceId, limit: 1 })
  if (!still || still.recipient === null) return false
  const invoice = (await findInvoice(tx, organizationId, still.invoiceId, today))!
  const { step, recipient, sent } = still
  const values = reminderValues(invoice, organization)
  const { subject, message } = reminderWords(step.words, invoice.language, { dueDate: invoice.dueDate, today, sent })
  await mailInvoice(tx, {
    organization,
    invoice,
    kind: 'reminder',
    words: {
      to: recipient,
      // What is filled in may hold what a subject cannot.
      subject: fillReminder(subject, values).replace(/\s+/g, ' '),
      message: fillReminder(message, values),
    },
    attachments: [{ invoiceId: invoice.id, kind: 'pdf' }],
    sentBy: null,
    linkedBy: rules.savedBy!,
    step,
    apiPublicUrl,
    now,
  })
  const told = [{ field: 'to', before: null, after: recipient }]
  const about = { kind: 'invoice', id: invoice.id }
  await recordActivity({ tx, organizationId, userId: null, now }, 'remindInvoice', about, invoice.number!, told)
  return true
}

/** Written as on the invoice. */
function reminderValues({ buyer, number, amountDue, dueDate, language }: Invoice, organization: Organization) {
  const locale = documentLocale(language, organization.locale)
  return {
    customer: buyer?.contactName ?? buyer?.name ?? '',
    number: number!,
    amount: formatMoney(amountDue, locale),
    due: formatDate(dueDate, locale),
    organization: organization.name,
  }
}

/** What is left over goes on in a while; else the next morning. */
async function noteNextRun({ tx, organization, today, nowMs, now }: Place, found: number): Promise<void> {
  const { id, timeZone } = organization
  const isMore = isDay(timeZone, nowMs) && (found >= mostAtOnce || (await mailsLeft(tx, id, now)) <= 0)
  const next = isMore ? nowMs + againMs : nextMorning(timeZone, today, nowMs)
  await setDue(tx, id, 'reminders', new Date(next).toISOString())
}

function isDay(timeZone: string, nowMs: number): boolean {
  const hour = hourIn(timeZone, nowMs)
  return hour >= firstHour && hour < lastHour
}

/** The date on which what is due goes out: today until the evening. */
export function nextDay(timeZone: string, today: string, nowMs: number): string {
  return hourIn(timeZone, nowMs) < lastHour ? today : addDays(today, 1)
}

/** The next time it is nine o'clock there, in milliseconds since 1970. */
export function nextMorning(timeZone: string, today: string, nowMs: number): number {
  const morning = startOfHour(today, firstHour, timeZone)
  return morning > nowMs ? morning : startOfHour(addDays(today, 1), firstHour, timeZone)
}
