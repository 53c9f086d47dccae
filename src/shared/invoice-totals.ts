// The amounts of an invoice, computed one way for the form, the device's copy and the server (DOMAIN.md "Money", EN 16931 BR-CO-10..17).
import { decimal, divideRounded, formatDecimal, type Decimal } from './decimal.ts'
import { minorUnitDigits } from './currency.ts'
import { largestAmount, minorUnitsOf, roundTogether, toMoney, type MinorUnits, type Money } from './money.ts'
import type { Language } from './language.ts'
import type { FieldError } from './problem-form.ts'
import { vatReason, type Vat, type VatCategory } from './vat.ts'

export type TaxMode = 'net' | 'gross'

/** A discount or extra cost. `amount` is a decimal string in the invoice's currency, in the invoice's tax mode, not negative. */
interface Adjustment {
  amount: string
}

export interface LineInput {
  quantity: string
  unitPrice: string
  baseQuantity?: string | undefined
  allowances?: readonly Adjustment[] | undefined
  charges?: readonly Adjustment[] | undefined
  vat: Vat
}

export interface InvoiceInput {
  currency: string
  taxMode: TaxMode
  /** Of the reasons that nobody wrote; English where it is left out. */
  language?: Language | undefined
  lines: readonly LineInput[]
  /** Of the whole document; each belongs to the VAT group that its own `vat` names. */
  allowances?: readonly (Adjustment & { vat: Vat })[] | undefined
  charges?: readonly (Adjustment & { vat: Vat })[] | undefined
}

/** One row of the VAT breakdown: a (category, rate) pair. `rate` is in its shortest form (`21`, `5.5`); `reason` has all that its parts give. */
interface VatGroup {
  category: VatCategory
  rate: string
  reason: string | null
  base: MinorUnits
  tax: MinorUnits
}

interface PartAmounts {
  entered: MinorUnits
  net: MinorUnits
}

export interface InvoiceAmounts {
  /** In order: what each comes to in the tax mode the person typed in (`entered`) and without VAT (`net`). */
  lines: PartAmounts[]
  /** Of the document. */
  allowances: PartAmounts[]
  charges: PartAmounts[]
  vat: VatGroup[]
  /** BT-106, BT-107, BT-108, BT-109, BT-110, BT-112. */
  totals: {
    lines: MinorUnits
    allowances: MinorUnits
    charges: MinorUnits
    net: MinorUnits
    tax: MinorUnits
    gross: MinorUnits
  }
}

export type InvoiceTotals = { [Name in keyof InvoiceAmounts['totals']]: Money }

/** A line, allowance or charge on its way into a VAT group; allowances weigh negative. */
interface Part extends PartAmounts {
  vat: Vat
}

/**
 * Amounts in minor units of the invoice's currency. Input is what the contract accepted; text that is no number throws.
 * VAT is rounded once per (category, rate) group; in gross mode the group's gross is exact, and of each part what is without VAT is rounded together with
 * the others, to add up to the group's net.
 */
export function invoiceAmounts(invoice: InvoiceInput): InvoiceAmounts {
  const { currency, taxMode } = invoice
  const lines = invoice.lines.map((line) => part(lineAmount(line, currency), line.vat))
  const allowances = (invoice.allowances ?? []).map((allowance) =>
    part(-adjustment(allowance, currency), allowance.vat),
  )
  const charges = (invoice.charges ?? []).map((charge) => part(adjustment(charge, currency), charge.vat))

  const groups = groupByVat([...lines, ...allowances, ...charges])
  const vat = groups.map(({ rate, parts }) => {
    const entered = sum(parts.map((each) => each.entered))
    const tax = taxOf(entered, rate, taxMode)
    const base = taxMode === 'gross' ? entered - tax : entered
    const nets = netsOf(parts, base, rate, taxMode)
    parts.forEach((each, index) => (each.net = nets[index]!))
    const first = parts[0]!.vat
    // Each that somebody wrote: two exemptions may share a rate, and the law wants both named.
    const written = [...new Set(parts.flatMap((each) => each.vat.reason || []))].join('; ')
    const reason = written || vatReason(first.category, invoice.language)
    return { category: first.category, rate: formatDecimal(rate), reason, base, tax }
  })

  const base = sum(vat.map((group) => group.base))
  const tax = sum(vat.map((group) => group.tax))
  return {
    lines: lines.map(({ entered, net }) => ({ entered, net })),
    allowances: allowances.map(({ entered, net }) => ({ entered: -entered, net: -net })),
    charges: charges.map(({ entered, net }) => ({ entered, net })),
    vat,
    totals: {
      lines: sum(lines.map((line) => line.net)),
      allowances: -sum(allowances.map((allowance) => allowance.net)),
      charges: sum(charges.map((charge) => charge.net)),
      net: base,
      tax,
      gross: base + tax,
    },
  }
}

/** Amounts beyond what Docket stores, each at the line it comes from. */
export function amountErrors({ lines, totals }: InvoiceAmounts): FieldError[] {
  const tooLarge = (amount: MinorUnits) => amount > largestAmount || amount < -largestAmount
  const detail = 'This amount is too large'
  const errors = lines.flatMap((line, index) =>
    tooLarge(line.entered) ? [{ pointer: `/lines/${index}/unitPrice`, detail }] : [],
  )
  return errors.length === 0 && Object.values(totals).some(tooLarge) ? [{ pointer: '/lines', detail }] : errors
}

/** The totals as they leave on the wire. */
export function wireTotals(totals: InvoiceAmounts['totals'], currency: string): InvoiceTotals {
  return {
    lines: toMoney(totals.lines, currency),
    allowances: toMoney(totals.allowances, currency),
    charges: toMoney(totals.charges, currency),
    net: toMoney(totals.net, currency),
    tax: toMoney(totals.tax, currency),
    gross: toMoney(totals.gross, currency),
  }
}

/** round(quantity x price / base quantity) - allowances + charges, each part rounded (DOMAIN.md "Money" 2). */
function lineAmount(line: LineInput, currency: string): MinorUnits {
  const places = minorUnitDigits(currency)
  const quantity = decimal(line.quantity)
  const price = decimal(line.unitPrice)
  const base = decimal(line.baseQuantity ?? '1')
  // quantity x price / base as one fraction, so that it is rounded once.
  const numerator = quantity.digits * price.digits * 10n ** BigInt(base.scale + places)
  const denominator = base.digits * 10n ** BigInt(quantity.scale + price.scale)
  return (
    divideRounded(numerator, denominator) -
    sum((line.allowances ?? []).map((allowance) => adjustment(allowance, currency))) +
    sum((line.charges ?? []).map((charge) => adjustment(charge, currency)))
  )
}

function part(entered: MinorUnits, vat: Vat): Part {
  return { entered, vat, net: 0n }
}

function adjustment({ amount }: Adjustment, currency: string): MinorUnits {
  return minorUnitsOf({ amount, currency })
}

function groupByVat(parts: readonly Part[]): { rate: Decimal; parts: Part[] }[] {
  const groups = new Map<string, { rate: Decimal; parts: Part[] }>()
  for (const each of parts) {
    const rate = decimal(each.vat.rate)
    const key = `${each.vat.category} ${formatDecimal(rate)}`
    const group = groups.get(key) ?? { rate, parts: [] }
    group.parts.push(each)
    groups.set(key, group)
  }
  return [...groups.values()]
}

/** Net mode: base x rate / 100. Gross mode: gross x rate / (100 + rate). */
function taxOf(entered: MinorUnits, rate: Decimal, mode: TaxMode): MinorUnits {
  const hundred = hundredOf(rate)
  return divideRounded(entered * rate.digits, mode === 'gross' ? hundred + rate.digits : hundred)
}

/** Net mode: what was typed. Gross mode: typed x 100 / (100 + rate), of a sale and of what is taken off alike, together `base`. */
function netsOf(parts: readonly Part[], base: MinorUnits, rate: Decimal, mode: TaxMode): MinorUnits[] {
  const entered = parts.map((each) => each.entered)
  if (mode === 'net') return entered
  const hundred = hundredOf(rate)
  return roundTogether(
    base,
    entered.map((amount) => amount * hundred),
    hundred + rate.digits,
  )
}

/** 100 %, in the digits of a rate. */
function hundredOf({ scale }: Decimal): bigint {
  return 100n * 10n ** BigInt(scale)
}

function sum(amounts: readonly MinorUnits[]): MinorUnits {
  return amounts.reduce((total, amount) => total + amount, 0n)
}
