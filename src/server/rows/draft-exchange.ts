import { sql } from 'kysely'
import type { Tx } from '#server/db/database.ts'

/**
 * An exchange rate is into the organization's currency: when that changes, its drafts have none any more. Their version moves: who issues one
 * that had a rate is asked first. A credit note keeps the rate of its invoice.
 */
export async function dropExchanges(tx: Tx, organizationId: string, revision: bigint): Promise<void> {
  await tx
    .updateTable('invoices')
    .set({
      exchangeRate: null,
      exchangeDate: null,
      exchangeSource: null,
      accountingCurrency: null,
      revision,
      version: sql`version + 1`,
    })
    .where('organizationId', '=', organizationId)
    .where('status', '=', 'draft')
    .where('type', '=', '380')
    .where('exchangeRate', 'is not', null)
    .execute()
}
