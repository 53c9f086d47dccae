import type { Invoice } from '#shared/contract/invoices.ts'
import type { Database, Tx } from '#server/db/database.ts'
import { logoOf } from './logo-file.ts'
import { madeAs } from './made-as.ts'
import { drawOnce } from './pdf-drawing.ts'
import { keptPdf, pdfOfRecord } from './pdf-of-record.ts'

type Content = Uint8Array<ArrayBuffer>

/**
 * What somebody gets who asks for an issued invoice's PDF: that of record. Of a void one a copy that says so, without the XML of a hybrid, which would
 * be booked: the record stays as it was issued, and would still ask to be paid. What is not drawn yet is, once the transaction is over.
 */
export async function handedOutPdf(
  db: Database,
  tx: Tx,
  invoice: Invoice,
  now: string,
): Promise<Content | (() => Promise<Content>)> {
  if (invoice.status !== 'void')
    return (await keptPdf(tx, invoice))?.content ?? (async () => (await pdfOfRecord(db, invoice, now)).content)
  const { organizationId, id, buyer } = invoice
  const seller = invoice.seller!
  const { paperSize: size } = await madeAs(tx, invoice)
  const logo = await logoOf(tx, organizationId, seller)
  const paper = { document: invoice, seller, buyer, size, logo: logo?.content ?? null, isVoid: true }
  return () => drawOnce(`${organizationId} ${id} void ${size}`, { paper, xml: null })
}
