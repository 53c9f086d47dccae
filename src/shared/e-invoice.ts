// What an e-invoice profile needs of an invoice before it is issued, each in the words of the field that the person knows (DOMAIN.md
// "E-invoicing"). Pure: the server refuses by it, the page warns by it. Rule names are those of EN 16931-1 and Peppol BIS Billing 3.0.
import type { EInvoiceProfile } from './contract/organizations.ts'
import { minorUnitDigits } from './currency.ts'
import { decimal, divideRounded } from './decimal.ts'
import { endpointError } from './electronic-address.ts'
import { germanErrors, nationalErrors } from './e-invoice-countries.ts'
import type { BuyerParty, Checked, SellerParty } from './e-invoice-parts.ts'
import { minorUnitsOf } from './money.ts'
import type { FieldError } from './problem-form.ts'
import { isListedUnit } from './unit-codes.ts'
import { isVatNumber } from './vat-number.ts'
import type { VatCategory } from './vat.ts'

/** A profile that an XML is written in. */
export type EInvoiceFormat = Exclude<EInvoiceProfile, 'none'>

/**
 * Everything that would make the XML fail its rules; empty when it can be issued. Pointers go into the invoice; `/seller/...` and `/buyer/...` are
 * the organization and the customer.
 */
export function eInvoiceErrors(
  format: EInvoiceFormat,
  invoice: Checked,
  seller: SellerParty,
  buyer: BuyerParty,
): FieldError[] {
  // BR-DEC-*: the standard allows two.
  for (const [pointer, currency] of currenciesOf(invoice))
    if (minorUnitDigits(currency) > 2)
      return [
        error(
          pointer,
          `E-invoices cannot be made in ${currency}: its amounts have three decimals, the standard allows two`,
        ),
      ]
  return oncePerField([
    ...currencyErrors(format, invoice),
    ...(format === 'facturx' ? countryErrors(seller, buyer) : []),
    ...vatErrors(invoice, seller, buyer),
    ...termErrors(invoice),
    ...unitErrors(invoice),
    ...(format === 'peppol' || format === 'xrechnung' ? networkErrors(format, invoice, seller, buyer) : []),
    ...endpointErrors(format, seller, buyer),
    ...(format === 'peppol' ? nationalErrors(invoice, seller, buyer) : []),
    ...(format === 'xrechnung' ? germanErrors(invoice, seller, buyer) : []),
  ])
}

/** Two rules may ask for one field. */
function oncePerField(errors: readonly FieldError[]): FieldError[] {
  return [...new Map(errors.toReversed().map((each) => [each.pointer, each])).values()].toReversed()
}

/** The invoice's own, and what its VAT is said in besides (BT-5, BT-6), each with the field that it comes from. */
function currenciesOf({ currency, accountingTax }: Checked): [pointer: string, currency: string][] {
  return [
    ['/currency', currency],
    ...(accountingTax ? [['/exchange/rate', accountingTax.currency] as [string, string]] : []),
  ]
}

/** BR-CL-04, BR-CL-05, PEPPOL-EN16931-CL007: two young currencies stand in one list and not yet in the other. */
function currencyErrors(format: EInvoiceFormat, invoice: Checked): FieldError[] {
  const isListed = (currency: string) => currency !== 'STN' && (currency !== 'XCG' || format !== 'peppol')
  return currenciesOf(invoice).flatMap(([pointer, currency]) =>
    isListed(currency)
      ? []
      : [error(pointer, `E-invoices cannot be made in ${currency}: it is not in the official list`)],
  )
}

/** BR-CL-14, BR-CO-09: the official list of the CII has no South Sudan, that of the UBL has. */
function countryErrors(seller: SellerParty, buyer: BuyerParty): FieldError[] {
  const isMissing = (party: SellerParty | BuyerParty) =>
    party.country === 'SS' || party.vatNumber?.toUpperCase().startsWith('SS')
  const detail = 'An e-invoice inside the PDF cannot name South Sudan: choose another format in the settings'
  return [
    ...(isMissing(seller) ? [error('/seller/country', detail)] : []),
    ...(isMissing(buyer) ? [error('/buyer/country', detail)] : []),
  ]
}

const error = (pointer: string, detail: string): FieldError => ({ pointer, detail })

/** What each VAT category asks of the parties (BR-S-02..04, BR-AE-02, BR-IC-02, BR-IC-11, BR-G-02, BR-O-02, BR-CO-26). */
function vatErrors(invoice: Checked, seller: SellerParty, buyer: BuyerParty): FieldError[] {
  const used = new Set<VatCategory>(invoice.vat.map(({ category }) => category))
  const uses = (...categories: VatCategory[]) => categories.some((category) => used.has(category))
  const errors: FieldError[] = []
  if (uses('O')) {
    // The VAT numbers are left out of such an XML (BR-O-02): something else must name the seller.
    if (seller.registrationNumber === null && !seller.taxNumber)
      errors.push(
        error(
          '/seller/registrationNumber',
          'Your registration number or tax number is missing: enter it in the organization’s settings',
        ),
      )
  } else if (uses('K', 'G') && seller.vatNumber === null) {
    errors.push(error('/seller/vatNumber', 'Your VAT number is missing: enter it in the organization’s settings'))
  } else if (seller.vatNumber === null && seller.registrationNumber === null && !seller.taxNumber) {
    errors.push(
      error(
        '/seller/vatNumber',
        'Your VAT number, tax number or registration number is missing: enter it in the organization’s settings',
      ),
    )
  }
  if (!uses('O')) {
    if (seller.vatNumber !== null && !isVatNumber(seller.vatNumber))
      errors.push(
        error('/seller/vatNumber', 'Your VAT number must begin with its country, such as BE0123456789 (settings)'),
      )
    if (buyer.vatNumber !== null && !isVatNumber(buyer.vatNumber))
      errors.push(
        error('/buyer/vatNumber', 'The customer’s VAT number must begin with its country, such as BE0123456789'),
      )
  }
  if (uses('K') && buyer.vatNumber === null)
    errors.push(error('/buyer/vatNumber', 'An intra-community supply needs the customer’s VAT number'))
  else if (uses('AE') && buyer.vatNumber === null && buyer.registrationNumber === null)
    errors.push(error('/buyer/vatNumber', 'Reverse charge needs the customer’s VAT number or registration number'))
  if (uses('K') && invoice.supplyDate === null)
    errors.push(error('/supplyDate', 'An intra-community supply needs the date of supply'))
  return [...errors, ...rateErrors(invoice), ...roundingErrors(invoice)]
}

/** BR-S-05, BR-S-06, BR-S-07: the standard category has a rate above zero. */
function rateErrors(invoice: Checked): FieldError[] {
  return atRates(
    invoice,
    ({ category, rate }) => category === 'S' && decimal(rate).digits === 0n,
    'Enter a VAT rate, or choose why there is none (such as zero rated or exempt)',
  )
}

/** At the rate of each part that is taxed so. */
function atRates(
  { lines, allowances, charges }: Checked,
  isMeant: (vat: { category: VatCategory; rate: string }) => boolean,
  detail: string,
): FieldError[] {
  return Object.entries({ lines, allowances, charges }).flatMap(([name, list]) =>
    list.flatMap(({ vat }, index) => (isMeant(vat) ? [error(`/${name}/${index}/vat/rate`, detail)] : [])),
  )
}

/**
 * BR-CO-17 as its official form reckons: a rate below 0.5 is rounded to none, and then the tax must be; any other tax is off its product by less than
 * one whole unit, which a VAT of 100 % included in whole yen can be.
 */
function roundingErrors(invoice: Checked): FieldError[] {
  const { currency } = invoice
  const toCents = 10n ** BigInt(2 - minorUnitDigits(currency))
  return invoice.vat.flatMap(({ category, rate, base, tax }) => {
    const { digits, scale } = decimal(rate)
    const cents = minorUnitsOf(tax) * toCents
    const one = 10n ** BigInt(scale)
    if (2n * digits < one) {
      const isMeant = (vat: { category: VatCategory; rate: string }) => vat.category === category && vat.rate === rate
      const detail = 'E-invoices cannot show this much VAT at a rate below 0.5 %'
      return magnitude(cents) < 50n ? [] : atRates(invoice, isMeant, detail)
    }
    const product = divideRounded(minorUnitsOf(base) * toCents * digits, 100n * one)
    const detail = `E-invoices cannot show ${rate} % VAT that is included in this amount of ${currency}: enter prices without VAT`
    return magnitude(cents - product) < 100n ? [] : [error('/taxMode', detail)]
  })
}

const magnitude = (value: bigint) => (value < 0n ? -value : value)

/** BR-CO-25: what is to be paid says until when. Nobody pays a credit note: its XML answers by its terms (`paymentTermsNote`). */
function termErrors({ type, dueDate, termsDays, totals }: Checked): FieldError[] {
  const missing = type === '380' && dueDate === null && termsDays === null && minorUnitsOf(totals.gross) > 0n
  return missing ? [error('/dueDate', 'Enter a due date')] : []
}

/** BR-CL-23. */
function unitErrors({ lines }: Checked): FieldError[] {
  return lines.flatMap(({ unit }, index) =>
    isListedUnit(unit)
      ? []
      : [error(`/lines/${index}/unit`, `The unit ${unit} is in no list of units: choose another`)],
  )
}

/** What a network that delivers asks besides (PEPPOL-EN16931-R003, R010, R020; BR-DE-15 asks for the buyer reference by itself). */
function networkErrors(format: EInvoiceFormat, invoice: Checked, seller: SellerParty, buyer: BuyerParty): FieldError[] {
  const errors: FieldError[] = []
  if (format === 'peppol' && invoice.buyerReference === null && invoice.orderReference === null)
    errors.push(error('/buyerReference', 'Enter the buyer reference or the order reference'))
  if (seller.endpoint === null)
    errors.push(error('/seller/endpoint', 'Your e-invoice address is missing: enter it in the organization’s settings'))
  if (buyer.endpoint === null) errors.push(error('/buyer/endpoint', 'The customer’s e-invoice address is missing'))
  return errors
}

/** BR-CL-25, PEPPOL-EN16931-CL008, PEPPOL-COMMON-R040..R050: where an address is given it is one of the list, whatever the profile. */
function endpointErrors(format: EInvoiceFormat, seller: SellerParty, buyer: BuyerParty): FieldError[] {
  const network = format === 'peppol' ? 'peppol' : 'any'
  const own = seller.endpoint && endpointError(seller.endpoint, network)
  const theirs = buyer.endpoint && endpointError(buyer.endpoint, network)
  return [
    ...(own === null ? [] : [error('/seller/endpoint', `Your e-invoice address (settings): ${own}`)]),
    ...(theirs === null ? [] : [error('/buyer/endpoint', `The customer’s e-invoice address: ${theirs}`)]),
  ]
}
