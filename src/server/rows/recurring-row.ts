// A recurring invoice's rows and the one mapping to its contract: for its own resource, the job that writes invoices, and the activity.
import type { Recurring, RecurringQuery } from '#shared/contract/recurring.ts'
import { toMoney } from '#shared/money.ts'
import type { Tx } from '#server/db/database.ts'
import { pageStart, toPage } from '#server/http/paging.ts'

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

function fromRow({ grossAmount, issuingInvoiceId: _, createdBy: __, deletedAt: ___, ...row }: Row): Recurring {
  return {
    ...(row as Omit<Recurring, 'gross'>),
    nextOn: row.paused ? null : row.nextOn,
    gross: toMoney(grossAmount, row.currency),
  }
}
