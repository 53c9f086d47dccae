// Mails an issued invoice: the person's words, the PDF of record, the XML where the organization chose a profile, and a link to its public page.
import type { Invoice, InvoiceSending } from '#shared/contract/invoices.ts'
import type { Organization } from '#shared/contract/organizations.ts'
import { eInvoiceErrors } from '#shared/e-invoice.ts'
import { apiPath } from '#shared/endpoint.ts'
import { uuidv7 } from '#shared/ids.ts'
import { ProblemError } from '#shared/problem.ts'
import type { TenantCall } from '#server/context.ts'
import { queueMail } from '#server/mail/queue.ts'
import { invoiceMail } from '#server/mail/templates.ts'
import { nextRevision } from '#server/revision.ts'
import { randomToken, tokenHash } from '#server/tokens.ts'
import { insertPublicLink } from './public-links.ts'

/** An organization's mails to its customers in an hour: a stolen or careless account is no source of mass mail. */
const mostPerHour = 200
const hourMs = 3_600_000

export async function sendInvoice(
  call: TenantCall<InvoiceSending, unknown>,
  invoice: Invoice,
  organization: Organization,
): Promise<void> {
  const { tx, organizationId, body, ifMatch, caller, now, services } = call
  if (invoice.status === 'draft' || invoice.status === 'void') throw new ProblemError('invalid_transition')
  await refuseTooMany(call)
  const token = randomToken('i')
  await insertPublicLink(call, invoice.id, tokenHash(token))
  const { eInvoiceProfile: profile } = organization
  // Chosen after this one was issued: it goes out without, rather than not at all.
  const asXml = profile !== 'none' && eInvoiceErrors(profile, invoice, invoice.seller!, invoice.buyer!).length === 0
  await queueMail(
    tx,
    {
      to: body.to,
      kind: 'invoice',
      organizationId,
      replyTo: organization.contact.email,
      attachments: [
        { invoiceId: invoice.id, kind: 'pdf' },
        ...(asXml ? [{ invoiceId: invoice.id, kind: profile } as const] : []),
      ],
      ...invoiceMail(invoice.language, body.message, `${services.apiPublicUrl}${apiPath}/public/invoices/${token}`),
      subject: body.subject,
    },
    now,
  )
  const sent = { organizationId, id: uuidv7(), invoiceId: invoice.id, recipient: body.to }
  await tx
    .insertInto('invoiceMails')
    .values({ ...sent, sentBy: caller.userId, sentAt: now })
    .execute()
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

async function refuseTooMany({ tx, organizationId, now }: TenantCall<unknown, unknown>): Promise<void> {
  const since = new Date(Date.parse(now) - hourMs).toISOString()
  const { count } = await tx
    .selectFrom('invoiceMails')
    .select((eb) => eb.fn.countAll<bigint>().as('count'))
    .where('organizationId', '=', organizationId)
    .where('sentAt', '>', since)
    .executeTakeFirstOrThrow()
  if (count >= BigInt(mostPerHour)) throw new ProblemError('too_many_requests', {}, { 'retry-after': '600' })
}
