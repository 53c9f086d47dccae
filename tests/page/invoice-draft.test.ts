import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { asFieldErrors } from '#page/forms/form-errors.ts'
import { liveAccountingTax, liveAmounts, liveLine, sharesOf, toBody } from '#page/features/invoices/draft-body.ts'
import {
  emptyAdjustment,
  givenTo,
  restored,
  toValues,
  type DraftValues,
  type Opened,
} from '#page/features/invoices/draft-values.ts'
import { formatDate, formatMoney, formatPrice } from '#page/words/format.ts'
import { asTyped, readPrice, readTyped } from '#page/forms/typed-number.ts'
import { areTotalsWrong, isLineWrong, priceProblem, quantityProblem } from '#page/features/invoices/number-problems.ts'
import { fromItem, inMode } from '#page/features/invoices/line-from-item.ts'
import { invoiceEdit, type Invoice } from '#shared/contract/invoices.ts'
import { item as itemContract } from '#shared/contract/items.ts'
import { organization as organizationContract, type Organization } from '#shared/contract/organizations.ts'
import { uuidv7 } from '#shared/ids.ts'
import { invoiceAmounts } from '#shared/invoice-totals.ts'

const organization: Organization = organizationContract.parse({
  id: uuidv7(),
  name: 'Ann Works',
  membersMayIssue: true,
  eInvoiceProfile: 'none',
  paperSize: 'A4',
  creditNoteNumbering: { pattern: 'CN-{YYYY}-{SEQ:4}', reset: 'yearly' },
  quoteNumbering: { pattern: 'Q-{SEQ:4}', reset: 'never' },
  country: 'NL',
  currency: 'EUR',
  role: 'owner',
  version: 1,
  revision: 1,
  createdAt: '2026-11-21T00:00:00Z',
  updatedAt: '2026-11-21T00:00:00Z',
})

describe('a number as people type it', () => {
  test.each([
    ['19.99', 'en-GB', '19.99'],
    ['19,99', 'en-GB', '19.99'],
    ['1.234,50', 'en-GB', '1234.50'],
    ['1,234.50', 'de-DE', '1234.50'],
    ['1 234,5', 'fr-FR', '1234.5'],
    ['1’234.5', 'de-CH', '1234.5'],
    ['1.234.567', 'en-GB', '1234567'],
    ['1,234,567.8', 'de-DE', '1234567.8'],
    ['1,200', 'en-US', '1200'],
    ['1.200', 'de-AT', '1200'],
    ['1.200', 'fr-FR', '1200'],
    ['12,34,567.5', 'en-IN', '1234567.5'],
    ['12..50', 'en-US', '12..50'],
    ['12,,50', 'de-DE', '12,,50'],
    ['1.2.3', 'en-US', '1.2.3'],
    ['1,2.00', 'en-US', '1,2.00'],
    ['1.234,5.6', 'de-DE', '1.234,5.6'],
    ['1200.', 'en-US', '1200.'],
    ['1,200', 'de-DE', '1.200'],
    ['1.200', 'de-DE', '1200'],
    ['1.200', 'en-US', '1.200'],
    ['0.125', 'de-DE', '0.125'],
    ['-1,200', 'en-US', '-1200'],
    ['1200,5', 'en-US', '1200.5'],
    [',5', 'en-GB', '0.5'],
    ['-2', 'en-GB', '-2'],
    ['two', 'en-GB', 'two'],
    ['', 'en-GB', ''],
  ])('%j in %s is %j', (typed, locale, wire) => expect(readTyped(typed, locale)).toBe(wire))

  test.each([
    ['€ 12.50', 'en-GB', 'EUR', '12.50'],
    ['12,50 €', 'de-DE', 'EUR', '12.50'],
    ['EUR 1.234,50', 'de-DE', 'EUR', '1234.50'],
    ['12.50 eur', 'en-GB', 'EUR', '12.50'],
    ['US$12.50', 'de-DE', 'USD', '12.50'],
    ['$12.50', 'en-GB', 'CAD', '12.50'],
    ['12,50 kr.', 'da-DK', 'DKK', '12.50'],
    ['1 234,50 zł', 'pl-PL', 'PLN', '1234.50'],
    ['£12.50', 'en-GB', 'EUR', '£12.50'],
    ['USD 12.50', 'en-GB', 'EUR', 'USD12.50'],
    ['12.50', 'en-GB', 'EUR', '12.50'],
    ['', 'en-GB', 'EUR', ''],
  ])('as a price %j in %s of %s is %j', (typed, locale, currency, wire) =>
    expect(readPrice(typed, locale, currency)).toBe(wire),
  )

  test('what was stored is shown so that reading it gives the same', () => {
    for (const locale of ['en-US', 'de-DE', 'fr-FR', 'de-CH', 'de-AT', 'pt-PT', 'nl-NL', 'sv-SE', 'en-IN'])
      for (const wire of ['1200', '1.125', '0.5', '19.99', '-3.25', '1234.5678', ''])
        expect(readTyped(asTyped(wire, locale), locale)).toBe(wire)
  })
})

describe('from the form to the contract', () => {
  const values = toValues(null, organization)
  const line = {
    ...values.lines[0]!,
    name: 'Website',
    quantity: '2',
    unitPrice: '379,00',
    vat: { category: 'S', rate: '21', reason: '' },
  }

  test('typed text becomes what the contract takes; the totals are the shared module’s', () => {
    const typed = { ...values, customerId: uuidv7(), lines: [line] }
    expect(asFieldErrors(invoiceEdit, toBody(typed, null))).toEqual([])
    const { totals } = liveAmounts(typed)
    expect([totals.net, totals.tax, totals.gross]).toEqual([75_800n, 15_918n, 91_718n])
  })

  test('an exchange rate is of an invoice in another currency than the own; the VAT follows it as it is typed', () => {
    const exchange = { from: 'USD', to: 'EUR', rate: '0,92', date: '2026-11-21', source: 'EZB' }
    const typed = { ...values, customerId: uuidv7(), lines: [line], currency: 'USD', exchange }
    const body = toBody(typed, null, 'EUR')
    expect(body).toMatchObject({ exchange: { ...exchange, rate: '0.92' } })
    expect(asFieldErrors(invoiceEdit, body)).toEqual([])
    const live = (more: object, own: string | null = 'EUR') => {
      const now = { ...typed, ...more }
      return liveAccountingTax(now, liveAmounts(now), own)
    }
    expect(live({})).toEqual({ amount: '146.45', currency: 'EUR' })
    for (const rate of ['', '0', '0,0', ',', 'x', '-1', '1,2,3'])
      expect([rate, live({ exchange: { ...exchange, rate } })]).toEqual([rate, null])
    expect([live({ currency: 'EUR' }), live({}, null)]).toEqual([null, null])
    // Changed back, or a quote: nothing of it is sent.
    expect(toBody({ ...typed, currency: 'EUR' }, null, 'EUR')).toMatchObject({ exchange: null })
    expect(toBody(typed, null)).not.toHaveProperty('exchange')
    // Half of it is named where it is missing.
    const half = toBody({ ...typed, exchange: { ...exchange, rate: '', source: '' } }, null, 'EUR')
    expect(asFieldErrors(invoiceEdit, half)).toEqual([
      { pointer: '/exchange/rate', detail: 'Enter the exchange rate' },
      { pointer: '/exchange/source', detail: 'Say where the exchange rate is from, such as ECB' },
    ])
    // And opened again it is what was typed; into another currency it is not.
    const opened = invoiceEdit.parse(body) as unknown as Invoice
    expect(toValues(opened, organization).exchange).toEqual({ ...exchange, rate: '0.92' })
    const inGerman = toValues(opened, { ...organization, locale: 'de-DE' })
    expect(inGerman.exchange).toEqual(exchange)
    const blank = { from: '', to: '', rate: '', date: '', source: '' }
    const inPounds = { ...organization, currency: 'GBP' }
    expect(toValues(opened, inPounds).exchange).toEqual(blank)
    expect(toValues({ ...opened, type: '381' }, inPounds).exchange.rate).toBe('0.92')
    // The own currency changed while it was open: it is sent as what it was typed for, and shown as nothing it is not.
    expect(toBody(typed, null, 'GBP')).toMatchObject({ exchange: { from: 'USD', to: 'EUR' } })
    expect(live({}, 'GBP')).toBeNull()
    expect(toBody({ ...typed, exchange: { ...blank, rate: '1.172' } }, null, 'GBP')).toMatchObject({
      exchange: { from: 'USD', to: 'GBP', rate: '1.172' },
    })
    const inMarks = (rate: string, locale: string) =>
      toBody({ ...typed, locale, exchange: { ...exchange, rate } }, null, 'EUR')
    for (const [rate, locale, read] of [
      ['1.172', 'de-DE', '1.172'],
      ['1,172', 'de-DE', '1.172'],
      ['1.172', 'en-GB', '1.172'],
      ['1,350', 'en-GB', '1350'],
      ['1.350,5', 'de-DE', '1350.5'],
    ] as const)
      expect([rate, inMarks(rate, locale)]).toMatchObject([rate, { exchange: { rate: read } }])
    // What an earlier build kept has none; another language types it otherwise.
    const { exchange: _, ...kept } = typed
    expect(restored(kept as DraftValues, values).exchange).toEqual(blank)
    expect(restored(inGerman, values).exchange.rate).toBe('0.92')
  })

  test('a last line that nobody touched is no line; one in the middle is, and is named', () => {
    expect(toBody({ ...values, lines: [line, { ...line, name: '', unitPrice: '' }] }, null).lines).toHaveLength(1)
    const gap = { ...values, lines: [{ ...line, name: '' }, line] }
    expect(asFieldErrors(invoiceEdit, toBody(gap, null))).toEqual([
      { pointer: '/lines/0/name', detail: 'Say what this line is for' },
    ])
  })

  test('a last line that has a charge and nothing else is one, and is named', () => {
    const charged = {
      ...line,
      id: uuidv7(),
      name: '',
      unitPrice: '',
      charges: [{ ...emptyAdjustment(), amount: '10' }],
    }
    const pointers = asFieldErrors(invoiceEdit, toBody({ ...values, lines: [line, charged] }, null)).map(
      ({ pointer }) => pointer,
    )
    expect(pointers).toContain('/lines/1/name')
  })

  test('two lines of one id, as another program may write them, are two here', () => {
    const { lines } = restored({ ...values, lines: [line, { ...line, name: 'Another' }] }, values)
    expect(lines.map(({ name }) => name)).toEqual([line.name, 'Another'])
    expect([lines[0]!.id, new Set(lines.map(({ id }) => id)).size]).toEqual([line.id, 2])
  })

  test('what cannot be reckoned yet counts as nothing, and is said at its field', () => {
    const unfinished = { ...values, lines: [line, { ...line, quantity: 'two' }] }
    expect(liveAmounts(unfinished).totals.net).toBe(75_800n)
    expect(asFieldErrors(invoiceEdit, toBody(unfinished, null)).map(({ pointer }) => pointer)).toEqual([
      '/lines/1/quantity',
    ])
  })

  test('a price pasted with its currency is a price; what is no number is named, and no total is shown without it', () => {
    const at = (more: object) => ({ ...values, lines: [line, { ...line, id: uuidv7(), ...more }] })
    const pasted = at({ unitPrice: '€ 379.00', allowances: [{ ...emptyAdjustment(), kind: 'amount', amount: '€9' }] })
    expect(asFieldErrors(invoiceEdit, toBody({ ...pasted, customerId: uuidv7() }, null))).toEqual([])
    expect([areTotalsWrong(pasted), liveAmounts(pasted).totals.net]).toEqual([false, 150_700n])
    expect(restored(pasted, { ...values, locale: 'de-DE' }).lines[1]).toMatchObject({ unitPrice: '379,00' })
    const wrong = [{ unitPrice: '-5' }, { unitPrice: '$5' }, { quantity: 'abc' }, { vat: { ...line.vat, rate: 'x' } }]
    for (const more of wrong) expect([more, areTotalsWrong(at(more))]).toEqual([more, true])
    expect(areTotalsWrong(at({ charges: [{ ...emptyAdjustment(), percent: 'ten' }] }))).toBe(true)
    expect(wrong.map((more) => isLineWrong({ ...line, ...more }, values))).toEqual([true, true, true, false])
    expect([priceProblem('-5', values), quantityProblem('-5', values)]).toEqual(['Must not be negative', null])
    expect(quantityProblem('abc', values)).toBe('Enter a number such as 12.50')
    // Not typed yet is not wrong.
    const begun = at({ unitPrice: '', charges: [emptyAdjustment()] })
    expect([areTotalsWrong(begun), liveAmounts(begun).totals.net]).toEqual([false, 75_800n])
  })

  test('a rate that is missing or too high is said where it is typed', () => {
    for (const rate of ['', '101', 'x']) {
      const body = toBody({ ...values, lines: [{ ...line, vat: { category: 'S', rate, reason: '' } }] }, null)
      expect(asFieldErrors(invoiceEdit, body).map(({ pointer }) => pointer)).toEqual(['/lines/0/vat/rate'])
    }
  })

  test('what was typed in one language means the same in another', () => {
    const typed = { ...values, locale: 'en-US', lines: [{ ...line, quantity: '1.500', unitPrice: '1,200' }] }
    const german = restored(typed, { ...values, locale: 'de-DE' })
    expect(german.lines[0]).toMatchObject({ quantity: '1,500', unitPrice: '1200' })
    expect(liveAmounts(german)).toEqual(liveAmounts(typed))
  })

  test('what an earlier build kept of a form is put back, with what it did not know as the invoice has it', () => {
    const { termsDays: _, allowances: __, charges: ___, ...older } = values
    const { description: ____, unit: _____, baseQuantity: ______, allowances: _a, charges: _c, ...bare } = line
    const found = { ...older, notes: 'Typed', lines: [{ ...bare, vat: { category: 'S', rate: '21' } }] }
    const again = restored(found as unknown as DraftValues, values)
    expect(again).toMatchObject({
      notes: 'Typed',
      termsDays: '',
      charges: [],
      lines: [{ name: 'Website', unit: 'C62' }],
    })
    expect(asFieldErrors(invoiceEdit, toBody(again, null))).toEqual([])
    expect(liveAmounts(again).totals.gross).toBe(91_718n)
  })

  test('an untaxed category carries no rate, whatever the field still says', () => {
    const body = toBody({ ...values, lines: [{ ...line, vat: { category: 'AE', rate: '21', reason: '' } }] }, null)
    expect(body.lines[0]!.vat).toEqual({ category: 'AE', rate: '0', reason: '' })
  })
})

describe('discounts and extra charges', () => {
  const fresh = toValues(null, organization)
  const tenPercent = { ...emptyAdjustment(), percent: '10' }
  const five = { ...emptyAdjustment(), kind: 'amount', amount: '5', reason: 'Delivery' }
  const vat = { category: 'S', rate: '21', reason: '' }
  const line = { ...fresh.lines[0]!, name: 'Website', quantity: '3', unitPrice: '33.33', vat }
  const at = (more: Partial<DraftValues>) => ({ ...fresh, customerId: uuidv7(), lines: [line], ...more })

  test('a percentage follows its line: what is sent is right in itself, whatever the quantity', () => {
    for (const [quantity, amount, net] of [
      ['3', '10.00', 8999n],
      ['1', '3.33', 3000n],
      ['0', '0.00', 0n],
    ] as const) {
      const typed = at({ lines: [{ ...line, quantity, allowances: [tenPercent] }] })
      const body = toBody(typed, null)
      expect(body.lines[0]!.allowances).toEqual([{ amount, percent: '10', reason: '' }])
      expect(asFieldErrors(invoiceEdit, body)).toEqual([])
      expect(liveAmounts(typed).totals.net).toBe(net)
      // What stands at the line is reckoned from it alone.
      const { entered, shares } = liveLine(typed.lines[0]!, typed)
      expect(shares.get(tenPercent.id)).toBe(BigInt(amount.replace('.', '')))
      expect(entered).toBe(liveAmounts(typed).lines[0]!.entered)
    }
  })

  test('of the whole invoice it is a share of the lines that are taxed alike', () => {
    const reduced = { ...line, id: uuidv7(), unitPrice: '200', quantity: '1', vat: { ...vat, rate: '9' } }
    const typed = at({
      lines: [line, reduced],
      allowances: [{ ...tenPercent, vat: { ...vat, rate: '9.0' } }],
      charges: [{ ...five, vat }],
    })
    const body = toBody(typed, null)
    expect(body.allowances).toMatchObject([{ amount: '20.00', percent: '10' }])
    expect(sharesOf(typed).get(tenPercent.id)).toBe(2000n)
    expect(asFieldErrors(invoiceEdit, body)).toEqual([])
    const { totals } = liveAmounts(typed)
    expect([totals.allowances, totals.charges, totals.net]).toEqual([2000n, 500n, 28_499n])
  })

  test('whatever is taken off and put onto lines and the whole, what the form shows is what is sent, and the contract takes it', () => {
    const amount = fc.integer({ min: 0, max: 9999 }).map((cents) => (cents / 100).toFixed(2))
    const percent = fc.integer({ min: 0, max: 1000 }).map((tenths) => (tenths / 10).toFixed(1))
    const adjustment = fc
      .record({ kind: fc.constantFrom('amount', 'percent'), amount, percent })
      .map((typed) => ({ ...emptyAdjustment(), ...typed, reason: 'Agreed' }))
    const rate = fc.constantFrom('21', '9', '9.0').map((typed) => ({ ...vat, rate: typed }))
    const adjustments = fc.array(adjustment, { maxLength: 2 })
    const lines = fc.array(
      fc
        .record({
          quantity: fc.integer({ min: 1, max: 9_999_999 }).map((number) => (number / 10_000).toFixed(4)),
          unitPrice: fc.integer({ min: 1, max: 99_999_999 }).map((number) => (number / 1000).toFixed(3)),
          allowances: adjustments,
          charges: adjustments,
          vat: rate,
        })
        .map((typed) => ({ ...line, id: uuidv7(), ...typed })),
      { minLength: 1, maxLength: 4 },
    )
    const ofDocument = fc.array(
      fc.tuple(adjustment, rate).map(([typed, of]) => ({ ...typed, vat: of })),
      { maxLength: 2 },
    )
    const typed = fc.record({
      lines,
      allowances: ofDocument,
      charges: ofDocument,
      taxMode: fc.constantFrom('net', 'gross'),
    })
    fc.assert(
      fc.property(typed, (more) => {
        const values = at(more)
        const body = toBody(values, null)
        // An amount may take more off than there is: that is said, and is not what is looked at here.
        const shares = asFieldErrors(invoiceEdit, body).filter(({ detail }) => / % comes to /.test(detail))
        expect(shares).toEqual([])
        const { allowances, charges } = body
        const taxMode = body.taxMode
        expect(liveAmounts(values)).toEqual(
          invoiceAmounts({ currency: body.currency, taxMode, lines: body.lines, allowances, charges }),
        )
      }),
      { numRuns: 300 },
    )
  })

  test('the contract refuses an amount that is not what its percentage comes to, at the field', () => {
    const body = toBody(at({ lines: [{ ...line, allowances: [tenPercent] }] }), null)
    body.lines[0]!.allowances[0]!.amount = '9.99'
    expect(asFieldErrors(invoiceEdit, body)).toEqual([
      { pointer: '/lines/0/allowances/0/amount', detail: '10 % comes to 10.00 EUR here' },
    ])
  })

  test('of less than nothing there is no percentage: nothing is taken off, and the percentage says why', () => {
    const typed = at({ lines: [{ ...line, quantity: '-3', allowances: [tenPercent] }] })
    expect(liveLine(typed.lines[0]!, typed).shares.get(tenPercent.id)).toBe(0n)
    expect(liveAmounts(typed).totals.net).toBe(-9999n)
    expect(asFieldErrors(invoiceEdit, toBody(typed, null))).toEqual([
      {
        pointer: '/lines/0/allowances/0/percent',
        detail: 'What this is a percentage of is below zero: enter an amount',
      },
    ])
  })

  test('what is not finished counts as nothing, and is said where it is typed; a currency with fewer places breaks nothing', () => {
    const typed = at({
      currency: 'JPY',
      lines: [{ ...line, allowances: [{ ...tenPercent, percent: 'x' }], charges: [{ ...five, amount: '5.50' }] }],
      allowances: [{ ...five, amount: '', vat: { ...vat, rate: '' } }],
    })
    expect(liveAmounts(typed).totals.net).toBe(100n)
    expect(asFieldErrors(invoiceEdit, toBody(typed, null)).map(({ pointer }) => pointer)).toEqual([
      '/lines/0/allowances/0/percent',
      '/allowances/0/amount',
      '/allowances/0/vat/rate',
      '/lines/0/charges/0/amount',
    ])
  })

  test('a buyer reference: nothing typed is the customer’s, emptied where one stood is none', () => {
    const sent = (typed: string, opened: { customerId: string | null; buyerReference?: string | null } | null) =>
      toBody(at({ buyerReference: typed, customerId: 'bob' }), opened)
    const bobs = { customerId: 'bob' }
    expect(sent('', null)).not.toHaveProperty('buyerReference')
    expect(sent(' ', bobs)).not.toHaveProperty('buyerReference')
    expect(sent('', { ...bobs, buyerReference: 'PO 1' })).toMatchObject({ buyerReference: null })
    expect(sent('', { ...bobs, buyerReference: null })).toMatchObject({ buyerReference: null })
    // Another customer was chosen: theirs.
    expect(sent('', { customerId: null, buyerReference: null })).not.toHaveProperty('buyerReference')
    expect(sent('PO 2', null)).toMatchObject({ buyerReference: 'PO 2' })
    expect(sent('PO 2', { ...bobs, buyerReference: null })).toMatchObject({ buyerReference: 'PO 2' })
  })

  test('a document that is given to another customer leaves to them what still says what it was opened with', () => {
    const draft = invoiceEdit.parse({
      ...toBody(at({ customerId: uuidv7() }), null),
      buyerReference: '04011000-12345-03',
      termsDays: 60,
      language: 'de',
    })
    const opened = draft as unknown as Opened
    const city = toValues(opened, organization)
    const baker = { ...city, ...givenTo('baker', city, opened) }
    expect(baker).toMatchObject({ customerId: 'baker', buyerReference: '', termsDays: '', language: '' })
    for (const field of ['buyerReference', 'termsDays', 'language'])
      expect(toBody(baker, opened)).not.toHaveProperty(field)
    // What was typed since is the person's, and the first customer has theirs again.
    const typed = { ...city, termsDays: '30' }
    expect(givenTo('baker', typed, opened)).toEqual({ customerId: 'baker', buyerReference: '', language: '' })
    expect({ ...baker, ...givenTo(city.customerId, baker, opened) }).toEqual(city)
    expect(toBody(city, opened)).toMatchObject({ buyerReference: '04011000-12345-03', termsDays: 60, language: 'de' })
    expect(givenTo('baker', city, { ...opened, type: '381' })).toEqual({ customerId: 'baker' })
    expect(givenTo('baker', city, null)).toEqual({ customerId: 'baker' })
  })

  test('a saved draft opens with what was typed, and saving it again sends the same', () => {
    const typed = at({
      termsDays: '30',
      lines: [{ ...line, description: 'With care', unit: 'HUR', allowances: [tenPercent], charges: [five] }],
      charges: [{ ...five, vat: { category: 'AE', rate: '21', reason: 'Article 196' } }],
    })
    const body = toBody(typed, null)
    const opened = toValues(invoiceEdit.parse(body) as unknown as Invoice, organization)
    expect(opened.lines[0]).toMatchObject({ description: 'With care', unit: 'HUR', allowances: [{ kind: 'percent' }] })
    expect(toBody(opened, null)).toEqual({ ...body, notes: '' })
  })
})

describe('a line from an item', () => {
  const item = itemContract.parse({
    id: uuidv7(),
    organizationId: organization.id,
    name: 'Hour of work',
    description: 'On site',
    unit: 'HUR',
    unitPrice: '100',
    vat: { category: 'S', rate: '21' },
    version: 1,
    revision: 1,
    createdAt: '2026-11-21T00:00:00Z',
    updatedAt: '2026-11-21T00:00:00Z',
  })
  const into = { currency: 'EUR', taxMode: 'net', locale: 'de-DE', ownCurrency: 'EUR' }
  const line = { ...toValues(null, organization).lines[0]!, quantity: '2' }

  test('takes name, text, unit, price and VAT; the quantity is the person’s', () => {
    expect(fromItem(line, item, into)).toEqual({
      line: {
        ...line,
        name: 'Hour of work',
        description: 'On site',
        unit: 'HUR',
        unitPrice: '100',
        vat: { category: 'S', rate: '21', reason: '' },
      },
      say: null,
    })
  })

  test('puts the price over into the invoice’s way of pricing, and says so', () => {
    const gross = fromItem(line, item, { ...into, taxMode: 'gross' })
    expect(gross).toMatchObject({ line: { unitPrice: '121' }, say: expect.stringContaining('100') })
    const net = fromItem(line, { ...item, taxMode: 'gross', unitPrice: '500' }, into)
    expect(net).toMatchObject({ line: { unitPrice: '413,22314' }, say: expect.any(String) })
    const untaxed = { ...item, vat: { category: 'E', rate: '0', reason: null } } as const
    expect(fromItem(line, untaxed, { ...into, taxMode: 'gross' })).toMatchObject({
      line: { unitPrice: '100' },
      say: null,
    })
  })

  test('a price in another currency is not filled in, and said', () => {
    expect(fromItem(line, { ...item, currency: 'USD' }, into)).toMatchObject({
      line: { name: 'Hour of work', unitPrice: '' },
      say: expect.stringMatching(/100 USD.*EUR/),
    })
  })

  test.each([
    ['100', '21', 'gross', '121'],
    ['121', '21', 'net', '100'],
    ['500', '10', 'net', '454.545455'],
    ['19.99', '5.5', 'gross', '21.08945'],
    ['0.000001', '19', 'net', '0.000001'],
  ])('%s at %s %% is, %s, %s', (price, rate, mode, expected) => expect(inMode(price, rate, mode)).toBe(expected))
})

describe('printed', () => {
  test('with the places of ISO 4217, not of Intl', () => {
    expect(formatMoney({ amount: '1234.50', currency: 'EUR' }, 'en-GB')).toBe('€1,234.50')
    expect(formatMoney({ amount: '1234.50', currency: 'HUF' }, 'en-GB')).toMatch(/1,234\.50/)
    expect(formatMoney({ amount: '1234', currency: 'JPY' }, 'en-GB')).toBe('JP¥1,234')
    expect(formatMoney({ amount: '1.234', currency: 'BHD' }, 'en-GB')).toMatch(/1\.234/)
    // More digits than a floating-point number holds.
    expect(formatMoney({ amount: '90071992547409.93', currency: 'EUR' }, 'en-GB')).toBe('€90,071,992,547,409.93')
  })
  test('a price has its currency’s places, or its own where they are more', () => {
    expect(formatPrice('379', 'EUR', 'en-GB')).toBe('€379.00')
    expect(formatPrice('0.125', 'EUR', 'en-GB')).toBe('€0.125')
    expect(formatPrice('379', 'JPY', 'en-GB')).toBe('JP¥379')
  })
  test('a date is what it is, in every zone', () => {
    expect(formatDate('2026-11-21', 'en-GB')).toBe('21 Nov 2026')
    expect(formatDate(null, 'en-GB')).toBe('–')
  })
})
