// The documents of an export: of each issued invoice the PDF of record, and its XML where it was issued with a profile.
import { documentFileName } from '#documents/file-name.ts'
import { csvHead, csvLines, type Column } from '#documents/tables/csv.ts'
import type { Invoice } from '#shared/contract/invoices.ts'
import type { Tx } from '#server/db/database.ts'
import { madeAs } from '#server/outgoing/made-as.ts'
import { whyPlain } from '#server/outgoing/mailed-xml.ts'
import { keptPdf } from '#server/outgoing/pdf-of-record.ts'
import { xmlOf } from '#server/outgoing/xml-of-record.ts'
import { findInvoices } from '#server/rows/whole-invoice.ts'
import type { Asked } from './rows.ts'
import { addPdf, addPiece, addWhole, nextFile, type Place } from './writing.ts'

const documentsAtOnce = 20

interface Listed {
  number: string
  pdf: string
  hash: string
  xml: string | null
  why: string
}

const columns: readonly Column<Listed>[] = [
  { name: 'Number', value: ({ number }) => number },
  { name: 'PDF', value: ({ pdf }) => pdf },
  { name: 'SHA-256 of the PDF', value: ({ hash }) => hash },
  { name: 'XML', value: ({ xml }) => xml },
  { name: 'Why there is no XML', value: ({ why }) => why },
]

/** Which document lies where in the ZIP. */
export const documentList = { name: 'documents.csv', head: csvHead(columns) }

/** The next ids of what was issued. */
export async function issuedAfter({ tx, organizationId, afterId }: Asked): Promise<string[]> {
  let query = tx.selectFrom('issuedInvoices').select('invoiceId').where('organizationId', '=', organizationId)
  if (afterId !== null) query = query.where('invoiceId', '>', afterId)
  const rows = await query.orderBy('invoiceId').limit(documentsAtOnce).execute()
  return rows.map(({ invoiceId }) => invoiceId)
}

export async function addDocuments(
  place: Place,
  { today }: Asked,
  ids: readonly string[],
  list: number,
): Promise<void> {
  const invoices = await findInvoices(place.tx, place.organizationId, ids, today)
  const listed: Listed[] = []
  let position = await nextFile(place)
  for (const invoice of invoices.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    const name = `documents/${documentFileName({ ...invoice, number: invoice.number! })}`
    const pdf = await keptPdf(place.tx, invoice)
    if (!pdf) throw new Error(`The PDF of the invoice ${invoice.id} is not drawn`)
    await addPdf(place, position, `${name}.pdf`, invoice.id, pdf)
    position += 1
    const { text, why } = await xmlToAdd(place.tx, invoice)
    if (text !== null) {
      await addWhole(place, position, `${name}.xml`, text)
      position += 1
    }
    listed.push({ number: invoice.number!, pdf: `${name}.pdf`, hash: pdf.contentHash, xml: text && `${name}.xml`, why })
  }
  await addPiece(place, list, csvLines(columns, listed))
}

async function xmlToAdd(tx: Tx, invoice: Invoice): Promise<{ text: string | null; why: string }> {
  const { profile } = await madeAs(tx, invoice)
  if (profile === 'none') {
    const [why = 'It was issued without an e-invoice profile'] = await whyPlain(tx, invoice)
    return { text: null, why }
  }
  const xml = await xmlOf(tx, invoice, profile)
  if (typeof xml !== 'string') return { text: null, why: xml.map(({ detail }) => detail).join('; ') }
  return { text: xml, why: '' }
}
