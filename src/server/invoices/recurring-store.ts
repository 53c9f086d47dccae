// Rows of recurring invoices and the one mapping to their contract.
import type { Recurring, RecurringEdit, RecurringQuery } from '#shared/contract/recurring.ts'
import { addDays, startOfDay } from '#shared/dates.ts'
import { toMoney } from '#shared/money.ts'
import { nextOccurrence } from '#shared/recurrence.ts'
import type { Tx } from '#server/db/database.ts'
import { setDue } from '#server/due-work.ts'
import { pageStart, toPage } from '#server/paging.ts'
import { holdRevision } from '#server/revision.ts'
import type { Draft } from './draft.ts'

const rows = (tx: Tx, organizationId: string) =>
  tx
    .selectFrom('recurringInvoices')
    .innerJoin('customers', (join) =>
      join
        .onRef('customers.organizationId', '=', 'recurringInvoices.organizationId')
        .onRef('customers.id', '=', 'recurringInvoices.customerId'),
    )
    .selectAll('recurringInvoices')
    .select('customers.name as customerName')
    .where('recurringInvoices.organizationId', '=', organizationId)
    .where('recurringInvoices.deletedAt', 'is', null)

type Row = Awaited<ReturnType<ReturnType<typeof rows>['execute']>>[number]

export async function findRecurring(tx: Tx, organizationId: string, id: string): Promise<Recurring | null> {
  const found = await rows(tx, organizationId).where('recurringInvoices.id', '=', id).executeTakeFirst()
  return found ? fromRow(found) : null
}

/** Held until the commit: a job that writes one comes before or after, never between. */
export async function holdRecurring(tx: Tx, organizationId: string, id: string): Promise<Recurring | null> {
  const found = await rows(tx, organizationId)
    .where('recurringInvoices.id', '=', id)
    .forUpdate('recurringInvoices')
    .executeTakeFirst()
  return found ? fromRow(found) : null
}

/** The latest that was made first. */
export async function listRecurring(tx: Tx, organizationId: string, asked: RecurringQuery) {
  const start = pageStart(asked, 'text')
  let query = rows(tx, organizationId)
    .orderBy('recurringInvoices.id', 'desc')
    .limit(asked.limit + 1)
  if (start) query = query.where('recurringInvoices.id', '<', start.id)
  return toPage(await query.execute(), asked, ({ id }) => ({ key: '', id }), fromRow)
}

/** The columns that what a person asked for fills. `today`: in the organization's zone; nothing is made for days that are past. */
export function recurringColumns(asked: RecurringEdit, draft: Draft, lastOn: string | null, today: string) {
  const { invoice, ...schedule } = asked
  const next = nextOccurrence(asked, today)
  return {
    ...schedule,
    customerId: invoice.customerId!,
    invoice: JSON.stringify(invoice),
    currency: draft.content.currency,
    grossAmount: draft.amounts.totals.gross,
    // Today's was made already.
    nextOn: next !== null && next === lastOn ? nextOccurrence(asked, addDays(next, 1)) : next,
    lastProblem: null,
  }
}

/** Notes for the jobs when the next one of the organization is due. One after the other: else what another has written and not yet committed is overlooked. */
export async function noteNext(tx: Tx, organizationId: string, timeZone: string): Promise<void> {
  await holdRevision(tx, organizationId)
  const { soonest } = await tx
    .selectFrom('recurringInvoices')
    .select((eb) => eb.fn.min('nextOn').as('soonest'))
    .where('organizationId', '=', organizationId)
    .where('deletedAt', 'is', null)
    .where('paused', '=', false)
    .executeTakeFirstOrThrow()
  const dueAt = soonest === null ? null : new Date(startOfDay(soonest, timeZone)).toISOString()
  await setDue(tx, organizationId, 'recurring', dueAt)
}

function fromRow({ grossAmount, issuingInvoiceId: _, createdBy: __, deletedAt: ___, ...row }: Row): Recurring {
  return {
    ...(row as Omit<Recurring, 'gross'>),
    nextOn: row.paused ? null : row.nextOn,
    gross: toMoney(grossAmount, row.currency),
  }
}
