import { sql } from 'kysely'
import type { CurrencyFigures } from '#shared/contract/dashboard.ts'
import { topCustomersShown } from '#shared/dashboard.ts'
import { toMoney } from '#shared/money.ts'
import type { Tx } from '#server/db/database.ts'
import { signedGross } from '#server/rows/invoice-row.ts'

/** Currency -> to whom most was invoiced since the first of that month, what was credited taken off. */
export async function topCustomers(
  tx: Tx,
  organizationId: string,
  firstMonth: string,
): Promise<Map<string, CurrencyFigures['topCustomers']>> {
  const sums = tx
    .selectFrom('invoices')
    .select(['currency', 'customerId', sql<string>`sum(${signedGross})`.as('amount')])
    // What the latest of them calls the customer: the device, which has no customers that were deleted, says the same.
    .select(sql<string>`(array_agg(customer_name order by issue_date desc, id desc))[1]`.as('name'))
    .select(
      sql<bigint>`row_number() over (partition by currency order by sum(${signedGross}) desc, customer_id)`.as('place'),
    )
    .where('organizationId', '=', organizationId)
    .where('status', 'in', ['issued', 'uncollectible'])
    .where('issueDate', '>=', `${firstMonth}-01`)
    .where('customerId', 'is not', null)
    .groupBy(['currency', 'customerId'])
    .having(sql<boolean>`sum(${signedGross}) > 0`)
  const rows = await tx
    .selectFrom(sums.as('sums'))
    .selectAll()
    .where('place', '<=', BigInt(topCustomersShown))
    .orderBy('currency')
    .orderBy('place')
    .execute()
  return new Map(
    [...Map.groupBy(rows, ({ currency }) => currency)].map(([currency, ones]) => [
      currency,
      ones.map(({ customerId, name, amount }) => ({
        customerId: customerId!,
        name,
        invoiced: toMoney(BigInt(amount), currency),
      })),
    ]),
  )
}
