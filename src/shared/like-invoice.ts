// What a duplicate has of its invoice: for the page, which makes it without a network too, and for the server.
import type { Invoice, NewInvoiceInput } from './contract/invoices.ts'
import { uuidv7 } from './ids.ts'

/**
 * A new draft like an invoice there is, in whatever state that is: what was agreed is carried over, what belongs to that one time (its number, dates,
 * payments) is not. `customerId`: null where the customer was deleted since. (DOMAIN.md "REST")
 */
export function likeInvoice(invoice: Invoice, id: string, customerId: string | null): NewInvoiceInput {
  return {
    id,
    customerId,
    currency: invoice.currency,
    taxMode: invoice.taxMode,
    language: invoice.language,
    termsDays: invoice.termsDays,
    buyerReference: invoice.buyerReference,
    orderReference: invoice.orderReference,
    notes: invoice.notes,
    lines: invoice.lines.map(({ net: _, ...line }) => ({ ...line, id: uuidv7() })),
    allowances: invoice.allowances,
    charges: invoice.charges,
  }
}
