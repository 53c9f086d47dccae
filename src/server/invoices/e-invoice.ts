import type { Invoice } from '#shared/contract/invoices.ts'
import { eInvoiceErrors, type EInvoiceFormat } from '#shared/e-invoice.ts'
import { ProblemError } from '#shared/problem.ts'
import { eInvoiceXml } from '#documents/e-invoice/xml.ts'
import type { AnsweredFile } from '#server/context.ts'

/** The XML of what was issued; 409 for a draft, 422 naming the fields when a rule of the profile would fail. */
export function eInvoice(invoice: Invoice, format: EInvoiceFormat): AnsweredFile {
  if (invoice.status === 'draft') throw new ProblemError('invalid_transition')
  const errors = eInvoiceErrors(format, invoice, invoice.seller!, invoice.buyer!)
  if (errors.length > 0) throw new ProblemError('validation_failed', { errors })
  return { type: 'application/xml', name: `${invoice.number}.xml`, content: eInvoiceXml(invoice, format) }
}
