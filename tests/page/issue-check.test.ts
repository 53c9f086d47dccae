import { expect, test } from 'vitest'
import { issueFindings } from '#page/features/invoices/issue-check.ts'
import type { Invoice } from '#shared/contract/invoices.ts'
import { wireAmounts } from '#shared/invoice-content.ts'
import { uuidv7 } from '#shared/ids.ts'
import { blankLine } from '#shared/blank-rows.ts'
import type { VatCategory } from '#shared/vat.ts'
import { buyer, documentOf, line, seller } from '#tests/support/issued-documents.ts'

const blank = { line1: null, line2: null, city: null, postalCode: null, region: null }
const somewhere = { ...blank, line1: 'High Street 1', city: 'Leeds' }
const organization = { ...seller, currency: 'EUR', eInvoiceProfile: 'none' as const }
const customer = { ...buyer, address: somewhere, vatNumber: 'DE1' }

function draft(category: VatCategory, rate: string, more: Partial<Invoice> = {}) {
  const line = { ...blankLine, id: uuidv7(), name: 'x', quantity: '1', unitPrice: '10' }
  const vat = { category, rate, reason: null }
  const references = { buyerReference: null, orderReference: null, notes: null }
  const terms = { dueDate: null, termsDays: 14, supplyDate: null, ...references }
  const content = { currency: 'EUR', allowances: [], charges: [] }
  const amounts = wireAmounts({ ...content, taxMode: 'net', lines: [{ ...line, vat }] })
  return { type: '380' as Invoice['type'], customerId: uuidv7(), ...content, ...terms, ...amounts, ...more }
}

const signs = { needed: '!', advice: '', 'e-invoice': '(xml) ' }
const fields = (...given: Parameters<typeof issueFindings>) =>
  issueFindings(...given).map(({ of, field, weight }) => `${signs[weight]}${of} ${field}`)

test('a whole invoice has nothing to be said of', () => {
  expect(fields(draft('S', '21'), organization, customer, '2026-11-22')).toEqual([])
})

test('what issuing needs is named first, with the field it is typed in', () => {
  const empty = draft('S', '21', { customerId: null, lines: [], vat: [] })
  expect(fields(empty, organization, null, '2026-11-22')).toEqual(['!draft customerId', '!draft lines.0.name'])
})

test('what the law or the customer may ask for is advice, in whose form it is mended', () => {
  const bare = { ...organization, address: blank, vatNumber: null, bank: { iban: null, bic: null, holder: null } }
  const nobody = { ...customer, address: blank, vatNumber: null }
  expect(fields(draft('K', '0', { termsDays: null }), bare, nobody, '2026-11-22')).toEqual([
    'organization address.line1',
    'organization vatNumber',
    'organization bank.iban',
    'customer address.line1',
    'customer vatNumber',
    'draft supplyDate',
    'draft dueDate',
  ])
  // Who charges none needs no number of their own.
  expect(fields(draft('E', '0'), { ...organization, vatNumber: null }, nobody, '2026-11-22')).toEqual([
    'customer address.line1',
  ])
})

test('a German invoice says when it was supplied, and by which number its tax office knows the seller', () => {
  const german = { ...organization, country: 'DE', vatNumber: null, taxNumber: null }
  const told = (more: object, own: object = {}) =>
    fields(draft('E', '0', more), { ...german, ...own }, customer, '2026-11-22')
  expect(told({})).toEqual(['organization taxNumber', 'draft supplyDate'])
  expect(told({ supplyDate: '2026-11-20' }, { taxNumber: '12/345/67890' })).toEqual([])
  expect(told({ supplyDate: '2026-11-20' }, { vatNumber: 'DE123456789' })).toEqual([])
})

test('figures that are hardly meant are pointed at', () => {
  const odd = draft('S', '0', { dueDate: '2026-11-21' })
  const found = fields(
    { ...odd, totals: { ...odd.totals, gross: { amount: '0.00', currency: 'EUR' } } },
    organization,
    customer,
    '2026-11-22',
  )
  expect(found).toEqual(['draft lines.0.vat.rate', 'draft dueDate', 'draft lines.0.unitPrice'])
})

test('a profile makes needed what its XML would fail without; each field is named once, as its form names it', () => {
  const bare = { ...organization, endpoint: null, bank: { iban: null, bic: null, holder: null } }
  const nobody = { ...customer, endpoint: null, address: blank }
  const missing = draft('S', '21', { dueDate: null, termsDays: null })
  expect(fields(missing, { ...bare, eInvoiceProfile: 'peppol' }, nobody, '2026-11-22')).toEqual([
    '!draft dueDate',
    '!draft buyerReference',
    '!organization endpoint.scheme',
    '!customer endpoint.scheme',
    '!organization bank.iban',
    '!customer address.line1',
    '!customer address.city',
    '!customer address.postalCode',
  ])
  const labels = issueFindings(missing, { ...bare, eInvoiceProfile: 'peppol' }, nobody, '2026-11-22')
  expect(labels.map(({ label }) => label)).toEqual([
    'Due date',
    'Buyer reference',
    'E-invoice address: scheme',
    'E-invoice address: scheme',
    'IBAN',
    'Street and number',
    'City',
    'Postal code',
  ])
})

test('a private customer whom no network reaches is asked for nothing of it, and it is said that it goes without; with an address there they are a business', () => {
  const person = { ...customer, kind: 'person' as const, vatNumber: '123' }
  for (const eInvoiceProfile of ['peppol', 'xrechnung'] as const) {
    const ours = { ...organization, eInvoiceProfile }
    const alone = issueFindings(draft('S', '21'), ours, { ...person, endpoint: null }, '2026-11-22')
    expect(alone.map(({ of, field, weight, words }) => [weight, of, field, words])).toEqual([
      ['advice', 'customer', 'kind', 'Without XML: The customer is a private person without an e-invoice address.'],
    ])
    expect(fields(draft('S', '21'), ours, person, '2026-11-22')).toContain('!draft buyerReference')
  }
})

test('a credit note is refused nothing that its invoice lacks as well, nor before that is known', () => {
  const ours = { ...organization, eInvoiceProfile: 'peppol' as const }
  const note = draft('S', '21', { type: '381' })
  const told = (corrected: Parameters<typeof issueFindings>[4]) =>
    issueFindings(note, ours, buyer, '2026-11-22', corrected)
      .filter(({ weight }) => weight === 'needed')
      .map(({ field }) => field)
  const corrected = { ...documentOf({ lines: [line({})] }), seller, buyer } as Invoice
  expect(told(null)).toEqual([])
  expect(told({ ...corrected, buyerReference: null, orderReference: null })).toEqual([])
  expect(told({ ...corrected, buyerReference: 'PO 7' })).toEqual(['buyerReference'])
})

test('without a profile what only an e-invoice wants comes last, and is no repetition of the advice', () => {
  const unknown = { ...customer, vatNumber: '123' }
  const odd = draft('S', '0', { termsDays: null })
  expect(fields({ ...odd, lines: [...odd.lines, ...odd.lines] }, organization, unknown, '2026-11-22')).toEqual([
    'draft lines.0.vat.rate',
    'draft dueDate',
    '(xml) customer vatNumber',
    '(xml) draft lines.1.vat.rate',
  ])
})

test('what no font has is named before it is printed as the sign for that', () => {
  const good = draft('S', '21')
  const lines = [good.lines[0]!, { ...good.lines[0]!, description: 'Rune ᚠ and 5 ‰' }]
  const written = { ...good, lines, notes: 'CO₂, 5 000 ₣, ქართული, 👍🏽' }
  const named = issueFindings(written, { ...organization, name: 'ᮃ' }, { ...customer, contactName: 'ᎠᏂ' }, '2026-11-22')
  expect(named.map(({ weight, of, field, label, words }) => [weight, of, field, label, words.split(': ')[1]])).toEqual([
    ['advice', 'draft', 'lines.1.name', 'Description, line 2', 'ᚠ ‰'],
    ['advice', 'organization', 'name', 'Name', 'ᮃ'],
    ['advice', 'customer', 'name', 'Name', 'Ꭰ Ꮒ'],
  ])
})

test('VAT in a foreign currency wants its exchange rate: advice, and no more', () => {
  const exchange = { from: 'USD', to: 'EUR', rate: '0.92', date: '2026-11-21', source: 'ECB' }
  const found = (more: Partial<Invoice>, own = 'USD') =>
    fields(draft('S', '21', more), { ...organization, currency: own }, customer, '2026-11-22')
  expect(found({})).toEqual(['draft exchange.rate'])
  expect(found({ exchange })).toEqual([])
  expect(found({}, 'EUR')).toEqual([])
  // At the rate of its invoice, which may have none.
  expect(found({ type: '381' })).toEqual([])
  expect(found({ totals: { ...draft('S', '21').totals, tax: { amount: '0.00', currency: 'EUR' } } })).toEqual([])
  expect(found({ exchange: { ...exchange, source: 'ᚠ' } })).toEqual(['draft exchange.source'])
  const [finding] = issueFindings(draft('S', '21'), { ...organization, currency: 'USD' }, customer, '2026-11-22')
  expect(finding).toMatchObject({ label: 'Exchange rate', words: expect.stringContaining('VAT in USD too') as string })
  // Peppol has no place for three decimals.
  const accountingTax = { amount: '0.700', currency: 'KWD' }
  const ours = { ...organization, currency: 'KWD', eInvoiceProfile: 'peppol' as const }
  expect(fields(draft('S', '21', { exchange, accountingTax }), ours, customer, '2026-11-22')).toEqual([
    '!draft exchange.rate',
  ])
})
