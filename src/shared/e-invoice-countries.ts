// What single countries ask of an e-invoice: the national rules inside Peppol BIS Billing 3.0 (DE-R, DK-R, GR-R, IS-R, IT-R, NL-R, NO-R, SE-R) and
// those of the German XRechnung (BR-DE). Each in the words of the field that the person knows.
import type { Seller } from './contract/invoices.ts'
import { decimal } from './decimal.ts'
import { isNumberOf } from './electronic-address.ts'
import type { BuyerParty, Checked, SellerParty } from './e-invoice-parts.ts'
import type { FieldError } from './problem-form.ts'
import { registration, taxNumberOf } from './registration.ts'
import { vatNumberAsWritten } from './vat-number.ts'

type Rule = (invoice: Checked, seller: SellerParty, buyer: BuyerParty) => FieldError[]

/** The rules of the seller's country. Some go by its address, some by the country that its VAT number begins with; they do not contradict. */
export function nationalErrors(invoice: Checked, seller: SellerParty, buyer: BuyerParty): FieldError[] {
  const isOutside = invoice.vat.some(({ category }) => category === 'O')
  const byVat = isOutside || seller.vatNumber === null ? null : vatNumberAsWritten(seller.vatNumber).slice(0, 2)
  const rules = new Set([byAddress[seller.country], byVatNumber[byVat ?? seller.country]])
  return [...rules].flatMap((rule) => rule?.(invoice, seller, buyer) ?? [])
}

const error = (pointer: string, detail: string): FieldError => ({ pointer, detail })
const ibanMissing = error('/seller/bank/iban', 'Your IBAN is missing: enter it in the organization’s settings')

const byAddress: Readonly<Record<string, Rule>> = {
  DE: (invoice, seller, buyer) => (buyer.country === 'DE' ? germanErrors(invoice, seller, buyer) : []),
  DK: (_, seller) =>
    registration(seller)?.scheme === '0184'
      ? []
      : [
          error(
            '/seller/registrationNumber',
            'Your registration number must be the eight digits of the CVR (settings)',
          ),
        ],
  IS: (_, seller, buyer) => [
    ...(registration(seller)?.scheme === '0196'
      ? []
      : [
          error(
            '/seller/registrationNumber',
            'Your registration number must be the ten digits of the kennitala (settings)',
          ),
        ]),
    ...addressErrors('/seller/address', 'Your', seller.address, ['line1', 'postalCode']),
    ...(buyer.country === 'IS'
      ? [
          ...(registration(buyer)?.scheme === '0196'
            ? []
            : [
                error(
                  '/buyer/registrationNumber',
                  'The customer’s registration number must be the ten digits of the kennitala',
                ),
              ]),
          ...addressErrors('/buyer/address', 'The customer’s', buyer.address, ['line1', 'postalCode']),
        ]
      : []),
  ],
  NL: dutchErrors,
  SE: swedishErrors,
}

const byVatNumber: Readonly<Record<string, Rule>> = {
  EL: greekErrors,
  GR: greekErrors,
  IT: (_, seller) => [
    ...addressErrors('/seller/address', 'Your', seller.address, ['line1', 'city', 'postalCode']),
    ...italianTaxNumberErrors(seller),
  ],
  NO: (_, seller) => {
    const [, number] = /^NO(\d{9})MVA$/.exec(vatNumberAsWritten(seller.vatNumber ?? '')) ?? []
    const isRight = seller.vatNumber === null || (number !== undefined && isNumberOf('0192', number))
    return isRight
      ? []
      : [
          error(
            '/seller/vatNumber',
            'Your VAT number must be NO, the nine digits of the organization and MVA (settings)',
          ),
        ]
  },
}

/** IT-R-001: of what stands for the tax registration, which without a VAT number must be there. */
function italianTaxNumberErrors(seller: SellerParty): FieldError[] {
  const written = taxNumberOf(seller)
  if (written === null ? seller.vatNumber !== null : /^[A-Z0-9]{11,16}$/.test(written)) return []
  return seller.taxNumber
    ? [error('/seller/taxNumber', 'Your tax number must have 11 to 16 capital letters and digits (settings)')]
    : [error('/seller/registrationNumber', 'Your registration number must have 11 to 16 letters and digits (settings)')]
}

function dutchErrors(_: Checked, seller: SellerParty, buyer: BuyerParty): FieldError[] {
  const errors: FieldError[] = []
  // BT-20 and BT-9 alone do not pay a Dutch invoice (NL-R-007).
  if (seller.bank.iban === null) errors.push(ibanMissing)
  if ((registration(seller)?.scheme ?? null) === null)
    errors.push(
      error('/seller/registrationNumber', 'Your registration number must be the eight digits of the KVK (settings)'),
    )
  errors.push(...addressErrors('/seller/address', 'Your', seller.address, ['line1', 'city', 'postalCode']))
  if (buyer.country !== 'NL') return errors
  if (buyer.registrationNumber !== null && registration(buyer)!.scheme === null)
    errors.push(
      error('/buyer/registrationNumber', 'The customer’s registration number must be the eight digits of the KVK'),
    )
  return [
    ...errors,
    ...addressErrors('/buyer/address', 'The customer’s', buyer.address, ['line1', 'city', 'postalCode']),
  ]
}

/** SE-R-001 to SE-R-006 and SE-R-013. The rates bind who has a Swedish VAT number. */
function swedishErrors(invoice: Checked, seller: SellerParty): FieldError[] {
  const errors: FieldError[] = []
  const isOutside = invoice.vat.some(({ category }) => category === 'O')
  const vatNumber = seller.vatNumber && vatNumberAsWritten(seller.vatNumber)
  const isSwedish = vatNumber?.startsWith('SE') ?? false
  // Without one the registration number would stand for it, where only words may that Docket cannot vouch for (SE-R-005).
  if (vatNumber === null && !isOutside)
    errors.push(error('/seller/vatNumber', 'Your VAT number is missing: enter it in the organization’s settings'))
  if (isSwedish && !/^SE\d{12}$/.test(vatNumber!) && !isOutside)
    errors.push(error('/seller/vatNumber', 'Your VAT number must be SE and twelve digits (settings)'))
  // SE-R-005: as BT-32 there is nothing but these words.
  if (seller.taxNumber && seller.taxNumber !== 'Godkänd för F-skatt' && !isOutside)
    errors.push(error('/seller/taxNumber', 'Your tax number must be left out, or be “Godkänd för F-skatt” (settings)'))
  const own = registration(seller)
  if (own !== null && !isNumberOf('0007', own.id))
    errors.push(error('/seller/registrationNumber', 'Your registration number must be ten digits, checked (settings)'))
  if (isSwedish && !isOutside) {
    const parts = { lines: invoice.lines, allowances: invoice.allowances, charges: invoice.charges }
    for (const [name, list] of Object.entries(parts))
      for (const [index, { vat }] of list.entries())
        if (vat.category === 'S' && !swedishRates.has(rateText(vat.rate)))
          errors.push(error(`/${name}/${index}/vat/rate`, 'In Sweden the VAT rate is 25, 12 or 6 %'))
  }
  return errors
}
const swedishRates: ReadonlySet<string> = new Set(['25', '12', '6'])

/** 25.00 is 25. */
function rateText(rate: string): string {
  const { digits, scale } = decimal(rate)
  const one = 10n ** BigInt(scale)
  return digits % one === 0n ? String(digits / one) : rate
}

/** Each Greek invoice bears a number that the tax office gives it first (GR-R-004-1). */
function greekErrors(): FieldError[] {
  return [error('/seller/country', 'Greek e-invoices need a number of the tax office (MARK), which Docket cannot get')]
}

/** DE-R-001 to DE-R-009 and DE-R-015, which are BR-DE-1 to BR-DE-9 and BR-DE-15 of XRechnung. */
export function germanErrors(invoice: Checked, seller: SellerParty, buyer: BuyerParty): FieldError[] {
  const errors: FieldError[] = []
  if (seller.bank.iban === null) errors.push(ibanMissing)
  if (invoice.buyerReference === null) errors.push(error('/buyerReference', 'Enter the buyer reference'))
  errors.push(...addressErrors('/seller/address', 'Your', seller.address, ['city', 'postalCode']))
  errors.push(...addressErrors('/buyer/address', 'The customer’s', buyer.address, ['city', 'postalCode']))
  const contact = { name: 'contact person', phone: 'phone', email: 'contact email' } as const
  for (const [field, word] of Object.entries(contact))
    if (seller.contact[field as keyof typeof contact] === null)
      errors.push(error(`/seller/contact/${field}`, `Your ${word} is missing: enter it in the organization’s settings`))
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
