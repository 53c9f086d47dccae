// The form's values are text, as typed, in the contract's shape, so that an error finds its field; here they become what the contract takes, and live totals on the way.
import type { Invoice, InvoiceEditInput } from '#shared/contract/invoices.ts'
import type { Organization } from '#shared/contract/organizations.ts'
import { parseDecimal, quantityLimits, unitPriceLimits, vatRateLimits } from '#shared/decimal.ts'
import { uuidv7 } from '#shared/ids.ts'
import { invoiceAmounts, type InvoiceAmounts, type TaxMode } from '#shared/invoice-totals.ts'
import { vatCategories, vatCategoryOf, type VatCategory } from '#shared/vat.ts'
import { asTyped, readTyped } from '#page/typed-number.ts'

export interface LineValues {
  id: string
  name: string
  quantity: string
  unitPrice: string
  vat: { category: string; rate: string }
}

export interface DraftValues {
  /** The language its numbers were typed in; stays with them, because it decides what they mean. */
  locale: string
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

export function emptyLine({ vatRegime, defaults, locale }: Organization): LineValues {
  const category = vatCategoryOf(vatRegime)
  return {
    id: uuidv7(),
    name: '',
    quantity: '1',
    unitPrice: '',
    vat: { category, rate: category === 'S' ? asTyped(defaults.vatRate ?? '', locale) : '0' },
  }
}

/** `customerId`: chosen on the screen the person came from. */
export function toValues(invoice: Invoice | null, organization: Organization, customerId = ''): DraftValues {
  return {
    locale: organization.locale,
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
          quantity: asTyped(quantity, organization.locale),
          unitPrice: asTyped(unitPrice, organization.locale),
          vat: { category: vat.category, rate: asTyped(vat.rate, organization.locale) },
        }))
      : [emptyLine(organization)],
  }
}

/** What was typed under one language, as another types it. */
export function inLanguage(values: DraftValues, locale: string): DraftValues {
  const again = (typed: string) => asTyped(readTyped(typed, values.locale), locale)
  return {
    ...values,
    locale,
    lines: values.lines.map((line) => ({
      ...line,
      quantity: again(line.quantity),
      unitPrice: again(line.unitPrice),
      vat: { ...line.vat, rate: again(line.vat.rate) },
    })),
  }
}

/** What the form does not show (descriptions, units, allowances) stays as it is. */
export function toBody(values: DraftValues, invoice: Invoice | null): InvoiceEditInput {
  const { locale } = values
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
    lines: filled(values.lines).map(({ id, name, quantity, unitPrice, vat }) => {
      const { net: _, ...kept } = before.get(id) ?? { net: null }
      const category = vat.category as VatCategory
      return {
        ...kept,
        id,
        name,
        quantity: readTyped(quantity, locale),
        unitPrice: readTyped(unitPrice, locale),
        vat: { category, rate: vatCategories[category].taxed ? readTyped(vat.rate, locale) : '0' },
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
