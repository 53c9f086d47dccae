// Seller and buyer as UBL parties (EN 16931 BG-4, BG-7).
import type { Buyer, Seller } from '#shared/contract/invoices.ts'
import { text, type Element } from './element.ts'

interface Shown {
  /** False for category O, where no VAT number may stand (BR-O-02). */
  withVat: boolean
  /** Whether a registration number may stand for a missing VAT number (BT-32). */
  withTaxRegistration: boolean
}

export function sellerParty(seller: Seller, { withVat, withTaxRegistration }: Shown): Element {
  const { legalName, name, contact } = seller
  return party(seller, legalName ?? name, legalName === null ? null : name, contact, [
    withVat && seller.vatNumber !== null && taxScheme(seller.vatNumber, 'VAT'),
    withTaxRegistration &&
      seller.vatNumber === null &&
      seller.registrationNumber !== null &&
      taxScheme(seller.registrationNumber, 'TAX'),
  ])
}

export function buyerParty(buyer: Buyer, { withVat }: Pick<Shown, 'withVat'>): Element {
  const contact = { name: buyer.contactName, email: buyer.email, phone: null }
  return party(buyer, buyer.name, null, contact, [
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
  }: Pick<Seller, 'endpoint' | 'address' | 'country' | 'registrationNumber'>,
  legalName: string,
  tradingName: string | null,
  contact: Seller['contact'],
  taxSchemes: (Element | false)[],
): Element {
  return {
    'cac:Party': {
      'cbc:EndpointID': endpoint ? { '@schemeID': endpoint.scheme, '#': text(endpoint.id)! } : undefined,
      'cac:PartyName': tradingName === null ? undefined : { 'cbc:Name': text(tradingName) },
      'cac:PostalAddress': postalAddress({ address, country }),
      'cac:PartyTaxScheme': taxSchemes.filter((each) => each !== false),
      'cac:PartyLegalEntity': {
        'cbc:RegistrationName': text(legalName),
        'cbc:CompanyID': registrationNumber === null ? undefined : companyId(registrationNumber, country),
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

/** Where a country's rules want the register named: NL-R-003, NL-R-005, DK-R-014. */
const registers: Readonly<Record<string, { scheme: string; number: RegExp }>> = {
  NL: { scheme: '0106', number: /^\d{8}$/ },
  DK: { scheme: '0184', number: /^(DK)?\d{8}$/ },
}

function companyId(number: string, country: string): Element | string {
  const register = registers[country]
  return register?.number.test(number) ? { '@schemeID': register.scheme, '#': number } : text(number)!
}

function taxScheme(id: string, scheme: 'VAT' | 'TAX'): Element {
  return {
    'cbc:CompanyID':
      scheme === 'VAT'
        ? text(id)!
            .replace(/[\s.-]/g, '')
            .toUpperCase()
        : text(id),
    'cac:TaxScheme': { 'cbc:ID': scheme },
  }
}
