// Seller and buyer as CII trade parties (EN 16931 BG-4, BG-7).
import type { Buyer, Seller } from '#shared/contract/invoices.ts'
import { registration } from '#shared/registration.ts'
import { vatNumberAsWritten } from '#shared/vat-number.ts'
import { text, type Element } from '#documents/e-invoice/element.ts'

interface Shown {
  /** False for category O, where no VAT number may stand (BR-O-02). */
  withVat: boolean
}

export function sellerParty(seller: Seller, { withVat }: Shown): Element {
  const { legalName, name, contact, vatNumber, registrationNumber } = seller
  return tradeParty(seller, legalName ?? name, legalName === null ? null : name, contact, [
    ...(withVat && vatNumber !== null ? [taxRegistration(vatNumberAsWritten(vatNumber), 'VA')] : []),
    // A registration number stands for a missing VAT number (BT-32).
    ...(withVat && vatNumber === null && registrationNumber !== null
      ? [taxRegistration(registrationNumber, 'FC')]
      : []),
  ])
}

export function buyerParty(buyer: Buyer, { withVat }: Shown): Element {
  const { vatNumber } = buyer
  const contact = { name: buyer.contactName, email: buyer.email, phone: null }
  return tradeParty(
    buyer,
    buyer.name,
    null,
    contact,
    withVat && vatNumber !== null ? [taxRegistration(vatNumberAsWritten(vatNumber), 'VA')] : [],
  )
}

export function tradeAddress({ address, country }: Pick<Seller, 'address' | 'country'>): Element {
  return {
    'ram:PostcodeCode': text(address.postalCode),
    'ram:LineOne': text(address.line1),
    'ram:LineTwo': text(address.line2),
    'ram:CityName': text(address.city),
    'ram:CountryID': country,
    'ram:CountrySubDivisionName': text(address.region),
  }
}

function tradeParty(
  party: Pick<Seller, 'endpoint' | 'address' | 'country' | 'registrationNumber'>,
  legalName: string,
  tradingName: string | null,
  { name, phone, email }: Seller['contact'],
  taxRegistrations: Element[],
): Element {
  const { endpoint } = party
  const found = registration(party)
  return {
    'ram:Name': text(legalName),
    'ram:SpecifiedLegalOrganization':
      found === null && tradingName === null
        ? undefined
        : {
            'ram:ID': found === null ? undefined : { '@schemeID': found.scheme ?? undefined, '#': text(found.id) },
            'ram:TradingBusinessName': text(tradingName),
          },
    'ram:DefinedTradeContact':
      name === null && phone === null && email === null
        ? undefined
        : {
            'ram:PersonName': text(name),
            'ram:TelephoneUniversalCommunication': phone === null ? undefined : { 'ram:CompleteNumber': text(phone) },
            'ram:EmailURIUniversalCommunication': email === null ? undefined : { 'ram:URIID': text(email) },
          },
    'ram:PostalTradeAddress': tradeAddress(party),
    'ram:URIUniversalCommunication': endpoint
      ? { 'ram:URIID': { '@schemeID': endpoint.scheme, '#': text(endpoint.id) } }
      : undefined,
    'ram:SpecifiedTaxRegistration': taxRegistrations,
  }
}

function taxRegistration(id: string, schemeID: 'VA' | 'FC'): Element {
  return { 'ram:ID': { '@schemeID': schemeID, '#': text(id) } }
}
