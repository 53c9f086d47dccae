import type { Tx } from '#server/db/database.ts'
import { paperOf } from './paper.ts'
import { drawOnce } from './pdf-drawing.ts'
import type { SentContent } from '#server/rows/quote-row.ts'

type Content = Uint8Array<ArrayBuffer>

/**
 * Drawn anew each time from what was frozen: a quote is nothing that the books must keep. Here it is only read; what is answered draws it, once the
 * transaction is over: hundreds of lines take seconds, and the embedded database has one connection.
 */
export async function quotePdf(
  tx: Tx,
  { organizationId, id, edition }: { organizationId: string; id: string; edition: number },
  sent: SentContent,
): Promise<() => Promise<Content>> {
  const document = { ...sent, type: 'quote', dueDate: null, supplyDate: null, creditedInvoice: null } as const
  const seller = sent.seller!
  const paper = { document, seller, buyer: sent.buyer, ...(await paperOf(tx, organizationId, seller)) }
  const name = `${organizationId} ${id} ${edition} ${paper.size}`
  return () => drawOnce(name, { paper, xml: null })
}
