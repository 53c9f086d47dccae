import { sql } from 'kysely'
import type { Invoice } from '#shared/contract/invoices.ts'
import { issuedAs, type IssuedAs } from '#shared/e-invoice-profile.ts'
import type { Tx } from '#server/db/database.ts'
import { correctedBy, type MadeAs } from '#server/rows/whole-invoice.ts'

/** What an issued invoice's documents are made as: what issuing froze, or where an older build issued it, today's choices as far as this invoice can be it. */
export async function madeAs(tx: Tx, invoice: Invoice): Promise<MadeAs> {
  const { frozen, ...chosen } = await tx
    .selectFrom('issuedInvoices')
    .innerJoin('organizations', 'organizations.id', 'issuedInvoices.organizationId')
    .select(['organizations.eInvoiceProfile as profile', 'organizations.paperSize'])
    .select(sql<MadeAs | null>`issued_invoices.content -> 'madeAs'`.as('frozen'))
    .where('issuedInvoices.organizationId', '=', invoice.organizationId)
    .where('issuedInvoices.invoiceId', '=', invoice.id)
    .executeTakeFirstOrThrow()
  if (frozen) return frozen
  const { profile: wanted, paperSize } = chosen as Omit<MadeAs, 'pdfKind'>
  const { profile, errors } = await issuedAsToday(tx, invoice, wanted)
  return { profile, paperSize, pdfKind: profile === 'facturx' && errors.length === 0 ? 'facturx' : 'pdf' }
}

/** What this issued invoice would be issued as if the organization chose that profile. */
export async function issuedAsToday(tx: Tx, invoice: Invoice, chosen: MadeAs['profile']): Promise<IssuedAs> {
  const corrected = await correctedBy(tx, invoice, invoice.issueDate!)
  return issuedAs(chosen, invoice, invoice.seller!, invoice.buyer!, corrected)
}
