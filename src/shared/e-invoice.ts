// What an e-invoice profile needs of an invoice before it is issued, each in the words of the field that the person knows (DOMAIN.md
// "E-invoicing"). Pure: the server refuses by it, the page warns by it. Rule names are those of EN 16931-1 and Peppol BIS Billing 3.0.
import type { Buyer, Invoice, Seller } from './contract/invoices.ts'
import type { EInvoiceProfile } from './contract/organizations.ts'
import { isCountry } from './country.ts'
import { minorUnitDigits } from './currency.ts'
import { decimal } from './decimal.ts'
import { endpointError } from './electronic-address.ts'
import { minorUnitsOf } from './money.ts'
import type { FieldError } from './problem-form.ts'
import { isKnownUnit } from './units.ts'
import type { VatCategory } from './vat.ts'

/** A profile that an XML is written in. */
export type EInvoiceFormat = Exclude<EInvoiceProfile, 'none'>

/** What is looked at: a draft as issuing would freeze it now, or an issued invoice. `seller` and `buyer` are who they would be. */
export type Checked = Pick<
  Invoice,
  | 'currency'
  | 'dueDate'
  | 'termsDays'
  | 'supplyDate'
  | 'buyerReference'
  | 'orderReference'
  | 'lines'
  | 'allowances'
  | 'charges'
  | 'vat'
  | 'totals'
>
type SellerParty = Pick<
  Seller,
  'country' | 'address' | 'vatNumber' | 'registrationNumber' | 'endpoint' | 'contact' | 'bank'
>
type BuyerParty = Pick<Buyer, 'country' | 'address' | 'vatNumber' | 'registrationNumber' | 'endpoint'>

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
  if (minorUnitDigits(invoice.currency) > 2) {
    // BR-DEC-*: the standard allows two.
    const detail = `E-invoices cannot be made in ${invoice.currency}: its amounts have three decimals, the standard allows two`
    return [{ pointer: '/currency', detail }]
  }
  return [
    ...vatErrors(invoice, seller, buyer),
    ...termErrors(invoice),
    ...unitErrors(invoice),
    ...(format === 'peppol' ? peppolErrors(invoice, seller, buyer) : []),
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
    if (seller.registrationNumber === null)
      errors.push(
        error(
          '/seller/registrationNumber',
          'Your registration number is missing: enter it in the organization’s settings',
        ),
      )
  } else if (uses('K', 'G') && seller.vatNumber === null) {
    errors.push(error('/seller/vatNumber', 'Your VAT number is missing: enter it in the organization’s settings'))
  } else if (seller.vatNumber === null && seller.registrationNumber === null) {
    errors.push(
      error(
        '/seller/vatNumber',
        'Your VAT number or registration number is missing: enter it in the organization’s settings',
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
  return [...errors, ...rateErrors(invoice)]
}

/** BR-S-05, BR-S-06, BR-S-07: the standard category has a rate above zero. */
function rateErrors({ lines, allowances, charges }: Checked): FieldError[] {
  const parts = { lines, allowances, charges }
  return Object.entries(parts).flatMap(([name, list]) =>
    list.flatMap(({ vat }, index) =>
      vat.category === 'S' && decimal(vat.rate).digits === 0n
        ? [
            error(
              `/${name}/${index}/vat/rate`,
              'Enter a VAT rate, or choose why there is none (such as zero rated or exempt)',
            ),
          ]
        : [],
    ),
  )
}

/** BR-CO-25: what is to be paid says until when. */
function termErrors({ dueDate, termsDays, totals }: Checked): FieldError[] {
  const missing = dueDate === null && termsDays === null && minorUnitsOf(totals.gross) > 0n
  return missing ? [error('/dueDate', 'Enter a due date')] : []
}

/** BR-CL-23. */
function unitErrors({ lines }: Checked): FieldError[] {
  return lines.flatMap(({ unit }, index) =>
    isKnownUnit(unit) ? [] : [error(`/lines/${index}/unit`, `The unit ${unit} is in no list of units: choose another`)],
  )
}

/** What Peppol asks besides (PEPPOL-EN16931-R*), and the national rules that bind sellers in the Netherlands, Denmark and Germany. */
function peppolErrors(invoice: Checked, seller: SellerParty, buyer: BuyerParty): FieldError[] {
  const errors: FieldError[] = []
  if (invoice.buyerReference === null && invoice.orderReference === null)
    errors.push(error('/buyerReference', 'Enter the buyer reference or the order reference'))
  const own = endpointError(seller.endpoint)
  if (own !== null) errors.push(error('/seller/endpoint', `Your e-invoice address (settings): ${own}`))
  const theirs = endpointError(buyer.endpoint)
  if (theirs !== null) errors.push(error('/buyer/endpoint', `The customer’s e-invoice address: ${theirs}`))
  // BT-20 and BT-9 alone do not pay a Dutch or German invoice (NL-R-007, DE-R-001).
  const isDutch = seller.country === 'NL'
  const isGerman = seller.country === 'DE' && buyer.country === 'DE'
  if ((isDutch || isGerman) && seller.bank.iban === null)
    errors.push(error('/seller/bank/iban', 'Your IBAN is missing: enter it in the organization’s settings'))
  if (isDutch) {
    if (!/^\d{8}$/.test(seller.registrationNumber ?? ''))
      errors.push(
        error('/seller/registrationNumber', 'Your registration number must be the eight digits of the KVK (settings)'),
      )
    errors.push(...addressErrors('/seller/address', 'Your', seller.address, ['line1', 'city', 'postalCode']))
    if (buyer.country === 'NL')
      errors.push(...addressErrors('/buyer/address', 'The customer’s', buyer.address, ['line1', 'city', 'postalCode']))
  }
  if (seller.country === 'DK' && !/^(DK)?\d{8}$/.test(seller.registrationNumber ?? ''))
    errors.push(
      error('/seller/registrationNumber', 'Your registration number must be the eight digits of the CVR (settings)'),
    )
  if (isGerman) {
    if (invoice.buyerReference === null && invoice.orderReference !== null)
      errors.push(error('/buyerReference', 'Enter the buyer reference'))
    errors.push(...addressErrors('/seller/address', 'Your', seller.address, ['city', 'postalCode']))
    errors.push(...addressErrors('/buyer/address', 'The customer’s', buyer.address, ['city', 'postalCode']))
    const contact = { name: 'contact person', phone: 'phone', email: 'contact email' } as const
    for (const [field, word] of Object.entries(contact))
      if (seller.contact[field as keyof typeof contact] === null)
        errors.push(
          error(`/seller/contact/${field}`, `Your ${word} is missing: enter it in the organization’s settings`),
        )
  }
  return errors
}

const addressWords = { line1: 'street', city: 'city', postalCode: 'postal code' } as const
type AddressField = keyof typeof addressWords

function addressErrors(
  pointer: string,
  whose: string,
  address: Pick<Seller['address'], AddressField>,
  needed: readonly AddressField[],
): FieldError[] {
  return needed.flatMap((field) =>
    address[field] === null ? [error(`${pointer}/${field}`, `${whose} ${addressWords[field]} is missing`)] : [],
  )
}

/** BR-CO-09: a VAT number begins with its country; Greece writes EL, Northern Ireland XI. */
function isVatNumber(vatNumber: string): boolean {
  const prefix = vatNumber.slice(0, 2).toUpperCase()
  return isCountry(prefix) || prefix === 'EL' || prefix === 'XI'
}
