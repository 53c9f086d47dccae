// Amounts, numbers and dates as they stand on screen and paper: Intl prints, but the places are ISO 4217's (DOMAIN.md "Money" 1).
import { minorUnitDigits } from './currency.ts'
import type { Exchange } from './exchange.ts'
import type { Money } from './money.ts'

const numberFormats = new Map<string, Intl.NumberFormat>()
const dateFormats = new Map<string, Intl.DateTimeFormat>()
const decimalMarks = new Map<string, string>()

export function formatMoney({ amount, currency }: Money, locale: string): string {
  const key = `${locale} ${currency}`
  let format = numberFormats.get(key)
  if (!format) {
    const digits = minorUnitDigits(currency)
    format = new Intl.NumberFormat(locale, {
      style: 'currency',
      currency,
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    })
    numberFormats.set(key, format)
  }
  // Given as text, so that no digit passes through a floating-point number.
  return format.format(amount as Intl.StringNumericLiteral)
}

/** A unit price: the places of its currency, or more where it has more. */
export function formatPrice(price: string, currency: string, locale: string): string {
  const places = price.split('.')[1]?.length ?? 0
  return new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    minimumFractionDigits: Math.max(minorUnitDigits(currency), places),
    maximumFractionDigits: 6,
  }).format(price as Intl.StringNumericLiteral)
}

/** A calendar date; it has no zone, so it is printed in UTC as what it is. */
export function formatDate(date: string | null, locale: string): string {
  if (date === null) return '–'
  let format = dateFormats.get(locale)
  if (!format)
    dateFormats.set(locale, (format = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' })))
  return format.format(new Date(`${date}T00:00:00Z`))
}

/** A number of the wire as this language types it, so that reading it again gives the same. */
export function asTyped(wire: string, locale: string): string {
  return wire.replace('.', decimalMark(locale))
}

/** What an exchange rate says: `1 USD = 0,92 EUR`. */
export function formatRate({ from, to, rate }: Pick<Exchange, 'from' | 'to' | 'rate'>, locale: string): string {
  return `1 ${from} = ${asTyped(rate, locale)} ${to}`
}

/** Comma or point. */
export function decimalMark(locale: string): string {
  let mark = decimalMarks.get(locale)
  if (mark === undefined) {
    const parts = new Intl.NumberFormat(locale).formatToParts(1.5)
    mark = parts.find(({ type }) => type === 'decimal')?.value === ',' ? ',' : '.'
    decimalMarks.set(locale, mark)
  }
  return mark
}
