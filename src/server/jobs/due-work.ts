// What an organization wants done at a time, at most one of each kind: noted in the transaction that causes it, done by a job (jobs/runner.ts).
import type { workKinds } from '#shared/contract/failures.ts'
import type { Tx } from '#server/db/database.ts'

export type WorkKind = (typeof workKinds)[number]

/** The next time, as ISO 8601 text; null: nothing is to be done. What failed before is forgotten: this is another try. */
export async function setDue(tx: Tx, organizationId: string, kind: WorkKind, dueAt: string | null): Promise<void> {
  if (dueAt === null) {
    await tx.deleteFrom('dueWork').where('organizationId', '=', organizationId).where('kind', '=', kind).execute()
    return
  }
  const fresh = { dueAt, failures: 0, failedAt: null, lastError: null }
  await tx
    .insertInto('dueWork')
    .values({ organizationId, kind, ...fresh })
    .onConflict((conflict) => conflict.columns(['organizationId', 'kind']).doUpdateSet(fresh))
    .execute()
}

/** Of every kind: the organization closes. */
export async function forgetDue(tx: Tx, organizationId: string): Promise<void> {
  await tx.deleteFrom('dueWork').where('organizationId', '=', organizationId).execute()
}
