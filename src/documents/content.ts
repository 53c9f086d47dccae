// What a document is made of: an invoice's frozen content, and the invoice that a credit note corrects.
import type { Invoice } from '#shared/contract/invoices.ts'
import type { Language } from '#shared/language.ts'

/** An issued invoice (380) or credit note (381, amounts positive). */
export type IssuedDocument = Pick<
  Invoice,
  | 'number'
  | 'issueDate'
  | 'dueDate'
  | 'termsDays'
  | 'supplyDate'
  | 'currency'
  | 'taxMode'
  | 'buyerReference'
  | 'orderReference'
  | 'notes'
  | 'lines'
  | 'allowances'
  | 'charges'
  | 'vat'
  | 'totals'
  | 'seller'
  | 'buyer'
> & {
  type: '380' | '381'
  /** A copy that an older build made has none: it was made in English. */
  language?: Language | undefined
  /** Of a credit note: what it corrects, with its date where that is known. */
  precedingInvoice?: { number: string; issueDate: string } | null
  /** The same, as the product's own credit notes say it. */
  creditedInvoice?: { number: string } | null
}

export function correctedInvoice({
  precedingInvoice,
  creditedInvoice,
}: Pick<PrintedDocument, 'precedingInvoice' | 'creditedInvoice'>): { number: string; issueDate?: string } | null {
  return precedingInvoice ?? creditedInvoice ?? null
}

/** What can be printed: a quote too, which is good until a day. */
export type PrintedDocument = Omit<IssuedDocument, 'type'> & {
  type: IssuedDocument['type'] | 'quote'
  validUntil?: string | null
}
