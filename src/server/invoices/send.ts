// Mails an issued invoice: the person's words, the PDF of record, the XML where it was issued with a profile, and a link to its public page.
import type { Invoice, InvoiceSending } from '#shared/contract/invoices.ts'
import type { Organization } from '#shared/contract/organizations.ts'
import { ProblemError } from '#shared/problem.ts'
import type { TenantCall } from '#server/context.ts'
import { mailInvoice } from '#server/outgoing/invoice-mail.ts'
import { madeAs } from '#server/outgoing/made-as.ts'
import { xmlOf } from '#server/outgoing/xml-of-record.ts'
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
  const { profile } = await madeAs(tx, invoice)
  // Issued by an older build, before the profile was chosen: it goes out without, rather than not at all.
  // That of Factur-X is inside the PDF.
  const asXml = profile !== 'none' && profile !== 'facturx' && typeof (await xmlOf(tx, invoice, profile)) === 'string'
  await mailInvoice(tx, {
    organization,
    invoice,
    kind: 'invoice',
    words: body,
    attachments: [
      { invoiceId: invoice.id, kind: 'pdf' },
      ...(asXml ? [{ invoiceId: invoice.id, kind: profile } as const] : []),
    ],
    sentBy: caller.userId,
    linkedBy: caller.userId,
    apiPublicUrl: services.apiPublicUrl,
    now,
  })
  const revision = await nextRevision(tx, organizationId)
  const { numUpdatedRows } = await tx
    .updateTable('invoices')
    .set({ sentAt: now, version: ifMatch! + 1, revision, updatedAt: now })
    .where('organizationId', '=', organizationId)
    .where('id', '=', invoice.id)
    .where('version', '=', ifMatch!)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) throw new ProblemError('stale')
}
