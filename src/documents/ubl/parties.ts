// Seller and buyer as UBL parties (EN 16931 BG-4, BG-7).
import type { Buyer, Seller } from '#shared/contract/invoices.ts'
import { identifierOf, registration, taxNumberOf } from '#shared/registration.ts'
import { vatNumberAsWritten } from '#shared/vat-number.ts'
import { text, type Element } from '#documents/e-invoice/element.ts'

interface Shown {
  /** False for category O, where no VAT number may stand (BR-O-02), nor what takes its place. */
  withVat: boolean
}

export function sellerParty(seller: Seller, { withVat }: Shown): Element {
  const { legalName, name, contact } = seller
  const taxNumber = taxNumberOf(seller)
  const identified = { ...seller, identifier: identifierOf(seller, withVat) }
  return party(identified, legalName ?? name, legalName === null ? null : name, contact, [
    withVat && seller.vatNumber !== null && taxScheme(seller.vatNumber, 'VAT'),
    withVat && taxNumber !== null && taxScheme(taxNumber, 'TAX'),
  ])
}

export function buyerParty(buyer: Buyer, { withVat }: Shown): Element {
  const contact = { name: buyer.contactName, email: buyer.email, phone: null }
  return party({ ...buyer, identifier: null }, buyer.name, null, contact, [
    withVat && buyer.vatNumber !== null && taxScheme(buyer.vatNumber, 'VAT'),
  ])
}

function postalAddress({ address, country }: Pick<Seller, 'address' | 'country'>): Element {
  return {
    'cbc:StreetName': text(address.line1),
    'cbc:AdditionalStreetName': text(address.line2),
    'cbc:CityName': text(address.city),
    'cbc:PostalZone': text(address.postalCode),
    'cbc:CountrySubentity': text(address.region),
    'cac:Country': { 'cbc:IdentificationCode': country },
  }
}

function party(
  {
    endpoint,
    address,
    country,
    registrationNumber,
    identifier,
  }: Pick<Seller, 'endpoint' | 'address' | 'country' | 'registrationNumber'> & { identifier: string | null },
  legalName: string,
  tradingName: string | null,
  contact: Seller['contact'],
  taxSchemes: (Element | false)[],
): Element {
  return {
    'cac:Party': {
      'cbc:EndpointID': endpoint ? { '@schemeID': endpoint.scheme, '#': text(endpoint.id)! } : undefined,
      'cac:PartyIdentification': identifier === null ? undefined : { 'cbc:ID': text(identifier) },
      'cac:PartyName': tradingName === null ? undefined : { 'cbc:Name': text(tradingName) },
      'cac:PostalAddress': postalAddress({ address, country }),
      'cac:PartyTaxScheme': taxSchemes.filter((each) => each !== false),
      'cac:PartyLegalEntity': {
        'cbc:RegistrationName': text(legalName),
        'cbc:CompanyID': companyId({ registrationNumber, country }),
      },
      'cac:Contact':
        contact.name === null && contact.phone === null && contact.email === null
          ? undefined
          : {
              'cbc:Name': text(contact.name),
              'cbc:Telephone': text(contact.phone),
              'cbc:ElectronicMail': text(contact.email),
            },
    },
  }
}

function companyId(party: Pick<Seller, 'registrationNumber' | 'country'>): Element | string | undefined {
  const found = registration(party)
  if (found === null) return undefined
  return found.scheme === null ? text(found.id) : { '@schemeID': found.scheme, '#': found.id }
}

function taxScheme(id: string, scheme: 'VAT' | 'TAX'): Element {
  return {
    'cbc:CompanyID': text(scheme === 'VAT' ? vatNumberAsWritten(id) : id),
    'cac:TaxScheme': { 'cbc:ID': scheme },
  }
}
