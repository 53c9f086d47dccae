// Mails an issued invoice: the person's words, the PDF of record, the XML where it was issued with a profile (outgoing/mailed-xml.ts), and a link to its public page.
import type { Invoice, InvoiceSending } from '#shared/contract/invoices.ts'
import type { Organization } from '#shared/contract/organizations.ts'
import { ProblemError } from '#shared/problem.ts'
import type { TenantCall } from '#server/context.ts'
import type { Tx } from '#server/db/database.ts'
import { mailInvoice, type InvoiceMailing } from '#server/outgoing/invoice-mail.ts'
import { mailedXml } from '#server/outgoing/mailed-xml.ts'
import { refuseTooManyMails } from '#server/mail/limit.ts'
import { nextRevision } from '#server/rows/revision.ts'

export async function sendInvoice(
  call: TenantCall<InvoiceSending, unknown>,
  invoice: Invoice,
  organization: Organization,
): Promise<void> {
  const { tx, organizationId, body, ifMatch, caller, now, services } = call
  if (invoice.status === 'draft' || invoice.status === 'void') throw new ProblemError('invalid_transition')
  await refuseTooManyMails(tx, organizationId, now)
  const by = { sentBy: caller.userId, linkedBy: caller.userId, apiPublicUrl: services.apiPublicUrl, now }
  await mailAsSent(tx, { ...by, organization, invoice, words: body, version: ifMatch! })
}

interface Sent extends Pick<InvoiceMailing, 'organization' | 'words' | 'sentBy' | 'linkedBy' | 'apiPublicUrl' | 'now'> {
  invoice: Invoice
  version: number
}

/** By a person or by a recurring invoice's rule: the one way that an invoice goes out. */
export async function mailAsSent(tx: Tx, { version, ...mailing }: Sent): Promise<void> {
  const { invoice, now } = mailing
  const { organizationId, id } = invoice
  const { format } = await mailedXml(tx, invoice)
  const xml = format === null ? [] : [{ invoiceId: id, kind: format } as const]
  await mailInvoice(tx, { ...mailing, kind: 'invoice', attachments: [{ invoiceId: id, kind: 'pdf' }, ...xml] })
  const revision = await nextRevision(tx, organizationId)
  const { numUpdatedRows } = await tx
    .updateTable('invoices')
    .set({ sentAt: now, version: version + 1, revision, updatedAt: now })
    .where('organizationId', '=', organizationId)
    .where('id', '=', id)
    .where('version', '=', version)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) throw new ProblemError('stale')
}
