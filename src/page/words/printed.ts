// Amounts and dates as Intl prints them, without asking it: the first that Intl prints costs a slow phone some 0.1 s in the middle of its first screen, because the
// browser goes through all its languages then. How a language prints is learnt once that is over, held against Intl, and kept for the next start; where it
// does not come out alike, Intl goes on printing.
import { minorUnitDigits } from '#shared/currency.ts'
import * as intl from '#shared/format.ts'
import type { Money } from '#shared/money.ts'
import { keyPrefix } from '#page/person.ts'
import { onScreen } from './on-screen.ts'

export interface AmountForm {
  /** What stands before and after the digits, without and with a minus. */
  around: readonly [readonly [string, string], readonly [string, string]]
  decimal: string
  places: number
  group: string
  /** Digits of the last group before the decimal mark, of the others, and how many there are at least where any are grouped. */
  last: number
  others: number
  leastGrouped: number
}

export interface DateForm {
  /** Texts, and where which part stands. */
  parts: readonly (string | DatePart)[]
  months: readonly string[]
  dayDigits: number
}
const [year, month, day] = [0, 1, 2] as const
type DatePart = typeof year | typeof month | typeof day

/** By language and currency, and by language; null where Intl has to print. */
interface Forms {
  /** Another version may print otherwise. */
  browser: string
  amounts: Partial<Record<string, AmountForm | null>>
  dates: Partial<Record<string, DateForm | null>>
}

/** Goes with the paint cache when its person signs out. */
const key = `${keyPrefix}printed`
const restMs = 3000
let forms: Forms | null = null
const unknown = new Map<string, () => void>()

export function formatMoney(money: Money, locale: string): string {
  const { amounts } = known()
  const name = `${locale} ${money.currency}`
  const form = amounts[name]
  if (form === undefined) learnLater(name, () => (amounts[name] = learnAmounts(locale, money.currency)))
  return (form && printAmount(form, money.amount)) ?? intl.formatMoney(money, locale)
}

/** A calendar date; it has no zone. */
export function formatDate(date: string | null, locale: string): string {
  if (date === null) return intl.formatDate(date, locale)
  const { dates } = known()
  const form = dates[locale]
  if (form === undefined) learnLater(locale, () => (dates[locale] = learnDates(locale)))
  return onScreen((form && printDate(form, date)) ?? intl.formatDate(date, locale))
}

function known(): Forms {
  if (forms) return forms
  const browser = navigator.userAgent
  let kept: Forms | null = null
  try {
    kept = JSON.parse(localStorage.getItem(key) ?? 'null') as Forms | null
  } catch {
    // Cut off or not to be read: learnt anew.
  }
  forms = kept?.browser === browser ? kept : { browser, amounts: {}, dates: {} }
  return forms
}

function learnLater(name: string, learn: () => void): void {
  if (unknown.size === 0) setTimeout(learnAll, restMs)
  unknown.set(name, learn)
}

function learnAll(): void {
  for (const learn of unknown.values()) learn()
  unknown.clear()
  // Who has signed out meanwhile leaves nothing behind.
  if (!Object.keys(localStorage).some((each) => each.startsWith(keyPrefix))) return
  try {
    localStorage.setItem(key, JSON.stringify(forms))
  } catch {
    // Full: the next start asks Intl.
  }
}

/** How this language prints amounts of a currency; null when it is not by the rules of {@link AmountForm}. */
export function learnAmounts(locale: string, currency: string): AmountForm | null {
  const places = minorUnitDigits(currency)
  const fraction = places > 0 ? `.${'12345'.slice(0, places)}` : ''
  const print = (amount: string) => intl.formatMoney({ amount, currency }, locale)
  const around = ['', '-'].map((sign) => /^(\D*)\d.*\d(\D*)$/su.exec(print(`${sign}1234567891${fraction}`))?.slice(1))
  const [plain, minus] = around as [string, string][]
  if (!plain || !minus) return null
  const body = (amount: string) => {
    const text = print(amount)
    return text.slice(plain[0].length, text.length - plain[1].length)
  }
  const digits = body(`1234567891${fraction}`).split(/\D+/u)
  const wholes = places > 0 ? digits.slice(0, -1) : digits
  const marks = body(`1234567891${fraction}`).match(/\D+/gu) ?? []
  const isGrouped = (length: number) => body(`${'1'.repeat(length)}${fraction}`).match(/\D+/gu)?.[places > 0 ? 1 : 0]
  const form: AmountForm = {
    around: [plain, minus],
    decimal: places > 0 ? marks.at(-1)! : '',
    places,
    group: wholes.length > 1 ? marks[0]! : '',
    last: wholes.at(-1)!.length,
    others: wholes.at(-2)?.length ?? 1,
    leastGrouped: [4, 5, 6].find(isGrouped) ?? 99,
  }
  const samples = [
    '0',
    '7',
    '10',
    '123',
    '1234',
    '98765',
    '123456',
    '1234567',
    '98765432',
    '123456789',
    '1234567890123',
  ]
  const isAlike = (amount: string) => printAmount(form, amount) === print(amount)
  return samples.flatMap((each) => [each + fraction, `-${each}${fraction}`]).every(isAlike) ? form : null
}

/** Null for an amount with other places than its currency has. */
export function printAmount(form: AmountForm, amount: string): string | null {
  const isNegative = amount.startsWith('-')
  const [whole = '', fraction = ''] = amount.slice(isNegative ? 1 : 0).split('.')
  if (fraction.length !== form.places) return null
  const [before, after] = form.around[isNegative ? 1 : 0]
  return before + grouped(form, whole) + form.decimal + fraction + after
}

function grouped({ group, last, others, leastGrouped }: AmountForm, whole: string): string {
  if (whole.length < leastGrouped) return whole
  let at = whole.length - last
  let text = whole.slice(at)
  for (; at > 0; at -= others) text = whole.slice(Math.max(0, at - others), at) + group + text
  return text
}

/** How this language prints dates; null when it is not by the rules of {@link DateForm}, such as in another calendar. */
export function learnDates(locale: string): DateForm | null {
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' })
  const partsOf = (at: number) => format.formatToParts(Date.UTC(2031, at, 5))
  const place = { year, month, day } as const
  const parts = partsOf(0).map(({ type, value }) => place[type as keyof typeof place] ?? value)
  const months = Array.from({ length: 12 }, (_, at) => partsOf(at).find(({ type }) => type === 'month')?.value ?? '')
  const dayDigits = partsOf(0).find(({ type }) => type === 'day')?.value.length ?? 1
  const form = { parts, months, dayDigits }
  const samples = months.flatMap((_, at) =>
    ['1999', '2031'].flatMap((in_) => ['05', '28'].map((on) => `${in_}-${String(at + 1).padStart(2, '0')}-${on}`)),
  )
  return samples.every((date) => printDate(form, date) === intl.formatDate(date, locale)) ? form : null
}

/** Null for what is no date of four digits' years. */
export function printDate({ parts, months, dayDigits }: DateForm, date: string): string | null {
  if (!/^[1-9]\d{3}-\d\d-\d\d$/.test(date)) return null
  const of = [
    date.slice(0, 4),
    months[Number(date.slice(5, 7)) - 1]!,
    String(Number(date.slice(8))).padStart(dayDigits, '0'),
  ]
  return parts.map((part) => (typeof part === 'number' ? of[part] : part)).join('')
}
