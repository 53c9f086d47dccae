import type { Invoice } from '#shared/contract/invoices.ts'
import type { EInvoiceFormat } from '#shared/e-invoice.ts'
import type { Tx } from '#server/db/database.ts'
import { issuedAsToday, madeAs } from './made-as.ts'
import { xmlOf } from './xml-of-record.ts'

export interface MailedXml {
  /** The file that is attached; null: none is, or it is inside the PDF. */
  format: Exclude<EInvoiceFormat, 'facturx'> | null
  /** Words: why the customer gets none although the organization has a profile. */
  why: string[]
}

/** What XML an issued invoice goes out with. It goes out without rather than not at all, and whoever sends it is told. */
export async function mailedXml(tx: Tx, invoice: Invoice): Promise<MailedXml> {
  const { profile } = await madeAs(tx, invoice)
  if (profile === 'none') return { format: null, why: await whyPlain(tx, invoice) }
  const xml = await xmlOf(tx, invoice, profile)
  if (typeof xml !== 'string') return { format: null, why: xml.map(({ detail }) => detail) }
  return { format: profile === 'facturx' ? null : profile, why: [] }
}

/** Why what was issued without a profile was, where the organization has one by now; else nothing is to be said. */
export async function whyPlain(tx: Tx, invoice: Invoice): Promise<string[]> {
  const { chosen } = await tx
    .selectFrom('organizations')
    .select('eInvoiceProfile as chosen')
    .where('id', '=', invoice.organizationId)
    .executeTakeFirstOrThrow()
  if (chosen === 'none') return []
  const { why } = await issuedAsToday(tx, invoice, chosen as EInvoiceFormat)
  return [why ?? 'It was issued before an e-invoice profile was chosen']
}
