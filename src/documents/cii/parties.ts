// Seller and buyer as CII trade parties (EN 16931 BG-4, BG-7).
import type { Buyer, Seller } from '#shared/contract/invoices.ts'
import { identifierOf, registration, taxNumberOf } from '#shared/registration.ts'
import { vatNumberAsWritten } from '#shared/vat-number.ts'
import { text, type Element } from '#documents/e-invoice/element.ts'

interface Shown {
  /** False for category O, where no VAT number may stand (BR-O-02), nor what takes its place. */
  withVat: boolean
}

export function sellerParty(seller: Seller, { withVat }: Shown): Element {
  const { legalName, name, contact, vatNumber } = seller
  const taxNumber = taxNumberOf(seller)
  const identified = { ...seller, identifier: identifierOf(seller, withVat) }
  return tradeParty(identified, legalName ?? name, legalName === null ? null : name, contact, [
    ...(withVat && vatNumber !== null ? [taxRegistration(vatNumberAsWritten(vatNumber), 'VA')] : []),
    ...(withVat && taxNumber !== null ? [taxRegistration(taxNumber, 'FC')] : []),
  ])
}

export function buyerParty(buyer: Buyer, { withVat }: Shown): Element {
  const { vatNumber } = buyer
  const contact = { name: buyer.contactName, email: buyer.email, phone: null }
  return tradeParty(
    { ...buyer, identifier: null },
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
  party: Pick<Seller, 'endpoint' | 'address' | 'country' | 'registrationNumber'> & { identifier: string | null },
  legalName: string,
  tradingName: string | null,
  { name, phone, email }: Seller['contact'],
  taxRegistrations: Element[],
): Element {
  const { endpoint, identifier } = party
  const found = registration(party)
  return {
    'ram:ID': identifier === null ? undefined : text(identifier),
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
