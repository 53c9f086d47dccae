// Amounts and dates as people read them: Intl prints, but the places are ISO 4217's (DOMAIN.md "Money" 1).
import type { Address } from '#shared/contract/common.ts'
import { minorUnitDigits } from '#shared/currency.ts'
import type { Money } from '#shared/money.ts'

const numberFormats = new Map<string, Intl.NumberFormat>()
const dateFormats = new Map<string, Intl.DateTimeFormat>()

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

export function formatMonth(month: string, locale: string, style: 'narrow' | 'short' | 'long' = 'short'): string {
  return new Intl.DateTimeFormat(locale, {
    month: style,
    ...(style === 'long' && { year: 'numeric' }),
    timeZone: 'UTC',
  }).format(new Date(`${month}-01T00:00:00Z`))
}

/** An address as it stands on an envelope, without what is empty. */
export function addressLines(address: Address, country: string): string[] {
  const { line1, line2, postalCode, city, region } = address
  const place = [postalCode, city].filter(Boolean).join(' ')
  return [line1, line2, place, region, regionName(country)].filter((line): line is string => Boolean(line))
}

/** Choices of a country, by name in the reader's language. */
export function regionName(code: string): string {
  return new Intl.DisplayNames(navigator.languages, { type: 'region' }).of(code) ?? code
}

export function currencyName(code: string): string {
  return `${code} – ${new Intl.DisplayNames(navigator.languages, { type: 'currency' }).of(code) ?? code}`
}

/** A moment in the reader's language and zone. */
export function formatInstant(instant: string): string {
  return new Intl.DateTimeFormat(navigator.languages, { dateStyle: 'medium', timeStyle: 'short' }).format(
    new Date(instant),
  )
}

/** The time of day where it is of today, with its date else. */
export function formatClock(atMs: number): string {
  const at = new Date(atMs)
  if (at.toDateString() !== new Date().toDateString()) return formatInstant(at.toISOString())
  return new Intl.DateTimeFormat(navigator.languages, { timeStyle: 'short' }).format(at)
}

export function formatCount(count: number): string {
  return new Intl.NumberFormat(navigator.languages).format(count)
}

const steps: readonly (readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number])[] = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
]

/** `3 days ago`, in the reader's language; what is younger than a minute is now. */
export function formatRelative(instant: string, nowMs: number): string {
  const format = new Intl.RelativeTimeFormat(navigator.languages, { numeric: 'auto' })
  const seconds = (nowMs - Date.parse(instant)) / 1000
  const [unit, length] = steps.find(([, each]) => seconds >= each) ?? ['second', Infinity]
  return format.format(-Math.floor(seconds / length), unit)
}
