// The PDF of an issued invoice: made once from what was frozen, kept with its hash, and from then on only read. Whoever comes first makes it,
// as a rule the process that has just issued, after its commit; the number's transaction does not wait for it.
import { createHash } from 'node:crypto'
import type { Invoice } from '#shared/contract/invoices.ts'
import type { Database, Tx } from './db/database.ts'
import { drawPdf, paperOf, type Paper } from './draw-pdf.ts'
import { findInvoice } from './whole-invoice.ts'

const kind = 'pdf'

interface PdfOfRecord {
  content: Uint8Array<ArrayBuffer>
  /** SHA-256 in hexadecimal. */
  contentHash: string
}

/** Reads it, or makes it inside this transaction: the rare case that nobody has made it before. */
export async function pdfOfRecord(tx: Tx, invoice: Invoice, now: string): Promise<PdfOfRecord> {
  return (
    (await find(tx, invoice)) ?? keep(tx, invoice, await draw(invoice, await paperOf(tx, invoice.organizationId)), now)
  )
}

/** Makes it between two transactions, so that none waits for the drawing. */
export async function makePdfOfRecord(db: Database, ids: InvoiceIds, now: string): Promise<void> {
  const scope = { organizationIds: [ids.organizationId] }
  const wanted = await db.asApp(scope, async (tx) => {
    const invoice = (await find(tx, ids)) ? null : await findInvoice(tx, ids.organizationId, ids.id, now.slice(0, 10))
    return invoice && { invoice, size: await paperOf(tx, ids.organizationId) }
  })
  if (!wanted) return
  const content = await draw(wanted.invoice, wanted.size)
  await db.asApp(scope, (tx) => keep(tx, ids, content, now))
}

type InvoiceIds = Pick<Invoice, 'organizationId' | 'id'>

function find(tx: Tx, { organizationId, id }: InvoiceIds): Promise<PdfOfRecord | undefined> {
  return tx
    .selectFrom('invoiceFiles')
    .select(['content', 'contentHash'])
    .where('organizationId', '=', organizationId)
    .where('invoiceId', '=', id)
    .where('kind', '=', kind)
    .executeTakeFirst()
}

async function keep(tx: Tx, ids: InvoiceIds, content: Uint8Array<ArrayBuffer>, now: string): Promise<PdfOfRecord> {
  const contentHash = createHash('sha256').update(content).digest('hex')
  await tx
    .insertInto('invoiceFiles')
    .values({ organizationId: ids.organizationId, invoiceId: ids.id, kind, content, contentHash, madeAt: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  // Somebody may have been faster: then theirs is the one.
  return (await find(tx, ids))!
}

function draw(invoice: Invoice, size: Paper['size']): Promise<Uint8Array<ArrayBuffer>> {
  return drawPdf({ document: invoice, seller: invoice.seller!, buyer: invoice.buyer, size })
}
