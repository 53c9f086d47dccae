// Rows of reminders: the rules, who is taken out of them, and what became of an invoice's mails.
import { sql } from 'kysely'
import type { Invoice } from '#shared/contract/invoices.ts'
import type { InvoiceMail, InvoiceMails, ReminderRulesEdit } from '#shared/contract/reminders.ts'
import { mayRemind } from '#shared/invoice-balance.ts'
import { ProblemError } from '#shared/problem.ts'
import { nextStep } from '#shared/reminders.ts'
import type { TenantCall } from '#server/context.ts'
import type { Tx } from '#server/db/database.ts'
import { dueReminders, reminderFacts, reminderRulesOf, type KeptRules } from '#server/rows/due-reminders.ts'
import { setDue } from '#server/jobs/due-work.ts'
import type { Attachment } from '#server/mail/queue.ts'
import { mailStateOf } from '#server/mail/state.ts'
import { deliveredAt } from '#server/outgoing/delivered.ts'
import { mailedXml } from '#server/outgoing/mailed-xml.ts'
import { nextDay, nextMorning } from './remind.ts'

type Place = Pick<TenantCall<unknown, unknown>, 'tx' | 'organizationId' | 'today' | 'now' | 'caller'>

const mailsShown = 100
const againAfterMs = 10 * 60_000

/** False when somebody else was faster. What a step would have been about before it was made, or while all was off, is not caught up. */
export async function saveRules(
  { tx, organizationId, today, now, caller }: Place,
  before: KeptRules,
  { enabled, steps }: ReminderRulesEdit,
  timeZone: string,
): Promise<boolean> {
  const kept = steps.map((step) => {
    const known = before.enabled ? before.steps.find(({ id, days }) => id === step.id && days === step.days) : null
    return { ...step, since: known?.since ?? today }
  })
  const columns = {
    enabled,
    steps: JSON.stringify(kept),
    savedBy: caller.userId,
    version: before.version + 1,
    updatedAt: now,
  }
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('reminderRules')
    .values({ organizationId, ...columns })
    .onConflict((conflict) =>
      conflict.column('organizationId').doUpdateSet(columns).where('reminderRules.version', '=', before.version),
    )
    .executeTakeFirstOrThrow()
  if (numInsertedOrUpdatedRows === 0n) return false
  const next = enabled ? new Date(nextMorning(timeZone, today, Date.parse(now))).toISOString() : null
  await setDue(tx, organizationId, 'reminders', next)
  return true
}

export async function pauseReminders(
  { tx, organizationId, today }: Place,
  invoiceId: string,
  paused: boolean,
): Promise<void> {
  const columns = { paused, since: today }
  await tx
    .insertInto('reminderPauses')
    .values({ organizationId, invoiceId, ...columns })
    .onConflict((conflict) => conflict.columns(['organizationId', 'invoiceId']).doUpdateSet(columns))
    .execute()
}

/** A second press, or somebody else's, would have the customer asked two times for the same. The revision is held. */
export async function refuseRepeated({ tx, organizationId, now }: Place, invoiceId: string, to: string): Promise<void> {
  const since = new Date(Date.parse(now) - againAfterMs).toISOString()
  const found = await tx
    .selectFrom('invoiceMails')
    .select('id')
    .where('organizationId', '=', organizationId)
    .where('invoiceId', '=', invoiceId)
    .where('kind', '=', 'reminder')
    .where('recipient', '=', to)
    .where('sentAt', '>', since)
    .limit(1)
    .executeTakeFirst()
  if (found)
    throw new ProblemError('invalid_transition', {
      detail: 'A reminder went to this address less than ten minutes ago.',
    })
}

async function timeZoneOf(tx: Tx, organizationId: string): Promise<string> {
  const found = await tx
    .selectFrom('organizations')
    .select('timeZone')
    .where('id', '=', organizationId)
    .executeTakeFirstOrThrow()
  return found.timeZone
}

export async function mailsOfInvoice(place: Place, invoice: Invoice): Promise<InvoiceMails> {
  const { tx, organizationId, today } = place
  const rows = await tx
    .selectFrom('invoiceMails')
    .leftJoin('mails', (join) =>
      join
        .onRef('mails.id', '=', 'invoiceMails.id')
        .onRef('mails.organizationId', '=', sql.ref('invoice_mails.organization_id')),
    )
    .select(['invoiceMails.id', 'invoiceMails.kind', 'invoiceMails.recipient', 'invoiceMails.sentBy'])
    .select(['invoiceMails.sentAt as at', 'invoiceMails.reminderDays as days'])
    .select([
      'mails.id as mailId',
      'mails.sentAt',
      'mails.givenUpAt',
      'mails.endedAt',
      'mails.failure',
      'mails.attachments',
    ])
    .where('invoiceMails.organizationId', '=', organizationId)
    .where('invoiceMails.invoiceId', '=', invoice.id)
    .orderBy('invoiceMails.sentAt', 'desc')
    .orderBy('invoiceMails.id', 'desc')
    .limit(mailsShown)
    .execute()
  const { enabled, steps } = await reminderRulesOf(tx, organizationId)
  const facts = await reminderFacts(tx, organizationId, invoice.id)
  const paused = facts?.paused ?? false
  const byHandOn = facts?.byHandOn ?? null
  const { dueDate, issueDate } = invoice
  const isAwaited = enabled && !paused && dueDate !== null && issueDate !== null && mayRemind(invoice)
  // What has come due and is not out yet goes next: until then it can be stopped.
  const [due] = isAwaited ? await dueReminders(tx, organizationId, steps, today, { only: invoice.id, limit: 1 }) : []
  const on = due && nextDay(await timeZoneOf(tx, organizationId), today, Date.parse(place.now))
  const next = due
    ? { step: due.step, on: on! }
    : isAwaited
      ? nextStep(steps, { dueDate, issueDate, byHandOn }, today)
      : null
  return {
    data: rows.map(({ id, kind, recipient, at, sentBy, days, mailId, attachments, ...mail }) => ({
      id,
      kind: kind as InvoiceMail['kind'],
      recipient,
      at,
      sentBy,
      days,
      hasXml: mailId === null ? null : ((attachments ?? []) as Attachment[]).some((each) => each.kind !== 'pdf'),
      state: mailId === null ? null : mailStateOf(mail),
    })),
    withoutXml: invoice.status === 'draft' ? [] : (await mailedXml(tx, invoice)).why,
    delivered: (await deliveredAt(tx, invoice, place.now)) !== null,
    reminders: {
      paused,
      next: next && { on: next.on, days: next.step.days },
      recipient: facts?.recipient ?? null,
      sent: facts?.sent ?? 0,
    },
  }
}
