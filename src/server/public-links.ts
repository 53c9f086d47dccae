// Links to an invoice's public page: kept as the hash of their token, good until they are revoked.
import type { Tx } from './db/database.ts'

interface Place {
  tx: Tx
  organizationId: string
  now: string
}

/** `userId`: whose it is; of a reminder by a rule, who made the rule. */
export async function insertPublicLink(
  { tx, organizationId, now }: Place,
  userId: string,
  invoiceId: string,
  tokenHash: string,
): Promise<void> {
  await tx
    .insertInto('publicLinks')
    .values({ tokenHash, organizationId, invoiceId, createdBy: userId, createdAt: now, revokedAt: null })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** All of the invoice's, those in mails too. */
export async function revokePublicLinks({ tx, organizationId, now }: Place, invoiceId: string): Promise<void> {
  await tx
    .updateTable('publicLinks')
    .set({ revokedAt: now })
    .where('organizationId', '=', organizationId)
    .where('invoiceId', '=', invoiceId)
    .where('revokedAt', 'is', null)
    .execute()
}
