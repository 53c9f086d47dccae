import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { currencyCodes, minorUnitDigits } from '#shared/currency.ts'
import { decimal, divideRounded, formatDecimal, parseDecimal, unitPriceLimits } from '#shared/decimal.ts'
import { formatAmount, parseMoney, roundTogether, toMoney } from '#shared/money.ts'

describe('amounts', () => {
  test.each([
    ['19.99', 'EUR', 1999n],
    ['19.9', 'EUR', 1990n],
    ['0.05', 'EUR', 5n],
    ['-12.50', 'EUR', -1250n],
    ['1200', 'JPY', 1200n],
    ['1.234', 'KWD', 1234n],
    ['19.990', 'EUR', 1999n],
  ])('%s %s is %s minor units', (text, currency, minor) => {
    expect(parseMoney(text, currency)).toEqual({ ok: true, value: minor })
  })

  test.each([
    ['19.999', 'EUR'],
    ['0.5', 'JPY'],
    ['', 'EUR'],
    ['1,50', 'EUR'],
    ['1e3', 'EUR'],
    ['.5', 'EUR'],
    ['5.', 'EUR'],
    ['+5', 'EUR'],
    ['٣', 'EUR'],
    [' 5', 'EUR'],
    ['9999999999999999', 'EUR'],
  ])('%j %s is refused in words', (text, currency) => {
    expect(parseMoney(text, currency)).toEqual({ ok: false, error: expect.stringMatching(/\w/) })
  })

  test('every amount of every currency of the table comes back from its text', () => {
    fc.assert(
      fc.property(fc.constantFrom(...currencyCodes), fc.bigInt(-(10n ** 14n), 10n ** 14n), (currency, minor) => {
        expect(parseMoney(formatAmount(minor, currency), currency)).toEqual({ ok: true, value: minor })
      }),
    )
  })

  test('always printed with all places of the currency', () => {
    expect(toMoney(75800n, 'EUR')).toEqual({ amount: '758.00', currency: 'EUR' })
    expect(formatAmount(-7n, 'EUR')).toBe('-0.07')
    expect(formatAmount(7n, 'JPY')).toBe('7')
    expect(formatAmount(7n, 'BHD')).toBe('0.007')
  })

  test('the table follows ISO 4217 where Intl does not', () => {
    expect(['HUF', 'IQD', 'IDR', 'ISK', 'UGX'].map(minorUnitDigits)).toEqual([2, 3, 2, 0, 0])
    expect(() => minorUnitDigits('XXX')).toThrow(RangeError)
  })
})

describe('rounding and splitting', () => {
  test('half goes away from zero', () => {
    expect([5n, 15n, -5n, -15n, 4n, -4n].map((value) => divideRounded(value, 10n))).toEqual([1n, 2n, -1n, -2n, 0n, 0n])
  })

  const numerators = fc.array(fc.bigInt(-1_000_000n, 1_000_000n), { maxLength: 20 })
  /** The exact sum rounded, half either way. */
  const fractions = fc.tuple(numerators, fc.bigInt(1n, 100_000n), fc.boolean()).map(([parts, denominator, isUp]) => {
    const exact = parts.reduce((left, right) => left + right, 0n)
    const total = isUp
      ? divideRounded(exact, denominator)
      : exact - divideRounded(exact * (denominator - 1n), denominator)
    return { parts, denominator, total }
  })
  const byValue = (one: readonly bigint[], other: readonly bigint[]) =>
    Number(one[0]! - other[0]! || one[1]! - other[1]!)

  test('fractions rounded together add up, each within a unit of what it is; signs and order change nothing', () => {
    fc.assert(
      fc.property(fractions, fc.noShrink(fc.integer()), ({ parts, denominator, total }, seed) => {
        const rounded = roundTogether(total, parts, denominator)
        expect(rounded.reduce((left, right) => left + right, 0n)).toBe(total)
        rounded.forEach((part, index) => {
          const error = part * denominator - parts[index]!
          expect((error < 0n ? -error : error) < denominator).toBe(true)
        })
        const turned = roundTogether(
          -total,
          parts.map((part) => -part),
          denominator,
        )
        expect(turned).toEqual(rounded.map((part) => -part))
        const pairs = parts.map((part, index) => [part, rounded[index]!])
        const order = parts.map((_, index) => index).toSorted((a, b) => ((a * seed) % 7) - ((b * seed) % 7))
        const moved = order.map((index) => parts[index]!)
        const again = roundTogether(total, moved, denominator).map((part, index) => [moved[index]!, part])
        expect(again.toSorted(byValue)).toEqual(pairs.toSorted(byValue))
      }),
      { numRuns: 2000 },
    )
  })

  test('of parts that were moved alike the largest goes first, then the earlier', () => {
    expect(roundTogether(2n, [4n, 4n, 14n], 10n)).toEqual([0n, 0n, 2n])
    expect(roundTogether(1n, [4n, 4n], 10n)).toEqual([1n, 0n])
    expect(roundTogether(1n, [6n, 6n], 10n)).toEqual([0n, 1n])
  })

  test('nothing to round', () => {
    expect(roundTogether(0n, [], 7n)).toEqual([])
    expect(roundTogether(0n, [0n, 0n], 7n)).toEqual([0n, 0n])
  })
})

describe('decimals', () => {
  test('limits are refused, trailing zeros are not', () => {
    expect(parseDecimal('1.1234567', unitPriceLimits).ok).toBe(false)
    expect(parseDecimal('1.1234560000', unitPriceLimits)).toEqual({ ok: true, value: { digits: 1123456n, scale: 6 } })
    expect(parseDecimal('-1', unitPriceLimits).ok).toBe(false)
    expect(parseDecimal('0000000000000001', unitPriceLimits).ok).toBe(true)
    expect(parseDecimal('1000000000000', unitPriceLimits).ok).toBe(false)
  })

  test('the shortest text', () => {
    expect(['12.50', '12.00', '0.10', '100', '-0.5'].map((text) => formatDecimal(decimal(text)))).toEqual([
      '12.5',
      '12',
      '0.1',
      '100',
      '-0.5',
    ])
    expect(formatDecimal({ digits: 1200n, scale: 2 })).toBe('12')
  })

  test('what no contract accepted is a bug', () => {
    expect(() => decimal('abc')).toThrow(TypeError)
  })
})
