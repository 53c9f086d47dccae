// Dates, places and counts as the reader of the screen reads them; what stands on paper is in shared/format.ts.
import type { Address } from '#shared/contract/common.ts'
import type { Organization } from '#shared/contract/organizations.ts'
import { readerLocales } from './language.ts'
import { onScreen } from './on-screen.ts'

export { formatPrice } from '#shared/format.ts'
export { formatDate, formatMoney } from './printed.ts'

export function formatMonth(month: string, locale: string, style: 'narrow' | 'short' | 'long' = 'short'): string {
  const format = { month: style, year: style === 'long' ? 'numeric' : undefined, timeZone: 'UTC' } as const
  return onScreen(new Intl.DateTimeFormat(locale, format).format(new Date(`${month}-01T00:00:00Z`)))
}

/** An address as it stands on an envelope, without what is empty. */
export function addressLines(address: Address, country: string, locale?: string): string[] {
  const { line1, line2, postalCode, city, region } = address
  const place = [postalCode, city].filter(Boolean).join(' ')
  return [line1, line2, place, region, regionName(country, locale)].filter((line): line is string => Boolean(line))
}

/** Choices of a country, by name in the reader's language. */
export function regionName(code: string, locale?: string): string {
  return new Intl.DisplayNames(locale ?? [...readerLocales()], { type: 'region' }).of(code) ?? code
}

export function currencyName(code: string): string {
  return `${code} – ${new Intl.DisplayNames(readerLocales(), { type: 'currency' }).of(code) ?? code}`
}

/** Whose days and times they are: two people of a firm read the same, wherever they are. */
export type Zoned = Pick<Organization, 'locale' | 'timeZone'>

/** A moment: of an organization in its own manner and zone, of an account or a device in its reader's. */
export function formatInstant(instant: string, of?: Partial<Zoned>): string {
  const format = { dateStyle: 'medium', timeStyle: 'short', timeZone: of?.timeZone } as const
  return onScreen(new Intl.DateTimeFormat(of?.locale ?? readerLocales(), format).format(new Date(instant)))
}

/** The time of day where it is of today, with its date else. */
export function formatClock(atMs: number): string {
  const at = new Date(atMs)
  if (at.toDateString() !== new Date().toDateString()) return formatInstant(at.toISOString())
  return onScreen(new Intl.DateTimeFormat(readerLocales(), { timeStyle: 'short' }).format(at))
}

export function formatCount(count: number): string {
  return new Intl.NumberFormat(readerLocales()).format(count)
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
  const format = new Intl.RelativeTimeFormat(readerLocales(), { numeric: 'auto' })
  const seconds = (nowMs - Date.parse(instant)) / 1000
  const [unit, length] = steps.find(([, each]) => seconds >= each) ?? ['second', Infinity]
  return onScreen(format.format(-Math.floor(seconds / length), unit))
}
