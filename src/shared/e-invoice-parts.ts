// What the rules of e-invoices look at: the invoice and its two parties, as issuing would freeze them.
import type { Buyer, Invoice, Seller } from './contract/invoices.ts'

/** What is looked at: a draft as issuing would freeze it now, or an issued invoice. `seller` and `buyer` are who they would be. */
export type Checked = Pick<
  Invoice,
  | 'type'
  | 'currency'
  | 'dueDate'
  | 'termsDays'
  | 'supplyDate'
  | 'buyerReference'
  | 'orderReference'
  | 'lines'
  | 'allowances'
  | 'charges'
  | 'vat'
  | 'totals'
> & {
  /** A copy that an older build made has none. */
  accountingTax?: Invoice['accountingTax'] | undefined
}
export type SellerParty = Pick<
  Seller,
  'country' | 'address' | 'vatNumber' | 'taxNumber' | 'registrationNumber' | 'endpoint' | 'contact' | 'bank'
>
export type BuyerParty = Pick<Buyer, 'country' | 'address' | 'vatNumber' | 'registrationNumber' | 'endpoint'> & {
  /** What an older build froze or kept may have none. */
  kind?: Buyer['kind'] | undefined
}
