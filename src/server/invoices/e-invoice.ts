import type { Invoice } from '#shared/contract/invoices.ts'
import type { EInvoiceFormat } from '#shared/e-invoice.ts'
import { ProblemError } from '#shared/problem.ts'
import type { AnsweredFile } from '#server/context.ts'
import type { Tx } from '#server/db/database.ts'
import { madeAs } from '#server/outgoing/made-as.ts'
import { xmlOf } from '#server/outgoing/xml-of-record.ts'

/** The XML of what was issued, in the profile of its issue unless another is wanted; 409 for a draft and for a void one, which nobody is to book, 422 naming the fields when a rule of the profile would fail. */
export async function eInvoice(tx: Tx, invoice: Invoice, wanted: EInvoiceFormat | undefined): Promise<AnsweredFile> {
  if (invoice.status === 'draft' || invoice.status === 'void') throw new ProblemError('invalid_transition')
  const { profile } = await madeAs(tx, invoice)
  const xml = await xmlOf(tx, invoice, wanted ?? (profile === 'none' ? 'en16931' : profile))
  if (typeof xml !== 'string') throw new ProblemError('validation_failed', { errors: xml })
  return { type: 'application/xml', name: `${invoice.number}.xml`, content: xml }
}
