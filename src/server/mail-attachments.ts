// What goes out with a mail, read or made as it is handed over: the mail's row names it and holds none of it.
import { eInvoiceXml } from '#documents/e-invoice/xml.ts'
import type { Database } from './db/database.ts'
import type { Attach, AttachedFile } from './mail/sender.ts'
import { pdfOfRecord } from './pdf-of-record.ts'
import { findInvoice } from './whole-invoice.ts'

export function attachFrom(db: Database): Attach {
  return (organizationId, attachments) =>
    db.asApp({ organizationIds: [organizationId] }, async (tx) => {
      const now = new Date().toISOString()
      const files: AttachedFile[] = []
      for (const { invoiceId, kind } of attachments) {
        const invoice = await findInvoice(tx, organizationId, invoiceId, now.slice(0, 10))
        if (!invoice) throw new Error(`The invoice ${invoiceId} of a mail is gone`)
        const name = invoice.number!.replaceAll(/[^\w.-]/g, '-')
        if (kind === 'pdf') {
          const { content } = await pdfOfRecord(tx, invoice, now)
          files.push({ filename: `${name}.pdf`, contentType: 'application/pdf', content: Buffer.from(content) })
        } else {
          const content = Buffer.from(eInvoiceXml(invoice, kind))
          files.push({ filename: `${name}.xml`, contentType: 'application/xml', content })
        }
      }
      return files
    })
}
