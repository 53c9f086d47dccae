// Links to an invoice's public page: kept as the hash of their token, good until they are revoked.
import type { TenantCall } from '#server/context.ts'

type AnyCall = Pick<TenantCall<unknown, unknown>, 'tx' | 'organizationId' | 'caller' | 'now'>

export async function insertPublicLink(call: AnyCall, invoiceId: string, tokenHash: string): Promise<void> {
  const { tx, organizationId, caller, now } = call
  await tx
    .insertInto('publicLinks')
    .values({ tokenHash, organizationId, invoiceId, createdBy: caller.userId, createdAt: now, revokedAt: null })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** All of the invoice's, those in mails too. */
export async function revokePublicLinks({ tx, organizationId, now }: AnyCall, invoiceId: string): Promise<void> {
  await tx
    .updateTable('publicLinks')
    .set({ revokedAt: now })
    .where('organizationId', '=', organizationId)
    .where('invoiceId', '=', invoiceId)
    .where('revokedAt', 'is', null)
    .execute()
}
