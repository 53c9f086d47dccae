// Issued documents of every kind, made by the product's own rules from what a person may have typed.
import fc from 'fast-check'
import type { IssuedDocument } from '#documents/content.ts'
import { invoiceEdit, type Buyer, type InvoiceEditInput, type Seller } from '#shared/contract/invoices.ts'
import { accountingTaxOf } from '#shared/exchange.ts'
import { completeContent, wireAmounts } from '#shared/invoice-content.ts'
import { formatFixed } from '#shared/decimal.ts'
import { uuidv7 } from '#shared/ids.ts'
import type { VatCategory } from '#shared/vat.ts'

type Line = NonNullable<InvoiceEditInput['lines']>[number]

export const seller: Seller = {
  name: 'Ann Works',
  legalName: 'Ann Works B.V.',
  country: 'NL',
  address: { line1: 'Kade 1', line2: null, city: 'Utrecht', postalCode: '3511 AA', region: null },
  vatNumber: 'NL001234567B01',
  registrationNumber: '12345678',
  endpoint: { scheme: '0106', id: '12345678' },
  contact: { name: 'Ann', email: 'ann@example.com', phone: '+31 30 1234567' },
  bank: { iban: 'NL91ABNA0417164300', bic: 'ABNANL2A', holder: 'Ann Works B.V.' },
  vatRegime: 'standard',
  locale: 'en-GB',
}

export const buyer: Buyer = {
  id: uuidv7(),
  kind: 'business',
  name: 'Bob the Baker',
  country: 'NL',
  email: 'bob@example.com',
  contactName: 'Bob',
  address: { line1: 'Markt 2', line2: null, city: 'Delft', postalCode: '2611 GS', region: null },
  vatNumber: 'NL009876543B01',
  registrationNumber: '87654321',
  endpoint: { scheme: '0088', id: '5790000436101' },
}

export function line(more: Partial<Line>): Line {
  return { name: 'Website', quantity: '2', unitPrice: '379.00', vat: { category: 'S', rate: '21' }, ...more }
}

interface Asked
  extends
    Omit<InvoiceEditInput, 'totals'>,
    Partial<Pick<IssuedDocument, 'type' | 'creditedInvoice' | 'seller' | 'buyer'>> {
  /** The organization's currency. */
  own?: string
}

/** What issuing would have frozen of it. */
export function documentOf({
  type = '380',
  creditedInvoice = null,
  seller: from,
  buyer: to,
  own = 'EUR',
  ...edit
}: Asked): IssuedDocument {
  const whole = { dueDate: '2026-12-01', termsDays: 14, buyerReference: 'PO 7', taxMode: 'net' as const, ...edit }
  const content = completeContent(
    invoiceEdit.parse(whole),
    { currency: own, locale: 'en-GB', defaults: { termsDays: 14, taxMode: 'net', notes: null, vatRate: null } },
    null,
  )
  const amounts = wireAmounts(content)
  return {
    ...content,
    ...amounts,
    accountingTax: accountingTaxOf(content.exchange, amounts.totals.tax),
    type,
    creditedInvoice,
    number: 'INV-1',
    issueDate: '2026-11-17',
    seller: from ?? seller,
    buyer: to ?? buyer,
  }
}

const decimalOf = (digits: fc.Arbitrary<number>, scale: number) =>
  digits.map((value) => formatFixed(BigInt(value), scale))

const vat: fc.Arbitrary<{ category: VatCategory; rate: string }> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc
      .constantFrom('21', '9', '5.5', '19', '25.5', '8.1', '21', '21', '9', '9', '9', '7', '7', '0')
      .map((rate) => ({ category: 'S' as const, rate })),
  },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom('Z', 'E', 'AE', 'K', 'G')
      .map((category) => ({ category: category as VatCategory, rate: '0' })),
  },
)

const places: Record<string, number> = { EUR: 2, SEK: 2, GBP: 2, JPY: 0, ISK: 0, XCG: 2, STN: 2 }

/** What firms of these countries write of themselves, some of it with signs between that nobody took away. */
const firms: Record<string, { vat: string; number: string; rate: string }> = {
  NL: { vat: 'NL001234567B01', number: '12345678', rate: '21' },
  BE: { vat: 'BE 0123.456.749', number: '0123456749', rate: '21' },
  DE: { vat: 'DE123456789', number: 'HRB 12345', rate: '19' },
  DK: { vat: 'DK12345674', number: '12345674', rate: '25' },
  SE: { vat: 'SE556703748501', number: '556703-7485', rate: '25' },
  NO: { vat: 'NO 974 760 673 MVA', number: '974760673', rate: '25' },
  IS: { vat: 'IS12345', number: '550169-2829', rate: '24' },
  IT: { vat: 'IT07643520567', number: 'RM-1234567', rate: '22' },
  GR: { vat: 'EL123456783', number: '123456783', rate: '24' },
  FR: { vat: 'FR83404833048', number: '404833048', rate: '20' },
}

/** Any draft that the contract takes, most of them whole: one in five of the things that a profile may ask for is missing. */
export const anyDocument: fc.Arbitrary<IssuedDocument> = fc
  .record({
    currency: fc.constantFrom('EUR', 'EUR', 'EUR', 'EUR', 'SEK', 'GBP', 'JPY', 'ISK', 'XCG', 'STN'),
    outside: fc.integer({ min: 0, max: 9 }).map((dice) => dice === 0),
    seed: fc.noShrink(fc.integer()),
  })
  .chain(({ currency, outside }) => {
    const ownVat = outside ? fc.constant({ category: 'O' as const, rate: '0' }) : vat
    const amount = decimalOf(fc.integer({ min: 0, max: 9000 }), places[currency]!)
    const adjustment = fc.record({ amount, reason: fc.constantFrom(null, 'Loyal customer') })
    const anyLine = fc.record({
      name: fc.constantFrom('Website', 'Πίτα', '面包', 'Bread & <butter>'),
      description: fc.constantFrom(null, 'Two\nlines'),
      quantity: fc.oneof(
        decimalOf(fc.integer({ min: 1, max: 900 }), 0),
        decimalOf(fc.integer({ min: -90_000, max: 900_000 }), 4),
      ),
      unit: fc.constantFrom('C62', 'HUR', 'KGM', 'MTK', 'LS', 'H87', 'ANN', 'XPP'),
      unitPrice: fc.oneof(
        decimalOf(fc.integer({ min: 0, max: 90_000 }), 2),
        decimalOf(fc.integer({ min: 0, max: 900_000_000 }), 6),
      ),
      baseQuantity: fc.constantFrom('1', '1', '100', '0.5', '3'),
      allowances: fc.array(adjustment, { maxLength: 2 }),
      charges: fc.array(adjustment, { maxLength: 2 }),
      vat: ownVat,
    })
    const ofDocument = fc.record({ amount, reason: fc.constantFrom(null, 'Freight'), vat: ownVat })
    const maybe = <Value>(value: Value) => fc.integer({ min: 0, max: 39 }).map((dice) => (dice === 0 ? null : value))
    const countries = fc.constantFrom('NL', 'BE', 'DE', 'DE', 'DK', 'SE', 'NO', 'IS', 'IT', 'GR', 'FR')
    const often = fc.integer({ min: 0, max: 9 }).map((dice) => dice < 9)
    const isCredit = fc.integer({ min: 0, max: 3 }).map((dice) => dice === 0)
    return fc
      .record({
        // Mostly of a firm that keeps its books in euros; some in a currency that no e-invoice can say.
        own: fc.constantFrom(
          'EUR',
          'EUR',
          'EUR',
          'EUR',
          'EUR',
          'SEK',
          'SEK',
          'SEK',
          'GBP',
          'GBP',
          'JPY',
          'JPY',
          'KWD',
          'STN',
        ),
        exchange: fc.option(
          fc.record({
            rate: decimalOf(fc.integer({ min: 1, max: 900_000_000 }), 7),
            date: fc.constant('2026-11-10'),
            source: fc.constantFrom('ECB', 'Bank <of> Äthiopien'),
          }),
        ),
        edit: fc.record({
          taxMode: fc.constantFrom('net' as const, 'gross' as const),
          lines: fc.array(anyLine, { minLength: 1, maxLength: 6 }),
          allowances: fc.array(ofDocument, { maxLength: 2 }),
          charges: fc.array(ofDocument, { maxLength: 2 }),
          dueDate: maybe('2026-12-24'),
          termsDays: maybe(14),
          supplyDate: maybe('2026-11-10'),
          buyerReference: maybe('Dept 4'),
          orderReference: maybe('PO-77'),
          notes: maybe('Thank you.\nSee you soon.'),
        }),
        isCredit,
        from: countries,
        to: countries,
        // Of ten firms one writes the number of another country, or something that is none.
        ownRight: often,
        ownVatNumber: maybe(true),
        ownNumber: maybe(true),
        ownTaxNumber: fc.constantFrom(null, null, null, '12/345/67890', 'Godkänd för F-skatt'),
        atHome: fc.boolean(),
        ownEndpoint: fc.oneof(
          { weight: 9, arbitrary: maybe(seller.endpoint) },
          {
            weight: 1,
            arbitrary: fc.constantFrom(
              { scheme: 'EM', id: 'ann@example.com' },
              { scheme: '0192', id: '974760673' },
              { scheme: '0007', id: '5567037485' },
              { scheme: '0151', id: '51824753556' },
              { scheme: '9999', id: '1' },
              { scheme: '0208', id: '0123456749' },
            ),
          },
        ),
        iban: maybe(seller.bank.iban),
        city: maybe('Utrecht'),
        legalName: maybe('Ann Works B.V.'),
        theirVatNumber: maybe(true),
        theirNumber: maybe(true),
        theirRight: often,
        theirEndpoint: maybe(buyer.endpoint),
        theirStreet: maybe('Markt 2'),
      })
      .map((made) => {
        const to = made.atHome ? made.from : made.to
        const own = firms[made.ownRight ? made.from : 'NL']!
        const theirs = firms[made.theirRight ? to : 'DE']!
        // A firm charges its own country's rate more often than not.
        const withRate = <Part extends { vat: { category: VatCategory; rate: string } }>(part: Part): Part =>
          made.ownRight && part.vat.category === 'S' && part.vat.rate === '21'
            ? { ...part, vat: { category: 'S', rate: own.rate } }
            : part
        return documentOf({
          ...made.edit,
          own: made.own,
          exchange: made.own === currency ? null : made.exchange && { from: currency, to: made.own, ...made.exchange },
          lines: made.edit.lines.map(withRate),
          allowances: made.edit.allowances.map(withRate),
          charges: made.edit.charges.map(withRate),
          currency,
          type: made.isCredit ? '381' : '380',
          creditedInvoice: made.isCredit ? { number: 'INV-0', issueDate: '2026-10-01' } : null,
          seller: {
            ...seller,
            country: made.from,
            legalName: made.legalName,
            vatNumber: made.ownVatNumber ? own.vat : null,
            taxNumber: made.ownTaxNumber,
            registrationNumber: made.ownNumber ? own.number : null,
            endpoint: made.ownEndpoint,
            bank: { ...seller.bank, iban: made.iban },
            address: { ...seller.address, city: made.city },
          },
          buyer: {
            ...buyer,
            country: to,
            vatNumber: made.theirVatNumber ? theirs.vat : null,
            registrationNumber: made.theirNumber ? theirs.number : null,
            endpoint: made.theirEndpoint,
            address: { ...buyer.address, line1: made.theirStreet },
          },
        })
      })
  })
