// What a cell means: numbers and dates in the marks that the file is written in, words for what the API has codes for. What cannot be read stays as
// it is, for the contract to name.
import { countryCodes } from '#shared/country.ts'
import { currencyCodes } from '#shared/currency.ts'
import { decimalMark } from '#shared/format.ts'
import type { Language } from '#shared/language.ts'
import { searchKey } from '#shared/search-key.ts'
import { vatCategoryCodes } from '#shared/vat.ts'
import { readRate, readTyped } from '#page/forms/typed-number.ts'
import { importFields, type CellKind, type ImportKind, type Mapping } from './fields.ts'
import type { FileRow } from './read-file.ts'

export const dateOrders = ['dmy', 'mdy'] as const

/** How the file writes what is written in more than one way. */
export interface Formats {
  decimalMark: '.' | ','
  /** Of dates that do not begin with the year. */
  dateOrder: (typeof dateOrders)[number]
}

/** By the cells that leave no doubt; where none does, as the organization's language has it. */
export function guessFormats(kind: ImportKind, mapping: Mapping, rows: readonly FileRow[], locale: string): Formats {
  const cellsOf = (...cells: CellKind[]) => {
    const names = new Set(importFields(kind).flatMap((field) => (cells.includes(field.cell) ? field.name : [])))
    const columns = mapping.flatMap((name, column) => (name !== null && names.has(name) ? column : []))
    return rows.slice(0, 2000).flatMap(({ cells: row }) => columns.map((column) => row[column] ?? ''))
  }
  const marks = cellsOf('money', 'quantity', 'rate').map(decimalMarkOf)
  const commas = marks.filter((mark) => mark === ',').length
  const points = marks.filter((mark) => mark === '.').length
  const orders = cellsOf('date').map(dateOrderOf)
  const isMonthFirst = locale === 'en-US' || locale === 'en'
  return {
    decimalMark: commas === points ? (decimalMark(locale) === ',' ? ',' : '.') : commas > points ? ',' : '.',
    dateOrder: orders.includes('dmy') ? 'dmy' : orders.includes('mdy') ? 'mdy' : isMonthFirst ? 'mdy' : 'dmy',
  }
}

/** Null where it could be either: `1.234` may be a thousand or one and a bit. */
function decimalMarkOf(written: string): '.' | ',' | null {
  const { figure: cell } = figureOf(written)
  const marks = cell.match(/[.,]/g) ?? []
  const last = marks.at(-1) as '.' | ',' | undefined
  if (last === undefined) return null
  if (new Set(marks).size > 1) return last
  // Twice the same parts thousands.
  if (marks.length > 1) return last === ',' ? '.' : ','
  return /[.,]\d{3}\D*$/.test(cell) ? null : last
}

function dateOrderOf(cell: string): Formats['dateOrder'] | null {
  const [, first = '', second = ''] = /^(\d{1,2})[-./ ]+(\d{1,2})[-./ ]+\d{2,4}$/.exec(cell) ?? []
  return Number(first) > 12 ? 'dmy' : Number(second) > 12 ? 'mdy' : null
}

/** A sign, a currency or a unit, figures, a unit, and a sign; or all of it in brackets, as book-keepers write what is less than 0. */
const written =
  /^(?<before>-?)(?<unit>[\p{L}\p{Sc}.]*[\p{L}\p{Sc}]\.?)? ?(?<between>-?)(?<figure>[\d.,'’ \u00a0\u202f]+?) ?(?<after>[\p{L}\p{Sc}][\p{L}\p{Sc}.²³]*)?(?<last>-?)$/u

/** The number alone, with its sign before it, and what stands beside it. What has something else in it stays as it is, for the contract to name. */
function figureOf(cell: string, isKnown: (name: string) => boolean = () => true): { figure: string; names: string[] } {
  const asItIs = { figure: cell, names: [] }
  const bare = cell.trim().replace(/[\u2010-\u2013\u2212]/gu, '-')
  const inBrackets = /^\((.*)\)$/.exec(bare)
  const found = written.exec((inBrackets?.[1] ?? bare).trim())?.groups
  if (!found) return asItIs
  const signs = [inBrackets ? '-' : '', found['before'], found['between'], found['last']].filter((sign) => sign !== '')
  const names = [found['unit'], found['after']].filter((name) => name !== undefined)
  if (signs.length > 1 || !names.every(isKnown)) return asItIs
  return { figure: (signs.length > 0 ? '-' : '') + found['figure']!.trim(), names }
}

const isCurrencyName = (name: string) => currenciesCalled(name) !== undefined
const isUnitName = (name: string) => unitCalled(name) !== undefined

/** The currencies that an amount is written with, as it writes them. */
export function currenciesBeside(cell: string): string[] {
  return figureOf(cell, isCurrencyName).names
}

/** The unit that a quantity is written with. */
export function unitBeside(cell: string): string | undefined {
  const [name] = figureOf(cell, isUnitName).names
  return name === undefined ? undefined : unitCalled(name)
}

function unitCalled(name: string): string | undefined {
  return units[nameKey(name)]
}

const nameKey = (name: string) => searchKey(name).replace(/\.$/, '')

/** What other programs and people write that is neither a code nor a sign of Intl. */
const otherNames: Readonly<Record<string, string>> = {
  fr: 'CHF',
  sfr: 'CHF',
  rs: 'INR PKR LKR NPR MUR SCR',
  kr: 'SEK NOK DKK ISK',
  zl: 'PLN',
  zł: 'PLN',
  kc: 'CZK',
  ft: 'HUF',
  lei: 'RON MDL',
  us$: 'USD',
  a$: 'AUD',
  c$: 'CAD NIO',
  r$: 'BRL',
  euro: 'EUR',
}

const currencyNames = new Map(Object.entries(otherNames).map(([name, codes]) => [name, new Set(codes.split(' '))]))
let codesNamed = 0
const codesAtOnce = 20

/** What Intl is slow to say, a few at a time, so that the screen stays awake. */
export async function learnCurrencies(): Promise<void> {
  while (nameCodes(codesAtOnce)) await new Promise((resolve) => setTimeout(resolve))
}

/** Whether there are more. */
function nameCodes(most: number): boolean {
  const add = (name: string, code: string) =>
    currencyNames.set(name, new Set([...(currencyNames.get(name) ?? []), code]))
  for (const currency of currencyCodes.slice(codesNamed, codesNamed + most)) {
    codesNamed += 1
    add(currency.toLowerCase(), currency)
    for (const currencyDisplay of ['symbol', 'narrowSymbol'] as const) {
      const format = new Intl.NumberFormat('en-GB', { style: 'currency', currency, currencyDisplay })
      const sign = format.formatToParts(0).find(({ type }) => type === 'currency')!.value
      if (/\p{Sc}/u.test(sign)) add(nameKey(sign), currency)
    }
  }
  return codesNamed < currencyCodes.length
}

/** `$` may be any dollar, `kr` any crown; a code is one. */
export function currenciesCalled(name: string): ReadonlySet<string> | undefined {
  nameCodes(Infinity)
  const key = nameKey(name)
  return currencyNames.get(key === 'dollar' ? '$' : key)
}

export function readCell(cell: string, kind: CellKind, formats: Formats): unknown {
  const key = nameKey(cell)
  switch (kind) {
    case 'money':
      return numberOf(figureOf(cell, isCurrencyName).figure, formats)
    case 'quantity':
      return numberOf(figureOf(cell, isUnitName).figure, formats)
    case 'rate':
      return numberOf(figureOf(cell.replace(/\s*%$/, ''), () => false).figure, formats)
    case 'exchangeRate':
      return readRate(figureOf(cell, isCurrencyName).figure, formats.decimalMark === ',' ? 'de' : 'en')
    case 'days':
      return /^\d{1,6}$/.test(cell) ? Number(cell) : cell
    case 'date':
      return dateOf(cell, formats)
    case 'country':
      return countries().get(key) ?? cell
    case 'language':
      // `de-AT`, `English (UK)`.
      return spoken[key.split(/[-_ ]/)[0]!] ?? cell
    case 'currency':
      return cell.toUpperCase()
    case 'unit':
      return units[key] ?? cell.toUpperCase()
    case 'vatCategory':
      return vatCategoryCodes.find((code) => code === cell.toUpperCase()) ?? cell
    case 'customerKind':
      return kinds[key] ?? cell
    case 'invoiceType':
      return invoiceTypes[key] ?? cell
    case 'taxMode':
      return taxModes[key] ?? cell
    case 'lines':
      return cell
    case 'text':
      // An address book writes a street of two lines into one cell.
      return cell.trim().replace(/\s*[\r\n]+\s*/g, ', ')
  }
}

/** A whole number is one in every language; of the others the mark says what they are. */
function numberOf(cell: string, { decimalMark: mark }: Formats): string {
  return readTyped(cell, mark === ',' ? 'de' : 'en')
}

function dateOf(cell: string, { dateOrder }: Formats): string {
  const iso = /^(\d{4})[-./](\d{1,2})[-./](\d{1,2})(?:[T ].*)?$/.exec(cell)
  if (iso) return dashed(iso[1]!, iso[2]!, iso[3]!)
  const parts = /^(\d{1,2})[-./ ]+(\d{1,2})[-./ ]+(\d{4}|\d{2})$/.exec(cell)
  if (!parts) return cell
  const [, first = '', second = '', year = ''] = parts
  const whole = year.length === 2 ? `20${year}` : year
  return dateOrder === 'dmy' ? dashed(whole, second, first) : dashed(whole, first, second)
}

function dashed(year: string, month: string, day: string): string {
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
}

const kinds: Readonly<Record<string, string>> = {
  business: 'business',
  company: 'business',
  b2b: 'business',
  firma: 'business',
  unternehmen: 'business',
  geschaftlich: 'business',
  person: 'person',
  private: 'person',
  individual: 'person',
  b2c: 'person',
  privat: 'person',
  privatperson: 'person',
}

const spoken: Readonly<Record<string, Language>> = {
  en: 'en',
  english: 'en',
  englisch: 'en',
  de: 'de',
  german: 'de',
  deutsch: 'de',
}

const invoiceTypes: Readonly<Record<string, string>> = {
  invoice: '380',
  rechnung: '380',
  'credit note': '381',
  'credit memo': '381',
  creditnote: '381',
  gutschrift: '381',
  rechnungskorrektur: '381',
  stornorechnung: '381',
}

const taxModes: Readonly<Record<string, string>> = {
  net: 'net',
  netto: 'net',
  'without vat': 'net',
  excl: 'net',
  'excl vat': 'net',
  exklusive: 'net',
  gross: 'gross',
  brutto: 'gross',
  'with vat': 'gross',
  incl: 'gross',
  'incl vat': 'gross',
  inklusive: 'gross',
}

/** Words of other programs, as searched: without accents, in lower case. */
const units: Readonly<Record<string, string>> = {
  one: 'C62',
  unit: 'C62',
  units: 'C62',
  piece: 'C62',
  pieces: 'C62',
  pcs: 'C62',
  pc: 'C62',
  stuck: 'C62',
  stk: 'C62',
  st: 'C62',
  hour: 'HUR',
  hours: 'HUR',
  h: 'HUR',
  hr: 'HUR',
  hrs: 'HUR',
  stunde: 'HUR',
  stunden: 'HUR',
  std: 'HUR',
  minute: 'MIN',
  minutes: 'MIN',
  min: 'MIN',
  minuten: 'MIN',
  day: 'DAY',
  days: 'DAY',
  tag: 'DAY',
  tage: 'DAY',
  week: 'WEE',
  weeks: 'WEE',
  woche: 'WEE',
  wochen: 'WEE',
  month: 'MON',
  months: 'MON',
  monat: 'MON',
  monate: 'MON',
  year: 'ANN',
  years: 'ANN',
  jahr: 'ANN',
  jahre: 'ANN',
  m: 'MTR',
  meter: 'MTR',
  metre: 'MTR',
  cm: 'CMT',
  km: 'KMT',
  kilometer: 'KMT',
  m2: 'MTK',
  qm: 'MTK',
  'm²': 'MTK',
  m3: 'MTQ',
  'm³': 'MTQ',
  kg: 'KGM',
  g: 'GRM',
  t: 'TNE',
  l: 'LTR',
  liter: 'LTR',
  litre: 'LTR',
  kwh: 'KWH',
  set: 'SET',
  pair: 'PR',
  paar: 'PR',
  'flat rate': 'LS',
  'lump sum': 'LS',
  pauschal: 'LS',
  pauschale: 'LS',
}

let countryNames: Map<string, string> | undefined

/** Codes and names in English, German and the reader's languages. */
function countries(): Map<string, string> {
  if (countryNames) return countryNames
  const languages = ['en', 'de', ...(globalThis.navigator?.languages ?? [])]
  const names = languages.map((language) => new Intl.DisplayNames(language, { type: 'region' }))
  return (countryNames = new Map(
    countryCodes.flatMap((code) =>
      [code.toLowerCase(), ...names.map((each) => searchKey(each.of(code)))].map((name) => [name, code]),
    ),
  ))
}
