// The PDF of an issued invoice: made once from what was frozen, kept with its hash, and from then on only read. Whoever comes first has it made,
// as a rule the job that issuing notes (draw-issued.ts); neither the number's transaction nor the server's thread waits for it.
import { createHash } from 'node:crypto'
import type { Invoice } from '#shared/contract/invoices.ts'
import type { Database, Tx } from '#server/db/database.ts'
import { logoOf } from './logo-file.ts'
import { madeAs } from './made-as.ts'
import type { Paper } from './paper.ts'
import { drawOnce } from './pdf-drawing.ts'
import { passedXml } from './xml-of-record.ts'
import { findInvoice, type MadeAs } from '#server/rows/whole-invoice.ts'

/** Of an invoice's files those that are its PDF: one of these. */
export const pdfKinds = ['pdf', 'facturx'] as const satisfies MadeAs['pdfKind'][]

interface PdfOfRecord {
  content: Uint8Array<ArrayBuffer>
  /** SHA-256 in hexadecimal. */
  contentHash: string
  /** pdf, or facturx: which of the invoice's files it is. */
  kind: string
}

/**
 * Reads it, or makes it: between two transactions, so that none waits for the drawing, which the embedded database would make everybody do. Not to be
 * called within one.
 */
export async function pdfOfRecord(db: Database, ids: InvoiceIds, now: string): Promise<PdfOfRecord> {
  const scope = { organizationIds: [ids.organizationId] }
  const found = await db.asApp(scope, async (tx) => {
    const kept = await keptPdf(tx, ids)
    if (kept) return { kept }
    const invoice = await findInvoice(tx, ids.organizationId, ids.id, now.slice(0, 10))
    if (!invoice) throw new Error(`The invoice ${ids.id} that is to be drawn is gone`)
    return { invoice, form: await formOf(tx, invoice) }
  })
  if (found.kept) return found.kept
  const { invoice, form } = found
  const content = await draw(invoice, form)
  const contentHash = createHash('sha256').update(content).digest('hex')
  const made = { kind: form.kind, content, contentHash }
  // Somebody may have been faster: then theirs is the one.
  return db.asApp(scope, async (tx) => ((await keep(tx, ids, made, now)) ? made : (await keptPdf(tx, ids))!))
}

type InvoiceIds = Pick<Invoice, 'organizationId' | 'id'>
interface Form extends Paper {
  kind: MadeAs['pdfKind']
  /** What a hybrid holds. */
  xml: string | null
}

async function formOf(tx: Tx, invoice: Invoice): Promise<Form> {
  const { pdfKind: kind, paperSize: size } = await madeAs(tx, invoice)
  const logo = await logoOf(tx, invoice.organizationId, invoice.seller!)
  const xml = kind === 'facturx' ? await passedXml(tx, invoice, 'facturx') : null
  return { kind, xml, size, logo: logo?.content ?? null }
}

/** If it is made. The first that was, whichever it is: an older build may have made another later. */
export function keptPdf(tx: Tx, { organizationId, id }: InvoiceIds): Promise<PdfOfRecord | undefined> {
  return tx
    .selectFrom('invoiceFiles')
    .select(['content', 'contentHash', 'kind'])
    .where('organizationId', '=', organizationId)
    .where('invoiceId', '=', id)
    .where('kind', 'in', pdfKinds)
    .orderBy('madeAt')
    .orderBy('kind')
    .limit(1)
    .executeTakeFirst()
}

/** Whether it is the one. */
async function keep(tx: Tx, { organizationId, id }: InvoiceIds, made: PdfOfRecord, now: string): Promise<boolean> {
  const kept = await tx
    .insertInto('invoiceFiles')
    .values({ organizationId, invoiceId: id, ...made, madeAt: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning('kind')
    .executeTakeFirst()
  return kept !== undefined
}

function draw(invoice: Invoice, { kind, xml, size, logo }: Form): Promise<Uint8Array<ArrayBuffer>> {
  const name = `${invoice.organizationId} ${invoice.id} ${kind} ${size}`
  const paper = { document: invoice, seller: invoice.seller!, buyer: invoice.buyer, size, logo }
  return drawOnce(name, { paper, xml })
}
