// Links to an invoice's public page: kept as the hash of their token, good until they are revoked.
import type { Tx } from '#server/db/database.ts'

interface Place {
  tx: Tx
  organizationId: string
  now: string
}

/**
 * `userId`: whose it is; of a reminder by a rule, who made the rule. False when this token is taken: by another invoice, or by a link that was revoked and
 * stays so.
 */
export async function insertPublicLink(
  { tx, organizationId, now }: Place,
  userId: string,
  invoiceId: string,
  tokenHash: string,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('publicLinks')
    .values({ tokenHash, organizationId, invoiceId, createdBy: userId, createdAt: now, revokedAt: null })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  if (numInsertedOrUpdatedRows === 1n) return true
  const same = await tx
    .selectFrom('publicLinks')
    .select('tokenHash')
    .where('organizationId', '=', organizationId)
    .where('invoiceId', '=', invoiceId)
    .where('tokenHash', '=', tokenHash)
    .where('revokedAt', 'is', null)
    .executeTakeFirst()
  return same !== undefined
}

/** All of the invoice's, those in mails too. False when there were none. */
export async function revokePublicLinks({ tx, organizationId, now }: Place, invoiceId: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('publicLinks')
    .set({ revokedAt: now })
    .where('organizationId', '=', organizationId)
    .where('invoiceId', '=', invoiceId)
    .where('revokedAt', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}
