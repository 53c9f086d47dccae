// The form's values are text, as typed; here they become what the contract takes, and live totals on the way.
import type { Invoice, InvoiceEditInput } from '#shared/contract/invoices.ts'
import type { Organization } from '#shared/contract/organizations.ts'
import { parseDecimal, quantityLimits, unitPriceLimits, vatRateLimits } from '#shared/decimal.ts'
import { uuidv7 } from '#shared/ids.ts'
import { invoiceAmounts, type InvoiceAmounts, type TaxMode } from '#shared/invoice-totals.ts'
import { vatCategories, type VatCategory } from '#shared/vat.ts'
import { typedDecimal } from '#page/ui/number-field.tsx'

export interface LineValues {
  id: string
  name: string
  quantity: string
  unitPrice: string
  category: string
  rate: string
}

export interface DraftValues {
  customerId: string
  currency: string
  taxMode: string
  dueDate: string
  supplyDate: string
  buyerReference: string
  orderReference: string
  notes: string
  lines: LineValues[]
}

export function emptyLine({ vatRegime, defaults }: Organization): LineValues {
  const regime = { standard: 'S', 'small-business': 'E', none: 'O' } as const
  const category = regime[vatRegime]
  return {
    id: uuidv7(),
    name: '',
    quantity: '1',
    unitPrice: '',
    category,
    rate: category === 'S' ? (defaults.vatRate ?? '') : '0',
  }
}

/** `customerId`: chosen on the screen the person came from. */
export function toValues(invoice: Invoice | null, organization: Organization, customerId = ''): DraftValues {
  return {
    customerId: invoice ? (invoice.customerId ?? '') : customerId,
    currency: invoice?.currency ?? organization.currency,
    taxMode: invoice?.taxMode ?? organization.defaults.taxMode,
    dueDate: invoice?.dueDate ?? '',
    supplyDate: invoice?.supplyDate ?? '',
    buyerReference: invoice?.buyerReference ?? '',
    orderReference: invoice?.orderReference ?? '',
    notes: (invoice ? invoice.notes : organization.defaults.notes) ?? '',
    lines: invoice
      ? invoice.lines.map(({ id, name, quantity, unitPrice, vat }) => ({
          id,
          name,
          quantity,
          unitPrice,
          category: vat.category,
          rate: vat.rate,
        }))
      : [emptyLine(organization)],
  }
}

/** What the form does not show (descriptions, units, allowances) stays as it is. */
export function toBody(values: DraftValues, invoice: Invoice | null): InvoiceEditInput {
  const before = new Map(invoice?.lines.map((line) => [line.id, line]))
  return {
    customerId: values.customerId || null,
    currency: values.currency,
    taxMode: values.taxMode as TaxMode,
    dueDate: values.dueDate || null,
    ...(invoice && { termsDays: invoice.termsDays }),
    supplyDate: values.supplyDate || null,
    buyerReference: values.buyerReference,
    orderReference: values.orderReference,
    notes: values.notes,
    allowances: invoice?.allowances ?? [],
    charges: invoice?.charges ?? [],
    lines: filled(values.lines).map(({ id, name, quantity, unitPrice, category, rate }) => {
      const { net: _, ...kept } = before.get(id) ?? { net: null }
      return {
        ...kept,
        id,
        name,
        quantity: typedDecimal(quantity),
        unitPrice: typedDecimal(unitPrice),
        vat: {
          category: category as VatCategory,
          rate: vatCategories[category as VatCategory].taxed ? typedDecimal(rate) : '0',
        },
      }
    }),
  }
}

/** A last line that nobody touched is no line. */
function filled(lines: readonly LineValues[]): LineValues[] {
  const last = lines.at(-1)
  return last && last.name.trim() === '' && last.unitPrice.trim() === '' ? lines.slice(0, -1) : [...lines]
}

/** Totals of what can be reckoned so far: a line that is not finished counts as nothing. */
export function liveAmounts(values: DraftValues, invoice: Invoice | null): InvoiceAmounts {
  const { lines, ...body } = toBody(values, invoice)
  const finished = (lines ?? []).map((line) => {
    const vat = { category: line.vat?.category ?? 'S', rate: known(line.vat?.rate ?? '', vatRateLimits) }
    return {
      ...line,
      vat,
      quantity: known(line.quantity, quantityLimits),
      unitPrice: known(line.unitPrice, unitPriceLimits),
    }
  })
  return invoiceAmounts({
    currency: values.currency,
    taxMode: body.taxMode as TaxMode,
    lines: finished,
    allowances: invoice?.allowances,
    charges: invoice?.charges,
  })
}

function known(text: string, limits: Parameters<typeof parseDecimal>[1]): string {
  return parseDecimal(text, limits).ok ? text : '0'
}
