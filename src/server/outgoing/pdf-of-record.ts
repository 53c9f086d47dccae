// The PDF of an issued invoice: made once from what was frozen, kept with its hash, and from then on only read. Whoever comes first has it made,
// as a rule the process that has just issued, after its commit; neither the number's transaction nor the server's thread waits for it.
import { createHash } from 'node:crypto'
import type { Invoice } from '#shared/contract/invoices.ts'
import { eInvoiceErrors } from '#shared/e-invoice.ts'
import type { Database, Tx } from '#server/db/database.ts'
import { paperOf, type Paper } from './paper.ts'
import { drawPdf, stopDrawing } from './pdf-drawing.ts'
import { findInvoice } from '#server/rows/whole-invoice.ts'

/** Being made after their issue: the server's end waits for them. */
const underWay = new Set<Promise<void>>()
/** Being drawn, by invoice and form: who asks meanwhile gets the same drawing. */
const drawings = new Map<string, Promise<Uint8Array<ArrayBuffer>>>()

interface PdfOfRecord {
  content: Uint8Array<ArrayBuffer>
  /** SHA-256 in hexadecimal. */
  contentHash: string
  /** pdf, or facturx: which of the invoice's files it is. */
  kind: string
}

/** Reads it, or makes it inside this transaction: the rare case that nobody has made it before. */
export async function pdfOfRecord(tx: Tx, invoice: Invoice, now: string): Promise<PdfOfRecord> {
  const form = await formOf(tx, invoice)
  return (await find(tx, invoice, form)) ?? keep(tx, invoice, form, await draw(invoice, form), now)
}

/** Makes it between two transactions, so that none waits for the drawing. */
export function makePdfOfRecord(db: Database, ids: InvoiceIds, now: string): Promise<void> {
  const made = make(db, ids, now).finally(() => underWay.delete(made))
  underWay.add(made)
  return made
}

/** How long the server's end waits for drawings. */
const mostAtEndMs = 5000

/** At the server's end: waits for those that are being made, then gives up; what was not made is made by whoever asks first. */
export async function finishPdfs(): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const enough = new Promise((resolve) => (timer = setTimeout(resolve, mostAtEndMs)))
  await Promise.race([Promise.allSettled(underWay), enough])
  clearTimeout(timer)
  await stopDrawing()
  await Promise.allSettled(underWay)
}

async function make(db: Database, ids: InvoiceIds, now: string): Promise<void> {
  const scope = { organizationIds: [ids.organizationId] }
  const wanted = await db.asApp(scope, async (tx) => {
    const invoice = await findInvoice(tx, ids.organizationId, ids.id, now.slice(0, 10))
    const form = invoice && (await formOf(tx, invoice))
    return !form || (await find(tx, ids, form)) ? null : { invoice: invoice!, form }
  })
  if (!wanted) return
  const content = await draw(wanted.invoice, wanted.form)
  await db.asApp(scope, (tx) => keep(tx, ids, wanted.form, content, now))
}

type InvoiceIds = Pick<Invoice, 'organizationId' | 'id'>
interface Form extends Paper {
  /** A hybrid invoice is a file of its own: what was drawn before it was wanted stays. */
  kind: 'pdf' | 'facturx'
}

/** What the organization has its documents made as, where this invoice can be it. */
async function formOf(tx: Tx, invoice: Invoice): Promise<Form> {
  const { eInvoiceProfile } = await tx
    .selectFrom('organizations')
    .select('eInvoiceProfile')
    .where('id', '=', invoice.organizationId)
    .executeTakeFirstOrThrow()
  const isHybrid =
    eInvoiceProfile === 'facturx' && eInvoiceErrors('facturx', invoice, invoice.seller!, invoice.buyer!).length === 0
  return { kind: isHybrid ? 'facturx' : 'pdf', ...(await paperOf(tx, invoice.organizationId, invoice.seller!)) }
}

function find(tx: Tx, { organizationId, id }: InvoiceIds, { kind }: Form): Promise<PdfOfRecord | undefined> {
  return tx
    .selectFrom('invoiceFiles')
    .select(['content', 'contentHash', 'kind'])
    .where('organizationId', '=', organizationId)
    .where('invoiceId', '=', id)
    .where('kind', '=', kind)
    .executeTakeFirst()
}

async function keep(
  tx: Tx,
  ids: InvoiceIds,
  form: Form,
  content: Uint8Array<ArrayBuffer>,
  now: string,
): Promise<PdfOfRecord> {
  const contentHash = createHash('sha256').update(content).digest('hex')
  const file = { organizationId: ids.organizationId, invoiceId: ids.id, kind: form.kind, content, contentHash }
  await tx
    .insertInto('invoiceFiles')
    .values({ ...file, madeAt: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  // Somebody may have been faster: then theirs is the one.
  return (await find(tx, ids, form))!
}

function draw(invoice: Invoice, { kind, size, logo }: Form): Promise<Uint8Array<ArrayBuffer>> {
  const name = `${invoice.organizationId} ${invoice.id} ${kind} ${size}`
  let drawing = drawings.get(name)
  if (!drawing) {
    const paper = { document: invoice, seller: invoice.seller!, buyer: invoice.buyer, size, logo }
    drawing = drawPdf({ paper, xmlOf: kind === 'facturx' ? invoice : null }).finally(() => drawings.delete(name))
    drawings.set(name, drawing)
  }
  return drawing
}
