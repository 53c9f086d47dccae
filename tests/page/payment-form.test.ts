// One payment on several invoices: how it is spread, and what is wrong with its parts.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkPayment, partsOf } from '#page/features/payments/allocate.ts'
import { spreadInOrder } from '#page/features/payments/spread.ts'
import { asFieldErrors } from '#page/forms/form-errors.ts'
import type { InvoiceSummary } from '#shared/contract/invoices.ts'

describe('spreading', () => {
  test('the first is paid whole before the next gets any; nothing is lost and nothing is more than is due', () => {
    const amounts = fc.bigInt({ min: 1n, max: 10n ** 15n })
    fc.assert(
      fc.property(amounts, fc.array(amounts, { minLength: 1, maxLength: 50 }), (amount, due) => {
        const parts = spreadInOrder(amount, due)
        const sum = (list: readonly bigint[]) => list.reduce((total, each) => total + each, 0n)
        expect(sum(parts)).toBe(amount < sum(due) ? amount : sum(due))
        parts.forEach((part, index) => {
          expect(part >= 0n && part <= due[index]!).toBe(true)
          if (part > 0n) expect(parts.slice(0, index)).toEqual(due.slice(0, index))
        })
      }),
    )
  })
})

describe('what is wrong is said at its field', () => {
  const open = ['100.00', '50.00'].map((amount) => ({ amountDue: { amount, currency: 'EUR' } })) as InvoiceSummary[]
  const errors = (amount: string, parts: string[], date = '2026-11-20') =>
    asFieldErrors(checkPayment(open, 'EUR', 'en-GB'), { amount, date, parts }).map(
      ({ pointer, detail }) => `${pointer} ${detail}`,
    )
  test.each<[string, string[], string[]]>([
    ['120', ['100', '20'], []],
    ['20', ['', '20'], []],
    ['', ['100', ''], ['/amount Enter what was received']],
    ['0', ['', ''], ['/amount Must be more than 0']],
    ['150', ['100', '50.01'], ['/parts/1 Only €50.00 is due']],
    ['10', ['-10', '20'], ['/parts/0 Must be more than 0']],
    ['160', ['100', '50'], ['/amount What is put on the invoices must be what was received']],
    ['90', ['100', ''], ['/amount What is put on the invoices must be what was received']],
  ])('%s on %j', (amount, parts, expected) => {
    expect(errors(amount, parts)).toEqual(expected)
  })
  test('what is no number, or has more places than the currency, is named where it stands', () => {
    expect(errors('12', ['x', '1.234']).map((each) => each.split(' ')[0])).toEqual(['/parts/0', '/parts/1'])
    expect(errors('12', ['12', ''], '')).toEqual(['/date Enter a date'])
    expect(partsOf(['1', 'x', ''], 'EUR')).toEqual([100n, 0n, 0n])
  })
})
