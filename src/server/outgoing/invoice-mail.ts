// A mail with an invoice, sent by a person or by a rule: its words, its documents, a link to the public page, and that it went to whom.
import { sql } from 'kysely'
import type { Invoice, InvoiceSending } from '#shared/contract/invoices.ts'
import type { Organization } from '#shared/contract/organizations.ts'
import { apiPath } from '#shared/endpoint.ts'
import { uuidv7 } from '#shared/ids.ts'
import type { Tx } from '#server/db/database.ts'
import { queueMail, type Attachment } from '#server/mail/queue.ts'
import { invoiceMail } from '#server/mail/templates.ts'
import { insertPublicLink } from '#server/rows/public-links.ts'
import { nextRevision } from '#server/rows/revision.ts'
import { randomToken, tokenHash } from '#server/http/tokens.ts'

export interface InvoiceMailing {
  organization: Pick<Organization, 'id' | 'name' | 'contact'>
  invoice: Pick<Invoice, 'id' | 'type' | 'language' | 'sentAt'>
  kind: 'invoice' | 'reminder'
  words: InvoiceSending
  attachments: readonly Attachment[]
  /** Who sends it; null: the rule of `linkedBy`. */
  sentBy: string | null
  linkedBy: string
  /** Of the rule: each goes out once for an invoice. */
  step?: { id: string; days: number }
  apiPublicUrl: string
  now: string
}

export async function mailInvoice(tx: Tx, mailing: InvoiceMailing): Promise<void> {
  const { organization, invoice, kind, words, attachments, sentBy, linkedBy, step, apiPublicUrl, now } = mailing
  const organizationId = organization.id
  const { id: invoiceId } = invoice
  const token = randomToken('i')
  await insertPublicLink({ tx, organizationId, now }, linkedBy, { kind: 'invoice', id: invoiceId }, tokenHash(token))
  // The same id for both: what became of the one is asked of the other.
  const id = uuidv7(Date.parse(now))
  await tx
    .insertInto('invoiceMails')
    .values({
      organizationId,
      id,
      invoiceId,
      kind,
      recipient: words.to,
      ownRecipient: sql<boolean>`not exists (
        select from invoices i left join customers c on c.organization_id = i.organization_id and c.id = i.customer_id
        where i.organization_id = ${organizationId} and i.id = ${invoiceId} and lower(c.email) = lower(${words.to}::text)
      )`,
      sentBy,
      sentAt: now,
      reminderStep: step?.id ?? null,
      reminderDays: step?.days ?? null,
    })
    .execute()
  // By a reminder as well the customer gets it; its version stays, so that nothing that somebody has open becomes stale.
  if (invoice.sentAt === null && kind === 'reminder')
    await tx
      .updateTable('invoices')
      .set({ sentAt: now, revision: await nextRevision(tx, organizationId), updatedAt: now })
      .where('organizationId', '=', organizationId)
      .where('id', '=', invoiceId)
      .execute()
  await queueMail(
    tx,
    {
      id,
      to: words.to,
      kind,
      organizationId,
      replyTo: organization.contact.email,
      senderName: organization.name,
      attachments,
      ...invoiceMail(invoice, words.message, `${apiPublicUrl}${apiPath}/public/invoices/${token}`),
      subject: words.subject,
    },
    now,
  )
}
