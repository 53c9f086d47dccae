// The XML of an issued invoice: issuing keeps it as the profile of that day has it, so that neither a later choice nor a later build's serializer makes
// another. What was issued without that profile, or by an older build, is written from what was frozen when somebody asks.
import { createHash } from 'node:crypto'
import { eInvoiceXml } from '#documents/e-invoice/xml.ts'
import type { IssuedDocument } from '#documents/content.ts'
import type { Invoice } from '#shared/contract/invoices.ts'
import { eInvoiceErrors, type EInvoiceFormat } from '#shared/e-invoice.ts'
import type { FieldError } from '#shared/problem-form.ts'
import type { Tx } from '#server/db/database.ts'

type InvoiceIds = Pick<Invoice, 'organizationId' | 'id'>

/** Inside the transaction that issues: whoever sees the invoice sees its XML. */
export async function keepXml(
  tx: Tx,
  { organizationId, id }: InvoiceIds,
  document: IssuedDocument,
  format: EInvoiceFormat,
  now: string,
): Promise<void> {
  const content = new TextEncoder().encode(eInvoiceXml(document, format))
  const contentHash = createHash('sha256').update(content).digest('hex')
  await tx
    .insertInto('invoiceFiles')
    .values({ organizationId, invoiceId: id, kind: kindOf(format), content, contentHash, madeAt: now })
    .execute()
}

/** The kept one, or one that is written now; what keeps it from being written, in fields, where a rule would fail. */
export async function xmlOf(tx: Tx, invoice: Invoice, format: EInvoiceFormat): Promise<string | FieldError[]> {
  const kept = await keptXml(tx, invoice, format)
  if (kept !== null) return kept
  const errors = eInvoiceErrors(format, invoice, invoice.seller!, invoice.buyer!)
  return errors.length > 0 ? errors : eInvoiceXml(invoice, format)
}

/** The same, of what is known to pass the rules. */
export async function passedXml(tx: Tx, invoice: Invoice, format: EInvoiceFormat): Promise<string> {
  return (await keptXml(tx, invoice, format)) ?? eInvoiceXml(invoice, format)
}

async function keptXml(tx: Tx, { organizationId, id }: InvoiceIds, format: EInvoiceFormat): Promise<string | null> {
  const kept = await tx
    .selectFrom('invoiceFiles')
    .select('content')
    .where('organizationId', '=', organizationId)
    .where('invoiceId', '=', id)
    .where('kind', '=', kindOf(format))
    .executeTakeFirst()
  return kept ? new TextDecoder().decode(kept.content) : null
}

/** Not the format alone: `facturx` is the PDF that holds it. */
function kindOf(format: EInvoiceFormat): string {
  return `${format}.xml`
}
