// A draft's content, complete: defaults filled in, numbers in one spelling, amounts as they leave on the wire. Same on device and server.
import type { Customer } from './contract/customers.ts'
import type { Invoice, InvoiceEdit } from './contract/invoices.ts'
import type { Organization } from './contract/organizations.ts'
import { plainDecimal } from './decimal.ts'
import { uuidv7 } from './ids.ts'
import { withDefaults } from './invoice-draft.ts'
import type { Language } from './language.ts'
import { invoiceAmounts, wireTotals } from './invoice-totals.ts'
import { toMoney } from './money.ts'
import type { Vat } from './vat.ts'

/** Everything a person may choose, complete. */
export type DraftContent = Pick<
  Invoice,
  | 'customerId'
  | 'currency'
  | 'taxMode'
  | 'language'
  | 'dueDate'
  | 'termsDays'
  | 'supplyDate'
  | 'buyerReference'
  | 'orderReference'
  | 'exchange'
  | 'accountingCurrency'
  | 'notes'
  | 'allowances'
  | 'charges'
> & { lines: Omit<Invoice['lines'][number], 'net'>[] }

/** What was sent, made whole. Text that is no number throws: the contract refuses it first. */
export function completeContent(
  asked: InvoiceEdit,
  organization: Pick<Organization, 'currency' | 'defaults' | 'locale'>,
  customer: Pick<Customer, 'currency' | 'termsDays' | 'buyerReference' | 'language'> | null,
): DraftContent {
  return {
    ...withDefaults(asked, { organization, customer }),
    customerId: asked.customerId,
    dueDate: asked.dueDate,
    supplyDate: asked.supplyDate,
    orderReference: asked.orderReference,
    exchange: asked.exchange && { ...asked.exchange, rate: plainDecimal(asked.exchange.rate) },
    accountingCurrency: asked.exchange?.to ?? null,
    lines: asked.lines.map((line) => ({
      ...line,
      id: line.id ?? uuidv7(),
      quantity: plainDecimal(line.quantity),
      unitPrice: plainDecimal(line.unitPrice),
      baseQuantity: plainDecimal(line.baseQuantity),
      vat: plainVat(line.vat),
    })),
    allowances: asked.allowances.map((each) => ({ ...each, vat: plainVat(each.vat) })),
    charges: asked.charges.map((each) => ({ ...each, vat: plainVat(each.vat) })),
  }
}

/** Lines with their net, the VAT breakdown and the totals, as they leave on the wire. */
export function wireAmounts(
  content: Pick<Invoice, 'currency' | 'taxMode' | 'allowances' | 'charges'> & {
    language?: Language
    lines: Omit<Invoice['lines'][number], 'net'>[]
  },
) {
  const { currency } = content
  const amounts = invoiceAmounts(content)
  return {
    lines: content.lines.map((line, index) => ({ ...line, net: toMoney(amounts.lines[index]!.net, currency) })),
    vat: amounts.vat.map((group) => ({
      ...group,
      base: toMoney(group.base, currency),
      tax: toMoney(group.tax, currency),
    })),
    totals: wireTotals(amounts.totals, currency),
  }
}

function plainVat(vat: Vat): Invoice['lines'][number]['vat'] {
  return { category: vat.category, rate: plainDecimal(vat.rate), reason: vat.reason ?? null }
}
