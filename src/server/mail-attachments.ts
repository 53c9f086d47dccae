// What goes out with a mail, read or made as it is handed over: the mail's row names it and holds none of it.
import { ublXml } from '#documents/ubl/ubl.ts'
import { mayRemind } from '#shared/invoice-balance.ts'
import type { Database } from './db/database.ts'
import type { AttachedFile, Prepare } from './mail/sender.ts'
import { pdfOfRecord } from './pdf-of-record.ts'
import { findInvoice } from './whole-invoice.ts'

export function prepareMail(db: Database): Prepare {
  return (organizationId, { kind: about, attachments }) =>
    db.asApp({ organizationIds: [organizationId] }, async (tx) => {
      const now = new Date().toISOString()
      const files: AttachedFile[] = []
      for (const { invoiceId, kind } of attachments) {
        const invoice = await findInvoice(tx, organizationId, invoiceId, now.slice(0, 10))
        if (!invoice) throw new Error(`The invoice ${invoiceId} of a mail is gone`)
        // Paid while the mail server was away: nobody is asked for what they have paid.
        if (about === 'reminder' && !mayRemind(invoice)) return null
        const name = invoice.number!.replaceAll(/[^\w.-]/g, '-')
        if (kind === 'pdf') {
          const { content } = await pdfOfRecord(tx, invoice, now)
          files.push({ filename: `${name}.pdf`, contentType: 'application/pdf', content: Buffer.from(content) })
        } else {
          const content = Buffer.from(ublXml(invoice, kind))
          files.push({ filename: `${name}.xml`, contentType: 'application/xml', content })
        }
      }
      return files
    })
}
