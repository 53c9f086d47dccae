// Links to the public page of an invoice or a quote: kept as the hash of their token, good until they are revoked.
import type { Tx } from '#server/db/database.ts'

interface Place {
  tx: Tx
  organizationId: string
  now: string
}

/** What a link shows: a quote's as the edition that is out by then. */
export interface Linked {
  kind: 'invoice' | 'quote'
  id: string
}

const tables = { invoice: ['publicLinks', 'invoiceId'], quote: ['quoteLinks', 'quoteId'] }
/** The two tables are alike but for the name of one column. */
const tableOf = ({ kind }: Linked) => tables[kind] as ['publicLinks', 'invoiceId']

/** `userId`: whose it is; of a reminder by a rule, who made the rule. False when this token is taken: by another's link, or by one that was revoked and stays so. */
export async function insertPublicLink(
  { tx, organizationId, now }: Place,
  userId: string,
  linked: Linked,
  tokenHash: string,
): Promise<boolean> {
  const [table, linkedId] = tableOf(linked)
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto(table)
    .values({ tokenHash, organizationId, [linkedId]: linked.id, createdBy: userId, createdAt: now, revokedAt: null })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  if (numInsertedOrUpdatedRows === 1n) return true
  const same = await tx
    .selectFrom(table)
    .select('tokenHash')
    .where('organizationId', '=', organizationId)
    .where(linkedId, '=', linked.id)
    .where('tokenHash', '=', tokenHash)
    .where('revokedAt', 'is', null)
    .executeTakeFirst()
  return same !== undefined
}

/** All of them, those in mails too. False when there were none. */
export async function revokePublicLinks({ tx, organizationId, now }: Place, linked: Linked): Promise<boolean> {
  const [table, linkedId] = tableOf(linked)
  const { numUpdatedRows } = await tx
    .updateTable(table)
    .set({ revokedAt: now })
    .where('organizationId', '=', organizationId)
    .where(linkedId, '=', linked.id)
    .where('revokedAt', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}
