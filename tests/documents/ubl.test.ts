// E-invoices keep the rules of EN 16931 and Peppol: whatever `eInvoiceErrors` lets pass makes an XML that breaks none of them.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { IssuedDocument } from '#documents/content.ts'
import { ublXml } from '#documents/ubl/ubl.ts'
import { eInvoiceErrors } from '#shared/e-invoice.ts'
import { brokenRules } from '#tests/support/e-invoice-rules.ts'
import { anyDocument, documentOf, line } from '#tests/support/issued-documents.ts'

const formats = ['en16931', 'peppol'] as const
const errorsOf = (document: IssuedDocument, format: (typeof formats)[number]) =>
  eInvoiceErrors(format, document, document.seller!, document.buyer!)

test('of random invoices, those that are let pass keep every rule', () => {
  const passed = { en16931: 0, peppol: 0, gross: 0, credit: 0 }
  const categories = new Set<string>()
  fc.assert(
    fc.property(anyDocument, (document) => {
      for (const format of formats) {
        if (errorsOf(document, format).length > 0) continue
        expect(brokenRules(ublXml(document, format))).toEqual([])
        passed[format] += 1
        if (document.taxMode === 'gross') passed.gross += 1
        if (document.type === '381') passed.credit += 1
        for (const { category } of document.vat) categories.add(category)
      }
    }),
    { seed: 16931, numRuns: 320, endOnFailure: true },
  )
  // Enough of each, or the test says nothing.
  expect(passed.en16931).toBeGreaterThan(200)
  expect(passed.peppol).toBeGreaterThan(200)
  expect(passed.gross).toBeGreaterThan(100)
  expect(passed.credit).toBeGreaterThan(50)
  expect([...categories].toSorted()).toEqual(['AE', 'E', 'G', 'K', 'O', 'S', 'Z'])
}, 30_000)

describe('an invoice is refused with the field', () => {
  const good = documentOf({ lines: [line({})] })
  test.each([
    ['no rate', { lines: [line({ vat: { category: 'S', rate: '0' } })] }, '/lines/0/vat/rate'],
    ['a unit of no list', { lines: [line({ unit: 'QQQ' })] }, '/lines/0/unit'],
    ['nothing said of when to pay', { dueDate: null, termsDays: null }, '/dueDate'],
    ['no reference', { buyerReference: null, orderReference: null }, '/buyerReference'],
    ['three decimals', { currency: 'KWD' }, '/currency'],
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
  test('a line of nothing, and one that is taken back', () => {
    const lines = [line({ quantity: '0' }), line({ quantity: '-2' }), line({ quantity: '5' })]
    expect(brokenRules(ublXml(documentOf({ taxMode: 'gross', lines }), 'peppol'))).toEqual([])
  })
})

test('a credit note: its own root, type, lines and the invoice it corrects', () => {
  const preceding = { number: 'INV-2026-0007', issueDate: '2026-11-01' }
  const document = documentOf({ lines: [line({})], type: '381', precedingInvoice: preceding })
  const xml = ublXml(document, 'peppol')
  expect(xml).toContain('<CreditNote xmlns="urn:oasis:names:specification:ubl:schema:xsd:CreditNote-2"')
  expect(xml).toContain('<cbc:CreditNoteTypeCode>381</cbc:CreditNoteTypeCode>')
  expect(xml).toContain('<cbc:CreditedQuantity unitCode="C62">2</cbc:CreditedQuantity>')
  expect(xml).toMatch(/<cac:InvoiceDocumentReference>\s*<cbc:ID>INV-2026-0007</)
  expect(brokenRules(xml)).toEqual([])
})

test('a person’s text is text, whatever is in it', () => {
  const name = 'A & B <script>"\uFFFE ü 商'
  const xml = ublXml(documentOf({ lines: [line({ name })], notes: ']]> & more' }), 'peppol')
  expect(xml).toContain('A &amp; B &lt;script&gt;')
  expect(xml).not.toContain('\uFFFE')
  expect(brokenRules(xml)).toEqual([])
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
