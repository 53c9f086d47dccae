// What goes out with a mail, read as it is handed over: the mail's row names it and holds none of it.
import { mayRemind } from '#shared/invoice-balance.ts'
import type { Database, Tx } from '#server/db/database.ts'
import type { AttachedFile, Prepare } from '#server/mail/sender.ts'
import { keptPdf, pdfOfRecord } from './pdf-of-record.ts'
import { quotePdf } from './quote-pdf.ts'
import { passedXml } from './xml-of-record.ts'
import { editionsOf } from '#server/rows/quote-row.ts'
import { findInvoice } from '#server/rows/whole-invoice.ts'

export function prepareMail(db: Database): Prepare {
  return async (organizationId, { kind: about, attachments }) => {
    const read = await db.asApp({ organizationIds: [organizationId] }, async (tx) => {
      // Closed since: its mails that wait are withdrawn, what they would link to is gone.
      const isOpen = await tx
        .selectFrom('organizations')
        .select('id')
        .where('id', '=', organizationId)
        .where('deletedAt', 'is', null)
        .executeTakeFirst()
      if (!isOpen) return null
      const now = new Date().toISOString()
      const files: (AttachedFile | (() => Promise<AttachedFile>))[] = []
      for (const attachment of attachments) {
        if ('quoteId' in attachment) {
          files.push(await quoteFile(tx, organizationId, attachment))
          continue
        }
        const { invoiceId, kind } = attachment
        const invoice = await findInvoice(tx, organizationId, invoiceId, now.slice(0, 10))
        if (!invoice) throw new Error(`The invoice ${invoiceId} of a mail is gone`)
        // Paid while the mail server was away: nobody is asked for what they have paid.
        if (about === 'reminder' && !mayRemind(invoice)) return null
        // Void since it did not get through, and tried again: it was never to be.
        if (invoice.status === 'void') return null
        const name = fileName(invoice.number!)
        if (kind === 'pdf') {
          const kept = await keptPdf(tx, invoice)
          files.push(async () => {
            const { content } = kept ?? (await pdfOfRecord(db, invoice, now))
            return { filename: `${name}.pdf`, contentType: 'application/pdf', content: Buffer.from(content) }
          })
        } else {
          const content = Buffer.from(await passedXml(tx, invoice, kind))
          files.push({ filename: `${name}.xml`, contentType: 'application/xml', content })
        }
      }
      return files
    })
    // Outside the transaction: a drawing may take seconds.
    return read && Promise.all(read.map(async (file) => (typeof file === 'function' ? file() : file)))
  }
}

async function quoteFile(
  tx: Tx,
  organizationId: string,
  { quoteId, edition }: { quoteId: string; edition: number },
): Promise<() => Promise<AttachedFile>> {
  // As it was when the mail was written, also where a later edition is out by now.
  const sent = (await editionsOf(tx, organizationId, quoteId)).find((each) => each.edition === edition)
  if (!sent) throw new Error(`The quote ${quoteId} of a mail is gone`)
  const draw = await quotePdf(tx, { organizationId, id: quoteId, edition }, sent.content)
  const filename = `${fileName(sent.content.number!)}.pdf`
  return async () => ({ filename, contentType: 'application/pdf', content: Buffer.from(await draw()) })
}

function fileName(number: string): string {
  return number.replaceAll(/[^\w.-]/g, '-')
}
