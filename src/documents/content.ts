// What a document is made of: an invoice's frozen content.
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
  /** A copy that an older build made has none. */
  exchange?: Invoice['exchange'] | undefined
  accountingTax?: Invoice['accountingTax'] | undefined
  /** Of a credit note: what it corrects. Every maker of documents must say it, so that none leaves it out unseen. */
  creditedInvoice: Pick<NonNullable<Invoice['creditedInvoice']>, 'number' | 'issueDate'> | null
}

/** What can be printed: a quote too, which is good until a day. */
export type PrintedDocument = Omit<IssuedDocument, 'type'> & {
  type: IssuedDocument['type'] | 'quote'
  validUntil?: string | null
}
