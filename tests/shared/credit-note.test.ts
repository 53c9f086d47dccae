// Credit notes to the cent: a whole one has the invoice's totals, and parts with what is left after them add up to it, whatever was rounded.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Invoice } from '#shared/contract/invoices.ts'
import { creditContent, creditErrors } from '#shared/credit-note.ts'
import { uuidv7 } from '#shared/ids.ts'
import { wireAmounts, type DraftContent } from '#shared/invoice-content.ts'
import { minorUnitsOf } from '#shared/money.ts'

test('what is left is said in whole letters: half an emoji is no text', () => {
  const lines = ['a'.repeat(196), 'x\u{1F600} and so on'].map((reason) => ({
    id: uuidv7(),
    name: 'Work',
    description: null,
    quantity: '1',
    unit: 'C62',
    unitPrice: '10',
    baseQuantity: '1',
    allowances: [],
    charges: [],
    vat: { category: 'E' as const, rate: '0', reason },
  }))
  const invoice = documentOf({ currency: 'EUR', taxMode: 'net', lines, allowances: [], charges: [] } as never)
  const part = documentOf({ ...creditContent(invoice, []), lines: [invoice.lines[0]!] } as never)
  const [left] = creditContent(invoice, [part]).lines
  expect(left!.vat.reason!.isWellFormed()).toBe(true)
  expect(left!.vat.reason!.length).toBeGreaterThan(190)
})

test('what is left of an invoice in German names its rate as German does', () => {
  const vat = { category: 'S' as const, rate: '7.8', reason: null }
  const plain = { description: null, quantity: '1', unit: 'C62', baseQuantity: '1', allowances: [], charges: [], vat }
  const lines = ['10', '20'].map((unitPrice) => ({ ...plain, id: uuidv7(), name: 'Milch', unitPrice }))
  const content = { currency: 'EUR', taxMode: 'net', language: 'de', lines, allowances: [], charges: [] }
  const invoice = documentOf(content as never)
  const part = documentOf({ ...creditContent(invoice, []), lines: [invoice.lines[0]!] } as never)
  expect(creditContent(invoice, [part]).lines[0]!.name).toBe('INV-1, 7,8 % MwSt.')
})

/** A document as it would be stored. */
function documentOf(content: DraftContent): Invoice {
  const amounts = wireAmounts(content)
  return { ...content, ...amounts, gross: amounts.totals.gross, number: 'INV-1' } as unknown as Invoice
}

const vats = fc.constantFrom(
  { category: 'S', rate: '21', reason: null },
  { category: 'S', rate: '5.5', reason: null },
  { category: 'E', rate: '0', reason: 'Exempt' },
) as fc.Arbitrary<Invoice['lines'][number]['vat']>
const amount = fc.integer({ min: 1, max: 900 }).map((cents) => (cents / 100).toFixed(2))
const line = fc.record({
  unitPrice: fc.integer({ min: 1, max: 99_999 }).map((thousandths) => (thousandths / 1000).toFixed(3)),
  quantity: fc.integer({ min: 1, max: 30 }).map(String),
  vat: vats,
  discount: fc.option(amount, { nil: null }),
})
const invoices = fc
  .record({
    taxMode: fc.constantFrom('net' as const, 'gross' as const),
    lines: fc.array(line, { minLength: 1, maxLength: 5 }),
    charge: fc.option(fc.record({ amount, vat: vats }), { nil: null }),
  })
  .map(({ taxMode, lines, charge }) =>
    documentOf({
      currency: 'EUR',
      customerId: uuidv7(),
      taxMode,
      language: 'en',
      dueDate: null,
      termsDays: 14,
      supplyDate: null,
      buyerReference: null,
      orderReference: null,
      exchange: null,
      accountingCurrency: null,
      notes: 'As agreed',
      lines: lines.map(({ discount, ...each }, index) => ({
        id: uuidv7(),
        name: `Line ${index}`,
        description: null,
        unit: 'C62',
        baseQuantity: '1',
        allowances: discount ? [{ amount: discount, reason: null }] : [],
        charges: [],
        ...each,
      })),
      allowances: [],
      charges: charge ? [{ ...charge, reason: 'Postage' }] : [],
    }),
  )
  .filter((invoice) => minorUnitsOf(invoice.gross) > 0n)

const vat21 = { category: 'S', rate: '21', reason: null } as const

/** In EUR, prices without VAT. */
function invoiceOf(lines: { unitPrice: string; quantity?: string; vat: Invoice['lines'][number]['vat'] }[]): Invoice {
  const plain = { description: null, unit: 'C62', baseQuantity: '1', allowances: [], charges: [], quantity: '1' }
  return documentOf({
    currency: 'EUR',
    customerId: uuidv7(),
    taxMode: 'net',
    language: 'en',
    dueDate: null,
    termsDays: null,
    supplyDate: null,
    buyerReference: null,
    orderReference: null,
    exchange: null,
    accountingCurrency: null,
    notes: null,
    lines: lines.map((line, index) => ({ id: uuidv7(), name: `Line ${index}`, ...plain, ...line })),
    allowances: [],
    charges: [],
  })
}

const gross = (documents: readonly Invoice[]) => documents.reduce((sum, each) => sum + minorUnitsOf(each.gross), 0n)

describe('credit notes', () => {
  test('of the whole: every total of the invoice, to the cent, in either tax mode', () => {
    fc.assert(
      fc.property(invoices, (invoice) => {
        const note = documentOf(creditContent(invoice, []))
        expect([note.totals, note.vat, note.lines]).toEqual([invoice.totals, invoice.vat, invoice.lines])
        expect(creditErrors(invoice, [], note)).toEqual([])
        // And not once more.
        expect(creditErrors(invoice, [note], note)).not.toEqual([])
      }),
    )
  })

  test('in parts: what is left after them is exactly the rest, and never more', () => {
    let parts = 0
    fc.assert(
      fc.property(invoices, fc.array(fc.nat(), { maxLength: 3 }), (invoice, picks) => {
        const notes: Invoice[] = []
        for (const pick of picks) {
          const whole = creditContent(invoice, [])
          const chosen = whole.lines[pick % whole.lines.length]!
          const note = documentOf({ ...whole, lines: [{ ...chosen, quantity: '1', allowances: [] }], charges: [] })
          if (creditErrors(invoice, notes, note).length > 0) continue
          notes.push(note)
          parts += 1
        }
        if (gross(notes) === minorUnitsOf(invoice.gross)) return
        const rest = documentOf(creditContent(invoice, notes))
        // Rates whose parts were rounded up may owe each other a cent; what is credited is never more than the invoice.
        expect(creditErrors(invoice, notes, rest)).toEqual([])
        expect(gross([...notes, rest])).toBe(minorUnitsOf(invoice.gross))
      }),
    )
    expect(parts).toBeGreaterThan(20)
  })

  test('the last one is what is left, in net and in VAT too, wherever a document can say so', () => {
    const byParts = new Map<number, { rates: number; off: number; most: bigint }>()
    const picks = fc.array(fc.nat(), { minLength: 1, maxLength: 6 })
    fc.assert(
      fc.property(invoices, picks, (invoice, chosen) => {
        const whole = creditContent(invoice, [])
        const notes: Invoice[] = []
        for (const pick of chosen) {
          const line = { ...whole.lines[pick % whole.lines.length]!, quantity: '1', allowances: [] }
          const note = documentOf({ ...whole, lines: [line], charges: [] })
          if (creditErrors(invoice, notes, note).length === 0) notes.push(note)
        }
        if (notes.length === 0 || gross(notes) === minorUnitsOf(invoice.gross)) return
        const rest = documentOf(creditContent(invoice, notes))
        for (const group of rest.vat) {
          const same = ({ vat }: Invoice) =>
            vat.filter(({ category, rate }) => category === group.category && rate === group.rate)
          const sum = (part: 'base' | 'tax') =>
            notes
              .flatMap(same)
              .reduce((left, each) => left - minorUnitsOf(each[part]), minorUnitsOf(same(invoice)[0]![part]))
          const [base, tax] = [sum('base'), sum('tax')]
          const off = minorUnitsOf(group.tax) - tax
          // Together they are the rest to the cent: what one has too much the other has too little.
          expect(minorUnitsOf(group.base) - base).toBe(-off)
          const digits = BigInt(Number(group.rate) * 10)
          const ruled = (base * digits * 2n + (base < 0n ? -1000n : 1000n)) / 2000n
          if (tax === ruled) expect(off).toBe(0n)
          const parts = notes.flatMap(same).length
          const most = off < 0n ? -off : off
          // Each document rounds its VAT once, by half a cent at most: the invoice, the parts and the rest.
          expect(most * 2n).toBeLessThanOrEqual(BigInt(parts + 2))
          const seen = byParts.get(parts) ?? { rates: 0, off: 0, most: 0n }
          byParts.set(parts, {
            rates: seen.rates + 1,
            off: seen.off + (off === 0n ? 0 : 1),
            most: most > seen.most ? most : seen.most,
          })
        }
      }),
      { seed: 22, numRuns: 500 },
    )
    // A rate of which no part was credited is whole; that the others drift is so (decision 022 has the figures).
    expect(byParts.get(0)!.off).toBe(0)
    expect(byParts.get(1)!).toMatchObject({ off: expect.toSatisfy((off: number) => off > 0), most: 1n })
  })

  test('one line more than was sold, a rate that was not, another customer or currency: each named', () => {
    const [invoice] = fc.sample(
      invoices.filter(({ lines, taxMode, vat }) => taxMode === 'net' && lines.length === 1 && vat[0]!.rate === '21'),
      { numRuns: 1, seed: 4 },
    )
    const whole = creditContent(invoice!, [])
    const [first] = whole.lines
    const errors = (change: Partial<DraftContent>) => creditErrors(invoice!, [], documentOf({ ...whole, ...change }))
    expect(errors({ lines: [{ ...first!, quantity: String(Number(first!.quantity) + 1) }] })).toMatchObject([
      { pointer: '/lines/0/quantity', detail: expect.stringMatching(/^Only .* of this line is left$/) },
    ])
    const other = { ...first!, id: uuidv7(), unitPrice: '0.01', quantity: '1', allowances: [] }
    expect(errors({ lines: [{ ...other, vat: { category: 'S', rate: '7', reason: null } }] })).toEqual([
      { pointer: '/lines', detail: 'The invoice has nothing with VAT 7 %' },
    ])
    expect(errors({ lines: [{ ...first!, id: uuidv7(), unitPrice: '999999', allowances: [] }] })).toMatchObject([
      { pointer: '/lines', detail: expect.stringMatching(/is left with VAT 21 %$/) },
    ])
    expect(errors({ lines: [{ ...other, unitPrice: '0' }], charges: [] })).toMatchObject([
      { detail: 'A credit note must be more than 0' },
    ])
    expect(errors({ customerId: uuidv7() })).toMatchObject([{ pointer: '/customerId' }])
    expect(errors({ currency: 'USD' })).toMatchObject([{ pointer: '/currency' }])
  })

  test('a line that is named twice counts twice, also with what was credited of it before', () => {
    const invoice = invoiceOf([
      { unitPrice: '100', vat: vat21 },
      { unitPrice: '50', vat: vat21 },
    ])
    const whole = creditContent(invoice, [])
    const [first] = whole.lines
    const twice = documentOf({ ...whole, lines: [first!, { ...first!, unitPrice: '20' }] })
    expect(creditErrors(invoice, [], twice)).toEqual([
      { pointer: '/lines/1/quantity', detail: 'Only 0.00 EUR of this line is left' },
    ])
    const apart = documentOf({
      ...whole,
      lines: [
        { ...first!, unitPrice: '60' },
        { ...first!, unitPrice: '40' },
      ],
    })
    expect(creditErrors(invoice, [], apart)).toEqual([])
  })

  test('of a rate that the invoice took off, no more is put back, and nothing is credited with it', () => {
    const invoice = invoiceOf([
      { unitPrice: '200', vat: vat21 },
      { unitPrice: '50', quantity: '-1', vat: { ...vat21, rate: '9' } },
    ])
    const whole = creditContent(invoice, [])
    const [plus, minus] = whole.lines
    const note = (...lines: DraftContent['lines']) => documentOf({ ...whole, lines })
    const fresh = (line: typeof plus, change: object) => ({ ...line!, id: uuidv7(), ...change })
    const refused = [{ pointer: '/lines', detail: expect.stringMatching(/^Only .* is left with VAT 9 %$/) }]
    // It was less than nothing there: a credit of that VAT would be of VAT that nobody was asked for.
    const turned = note(fresh(plus, { unitPrice: '100' }), fresh(minus, { quantity: '1', unitPrice: '15' }))
    expect(creditErrors(invoice, [], turned)).toEqual(refused)
    const all = note({ ...plus!, unitPrice: '100' }, minus!)
    expect(creditErrors(invoice, [], all)).toEqual([])
    const again = note(fresh(plus, { unitPrice: '90' }), fresh(minus, { unitPrice: '10' }))
    expect(creditErrors(invoice, [all], again)).toEqual(refused)
  })
})
