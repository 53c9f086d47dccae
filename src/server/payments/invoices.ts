// What payments need of invoices. Who calls holds the organization's counter row: nobody else changes these sums meanwhile.
import type { Tx } from '#server/db/database.ts'

export async function findToPay(tx: Tx, organizationId: string, ids: readonly string[]) {
  const rows = await tx
    .selectFrom('invoices')
    .select(['id', 'type', 'status', 'number', 'currency', 'customerId', 'customerName'])
    .select(['grossAmount', 'paidAmount', 'creditedAmount'])
    .where('organizationId', '=', organizationId)
    .where('id', 'in', ids)
    .where('deletedAt', 'is', null)
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

/** Its revision moves, its version does not: what a person may change of an invoice is not what is paid of it (decision 022). */
export async function changePaid(
  tx: Tx,
  changed: { organizationId: string; invoiceId: string; by: bigint; revision: bigint; now: string },
): Promise<void> {
  await tx
    .updateTable('invoices')
    .set((eb) => ({
      paidAmount: eb('paidAmount', '+', changed.by),
      revision: changed.revision,
      updatedAt: changed.now,
    }))
    .where('organizationId', '=', changed.organizationId)
    .where('id', '=', changed.invoiceId)
    .execute()
}
