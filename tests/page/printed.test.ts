// What the page prints without Intl is what Intl prints (page/words/printed.ts).
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { currencyCodes, minorUnitDigits } from '#shared/currency.ts'
import { addDays } from '#shared/dates.ts'
import { formatDate, formatMoney } from '#shared/format.ts'
import * as screen from '#page/words/format.ts'
import { learnAmounts, learnDates, printAmount, printDate } from '#page/words/printed.ts'

const usual =
  'en-GB en-US en-IE en-AU en-CA en-IN en-ZA de-DE de-AT de-CH fr-FR fr-CH fr-CA es-ES es-MX it-IT nl-NL nl-BE pt-PT pt-BR pl-PL cs-CZ sk-SK hu-HU ro-RO sv-SE da-DK nb-NO fi-FI et-EE lt-LT tr-TR el-GR ja-JP ko-KR zh-CN hi-IN'.split(
    ' ',
  )
/** Other digits, other calendars, other directions. */
const unusual =
  'uk-UA ar-EG ar-SA fa-IR th-TH he-IL bn-BD mr-IN my-MM ca-ES lv-LV bg-BG sl-SI pt-CV de-LI ne-NP ur-PK ckb-IQ'.split(
    ' ',
  )

describe('amounts', () => {
  test.each([...usual, ...unusual])('%s', (locale) => {
    for (const currency of currencyCodes) {
      const form = learnAmounts(locale, currency)
      if (usual.includes(locale)) expect(form, `${locale} ${currency}`).not.toBeNull()
      if (!form) continue
      const places = minorUnitDigits(currency)
      const amounts = fc
        .tuple(fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }), fc.nat(17))
        .map(([units, cut]) => units / 10n ** BigInt(cut))
        .map((units) => {
          const digits = String(units < 0n ? -units : units).padStart(places + 1, '0')
          const text = places > 0 ? `${digits.slice(0, -places)}.${digits.slice(-places)}` : digits
          return units < 0n ? `-${text}` : text
        })
      fc.assert(
        fc.property(amounts, (amount) => printAmount(form, amount) === formatMoney({ amount, currency }, locale)),
        { numRuns: 12 },
      )
      expect(printAmount(form, '1.2345')).toBeNull()
    }
  })
})

test.each([...usual, ...unusual])('dates: %s', (locale) => {
  const form = learnDates(locale)
  if (usual.includes(locale)) expect(form).not.toBeNull()
  if (!form) return
  for (let date = '2025-12-25'; date < '2027-01-10'; date = addDays(date, 1))
    expect(printDate(form, date)).toBe(formatDate(date, locale))
  expect(printDate(form, '0099-01-01')).toBeNull()
})

describe('dates on the screens, which run from left to right', () => {
  const zone = { timeZone: 'UTC' }
  test.each([
    // By its digits alone it is in order.
    ['ar-AE', '27/11/2026', '\u206827/11/2026، 9:05 ص\u2069'],
    ['he-IL', '\u206827 בנוב׳ 2026\u2069', '\u206827 בנוב׳ 2026, 9:05\u2069'],
  ])('%s: without marks of direction, and apart from what stands around them', (locale, date, instant) => {
    expect(screen.formatDate('2026-11-27', locale)).toBe(date)
    expect(screen.formatInstant('2026-11-27T09:05:00Z', { locale, ...zone })).toBe(instant)
    expect(screen.formatMonth('2026-11', locale, 'long')).toMatch(/^\u2068[^\u200f]+\u2069$/)
  })

  test.each(usual)('%s: as Intl writes them', (locale) => {
    expect(screen.formatDate('2026-11-27', locale)).toBe(formatDate('2026-11-27', locale))
  })
})
