import type { Tx } from './db/database.ts'
import { drawPdf, paperOf } from './draw-pdf.ts'
import type { SentContent } from './quote-row.ts'

/** Drawn anew each time from what was frozen: a quote is nothing that the books must keep. */
export async function quotePdf(tx: Tx, organizationId: string, sent: SentContent): Promise<Uint8Array<ArrayBuffer>> {
  const document = { ...sent, type: 'quote', dueDate: null, supplyDate: null } as const
  return drawPdf({ document, seller: sent.seller!, buyer: sent.buyer, size: await paperOf(tx, organizationId) })
}
