// E-invoices keep the rules of EN 16931, Peppol and XRechnung in both syntaxes: whatever `eInvoiceErrors` lets pass makes an XML that breaks none of them.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { IssuedDocument } from '#documents/content.ts'
import { ciiXml } from '#documents/cii/cii.ts'
import { eInvoiceXml } from '#documents/e-invoice/xml.ts'
import { ublXml } from '#documents/ubl/ubl.ts'
import { minorUnitDigits } from '#shared/currency.ts'
import { eInvoiceErrors } from '#shared/e-invoice.ts'
import { readCii } from '#tests/support/cii-reading.ts'
import { brokenRules } from '#tests/support/e-invoice-rules.ts'
import { anyDocument, documentOf, line } from '#tests/support/issued-documents.ts'

const formats = ['en16931', 'peppol', 'facturx', 'xrechnung'] as const
const errorsOf = (document: IssuedDocument, format: (typeof formats)[number]) =>
  eInvoiceErrors(format, document, document.seller!, document.buyer!)

test('of random invoices, those that are let pass keep every rule', () => {
  const passed = { en16931: 0, peppol: 0, facturx: 0, xrechnung: 0, gross: 0, credit: 0, foreign: 0 }
  const categories = new Set<string>()
  fc.assert(
    fc.property(anyDocument, (document) => {
      for (const format of formats) {
        if (errorsOf(document, format).length > 0) continue
        expect(brokenRules(eInvoiceXml(document, format))).toEqual([])
        passed[format] += 1
        if (document.taxMode === 'gross') passed.gross += 1
        if (document.type === '381') passed.credit += 1
        if (document.accountingTax) passed.foreign += 1
        for (const { category } of document.vat) categories.add(category)
        if (format === 'facturx') expect(totalsOfCii(document)).toEqual(document.totals)
        expect(accountedIn(eInvoiceXml(document, format))).toEqual(document.accountingTax)
      }
    }),
    { seed: 16931, numRuns: 650, endOnFailure: true },
  )
  // Enough of each, or the test says nothing.
  expect(passed.en16931).toBeGreaterThan(200)
  expect(passed.peppol).toBeGreaterThan(200)
  expect(passed.facturx).toBeGreaterThan(200)
  expect(passed.xrechnung).toBeGreaterThan(200)
  expect(passed.gross).toBeGreaterThan(100)
  expect(passed.credit).toBeGreaterThan(50)
  expect(passed.foreign).toBeGreaterThan(100)
  expect([...categories].toSorted()).toEqual(['AE', 'E', 'G', 'K', 'O', 'S', 'Z'])
})

test('a due date of its own goes before the days of the terms, in both syntaxes', () => {
  const document = { ...documentOf({ lines: [line({})], dueDate: '2027-12-31', termsDays: 14 }) }
  for (const xml of [ublXml(document, 'en16931'), ciiXml(document)]) {
    expect(xml).toContain('Payable until 2027-12-31')
    expect(xml).not.toContain('within 14 days')
  }
  const byTerms = documentOf({ lines: [line({})], dueDate: '2026-12-01', termsDays: 14 })
  for (const xml of [ublXml(byTerms, 'en16931'), ciiXml(byTerms)]) expect(xml).toContain('within 14 days')
})

/** The VAT in the accounting currency (BT-6 and BT-111), in either syntax. */
function accountedIn(xml: string) {
  const currency = /<(?:cbc|ram):TaxCurrencyCode>([A-Z]{3})</.exec(xml)?.[1]
  if (currency === undefined) return null
  const amounts = [...xml.matchAll(/<(?:cbc:TaxAmount|ram:TaxTotalAmount) currencyID="([A-Z]{3})">([^<]+)</g)]
  return { amount: amounts.find(([, of]) => of === currency)?.[2], currency }
}

/** The totals that the other syntax tells, as the API tells them. */
function totalsOfCii(document: IssuedDocument) {
  const { root } = readCii(ciiXml(document))
  const { currency } = document
  const sums = root['cac:LegalMonetaryTotal']
  const nothing = minorUnitDigits(currency) === 0 ? '0' : '0.00'
  const money = (node: { '#text': string } | undefined) => ({ amount: node?.['#text'] ?? nothing, currency })
  return {
    lines: money(sums['cbc:LineExtensionAmount']),
    allowances: money(sums['cbc:AllowanceTotalAmount']),
    charges: money(sums['cbc:ChargeTotalAmount']),
    net: money(sums['cbc:TaxExclusiveAmount']),
    tax: money(root['cac:TaxTotal'][0]['cbc:TaxAmount']),
    gross: money(sums['cbc:TaxInclusiveAmount']),
  }
}

const foreign = {
  currency: 'USD',
  exchange: { from: 'USD', to: 'EUR', rate: '0.92', date: '2026-11-21', source: 'ECB' },
}

test('VAT in the accounting currency stands after that of the invoice, as a sum alone', () => {
  const document = documentOf({ lines: [line({})], ...foreign })
  // 758.00 at 21 % is 159.18 USD.
  expect(document.accountingTax).toEqual({ amount: '146.45', currency: 'EUR' })
  for (const format of formats) {
    const xml = eInvoiceXml(document, format)
    expect(brokenRules(xml)).toEqual([])
    const bare = xml.replace(/>\s+</g, '><')
    if (format === 'facturx') {
      expect(bare).toContain('<ram:TaxCurrencyCode>EUR</ram:TaxCurrencyCode><ram:InvoiceCurrencyCode>USD<')
      expect(bare).toContain(
        '<ram:TaxTotalAmount currencyID="USD">159.18</ram:TaxTotalAmount><ram:TaxTotalAmount currencyID="EUR">146.45<',
      )
    } else {
      expect(bare).toContain('>USD</cbc:DocumentCurrencyCode><cbc:TaxCurrencyCode>EUR</cbc:TaxCurrencyCode>')
      expect(bare).toContain(
        '</cac:TaxTotal><cac:TaxTotal><cbc:TaxAmount currencyID="EUR">146.45</cbc:TaxAmount></cac:TaxTotal><cac:LegalMonetaryTotal>',
      )
    }
  }
  const plain = ublXml(documentOf({ lines: [line({})], currency: 'USD' }), 'peppol')
  expect(plain).not.toContain('TaxCurrencyCode')
  expect(plain.match(/<cac:TaxTotal>/g)).toHaveLength(1)
})

test.each([
  ['BR-53', /currencyID="EUR">146.45/, 'currencyID="USD">146.45'],
  ['BR-DEC', /146\.45/, '146.456'],
  ['PEPPOL-EN16931-R005', /(<cbc:TaxCurrencyCode>)EUR/, '$1USD'],
  ['PEPPOL-EN16931-R054', /<cac:TaxTotal>\s*<cbc:TaxAmount currencyID="EUR">[^]*?<\/cac:TaxTotal>/, ''],
  ['PEPPOL-EN16931-R055', /146\.45/, '-146.45'],
  ['UBL order', /(<cbc:DocumentCurrencyCode>.*<\/cbc:DocumentCurrencyCode>)(\s*)(<cbc:TaxCurrencyCode>.*)/, '$3$2$1'],
])('the checker finds a planted mistake in a foreign currency: %s', (rule, pattern, replacement) => {
  const xml = ublXml(documentOf({ lines: [line({})], ...foreign }), 'peppol')
  const wrong = xml.replace(pattern, replacement)
  expect(wrong).not.toBe(xml)
  expect(brokenRules(wrong).join(' ')).toContain(rule)
})

describe('an invoice is refused with the field', () => {
  const good = documentOf({ lines: [line({})] })
  test.each([
    ['no rate', { lines: [line({ vat: { category: 'S', rate: '0' } })] }, '/lines/0/vat/rate'],
    ['a unit of no list', { lines: [line({ unit: 'QQQ' })] }, '/lines/0/unit'],
    [
      'a rate that its official form takes for none',
      { lines: [line({ vat: { category: 'S', rate: '0.3' } })] },
      '/lines/0/vat/rate',
    ],
    [
      'a VAT that whole units round by one',
      {
        currency: 'KRW',
        taxMode: 'gross',
        lines: [line({ quantity: '1', unitPrice: '1001', vat: { category: 'S', rate: '100' } })],
      },
      '/taxMode',
    ],
    ['nothing said of when to pay', { dueDate: null, termsDays: null }, '/dueDate'],
    ['no reference', { buyerReference: null, orderReference: null }, '/buyerReference'],
    ['three decimals', { currency: 'KWD' }, '/currency'],
    [
      'VAT in a currency of three decimals',
      { ...foreign, own: 'KWD', exchange: { ...foreign.exchange, to: 'KWD' } },
      '/exchange/rate',
    ],
    [
      'VAT in a currency of no list',
      { ...foreign, own: 'STN', exchange: { ...foreign.exchange, to: 'STN' } },
      '/exchange/rate',
    ],
    ['no endpoint of the customer', { buyer: { ...good.buyer!, endpoint: null } }, '/buyer/endpoint'],
    [
      'a wrong check digit',
      { seller: { ...good.seller!, endpoint: { scheme: '0088', id: '5790000436102' } } },
      '/seller/endpoint',
    ],
    [
      'an intra-community supply without its date and the customer’s VAT number',
      {
        lines: [line({ vat: { category: 'K', rate: '0' } })],
        supplyDate: null,
        buyer: { ...good.buyer!, vatNumber: null },
      },
      '/buyer/vatNumber /supplyDate',
    ],
  ])('%s', (_, change, pointers) => {
    expect(errorsOf(good, 'peppol')).toEqual([])
    const found = errorsOf(documentOf({ lines: [line({})], ...(change as object) }), 'peppol')
    expect(found.map(({ pointer }) => pointer).join(' ')).toBe(pointers)
    for (const { detail } of found) expect(detail).toMatch(/^[A-Z].{10,}/)
  })
})

test.each(['HEA', '2N', 'XZZ', '1I'])(
  'a unit that is not offered and stands in the list of units is taken: %s',
  (unit) => {
    const document = documentOf({ lines: [line({ unit })] })
    expect(errorsOf(document, 'peppol')).toEqual([])
    const xml = ublXml(document, 'peppol')
    expect(xml).toContain(`<cbc:InvoicedQuantity unitCode="${unit}">`)
    expect(brokenRules(xml)).toEqual([])
  },
)

describe('prices that hold their VAT', () => {
  test('three for 10.00 at 21 %: the price is told for the whole quantity', () => {
    const xml = ublXml(
      documentOf({ taxMode: 'gross', lines: [line({ quantity: '3', unitPrice: '10.00' })] }),
      'en16931',
    )
    expect(xml).toContain('<cbc:PriceAmount currencyID="EUR">24.79</cbc:PriceAmount>')
    expect(xml).toContain('<cbc:BaseQuantity unitCode="C62">3</cbc:BaseQuantity>')
    expect(xml).toContain('<cbc:TaxInclusiveAmount currencyID="EUR">30.00</cbc:TaxInclusiveAmount>')
  })
  test('a sale, its return and a voucher: each price and discount is its own without VAT', () => {
    const sold = line({ quantity: '2', unitPrice: '121.00' })
    const allowances = [{ amount: '121.00', vat: { category: 'S' as const, rate: '21' } }]
    const document = documentOf({ taxMode: 'gross', lines: [sold, { ...sold, quantity: '-1' }], allowances })
    for (const xml of [ublXml(document, 'peppol'), ciiXml(document)]) {
      expect(brokenRules(xml)).toEqual([])
      const amounts = (name: string) =>
        [...xml.matchAll(new RegExp(`<(?:cbc|ram):${name}[^>]*>([^<]+)<`, 'g'))].map(([, amount]) => amount)
      expect([...amounts('PriceAmount'), ...amounts('ChargeAmount')]).toEqual(['200.00', '100.00'])
      expect([...amounts('Amount'), ...amounts('ActualAmount')]).toEqual(['100.00'])
    }
  })
  test('a line of nothing, and one that is taken back', () => {
    const lines = [line({ quantity: '0' }), line({ quantity: '-2' }), line({ quantity: '5' })]
    expect(brokenRules(ublXml(documentOf({ taxMode: 'gross', lines }), 'peppol'))).toEqual([])
  })
})

test.each([
  ['a rate below 0.5 on little', { lines: [line({ unitPrice: '0.50', vat: { category: 'S', rate: '0.4' } })] }],
  ['0.5 itself', { lines: [line({ vat: { category: 'S', rate: '0.5' } })] }],
  [
    'whole units without VAT',
    { currency: 'KRW', lines: [line({ unitPrice: '1001', vat: { category: 'S', rate: '100' } })] },
  ],
])('%s passes and keeps every rule', (_, asked) => {
  const document = documentOf(asked)
  for (const format of formats) {
    expect(errorsOf(document, format)).toEqual([])
    expect(brokenRules(eInvoiceXml(document, format))).toEqual([])
  }
})

test.each([
  ['en', ['Discount', 'Extra charge', 'Discount', 'Extra charge', 'Rounding']],
  ['de', ['Rabatt', 'Zuschlag', 'Rabatt', 'Zuschlag', 'Rundung']],
] as const)('what a discount, a charge and a rounding are for is said in %s', (language, words) => {
  const amount = { amount: '1.00', vat: { category: 'S' as const, rate: '21' } }
  const adjusted = { allowances: [{ amount: '1.00' }], charges: [{ amount: '2.00' }] }
  const document = documentOf({
    language,
    taxMode: 'gross',
    lines: [line(adjusted), line({ ...adjusted, quantity: '0' })],
    allowances: [amount],
    charges: [{ ...amount, amount: '2.00' }],
  })
  for (const format of formats) {
    const reasons = eInvoiceXml(document, format).matchAll(/<(?:cbc:AllowanceChargeReason|ram:Reason)>([^<]+)/g)
    expect(new Set([...reasons].map(([, reason]) => reason))).toEqual(new Set(words))
  }
})

test('a credit note: its own root, type, lines and the invoice it corrects', () => {
  const creditedInvoice = { number: 'INV-2026-0007', issueDate: '2026-11-01' }
  const document = documentOf({ lines: [line({})], type: '381', creditedInvoice })
  const xml = ublXml(document, 'peppol')
  expect(xml).toContain('<CreditNote xmlns="urn:oasis:names:specification:ubl:schema:xsd:CreditNote-2"')
  expect(xml).toContain('<cbc:CreditNoteTypeCode>381</cbc:CreditNoteTypeCode>')
  expect(xml).toContain('<cbc:CreditedQuantity unitCode="C62">2</cbc:CreditedQuantity>')
  expect(xml).toMatch(/<cac:InvoiceDocumentReference>\s*<cbc:ID>INV-2026-0007</)
  expect(brokenRules(xml)).toEqual([])
  const cii = ciiXml(document)
  expect(cii).toMatch(/<ram:InvoiceReferencedDocument>\s*<ram:IssuerAssignedID>INV-2026-0007</)
  expect(brokenRules(cii)).toEqual([])
})

test('a person’s text is text, whatever is in it', () => {
  const name = 'A & B <script>"\uFFFE ü 商'
  const xml = ublXml(documentOf({ lines: [line({ name })], notes: ']]> & more' }), 'peppol')
  expect(xml).toContain('A &amp; B &lt;script&gt;')
  expect(xml).not.toContain('\uFFFE')
  expect(brokenRules(xml)).toEqual([])
})

test.each([
  ['#123# Thank you', '# 123# Thank you'],
  ['Job #4/7# done', 'Job # 4/7# done'],
  // Three signs of four units.
  ['Thanks #👍ok#', 'Thanks # 👍ok#'],
  ['#12# and #345#', '#12# and #345#'],
  ['No. #123', 'No. #123'],
])('%j is a note, and no subject’s code', (notes, written) => {
  const xml = ublXml(documentOf({ lines: [line({ name: 'Work' })], notes }), 'xrechnung')
  expect(xml).toContain(`<cbc:Note>${written}</cbc:Note>`)
  expect(brokenRules(xml)).toEqual([])
  const asTyped = xml.replace(written, notes)
  expect(brokenRules(asTyped)).toEqual(written === notes ? [] : ['BR-CL-08'])
})

test.each([
  ['BR-CO-10', /(<cac:LegalMonetaryTotal>\s*<cbc:LineExtensionAmount currencyID="EUR">)[\d.]+/, '$11.00'],
  ['BR-CO-15', /(<cbc:TaxInclusiveAmount currencyID="EUR">)[\d.]+/, '$11.00'],
  ['BR-CO-14', /(<cac:TaxTotal>\s*<cbc:TaxAmount currencyID="EUR">)[\d.]+/, '$10.01'],
  ['BR-CO-17', /(<cac:TaxSubtotal>\s*<cbc:TaxableAmount currencyID="EUR">)[\d.]+/, '$11.00'],
  ['BR-S-08', /(<cac:TaxSubtotal>\s*<cbc:TaxableAmount currencyID="EUR">)[\d.]+/, '$1757.99'],
  ['BR-S-05', /(<cac:ClassifiedTaxCategory>\s*<cbc:ID>S<\/cbc:ID>\s*<cbc:Percent>)21/, '$10'],
  ['BR-S-02', /<cac:PartyTaxScheme>[^]*?<\/cac:PartyTaxScheme>/, ''],
  ['BR-61', /<cac:PayeeFinancialAccount>[^]*?<\/cac:PayeeFinancialAccount>/, ''],
  ['PEPPOL-EN16931-R120', /(<cbc:PriceAmount currencyID="EUR">)379/, '$1380'],
  ['PEPPOL-EN16931-R008', /<cbc:CityName>[^<]+/, '<cbc:CityName>'],
  ['PEPPOL-EN16931-R020', /<cbc:EndpointID[^]*?<\/cbc:EndpointID>/, ''],
  ['PEPPOL-EN16931-R051', /(<cbc:PayableAmount currencyID=")EUR/, '$1USD'],
  ['NL-R-003', /(<cbc:CompanyID) schemeID="0106"/, '$1'],
  ['UBL order', /(<cbc:ID>INV-1<\/cbc:ID>)(\s*)(<cbc:IssueDate>[^<]*<\/cbc:IssueDate>)/, '$3$2$1'],
])('the checker itself finds a planted mistake: %s', (rule, pattern, replacement) => {
  const xml = ublXml(documentOf({ lines: [line({})] }), 'peppol')
  expect(brokenRules(xml)).toEqual([])
  const wrong = xml.replace(pattern, replacement)
  expect(wrong).not.toBe(xml)
  expect(brokenRules(wrong)).toContain(rule)
})

test.each([
  ['BR-CO-10', /(HeaderMonetarySummation>\s*<ram:LineTotalAmount>)[\d.]+/, '$11.00'],
  ['BR-CO-15', /(<ram:GrandTotalAmount>)[\d.]+/, '$11.00'],
  ['BR-CO-17', /(<ram:BasisAmount>)[\d.]+/, '$11.00'],
  ['BR-S-05', /(<ram:CategoryCode>S<\/ram:CategoryCode>\s*<ram:RateApplicablePercent>)21/, '$10'],
  ['BR-03', /(<ram:IssueDateTime>\s*<udt:DateTimeString format=")102/, '$1203'],
  ['BR-S-02', /<ram:SpecifiedTaxRegistration>[^]*?<\/ram:SpecifiedTaxRegistration>/g, ''],
  ['CII order', /(<ram:ID>INV-1<\/ram:ID>)(\s*)(<ram:TypeCode>380<\/ram:TypeCode>)/, '$3$2$1'],
])('and one in the other syntax: %s', (rule, pattern, replacement) => {
  const xml = ciiXml(documentOf({ lines: [line({})] }))
  expect(brokenRules(xml)).toEqual([])
  const wrong = xml.replace(pattern, replacement)
  expect(wrong).not.toBe(xml)
  expect(brokenRules(wrong)).toContain(rule)
})

test('the CII’s list of countries is not that of the UBL: South Sudan is in one alone', () => {
  const plain = documentOf({ lines: [line({})] })
  const there = documentOf({ lines: [line({})], buyer: { ...plain.buyer!, country: 'SS' } })
  expect(errorsOf(there, 'facturx')).toMatchObject([{ pointer: '/buyer/country' }])
  expect(errorsOf(there, 'en16931')).toEqual([])
  const numbered = documentOf({ lines: [line({})], seller: { ...plain.seller!, vatNumber: 'SS123456789' } })
  expect(errorsOf(numbered, 'facturx')).toContainEqual(expect.objectContaining({ pointer: '/seller/country' }))
})

test('a seller whom only the tax office has numbered is named by that, in both syntaxes', () => {
  const own = { ...documentOf({ lines: [line({})] }).seller!, country: 'DE', vatNumber: null, registrationNumber: null }
  const numbered = documentOf({ lines: [line({})], seller: { ...own, taxNumber: '12/345/67890' } })
  expect(eInvoiceErrors('en16931', numbered, numbered.seller!, numbered.buyer!)).toEqual([])
  for (const xml of [ublXml(numbered, 'en16931'), ciiXml(numbered)]) {
    expect(brokenRules(xml)).toEqual([])
    expect(xml.match(/12\/345\/67890/g)).toHaveLength(2)
  }
  const unknown = documentOf({ lines: [line({})], seller: own })
  expect(eInvoiceErrors('en16931', unknown, unknown.seller!, unknown.buyer!)).toMatchObject([
    { pointer: '/seller/vatNumber' },
  ])
  // Beside a VAT number it is said once, and who was frozen before there were any has none.
  const both = documentOf({
    lines: [line({})],
    seller: { ...own, vatNumber: 'DE123456789', taxNumber: '12/345/67890' },
  })
  for (const xml of [ublXml(both, 'en16931'), ciiXml(both)]) {
    expect(brokenRules(xml)).toEqual([])
    expect(xml.match(/12\/345\/67890/g)).toHaveLength(1)
  }
})

describe('what a seller’s country asks over Peppol', () => {
  const parties = (country: string, more: object = {}) => ({
    seller: { ...documentOf({ lines: [line({})] }).seller!, country, ...more },
    buyer: { ...documentOf({ lines: [line({})] }).buyer!, country },
  })
  test.each([
    ['SE', { vatNumber: 'SE5567037485', registrationNumber: '556703-7485' }, '/seller/vatNumber /lines/0/vat/rate'],
    [
      'SE',
      { vatNumber: 'SE556703748501', registrationNumber: '556703-7486' },
      '/seller/registrationNumber /lines/0/vat/rate',
    ],
    ['NO', { vatNumber: 'NO974760674MVA' }, '/seller/vatNumber'],
    ['NO', { vatNumber: 'NO 974 760 673 MVA' }, ''],
    ['DK', { vatNumber: 'DK12345674', registrationNumber: '1234' }, '/seller/registrationNumber'],
    [
      'IT',
      { vatNumber: 'IT07643520567', address: { ...parties('IT').seller.address, city: null } },
      '/seller/address/city',
    ],
    ['IT', { vatNumber: 'IT07643520567', taxNumber: 'RM 1234' }, '/seller/taxNumber'],
    ['IT', { vatNumber: 'IT07643520567', taxNumber: 'RSSMRA80A01H501U' }, ''],
    ['IS', { vatNumber: 'IS12345', registrationNumber: '550169-2829' }, '/buyer/registrationNumber'],
    ['GR', { vatNumber: 'EL123456783' }, '/seller/country'],
    [
      'DE',
      { vatNumber: 'DE123456789', contact: { name: 'Ann', email: 'ann@example.com', phone: null } },
      '/seller/contact/phone',
    ],
  ])('%s %j', (country, more, pointers) => {
    const document = documentOf({ lines: [line({})], ...parties(country, more) })
    expect(
      errorsOf(document, 'peppol')
        .map(({ pointer }) => pointer)
        .join(' '),
    ).toBe(pointers)
  })
  test('what a network does not know is refused there and good elsewhere', () => {
    const endpoint = { scheme: 'EM', id: 'ann@example.com' }
    const document = documentOf({
      lines: [line({})],
      seller: { ...documentOf({ lines: [line({})] }).seller!, endpoint },
    })
    expect(errorsOf(document, 'peppol').map(({ pointer }) => pointer)).toEqual(['/seller/endpoint'])
    expect(errorsOf(document, 'xrechnung')).toEqual([])
    const none = { ...document, seller: { ...document.seller!, endpoint: { scheme: '9999', id: '1' } } }
    expect(errorsOf(none, 'en16931').map(({ pointer }) => pointer)).toEqual(['/seller/endpoint'])
  })
})
