// From what was typed to what the contract takes, and to live totals on the way.
import type { InvoiceEditInput } from '#shared/contract/invoices.ts'
import { documentBase, lineBase, percentOf } from '#shared/adjustments.ts'
import { accountingTaxOf, exchangeRateLimits } from '#shared/exchange.ts'
import { parseDecimal, quantityLimits, unitPriceLimits, vatRateLimits, type DecimalLimits } from '#shared/decimal.ts'
import { invoiceAmounts, type InvoiceAmounts, type LineInput, type TaxMode } from '#shared/invoice-totals.ts'
import type { Language } from '#shared/language.ts'
import { formatAmount, parseMoney, toMoney, type MinorUnits, type Money } from '#shared/money.ts'
import { vatCategories, type VatCategory } from '#shared/vat.ts'
import { readPrice, readRate, readTyped } from '#page/forms/typed-number.ts'
import {
  isSameCustomer,
  type AdjustmentValues,
  type DocumentAdjustmentValues,
  type DraftValues,
  type LineValues,
  type Opened,
  type VatValues,
} from './draft-values.ts'

/** `own`: the accounting currency; null of what has no exchange rate. */
export function toBody(
  values: DraftValues,
  opened: Pick<Opened, 'customerId' | 'buyerReference'> | null,
  own: string | null = null,
) {
  const { locale, currency } = values
  const typed = filled(values.lines)
  const lines = typed.map((line) => lineBody(line, values))
  const reckoned = lines.map((line, index) => withAdjustments(reckonable(typed[index]!, values), line, currency))
  const days = values.termsDays.trim()
  const reference = values.buyerReference.trim()
  /** Whoever saw what this customer's document has, or that it has none, has decided. */
  const isDecided = opened !== null && isSameCustomer(opened, values)
  const ofDocument = (each: DocumentAdjustmentValues) => {
    const vat = vatBody(each.vat, locale)
    const base = () => documentBase(reckoned, { ...vat, rate: known(vat.rate, vatRateLimits) }, currency)
    return { ...adjustmentBody(each, locale, currency, base), vat }
  }
  return {
    customerId: values.customerId || null,
    currency,
    taxMode: values.taxMode as TaxMode,
    ...(values.language !== '' && { language: values.language as Language }),
    dueDate: values.dueDate || null,
    // Left out: the customer's, or the organization's.
    ...((isDecided || days !== '') && { termsDays: days === '' ? null : Number(days.replace(',', '.')) }),
    supplyDate: values.supplyDate || null,
    // Left out: the customer's.
    ...((reference !== '' || (isDecided && opened.buyerReference !== undefined)) && {
      buyerReference: reference || null,
    }),
    orderReference: values.orderReference,
    ...(own !== null && exchangeBody(values, own)),
    notes: values.notes,
    allowances: values.allowances.map(ofDocument),
    charges: values.charges.map(ofDocument),
    lines,
  } satisfies InvoiceEditInput
}

type Typing = Pick<DraftValues, 'locale' | 'currency'>

function lineBody(line: LineValues, typing: Typing) {
  const { locale, currency } = typing
  const { id, name, description, unit, baseQuantity } = line
  const base = () => lineBase(reckonable(line, typing), currency)
  return {
    id,
    name,
    description,
    unit,
    baseQuantity,
    quantity: readTyped(line.quantity, locale),
    unitPrice: readPrice(line.unitPrice, locale, currency),
    allowances: line.allowances.map((each) => adjustmentBody(each, locale, currency, base)),
    charges: line.charges.map((each) => adjustmentBody(each, locale, currency, base)),
    vat: vatBody(line.vat, locale),
  }
}

/** Totals of what can be reckoned so far: what is not finished counts as nothing. */
export function liveAmounts(values: DraftValues): InvoiceAmounts {
  const { lines, allowances, charges, currency } = toBody(values, null)
  const ofDocument = (each: (typeof allowances)[number]) => ({
    ...finished(each, currency),
    vat: { ...each.vat, rate: known(each.vat.rate, vatRateLimits) },
  })
  return invoiceAmounts({
    currency,
    taxMode: values.taxMode as TaxMode,
    lines: lines.map((line, index) => withAdjustments(reckonable(values.lines[index]!, values), line, currency)),
    allowances: allowances.map(ofDocument),
    charges: charges.map(ofDocument),
  })
}

/** The VAT in the accounting currency as soon as there is a rate. */
export function liveAccountingTax(values: DraftValues, { totals }: InvoiceAmounts, own: string | null): Money | null {
  const { exchange } = own === null ? { exchange: null } : exchangeBody(values, own)
  const rate = known(exchange?.rate ?? '', exchangeRateLimits)
  if (!exchange || exchange.to !== own || /^[0.]*$/.test(rate)) return null
  return accountingTaxOf({ ...exchange, rate }, toMoney(totals.tax, values.currency))
}

/** What one line comes to, and each percentage of it: nothing else on the document changes that. */
export function liveLine(line: LineValues, typing: Typing): { entered: MinorUnits; shares: Shares } {
  const { currency } = typing
  const body = lineBody(line, typing)
  const lines = [withAdjustments(reckonable(line, typing), body, currency)]
  const { entered } = invoiceAmounts({ currency, taxMode: 'net', lines }).lines[0]!
  return { entered, shares: sharesIn(line, body, currency) }
}

/** What each percentage of the whole document comes to. */
export function sharesOf(values: DraftValues): Shares {
  return sharesIn(values, toBody(values, null), values.currency)
}

/** By the id of its discount or charge. */
type Shares = ReadonlyMap<string, MinorUnits>

function sharesIn(typed: Pick<LineValues, 'allowances' | 'charges'>, sent: Adjustments, currency: string): Shares {
  const pairs = (['allowances', 'charges'] as const).flatMap((kind) =>
    typed[kind].map((each, index) => [each.id, parseMoney(sent[kind][index]!.amount, currency)] as const),
  )
  return new Map(pairs.flatMap(([id, amount]) => (amount.ok ? [[id, amount.value]] : [])))
}

/** A rate that was entered before the currency was changed back is left out: there is none from a currency to itself. */
function exchangeBody({ exchange, currency, locale }: DraftValues, own: string) {
  const { from, to, rate, date, source } = exchange
  const isBlank = [rate, date, source].every((typed) => typed.trim() === '')
  if (isBlank || currency === own) return { exchange: null }
  // What it was typed for; either may have changed since, and then the server asks.
  return { exchange: { from: from || currency, to: to || own, rate: readRate(rate, locale), date, source } }
}

/** A last line that nobody touched is no line. */
function filled(lines: readonly LineValues[]): LineValues[] {
  const last = lines.at(-1)
  return last && isUntouched(last) ? lines.slice(0, -1) : [...lines]
}

function isUntouched({ name, unitPrice, description, allowances, charges }: LineValues): boolean {
  const isBare = allowances.length + charges.length === 0
  return isBare && [name, unitPrice, description].every((typed) => typed.trim() === '')
}

function vatBody({ category, rate, reason }: VatValues, locale: string) {
  const of = vatCategories[category as VatCategory]
  return {
    category: category as VatCategory,
    rate: of.taxed ? readTyped(rate, locale) : '0',
    ...(of.reason !== null && { reason }),
  }
}

/** The amount of a percentage follows what it is of: as long as that cannot be reckoned it is nothing. Of less than nothing there is none, as the contract says at the percentage. */
function adjustmentBody(
  { kind, amount, percent, reason }: AdjustmentValues,
  locale: string,
  currency: string,
  base: () => MinorUnits,
) {
  if (kind !== 'percent') return { amount: readPrice(amount, locale, currency), reason }
  const share = readTyped(percent, locale)
  const due = percentOf(base(), known(share, vatRateLimits))
  return {
    amount: formatAmount(due < 0n ? 0n : due, currency),
    percent: share,
    reason,
  }
}

/** The line without its discounts and charges; what is no number yet is nothing. */
function reckonable(line: LineValues, { locale, currency }: Typing): LineInput {
  const vat = vatBody(line.vat, locale)
  return {
    quantity: known(readTyped(line.quantity, locale), quantityLimits),
    unitPrice: known(readPrice(line.unitPrice, locale, currency), unitPriceLimits),
    baseQuantity: line.baseQuantity,
    vat: { ...vat, rate: known(vat.rate, vatRateLimits) },
  }
}

type Adjustments = Record<'allowances' | 'charges', readonly { amount: string }[]>

/** What a percentage of the whole is of: the line with what is taken off it and put onto it. */
function withAdjustments(line: LineInput, { allowances, charges }: Adjustments, currency: string): LineInput {
  const all = (list: readonly { amount: string }[]) => list.map((each) => finished(each, currency))
  return { ...line, allowances: all(allowances), charges: all(charges) }
}

function finished<Each extends { amount: string }>(each: Each, currency: string): Each {
  return { ...each, amount: parseMoney(each.amount, currency).ok ? each.amount : '0' }
}

function known(text: string, limits: DecimalLimits): string {
  return parseDecimal(text, limits).ok ? text : '0'
}
