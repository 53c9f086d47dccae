import type { Tx } from '#server/db/database.ts'
import { paperOf } from './paper.ts'
import { drawPdf } from './pdf-drawing.ts'
import type { SentContent } from '#server/rows/quote-row.ts'

/** Drawn anew each time from what was frozen: a quote is nothing that the books must keep. */
export async function quotePdf(tx: Tx, organizationId: string, sent: SentContent): Promise<Uint8Array<ArrayBuffer>> {
  const document = { ...sent, type: 'quote', dueDate: null, supplyDate: null, creditedInvoice: null } as const
  const seller = sent.seller!
  const paper = { document, seller, buyer: sent.buyer, ...(await paperOf(tx, organizationId, seller)) }
  return drawPdf({ paper, xmlOf: null })
}
