// Which invoices have come to a step of the organization's reminders and have not been reminded by it: for the job that sends, and for the screen
// that names whom it cannot reach.
import { sql, type RawBuilder } from 'kysely'
import type { ReminderStep } from '#shared/contract/reminders.ts'
import { dueDatesOf, standsInForDays, type TimedStep } from '#shared/reminders.ts'
import type { Tx } from '#server/db/database.ts'

/** As it is kept: with the day from which on it counts. */
export type KeptStep = ReminderStep & TimedStep

export interface KeptRules {
  enabled: boolean
  steps: KeptStep[]
  savedBy: string | null
  version: number
  updatedAt: string | null
}

export async function reminderRulesOf(tx: Tx, organizationId: string): Promise<KeptRules> {
  const found = await tx
    .selectFrom('reminderRules')
    .selectAll()
    .where('organizationId', '=', organizationId)
    .executeTakeFirst()
  if (!found) return { enabled: false, steps: [], savedBy: null, version: 1, updatedAt: null }
  const { enabled, steps, savedBy, version, updatedAt } = found
  return { enabled, steps: steps as unknown as KeptStep[], savedBy, version, updatedAt }
}

const ofLastMail = (what: RawBuilder<unknown>) => sql`(select ${what} from invoice_mails m
  where m.organization_id = invoices.organization_id and m.invoice_id = invoices.id order by m.sent_at desc, m.id desc limit 1)`
const lastRecipient = ofLastMail(sql`m.recipient`)
const lastOwnRecipient = ofLastMail(sql`case when m.own_recipient then m.recipient end`)
const issuedTo = sql`(select i.content -> 'buyer' ->> 'email' from issued_invoices i
  where i.organization_id = invoices.organization_id and i.invoice_id = invoices.id)`

/** Where the last mail of an invoice went, if that was an address of its own; else what the customer's is now, else what it was. */
const recipientOf = sql<string | null>`coalesce(
  nullif(${lastOwnRecipient}, ${issuedTo}),
  (select c.email from customers c where c.organization_id = invoices.organization_id and c.id = invoices.customer_id and c.deleted_at is null),
  ${lastRecipient},
  ${issuedTo}
)`

/** The day on which somebody got it, where the organization is: as its other dates are, and those of its rules. */
const sentOn = sql`(m.sent_at at time zone (select o.time_zone from organizations o where o.id = invoices.organization_id))::date`

/** A notice from before is no reminder; nor is one that nobody got, as far as its mail is still there to say so. */
const sentLate = sql<number>`(select count(*)::int from invoice_mails m where m.organization_id = invoices.organization_id and m.invoice_id = invoices.id
  and m.kind = 'reminder' and ${sentOn} > invoices.due_date and not exists (
    select from mails lost where lost.organization_id = m.organization_id and lost.id = m.id
      and lost.sent_at is null and lost.failure is distinct from 'unknown' and (lost.given_up_at is not null or lost.ended_at is not null)
  ))`

const byHand = sql`m.organization_id = invoices.organization_id and m.invoice_id = invoices.id and m.kind = 'reminder' and m.reminder_step is null`

/** What concerns reminders of one issued invoice. */
export function reminderFacts(tx: Tx, organizationId: string, invoiceId: string) {
  return tx
    .selectFrom('invoices')
    .leftJoin('reminderPauses', (join) =>
      join
        .onRef('reminderPauses.organizationId', '=', 'invoices.organizationId')
        .onRef('reminderPauses.invoiceId', '=', 'invoices.id'),
    )
    .select(['reminderPauses.paused', 'reminderPauses.since', recipientOf.as('recipient')])
    .select(sentLate.as('sent'))
    .select(sql<string | null>`(select max(${sentOn}) from invoice_mails m where ${byHand})`.as('byHandOn'))
    .where('invoices.organizationId', '=', organizationId)
    .where('invoices.id', '=', invoiceId)
    .executeTakeFirst()
}

export interface DueReminder {
  step: KeptStep
  invoiceId: string
  invoiceNumber: string
  customerId: string | null
  customerName: string
  dueDate: string
  recipient: string | null
  /** How many reminders it has had since it was due. */
  sent: number
}

/** The oldest due date first. `only` one of them, as it is asked again once its row is held; or only those that have nowhere to go, or only those that have. */
export async function dueReminders(
  tx: Tx,
  organizationId: string,
  steps: readonly KeptStep[],
  today: string,
  { only, unaddressed, limit }: { only?: string; unaddressed?: boolean; limit: number },
): Promise<DueReminder[]> {
  const found: DueReminder[] = []
  for (const { step, from, to } of dueDatesOf(steps, today)) {
    let query = tx
      .selectFrom('invoices')
      .select(['id', 'number', 'customerId', 'customerName', 'dueDate', recipientOf.as('recipient')])
      .select(sentLate.as('sent'))
      .where('organizationId', '=', organizationId)
      .where('type', '=', '380')
      .where('status', '=', 'issued')
      .where('deletedAt', 'is', null)
      .where('dueDate', '>=', from)
      .where('dueDate', '<=', to)
      .where(sql<boolean>`gross_amount - paid_amount - credited_amount > 0`)
      // On the day it is issued nobody has forgotten it yet.
      .where(sql<boolean>`due_date + ${step.days}::int > issue_date`)
      .where(
        sql<boolean>`not exists (select from reminder_pauses p where p.organization_id = invoices.organization_id and p.invoice_id = invoices.id
          and (p.paused or p.since > invoices.due_date + ${step.days}::int))`,
      )
      .where(
        sql<boolean>`not exists (select from invoice_mails m where m.organization_id = invoices.organization_id and m.invoice_id = invoices.id
          and m.reminder_step = ${step.id}::uuid and m.reminder_days = ${step.days}::int)`,
      )
      .where(
        sql<boolean>`not exists (select from invoice_mails m where ${byHand}
          and ${sentOn} >= invoices.due_date + ${step.days - standsInForDays}::int)`,
      )
      .orderBy('dueDate')
      .orderBy('id')
      .limit(limit)
    if (only !== undefined) query = query.where('id', '=', only)
    if (unaddressed !== undefined) query = query.where(recipientOf, unaddressed ? 'is' : 'is not', null)
    for (const { id, number, customerName, dueDate, ...row } of await query.execute())
      found.push({
        step,
        invoiceId: id,
        invoiceNumber: number!,
        customerName: customerName ?? '',
        dueDate: dueDate!,
        ...row,
      })
  }
  return found
}
