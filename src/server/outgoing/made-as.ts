import { sql } from 'kysely'
import type { Invoice } from '#shared/contract/invoices.ts'
import { eInvoiceErrors } from '#shared/e-invoice.ts'
import type { Tx } from '#server/db/database.ts'
import type { MadeAs } from '#server/rows/whole-invoice.ts'

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
  const { profile, paperSize } = chosen as Omit<MadeAs, 'pdfKind'>
  const isHybrid =
    profile === 'facturx' && eInvoiceErrors('facturx', invoice, invoice.seller!, invoice.buyer!).length === 0
  return { profile, paperSize, pdfKind: isHybrid ? 'facturx' : 'pdf' }
}
