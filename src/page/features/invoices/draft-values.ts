// The form's values are text, as typed, in the contract's shape, so that an error finds its field. What the contract takes of them: draft-body.ts.
import type { Invoice } from '#shared/contract/invoices.ts'
import type { Organization } from '#shared/contract/organizations.ts'
import { uuidv7 } from '#shared/ids.ts'
import { usualVat } from '#shared/vat.ts'
import { asTyped, readPrice, readRate, readTyped } from '#page/forms/typed-number.ts'

export interface VatValues {
  category: string
  rate: string
  reason: string
}

/** A discount or an extra charge. */
export interface AdjustmentValues {
  id: string
  /** What was typed: an amount, or a percentage that the amount follows. */
  kind: string
  amount: string
  percent: string
  reason: string
}

export interface DocumentAdjustmentValues extends AdjustmentValues {
  vat: VatValues
}

export interface LineValues {
  id: string
  name: string
  description: string
  quantity: string
  unit: string
  unitPrice: string
  /** How many units the price is for; no field has it, another program may have set it. In the wire's form. */
  baseQuantity: string
  allowances: AdjustmentValues[]
  charges: AdjustmentValues[]
  vat: VatValues
}

export interface DraftValues {
  /** The language its numbers were typed in; stays with them, because it decides what they mean. */
  locale: string
  customerId: string
  currency: string
  taxMode: string
  /** Of the document; empty is the customer's. */
  language: string
  termsDays: string
  dueDate: string
  supplyDate: string
  /** Of a quote. */
  validUntil: string
  buyerReference: string
  orderReference: string
  /** Of an invoice in another currency than the organization's; all empty for none. */
  exchange: { from: string; to: string; rate: string; date: string; source: string }
  notes: string
  lines: LineValues[]
  allowances: DocumentAdjustmentValues[]
  charges: DocumentAdjustmentValues[]
}

/** What is edited: a draft, a quote, or what a recurring invoice says. */
export type Opened = Pick<
  Invoice,
  | 'customerId'
  | 'currency'
  | 'taxMode'
  | 'termsDays'
  | 'dueDate'
  | 'supplyDate'
  | 'orderReference'
  | 'notes'
  | 'allowances'
  | 'charges'
> & {
  lines: (Omit<Invoice['lines'][number], 'id' | 'net'> & { id?: string | undefined })[]
  validUntil?: string | null
  language?: Invoice['language'] | undefined
  /** Undefined: the customer's, whichever it is then. */
  buyerReference?: Invoice['buyerReference'] | undefined
  type?: Invoice['type'] | undefined
  exchange?: Invoice['exchange'] | undefined
  accountingCurrency?: Invoice['accountingCurrency'] | undefined
}

export const noExchange: DraftValues['exchange'] = { from: '', to: '', rate: '', date: '', source: '' }

/** A credit note is at the rate of its invoice. */
export function isCreditNote(opened: Opened | null): boolean {
  return opened?.type === '381'
}

export function emptyLine(organization: Organization): LineValues {
  const { defaults, locale } = organization
  const vat = usualVat(organization, asTyped(defaults.vatRate ?? '', locale))
  return { ...blankLine(), vat: { ...vat, reason: vat.reason ?? '' } }
}

export function emptyAdjustment(): AdjustmentValues {
  return { id: uuidv7(), kind: 'percent', amount: '', percent: '', reason: '' }
}

export function toValues(invoice: Opened | null, organization: Organization): DraftValues {
  const { locale } = organization
  const typed = (wire: string) => asTyped(wire, locale)
  const ofVat = (vat: Invoice['lines'][number]['vat']): VatValues => ({
    category: vat.category,
    rate: typed(vat.rate),
    reason: vat.reason ?? '',
  })
  const ofAdjustment = ({ amount, percent, reason }: Invoice['lines'][number]['allowances'][number]) => ({
    id: uuidv7(),
    kind: percent === undefined ? 'amount' : 'percent',
    amount: typed(amount),
    percent: typed(percent ?? ''),
    reason: reason ?? '',
  })
  const ofDocument = (each: Invoice['allowances'][number]) => ({ ...ofAdjustment(each), vat: ofVat(each.vat) })
  // What was entered for another currency of the organization's is no rate into this one.
  const isInto = invoice?.exchange?.to === organization.currency
  const exchange = isInto || isCreditNote(invoice) ? invoice?.exchange : null
  return {
    locale,
    customerId: invoice?.customerId ?? '',
    currency: invoice?.currency ?? organization.currency,
    taxMode: invoice?.taxMode ?? organization.defaults.taxMode,
    ...ofCustomer(invoice),
    dueDate: invoice?.dueDate ?? '',
    supplyDate: invoice?.supplyDate ?? '',
    validUntil: invoice?.validUntil ?? '',
    orderReference: invoice?.orderReference ?? '',
    exchange: exchange ? { ...exchange, rate: typed(exchange.rate) } : noExchange,
    notes: (invoice ? invoice.notes : organization.defaults.notes) ?? '',
    lines: invoice?.lines.length
      ? // What was saved by an older build, or by another program, may lack what has a default.
        apart(
          invoice.lines.map((line) => ({
            ...blankLine(),
            ...(line.id && { id: line.id }),
            name: line.name,
            description: line.description ?? '',
            quantity: typed(line.quantity),
            unit: line.unit ?? 'C62',
            unitPrice: typed(line.unitPrice),
            baseQuantity: line.baseQuantity ?? '1',
            allowances: (line.allowances ?? []).map(ofAdjustment),
            charges: (line.charges ?? []).map(ofAdjustment),
            vat: ofVat(line.vat),
          })),
        )
      : [emptyLine(organization)],
    allowances: invoice?.allowances.map(ofDocument) ?? [],
    charges: invoice?.charges.map(ofDocument) ?? [],
  }
}

/** What a customer has a word on, where nothing is said: as the document that was opened has it. */
function ofCustomer(opened: Opened | null) {
  return {
    // A draft that an older build kept says none.
    language: opened?.language ?? '',
    termsDays: String(opened?.termsDays ?? ''),
    buyerReference: opened?.buyerReference ?? '',
  }
}

/** Whether the customer is still the one that it was opened with, so that nothing is left to another. */
export function isSameCustomer(opened: Pick<Opened, 'customerId'>, { customerId }: Pick<DraftValues, 'customerId'>) {
  return customerId === (opened.customerId ?? '')
}

/**
 * What choosing this customer changes: what still says what it was opened with is left to another customer, who agreed to something else, and comes back with
 * the first.
 */
export function givenTo(customerId: string, values: DraftValues, opened: Opened | null): Partial<DraftValues> {
  if (!opened || isCreditNote(opened)) return { customerId }
  const first = ofCustomer(opened)
  const isFirst = isSameCustomer(opened, { customerId })
  const changes = Object.entries(first).flatMap(([name, value]) => {
    const [from, to] = isFirst ? ['', value] : [value, '']
    return values[name as keyof typeof first] === from ? [[name, to]] : []
  })
  return { customerId, ...Object.fromEntries(changes) }
}

/** What was kept of a form, in today's shape: an earlier build kept less; the rest is as the invoice has it. */
export function restored(found: DraftValues, fresh: DraftValues): DraftValues {
  const known = new Map(fresh.lines.map((line) => [line.id, line]))
  const whole = { ...fresh, ...found, locale: found.locale }
  const lines = whole.lines.map((line) => {
    const before = known.get(line.id) ?? blankLine()
    return { ...before, ...line, vat: { ...before.vat, ...line.vat } }
  })
  return inLanguage({ ...whole, lines: apart(lines) }, fresh.locale)
}

/** A line is known by its id: of two that another program gave the same one the second gets its own. */
function apart(lines: LineValues[]): LineValues[] {
  const known = new Set<string>()
  return lines.map((line) => {
    const own = known.has(line.id) ? { ...line, id: uuidv7() } : line
    known.add(own.id)
    return own
  })
}

/** What was typed under one language, as another types it. */
function inLanguage(values: DraftValues, locale: string): DraftValues {
  const again = (typed: string) => asTyped(readTyped(typed, values.locale), locale)
  const priced = (typed: string) => asTyped(readPrice(typed, values.locale, values.currency), locale)
  const taxed = (vat: VatValues) => ({ ...vat, rate: again(vat.rate) })
  const adjusted = <Each extends AdjustmentValues>(each: Each): Each => ({
    ...each,
    amount: priced(each.amount),
    percent: again(each.percent),
  })
  const ofDocument = (each: DocumentAdjustmentValues) => ({ ...adjusted(each), vat: taxed(each.vat) })
  return {
    ...values,
    locale,
    exchange: { ...values.exchange, rate: asTyped(readRate(values.exchange.rate, values.locale), locale) },
    lines: values.lines.map((line) => ({
      ...line,
      quantity: again(line.quantity),
      unitPrice: priced(line.unitPrice),
      allowances: line.allowances.map(adjusted),
      charges: line.charges.map(adjusted),
      vat: taxed(line.vat),
    })),
    allowances: values.allowances.map(ofDocument),
    charges: values.charges.map(ofDocument),
  }
}

function blankLine(): LineValues {
  return {
    id: uuidv7(),
    name: '',
    description: '',
    quantity: '1',
    unit: 'C62',
    unitPrice: '',
    baseQuantity: '1',
    allowances: [],
    charges: [],
    vat: { category: 'S', rate: '', reason: '' },
  }
}
