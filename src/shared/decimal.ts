import { fail, ok, type Result } from './result.ts'

/** A decimal number without rounding: `digits / 10^scale`. */
export interface Decimal {
  digits: bigint
  scale: number
}

export interface DecimalLimits {
  /** Most digits before the point. */
  integerDigits: number
  /** Most digits after the point; more are refused, never rounded away (trailing zeros are dropped first). */
  decimalPlaces: number
  negative?: boolean
}

/** Limits of the three kinds of decimal an invoice line carries (DOMAIN.md "Money"). */
export const quantityLimits: DecimalLimits = { integerDigits: 12, decimalPlaces: 4, negative: true }
export const unitPriceLimits: DecimalLimits = { integerDigits: 12, decimalPlaces: 6 }
export const vatRateLimits: DecimalLimits = { integerDigits: 3, decimalPlaces: 4 }

/** Reads the wire form (`-12.50`: optional sign, point, no grouping, no exponent) within the limits. */
export function parseDecimal(text: string, limits: DecimalLimits): Result<Decimal> {
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text)
  if (!match) return fail('Enter a number such as 12.50')
  const [, sign, integerPart = '', rawFraction = ''] = match
  const fraction = rawFraction.replace(/0+$/, '')
  if (sign && !limits.negative) return fail('Must not be negative')
  if (integerPart.replace(/^0+/, '').length > limits.integerDigits) return fail('This number is too large')
  if (fraction.length > limits.decimalPlaces) {
    return fail(`At most ${limits.decimalPlaces} digits after the decimal point`)
  }
  const digits = BigInt(integerPart + fraction)
  return ok({ digits: sign ? -digits : digits, scale: fraction.length })
}

/** The wire form, shortest: `12.50` is written `12.5`. */
export function formatDecimal({ digits, scale }: Decimal): string {
  const fixed = formatFixed(digits, scale)
  return fixed.includes('.') ? fixed.replace(/\.?0+$/, '') : fixed
}

/** The shortest text of the same number, `12.50` as `12.5` (a database pads it to its scale). Throws for what is no number. */
export function plainDecimal(text: string): string {
  return formatDecimal(decimal(text))
}

/** `digits / 10^scale` with exactly `scale` places: (-7n, 2) is `-0.07`. */
export function formatFixed(digits: bigint, scale: number): string {
  const magnitude = (digits < 0n ? -digits : digits).toString().padStart(scale + 1, '0')
  const sign = digits < 0n ? '-' : ''
  return scale === 0 ? sign + magnitude : `${sign}${magnitude.slice(0, -scale)}.${magnitude.slice(-scale)}`
}

/** Decimal from text that a contract has already accepted; anything else is a bug and throws. */
export function decimal(text: string): Decimal {
  const parsed = parseDecimal(text, { integerDigits: 30, decimalPlaces: 12, negative: true })
  if (!parsed.ok) throw new TypeError(`Not a decimal: ${text}`)
  return parsed.value
}

/**
 * The only rounding there is: `numerator / denominator` to an integer, half away from zero (DOMAIN.md "Money" 2).
 * `denominator` must be positive.
 */
export function divideRounded(numerator: bigint, denominator: bigint): bigint {
  const magnitude = numerator < 0n ? -numerator : numerator
  const rounded = (2n * magnitude + denominator) / (2n * denominator)
  return numerator < 0n ? -rounded : rounded
}
