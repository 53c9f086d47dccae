// What is owed by how late it is: the database adds up by due date, the rule that both sides share sorts the sums.
import { sql } from 'kysely'
import { ageGroupOf } from '#shared/dashboard.ts'
import type { Tx } from '#server/db/database.ts'

/** What is still due of an invoice. */
const due = sql<bigint>`gross_amount - paid_amount - credited_amount`

export interface Owed {
  currency: string
  group: number
  count: number
  amount: bigint
}

export async function owedByAge(tx: Tx, organizationId: string, today: string): Promise<Owed[]> {
  const rows = await tx
    .selectFrom('invoices')
    .select(['currency', 'dueDate', sql<bigint>`count(*)`.as('count'), sql<string>`sum(${due})`.as('amount')])
    .where('organizationId', '=', organizationId)
    .where('type', '=', '380')
    .where('status', '=', 'issued')
    .where('deletedAt', 'is', null)
    .where(sql<boolean>`${due} > 0`)
    .groupBy(['currency', 'dueDate'])
    .execute()
  return rows.map(({ currency, dueDate, count, amount }) => ({
    currency,
    group: ageGroupOf(dueDate, today),
    count: Number(count),
    amount: BigInt(amount),
  }))
}
