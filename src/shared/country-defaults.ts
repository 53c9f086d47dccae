// What is usual in a country, as a new organization begins with it: its currency and its paper.
import { currencyCodes } from './currency.ts'

/** Currencies of more than one country, or whose code does not begin with the country's (ISO 4217 list one, January 2026). */
const shared: Readonly<Record<string, string>> = {
  EUR: 'AD AT AX BE BG BL CY DE EE ES FI FR GF GP GR HR IE IT LT LU LV MC ME MF MQ MT NL PM PT RE SI SK SM TF VA YT',
  USD: 'AS BQ EC FM GU IO MH MP PR PW SV TC TL UM VG VI',
  XOF: 'BF BJ CI GW ML NE SN TG',
  XAF: 'CF CG CM GA GQ TD',
  XPF: 'NC PF WF',
  XCD: 'AG AI DM GD KN LC MS VC',
  XCG: 'CW SX',
  AUD: 'CC CX HM KI NF NR TV',
  NZD: 'CK NU PN TK',
  GBP: 'GG GS IM JE',
  CHF: 'LI',
  DKK: 'FO GL',
  NOK: 'BV SJ',
  MAD: 'EH',
  ILS: 'PS',
  VES: 'VE',
}
/** US Letter, by the territories of CLDR's measurement data; elsewhere A4. */
const letterCountries = 'BZ CA CL CO CR GT MX NI PA PH PR SV US VE'.split(' ')

/** ISO 4217 code; the euro for a country that has none (Antarctica) or is unknown. */
export function currencyOf(country: string): string {
  const [code] = Object.entries(shared).find(([, countries]) => countries.split(' ').includes(country)) ?? []
  return code ?? currencyCodes.find((each) => country !== '' && each.startsWith(country)) ?? 'EUR'
}

export function paperSizeOf(country: string): 'A4' | 'letter' {
  return letterCountries.includes(country) ? 'letter' : 'A4'
}
