import type { Tx } from '#server/db/database.ts'

/**
 * The organization's next revision: the cursor of the changes feed (OFFLINE.md). Locks the counter row until the commit, so that no
 * committed change is ever skipped; taken last in a transaction (DOMAIN.md: idempotency row, series, revision).
 */
export async function nextRevision(tx: Tx, organizationId: string): Promise<bigint> {
  const { revision } = await tx
    .updateTable('organizationRevisions')
    .set((eb) => ({ revision: eb('revision', '+', 1n) }))
    .where('organizationId', '=', organizationId)
    .returning('revision')
    .executeTakeFirstOrThrow()
  return revision
}

/** Takes the lock alone: what the feed does not tell of is decided in the same order. */
export async function holdRevision(tx: Tx, organizationId: string): Promise<void> {
  await tx
    .selectFrom('organizationRevisions')
    .select('revision')
    .where('organizationId', '=', organizationId)
    .forUpdate()
    .executeTakeFirstOrThrow()
}
