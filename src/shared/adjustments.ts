// Discounts and extra charges that are a percentage: what of, and what it comes to. The amount is what counts; the percentage says how it came about.
import { decimal, divideRounded } from './decimal.ts'
import { invoiceAmounts, type LineInput } from './invoice-totals.ts'
import type { MinorUnits } from './money.ts'
import type { Vat } from './vat.ts'

/** Quantity times price, before the line's own discounts and charges: what a percentage of the line is of. */
export function lineBase(line: LineInput, currency: string): MinorUnits {
  const bare = { ...line, allowances: [], charges: [] }
  return invoiceAmounts({ currency, taxMode: 'net', lines: [bare] }).lines[0]!.entered
}

/** The lines that are taxed alike, together: what a percentage of the document is of. Amounts in the tax mode they were typed in. */
export function documentBase(lines: readonly LineInput[], vat: Vat, currency: string): MinorUnits {
  const alike = lines.filter((line) => line.vat.category === vat.category && isSame(line.vat.rate, vat.rate))
  const amounts = invoiceAmounts({ currency, taxMode: 'net', lines: alike }).lines
  return amounts.reduce((total, { entered }) => total + entered, 0n)
}

/** `percent` is a decimal string; rounded once. */
export function percentOf(base: MinorUnits, percent: string): MinorUnits {
  const { digits, scale } = decimal(percent)
  return divideRounded(base * digits, 100n * 10n ** BigInt(scale))
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [decimal(one), decimal(other)]
  return a.digits === b.digits && a.scale === b.scale
}
