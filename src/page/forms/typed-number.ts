// Numbers as people type them: text while it is typed, read in the marks of the organization's language, never rewritten under the fingers.
import { decimalMark } from '#shared/format.ts'

export { asTyped } from '#shared/format.ts'

/** Whole digits with marks between their thousands (in India, between their lakhs). */
const grouped = /^-?\d{1,3}([.,]\d{2,3})*[.,]\d{3}$/

/** An exchange rate: one point alone is its decimal mark in any language. Banks and converters write `1.172`, and seldom thousands. */
export function readRate(typed: string, locale: string): string {
  return readTyped(typed, /^[^.,]*\.[^.,]*$/.test(typed) ? 'en' : locale)
}

/**
 * A price as {@link readTyped} has it, without the sign or the code of its own currency on either side, as it is copied from elsewhere. Any other currency's stays,
 * for the contract to name.
 */
export function readPrice(typed: string, locale: string, currency: string): string {
  // Most are bare figures, and are read at each key: asking Intl for signs costs a slow phone more than all the rest.
  if (!/[\p{L}\p{Sc}]/u.test(typed)) return readTyped(typed, locale)
  const bare = typed.trim().toLowerCase()
  for (const sign of signsOf(currency, locale)) {
    if (bare.startsWith(sign)) return readTyped(bare.slice(sign.length), locale)
    if (bare.endsWith(sign)) return readTyped(bare.slice(0, -sign.length), locale)
  }
  return readTyped(typed, locale)
}

/** As the organization's language and English write them, with the country and without: `us$`, `$`. */
function signsOf(currency: string, locale: string): string[] {
  const signs = [locale, 'en-GB'].flatMap((language) =>
    (['symbol', 'narrowSymbol'] as const).map((currencyDisplay) => {
      const format = new Intl.NumberFormat(language, { style: 'currency', currency, currencyDisplay })
      return format.formatToParts(0).find(({ type }) => type === 'currency')!.value
    }),
  )
  return [currency, ...signs].map((sign) => sign.toLowerCase())
}

/**
 * What was typed in the wire form: `1.234,50` and `1234.5` alike. One mark with three digits after it parts thousands unless it is the
 * language's decimal mark: `1,200` is twelve hundred in English and 1.2 in German. What is no number, a slip such as `12..50` too, stays as
 * it is, for the contract to name.
 */
export function readTyped(typed: string, locale: string): string {
  const bare = typed.trim().replace(/[\s\u00a0\u202f'’]/g, '')
  const marks = bare.match(/[.,]/g) ?? []
  const last = marks.at(-1)
  if (last === undefined) return bare
  const at = bare.lastIndexOf(last)
  const whole = bare.slice(0, at)
  const fraction = bare.slice(at + 1)
  const withoutMarks = (text: string) => text.replace(/[.,]/g, '')
  if (marks.length === 1) {
    const isGrouped = last !== decimalMark(locale) && /^-?[1-9]\d{0,2}$/.test(whole) && /^\d{3}$/.test(fraction)
    if (isGrouped) return whole + fraction
    return /^-?\d*$/.test(whole) && /^\d*$/.test(fraction) ? `${whole.replace(/^-?$/, '$&0')}.${fraction}` : bare
  }
  const kinds = new Set(marks)
  if (kinds.size === 1) return grouped.test(bare) ? withoutMarks(bare) : bare
  // Two kinds: the last mark is the decimal one, and every other parts thousands.
  const isWhole = grouped.test(whole) && !whole.includes(last)
  return isWhole && /^\d*$/.test(fraction) ? `${withoutMarks(whole)}.${fraction}` : bare
}
