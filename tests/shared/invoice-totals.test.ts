import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { currencyCodes, minorUnitDigits } from '#shared/currency.ts'
import { decimal, divideRounded, formatFixed } from '#shared/decimal.ts'
import { invoiceAmounts, wireTotals, type InvoiceInput, type LineInput, type TaxMode } from '#shared/invoice-totals.ts'
import { vatCategoryCodes, type Vat } from '#shared/vat.ts'

const line = (quantity: string, unitPrice: string, rate: string): LineInput => ({
  quantity,
  unitPrice,
  vat: { category: 'S', rate },
})

function totalsOf(taxMode: TaxMode, lines: LineInput[], more: Partial<InvoiceInput> = {}) {
  const amounts = invoiceAmounts({ currency: 'EUR', taxMode, lines, ...more })
  return Object.fromEntries(
    Object.entries(wireTotals(amounts.totals, 'EUR')).map(([name, money]) => [name, money.amount]),
  )
}

describe('published cases', () => {
  test('500.00 including 10 % is 454.55 + 45.45, and stays 500.00', () => {
    expect(totalsOf('gross', [line('1', '500.00', '10')])).toMatchObject({
      net: '454.55',
      tax: '45.45',
      gross: '500.00',
    })
  })
  test('2 x 379.00 at 21 % is 758.00 net', () => {
    expect(totalsOf('net', [line('2', '379.00', '21')])).toMatchObject({
      net: '758.00',
      tax: '159.18',
      gross: '917.18',
    })
  })
  test('340.00 + 13.90 including 19 % is 353.90', () => {
    expect(totalsOf('gross', [line('1', '340.00', '19'), line('1', '13.90', '19')])).toMatchObject({ gross: '353.90' })
  })
  test('8500 less an allowance of 7500 at 19 % is 1190.00', () => {
    const allowances = [{ amount: '7500', vat: { category: 'S' as const, rate: '19' } }]
    expect(totalsOf('net', [line('1', '8500', '19')], { allowances })).toMatchObject({
      lines: '8500.00',
      allowances: '7500.00',
      net: '1000.00',
      gross: '1190.00',
    })
  })
  test('1.96 x 2 including 13 % and 0.04 x 2 including 24 % is 4.00', () => {
    expect(totalsOf('gross', [line('2', '1.96', '13'), line('2', '0.04', '24')])).toMatchObject({ gross: '4.00' })
  })
  test('115 including 15 % holds 15.00 tax', () => {
    expect(totalsOf('gross', [line('1', '115', '15')])).toMatchObject({ tax: '15.00', net: '100.00' })
  })
  test('VAT is rounded once per group, not per line: 3 x 0.33 at 21 %', () => {
    const lines = [line('1', '0.33', '21'), line('1', '0.33', '21'), line('1', '0.33', '21.00')]
    expect(invoiceAmounts({ currency: 'EUR', taxMode: 'net', lines }).vat).toEqual([
      { category: 'S', rate: '21', reason: null, base: 99n, tax: 21n },
    ])
  })
  test('price per base quantity is rounded once: 1000 at 1.00 per 3', () => {
    expect(totalsOf('net', [{ ...line('1000', '1.00', '0'), baseQuantity: '3' }])).toMatchObject({ net: '333.33' })
  })
  test('half rounds away from zero on both sides of it', () => {
    expect(totalsOf('net', [line('1', '0.125', '0')])).toMatchObject({ net: '0.13' })
    expect(totalsOf('net', [line('-1', '0.125', '0')])).toMatchObject({ net: '-0.13' })
  })
  test('an untaxed category brings its usual reason', () => {
    const lines = [{ ...line('1', '10', '0'), vat: { category: 'AE' as const, rate: '0' } }]
    expect(invoiceAmounts({ currency: 'EUR', taxMode: 'net', lines }).vat[0]).toMatchObject({
      reason: 'Reverse charge',
      tax: 0n,
    })
  })
})

test('each reason that somebody wrote for a rate is in its group, once', () => {
  const exempt = (reason: string | null) => ({
    ...line('1', '10', '0'),
    vat: { category: 'E' as const, rate: '0', reason },
  })
  const lines = [
    exempt('Letting, § 4 Nr. 12'),
    exempt(null),
    exempt('Lessons, § 4 Nr. 21'),
    exempt('Letting, § 4 Nr. 12'),
  ]
  expect(invoiceAmounts({ currency: 'EUR', taxMode: 'net', lines }).vat).toMatchObject([
    { category: 'E', reason: 'Letting, § 4 Nr. 12; Lessons, § 4 Nr. 21', base: 4000n },
  ])
})

describe('prices that hold their VAT, some of them taken off', () => {
  const netsOf = (lines: LineInput[], more: Partial<InvoiceInput> = {}) => {
    const amounts = invoiceAmounts({ currency: 'EUR', taxMode: 'gross', lines, ...more })
    return [...amounts.lines.map(({ net }) => net), ...amounts.allowances.map(({ net }) => net)]
  }
  test('a sale and its return are both what they are without VAT', () => {
    expect(netsOf([line('1', '121.00', '21'), line('-1', '121.00', '21')])).toEqual([10_000n, -10_000n])
  })
  test('a little is left: no line is moved by more than a cent', () => {
    // 826.446… and -826.363… together are 0.08 without VAT.
    expect(netsOf([line('1', '1000.00', '21'), line('-1', '999.90', '21')])).toEqual([82_644n, -82_636n])
  })
  test('a voucher over the whole is worth the whole', () => {
    const allowances = [{ amount: '121.00', vat: { category: 'S' as const, rate: '21' } }]
    expect(netsOf([line('1', '121.00', '21')], { allowances })).toEqual([10_000n, 10_000n])
  })
  test('three for 0.05 at 19 %, sold and taken back', () => {
    expect(netsOf([1, 2, 3].map(() => line('1', '0.05', '19')))).toEqual([5n, 4n, 4n])
    expect(netsOf([1, 2, 3].map(() => line('-1', '0.05', '19')))).toEqual([-5n, -4n, -4n])
  })
})

const decimalText = (max: bigint, scale: number, min = 0n) =>
  fc.bigInt(min, max).map((digits) => formatFixed(digits, scale))
const vat = fc
  .constantFrom(...vatCategoryCodes)
  .chain((category): fc.Arbitrary<Vat> =>
    category === 'S'
      ? fc.record({ category: fc.constant(category), rate: decimalText(10_000n, 2) })
      : fc.record({ category: fc.constant(category), rate: fc.constant('0') }),
  )
const invoiceIn = (currencies: readonly string[]) =>
  fc
    .record({ currency: fc.constantFrom(...currencies), taxMode: fc.constantFrom<TaxMode>('net', 'gross') })
    .chain(({ currency, taxMode }) => {
      const amount = decimalText(9_999_999n, minorUnitDigits(currency))
      return fc.record({
        currency: fc.constant(currency),
        taxMode: fc.constant(taxMode),
        lines: fc.array(
          fc.record({
            quantity: decimalText(999_999n, 4, -999_999n),
            unitPrice: decimalText(99_999_999n, 6),
            baseQuantity: decimalText(1000n, 1, 1n),
            allowances: fc.array(fc.record({ amount }), { maxLength: 2 }),
            charges: fc.array(fc.record({ amount }), { maxLength: 2 }),
            vat,
          }),
          { maxLength: 12 },
        ),
        allowances: fc.array(fc.record({ amount, vat }), { maxLength: 3 }),
        charges: fc.array(fc.record({ amount, vat }), { maxLength: 3 }),
      })
    })
const anyInvoice = invoiceIn(currencyCodes)

/** Of a text that may leave out its places; reckoned here, so that what is tested does not judge itself. */
const minorOf = (amount: string, places: number) => {
  const [whole = '', fraction = ''] = amount.split('.')
  return BigInt(whole + fraction.padEnd(places, '0'))
}
const sum = (amounts: readonly bigint[]) => amounts.reduce((left, right) => left + right, 0n)

describe('for every invoice', () => {
  test('the parts add up to the totals (BR-CO-10, 11, 12, 13, 14, 15)', () => {
    fc.assert(
      fc.property(anyInvoice, (invoice) => {
        const { lines, vat: groups, totals } = invoiceAmounts(invoice)
        expect(sum(lines.map((each) => each.net))).toBe(totals.lines)
        expect(totals.lines - totals.allowances + totals.charges).toBe(totals.net)
        expect(sum(groups.map((group) => group.base))).toBe(totals.net)
        expect(sum(groups.map((group) => group.tax))).toBe(totals.tax)
        expect(totals.net + totals.tax).toBe(totals.gross)
      }),
      { numRuns: 500 },
    )
  })

  test('gross mode never changes what the customer sees', () => {
    fc.assert(
      fc.property(anyInvoice, (invoice) => {
        const { lines, totals } = invoiceAmounts({ ...invoice, taxMode: 'gross' })
        const entered = sum(lines.map((each) => each.entered))
        const minor = ({ amount }: { amount: string }) => minorOf(amount, minorUnitDigits(invoice.currency))
        const adjusted = sum(invoice.charges.map(minor)) - sum(invoice.allowances.map(minor))
        expect(totals.gross).toBe(entered + adjusted)
      }),
      { numRuns: 300 },
    )
  })

  test('the tax of a group is within half a unit of the exact tax', () => {
    fc.assert(
      fc.property(anyInvoice, (invoice) => {
        for (const group of invoiceAmounts({ ...invoice, taxMode: 'net' }).vat) {
          const [whole = '0', fraction = ''] = group.rate.split('.')
          const rate = BigInt(whole + fraction.padEnd(4, '0'))
          const error = group.tax * 1_000_000n - group.base * rate
          expect(error < 0n ? -error : error).toBeLessThanOrEqual(500_000n)
        }
      }),
      { numRuns: 300 },
    )
  })

  test('changing every sign of the quantities, and discounts for charges, changes every sign of the totals', () => {
    fc.assert(
      fc.property(anyInvoice, (invoice) => {
        const plain = { ...invoice, taxMode: 'net' as const }
        /** No discount is negative: what was taken off is put on. */
        const exchanged = <Each>({ allowances, charges }: { allowances: Each; charges: Each }) => ({
          allowances: charges,
          charges: allowances,
        })
        const negated = plain.lines.map((each) => ({
          ...each,
          ...exchanged(each),
          quantity: each.quantity.startsWith('-') ? each.quantity.slice(1) : `-${each.quantity}`,
        }))
        const left = invoiceAmounts(plain).totals
        const right = invoiceAmounts({ ...plain, ...exchanged(plain), lines: negated }).totals
        expect(right.gross).toBe(-left.gross)
        expect(right.tax).toBe(-left.tax)
      }),
      { numRuns: 300 },
    )
  })

  test('in each currency of the table: parts add up, what is taken off or put on the whole counts in its units, the wire holds its places', () => {
    for (const currency of currencyCodes) {
      const places = minorUnitDigits(currency)
      fc.assert(
        fc.property(invoiceIn([currency]), (invoice) => {
          const { lines, allowances, charges, vat: groups, totals } = invoiceAmounts(invoice)
          const typed = (adjustments: typeof invoice.charges) =>
            adjustments.map(({ amount }) => minorOf(amount, places))
          expect(allowances.map(({ entered }) => entered)).toEqual(typed(invoice.allowances))
          expect(charges.map(({ entered }) => entered)).toEqual(typed(invoice.charges))
          const entered =
            sum(lines.map((each) => each.entered)) - sum(typed(invoice.allowances)) + sum(typed(invoice.charges))
          expect(invoice.taxMode === 'net' ? totals.net : totals.gross).toBe(entered)
          expect(sum(lines.map(({ net }) => net))).toBe(totals.lines)
          expect(sum(allowances.map(({ net }) => net))).toBe(totals.allowances)
          expect(sum(charges.map(({ net }) => net))).toBe(totals.charges)
          expect(totals.lines - totals.allowances + totals.charges).toBe(totals.net)
          expect(sum(groups.map(({ base }) => base))).toBe(totals.net)
          expect(sum(groups.map((group) => group.tax)) + totals.net).toBe(totals.gross)
          for (const { amount } of Object.values(wireTotals(totals, currency)))
            expect(amount).toMatch(places === 0 ? /^-?\d+$/ : new RegExp(`^-?\\d+\\.\\d{${places}}$`))
        }),
        { numRuns: 8 },
      )
    }
  })
})

describe('what is without VAT, in gross mode', () => {
  /** Quantities are whole and turned around at will; some sums are 0. */
  const priced = (currency: string) => {
    const places = minorUnitDigits(currency)
    const rates = fc.constantFrom('19', '21', '7', '5.5', '8.1', '0.0001', '99.9999', '100')
    const each = fc.record({
      minor: fc.oneof(fc.bigInt(1n, 30n), fc.bigInt(1n, 99_999_999n)),
      quantity: fc.constantFrom(-3, -1, 1, 3),
      kind: fc.constantFrom('line', 'line', 'allowance', 'charge'),
      rate: rates,
    })
    return fc
      .record({ parts: fc.array(each, { minLength: 1, maxLength: 8 }), withReturns: fc.boolean() })
      .map(({ parts, withReturns }) => {
        const of = (kind: string) => parts.filter((part) => part.kind === kind)
        const sold = of('line').map(({ minor, quantity, rate }) =>
          line(String(quantity), formatFixed(minor, places), rate),
        )
        const ofDocument = (kind: string) =>
          of(kind).map(({ minor, rate }) => ({
            amount: formatFixed(minor, places),
            vat: { category: 'S' as const, rate },
          }))
        return {
          currency,
          taxMode: 'gross' as const,
          lines: withReturns ? [...sold, ...sold.map(turned)] : sold,
          allowances: withReturns ? ofDocument('charge') : ofDocument('allowance'),
          charges: ofDocument('charge'),
        }
      })
  }
  const turned = (each: LineInput): LineInput => ({ ...each, quantity: String(-Number(each.quantity)) })
  const magnitude = (value: bigint) => (value < 0n ? -value : value)
  /** Everything that has a net, with what was typed; what is taken off is negative. */
  const partsOf = ({ lines, allowances = [], charges = [], currency }: InvoiceInput, turn = 1n) => {
    const amounts = invoiceAmounts({ currency, taxMode: 'gross', lines, allowances, charges })
    const minor = (amount: string) => minorOf(amount, minorUnitDigits(currency))
    return {
      amounts,
      parts: [
        ...lines.map(({ vat: { rate } }, index) => ({ rate, ...amounts.lines[index]! })),
        ...allowances.map(({ amount, vat: { rate } }, index) => ({
          rate,
          entered: -minor(amount),
          net: -amounts.allowances[index]!.net,
        })),
        ...charges.map(({ amount, vat: { rate } }, index) => ({
          rate,
          entered: minor(amount),
          net: amounts.charges[index]!.net,
        })),
      ].map(({ rate, entered, net }) => ({ rate, entered: entered * turn, net: net * turn })),
    }
  }

  test('in each currency: every part within a unit of what it is exactly, and all of them add up to their VAT group', () => {
    for (const currency of currencyCodes)
      fc.assert(
        fc.property(priced(currency), (invoice) => {
          const { amounts, parts } = partsOf(invoice)
          for (const { base, tax, rate } of amounts.vat) {
            const own = parts.filter((each) => each.rate === rate)
            const { digits, scale } = decimal(rate)
            const hundred = 100n * 10n ** BigInt(scale)
            const entered = sum(own.map((each) => each.entered))
            // The group is as it would be alone: what its parts get changes no total.
            expect(tax).toBe(divideRounded(entered * digits, hundred + digits))
            expect(base + tax).toBe(entered)
            expect(sum(own.map((each) => each.net))).toBe(base)
            for (const each of own)
              expect(magnitude(each.net * (hundred + digits) - each.entered * hundred) < hundred + digits).toBe(true)
          }
        }),
        { numRuns: 8 },
      )
  })

  test('turned around, an invoice has exactly the opposite amounts', () => {
    fc.assert(
      fc.property(fc.constantFrom(...currencyCodes).chain(priced), (invoice) => {
        const opposite = {
          ...invoice,
          lines: invoice.lines.map(turned),
          allowances: invoice.charges,
          charges: invoice.allowances,
        }
        const asPairs = ({ parts }: ReturnType<typeof partsOf>) =>
          parts.map(({ rate, entered, net }) => `${rate} ${entered} ${net}`).toSorted()
        expect(asPairs(partsOf(opposite, -1n))).toEqual(asPairs(partsOf(invoice)))
        const lines = invoiceAmounts({ ...invoice, allowances: [], charges: [] }).lines
        const opposed = invoiceAmounts({ ...opposite, allowances: [], charges: [] }).lines
        expect(opposed.map(({ net }) => -net)).toEqual(lines.map(({ net }) => net))
      }),
      { numRuns: 500 },
    )
  })
})
