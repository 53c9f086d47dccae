// The one table of currencies and their minor units (ISO 4217 list one, national currencies in use in 2026).
// Intl is not asked: it disagrees with ISO on 18 currencies (DOMAIN.md "Money" 1); it only prints.

const twoPlaces =
  'AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY ' +
  'COP CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF ' +
  'IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR ' +
  'MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG ' +
  'SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD UYU UZS VED VES ' +
  'WST XCD XCG YER ZAR ZMW ZWG'
const noPlaces = 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'
const threePlaces = 'BHD IQD JOD KWD LYD OMR TND'

const digitsByCode = new Map<string, number>([
  ...twoPlaces.split(' ').map((code): [string, number] => [code, 2]),
  ...noPlaces.split(' ').map((code): [string, number] => [code, 0]),
  ...threePlaces.split(' ').map((code): [string, number] => [code, 3]),
])

/** Every currency code Docket invoices in, in alphabetical order. */
export const currencyCodes: readonly string[] = [...digitsByCode.keys()].toSorted()

export function isCurrency(code: string): boolean {
  return digitsByCode.has(code)
}

/** Decimal places of a currency: 2 for EUR, 0 for JPY, 3 for KWD. Throws on a code outside the table (a bug: contracts refuse it). */
export function minorUnitDigits(code: string): number {
  const digits = digitsByCode.get(code)
  if (digits === undefined) throw new RangeError(`Unknown currency: ${code}`)
  return digits
}
