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
 * Splits `total` over `weights` in proportion, by largest remainder, so that the parts add up to it exactly.
 * Ties go to the earlier part. With weights that sum to zero the whole goes to the first part.
 */
export function allocate(total: MinorUnits, weights: readonly MinorUnits[]): MinorUnits[] {
  const sum = weights.reduce((left, right) => left + right, 0n)
  if (sum === 0n) return weights.map((_, index) => (index === 0 ? total : 0n))
  const shares = weights.map((weight, index) => {
    const exact = total * weight
    const floor = floorDivide(exact, sum)
    return { index, floor, remainder: magnitude(exact - floor * sum) }
  })
  const parts = shares.map((share) => share.floor)
  const left = total - parts.reduce((a, b) => a + b, 0n)
  const byRemainder = shares.toSorted((a, b) =>
    a.remainder === b.remainder ? a.index - b.index : a.remainder > b.remainder ? -1 : 1,
  )
  for (const share of byRemainder.slice(0, Number(left))) parts[share.index]! += 1n
  return parts
}

function floorDivide(numerator: bigint, denominator: bigint): bigint {
  const quotient = numerator / denominator
  return quotient * denominator !== numerator && numerator < 0n !== denominator < 0n ? quotient - 1n : quotient
}

function magnitude(value: bigint): bigint {
  return value < 0n ? -value : value
}
