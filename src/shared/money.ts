import { minorUnitDigits } from './currency.ts'
import { divideRounded, formatFixed, parseDecimal, type Decimal } from './decimal.ts'
import type { Result } from './result.ts'

/** An amount in the smallest unit of its currency (cents; whole yen). Never a JS number. */
export type MinorUnits = bigint

/** No amount of an invoice is larger, so that sums of millions of them still fit a 64-bit column. */
export const largestAmount: MinorUnits = 10n ** 15n

/** An amount as it leaves on the wire: `{ amount: "758.00", currency: "EUR" }`, always with all places of the currency. */
export interface Money {
  amount: string
  currency: string
}

/** Reads `19.99` into 1999n; refuses more places than the currency has (ISO 4217). */
export function parseMoney(text: string, currency: string): Result<MinorUnits> {
  const places = minorUnitDigits(currency)
  const parsed = parseDecimal(text, { integerDigits: 15, decimalPlaces: places, negative: true })
  if (!parsed.ok) return parsed
  return { ok: true, value: roundToMinor(parsed.value, places) }
}

export function formatAmount(minor: MinorUnits, currency: string): string {
  return formatFixed(minor, minorUnitDigits(currency))
}

export function toMoney(minor: MinorUnits, currency: string): Money {
  return { amount: formatAmount(minor, currency), currency }
}

/** Minor units of an amount that a contract has already accepted; anything else is a bug and throws. */
export function minorUnitsOf(money: Money): MinorUnits {
  const parsed = parseMoney(money.amount, money.currency)
  if (!parsed.ok) throw new TypeError(`Not an amount of ${money.currency}: ${money.amount}`)
  return parsed.value
}

/** A decimal rounded to a currency of `places` decimal places. */
function roundToMinor(value: Decimal, places: number): MinorUnits {
  return value.scale <= places
    ? value.digits * 10n ** BigInt(places - value.scale)
    : divideRounded(value.digits, 10n ** BigInt(value.scale - places))
}

/**
 * Rounds fractions over one denominator so that they add up to `total`, which is their exact sum, itself rounded to a unit or less. Each goes to the
 * nearest unit; while they don't add up, the one that this moved furthest the other way goes a unit on (largest remainder). So each stays within a
 * unit of what it is exactly. Among those moved alike the largest goes first, then the earlier: another order changes nothing but which of equal parts
 * it is, and turned signs turn every part.
 */
export function roundTogether(total: MinorUnits, numerators: readonly bigint[], denominator: bigint): MinorUnits[] {
  const parts = numerators.map((numerator) => divideRounded(numerator, denominator))
  const missing = total - parts.reduce((left, right) => left + right, 0n)
  const step = missing < 0n ? -1n : 1n
  const byRemainder = numerators
    .map((numerator, index) => ({
      index,
      remainder: step * (numerator - parts[index]! * denominator),
      size: magnitude(numerator),
    }))
    .toSorted((a, b) => compare(b.remainder, a.remainder) || compare(b.size, a.size))
  for (const { index } of byRemainder.slice(0, Number(step * missing))) parts[index]! += step
  return parts
}

function magnitude(value: bigint): bigint {
  return value < 0n ? -value : value
}

function compare(one: bigint, other: bigint): number {
  return one < other ? -1 : one > other ? 1 : 0
}
