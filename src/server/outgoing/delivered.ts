import type { Invoice } from '#shared/contract/invoices.ts'
import type { Tx } from '#server/db/database.ts'
import { isCertainlyLost } from '#server/mail/state.ts'

/**
 * When an issued invoice first reached its customer, or may have: they saw it by a link, or a mail with it went out that did not certainly fail. Null: nobody
 * has it. `isHeld`: until the commit no mail of it that failed is tried again.
 */
export async function deliveredAt(
  tx: Tx,
  { organizationId, id, sentAt, viewedAt }: Pick<Invoice, 'organizationId' | 'id' | 'sentAt' | 'viewedAt'>,
  now: string,
  isHeld = false,
): Promise<string | null> {
  if (sentAt === null || viewedAt !== null) return viewedAt
  const sendings = await tx
    .selectFrom('invoiceMails')
    .select('id')
    .where('organizationId', '=', organizationId)
    .where('invoiceId', '=', id)
    .execute()
  const mails = await tx
    .selectFrom('mails')
    .select(['sentAt', 'givenUpAt', 'endedAt', 'endedAs', 'failure', 'handedOverAt'])
    .where('organizationId', '=', organizationId)
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('invoiceMails')
        .select('invoiceMails.id')
        .where('invoiceMails.organizationId', '=', organizationId)
        .where('invoiceMails.invoiceId', '=', id),
    )
    .$if(isHeld, (query) => query.forUpdate('mails'))
    .execute()
  // What became of one that is forgotten by now (server/purge.ts) nobody knows.
  const areLost = sendings.length > 0 && mails.length === sendings.length
  return areLost && mails.every((mail) => isCertainlyLost(mail, now)) ? null : sentAt
}
