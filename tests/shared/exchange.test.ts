// VAT in the accounting currency: exact, symmetric, and to the places of every currency there is.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { invoiceEdit } from '#shared/contract/invoices.ts'
import { currencyCodes, minorUnitDigits } from '#shared/currency.ts'
import { formatDecimal } from '#shared/decimal.ts'
import { accountingTaxOf, exchanged, exchangeErrors } from '#shared/exchange.ts'

const currency = fc.constantFrom(...currencyCodes)
const rate = fc
  .record({ digits: fc.bigInt({ min: 1n, max: 10n ** 16n }), scale: fc.integer({ min: 0, max: 10 }) })
  .map(formatDecimal)
const minor = fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n })

/** `text` as a fraction of whole numbers. */
function fraction(text: string): [bigint, bigint] {
  const [whole = '', places = ''] = text.split('.')
  return [BigInt(whole + places), 10n ** BigInt(places.length)]
}

test('is within half a minor unit of the product, half goes away from zero', () => {
  fc.assert(
    fc.property(minor, currency, currency, rate, (amount, from, to, at) => {
      const [numerator, denominator] = fraction(at)
      const scaleOf = (code: string) => 10n ** BigInt(minorUnitDigits(code))
      const exact = amount * numerator * scaleOf(to)
      const unit = denominator * scaleOf(from)
      const result = exchanged(amount, from, to, at)
      const off = 2n * (result * unit - exact)
      expect(off <= unit && off >= -unit).toBe(true)
      if (off === unit) expect(exact > 0n).toBe(true)
      if (off === -unit) expect(exact < 0n).toBe(true)
      // What is taken back is what was charged.
      expect(exchanged(-amount, from, to, at)).toBe(-result)
      // PEPPOL-EN16931-R055.
      expect(result * amount >= 0n).toBe(true)
    }),
  )
})

test('every pair of currencies at 1 keeps the amount, as far as the places go', () => {
  for (const from of currencyCodes)
    for (const to of currencyCodes)
      expect(exchanged(10n ** BigInt(minorUnitDigits(from)), from, to, '1')).toBe(10n ** BigInt(minorUnitDigits(to)))
})

test.each([
  ['159.18', 'USD', '0.92', 'EUR', '146.45'],
  ['0.50', 'USD', '0.01', 'EUR', '0.01'],
  ['-0.50', 'USD', '0.01', 'EUR', '-0.01'],
  ['0.49', 'USD', '0.01', 'EUR', '0.00'],
  ['1000', 'JPY', '0.0061', 'EUR', '6.10'],
  ['19.00', 'EUR', '163.27', 'JPY', '3102'],
  ['19.00', 'EUR', '0.33345', 'KWD', '6.336'],
  ['1.000', 'KWD', '2.9989503674', 'EUR', '3.00'],
  ['100000000.00', 'LAK', '0.0000409213', 'EUR', '4092.13'],
  ['9999999999999.99', 'USD', '9999999999.9999999999', 'EUR', '99999999999999899999000.00'],
])('%s %s at %s is %s %s', (amount, from, at, to, due) => {
  const exchange = { from, to, rate: at, date: '2026-11-21', source: 'ECB' }
  expect(accountingTaxOf(exchange, { amount, currency: from })).toEqual({
    amount: due,
    currency: to,
  })
})

test('without a rate there is none', () => {
  const tax = { amount: '1.00', currency: 'USD' }
  expect(accountingTaxOf(null, tax)).toBeNull()
  const exchange = { from: 'CHF', to: 'EUR', rate: '1.05', date: '2026-11-21', source: 'ECB' }
  expect(accountingTaxOf(exchange, tax)).toBeNull()
})

describe('what is refused', () => {
  const exchange = { from: 'USD', to: 'EUR', rate: '0.92', date: '2026-11-21', source: 'ECB' }
  test.each([
    ['all there', exchange, []],
    ['none', null, []],
    ['ten places', { ...exchange, rate: '0.0000409213' }, []],
    ['eleven', { ...exchange, rate: '0.00004092134' }, ['/exchange/rate']],
    ['zero', { ...exchange, rate: '0.00' }, ['/exchange/rate']],
    ['below zero', { ...exchange, rate: '-0.92' }, ['/exchange/rate']],
    ['no number', { ...exchange, rate: '0,92' }, ['/exchange/rate']],
    ['no rate', { ...exchange, rate: '' }, ['/exchange/rate']],
    ['no date', { ...exchange, date: '' }, ['/exchange/date']],
    ['no day of the calendar', { ...exchange, date: '2026-02-30' }, ['/exchange/date']],
    ['no source', { ...exchange, source: ' ' }, ['/exchange/source']],
    ['too long a source', { ...exchange, source: 'x'.repeat(101) }, ['/exchange/source']],
    ['a rate alone', { from: 'USD', to: 'EUR', rate: '0.92' }, ['/exchange/date', '/exchange/source']],
    ['of no currencies', { ...exchange, from: undefined, to: '' }, ['/exchange/from', '/exchange/to']],
  ])('%s', (_, given, pointers) => {
    const parsed = invoiceEdit.safeParse({ currency: 'USD', exchange: given })
    const found = parsed.success ? [] : parsed.error.issues.map(({ path }) => `/${path.join('/')}`)
    expect([...new Set(found)]).toEqual(pointers)
  })
  test('a rate of a currency into itself, and one into what is no longer the own', () => {
    expect(exchangeErrors({ exchange, currency: 'USD' }, 'EUR')).toEqual([])
    expect(exchangeErrors({ exchange: null, currency: 'EUR' }, 'EUR')).toEqual([])
    const refused = [
      exchangeErrors({ exchange, currency: 'EUR' }, 'EUR'),
      exchangeErrors({ exchange, currency: 'USD' }, 'GBP'),
      exchangeErrors({ exchange, currency: 'CHF' }, 'EUR'),
    ]
    expect(refused.flat().map(({ pointer }) => pointer)).toEqual(['/exchange/rate', '/exchange/rate', '/exchange/rate'])
  })
})
