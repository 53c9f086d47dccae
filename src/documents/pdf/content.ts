// What stands on the paper, as text, in the document's own language: amounts, labels, addresses. The layout only places it.
import type { PrintedDocument } from '#documents/content.ts'
import { documentLocale, ibanInFours, wordsOf, type Words } from '#documents/words.ts'
import type { Buyer, Invoice, Seller } from '#shared/contract/invoices.ts'
import { asTyped, formatDate, formatMoney, formatPrice, formatRate } from '#shared/format.ts'
import { dueDateAt } from '#shared/invoice-draft.ts'
import { invoiceAmounts } from '#shared/invoice-totals.ts'
import type { Language } from '#shared/language.ts'
import { minorUnitsOf, toMoney, type Money } from '#shared/money.ts'
import { bearsVat, namedGroups, vatCategories } from '#shared/vat.ts'
import { largestTransfer, type Transfer } from './epc-code.ts'

export interface Paper {
  document: PrintedDocument
  /** Of a draft: who would be frozen. */
  seller: Seller
  buyer: Pick<Buyer, 'name' | 'contactName' | 'address' | 'country' | 'vatNumber'> | null
  size: 'A4' | 'letter'
  /** PNG or JPEG; stands above the seller's name. */
  logo?: Uint8Array | null
  /** Issued, and void since: it bears a mark, and asks nobody to pay. Never of what is kept as the record, which is as it was issued. */
  isVoid?: boolean
}

export interface Row {
  name: string
  /** Below the name: what it is, and each of its discounts and charges. */
  details: string[]
  quantity: string
  price: string
  vat: string
  amount: string
}

export interface Content {
  /** For whoever reads it aloud. */
  language: Language
  words: Words
  isDraft: boolean
  isVoid: boolean
  /** `Invoice`. */
  heading: string
  /** `Invoice INV-2026-0001`. */
  title: string
  seller: { name: string; lines: string[] }
  buyer: { name: string; lines: string[] }
  facts: [label: string, value: string][]
  rows: Row[]
  note: string | null
  /** Each discount and charge of the document as it was typed, so that with the rows they come to the total; then what of it is VAT. */
  totals: [label: string, value: string][]
  total: [label: string, value: string]
  texts: string[]
  bank: [label: string, value: string][]
  transfer: Transfer | null
}

export function contentOf({ document, seller, buyer, isVoid = false }: Paper): Content {
  const { currency, number, type } = document
  const { language = 'en' } = document
  const words = wordsOf(language)
  const locale = documentLocale(language, seller.locale)
  const money = (amount: Money) => formatMoney(amount, locale)
  // A quote that is changed keeps the number it went out with.
  const isDraft = document.issueDate === null
  const heading = words.title[type]
  const { iban, bic, holder } = seller.bank
  const gross = minorUnitsOf(document.totals.gross)
  const isToPay = type === '380' && !isVoid
  const transferable = isToPay && gross > 0n && gross <= largestTransfer
  return {
    language,
    words,
    isDraft,
    isVoid,
    heading,
    title: isDraft ? heading : `${heading} ${number}`,
    seller: {
      name: seller.name,
      lines: [
        ...(seller.legalName ? [seller.legalName] : []),
        ...addressOf(seller, locale),
        ...(seller.vatNumber ? [`${words.vatNumber} ${seller.vatNumber}`] : []),
        ...(seller.taxNumber ? [`${words.taxNumber} ${seller.taxNumber}`] : []),
        ...(seller.registrationNumber ? [`${words.registrationNumber} ${seller.registrationNumber}`] : []),
        ...[seller.contact.email, seller.contact.phone].filter((line) => line !== null),
      ],
    },
    buyer: {
      name: buyer?.name ?? words.noCustomer,
      lines: buyer
        ? [
            ...(buyer.contactName ? [buyer.contactName] : []),
            ...addressOf(buyer, locale),
            ...(buyer.vatNumber ? [`${words.vatNumber} ${buyer.vatNumber}`] : []),
          ]
        : [],
    },
    facts: factsOf(document, words, locale),
    rows: rowsOf(document, words, locale),
    note: document.taxMode === 'gross' && bearsVat(document.vat) ? words.vatIncluded : null,
    totals: totalsOf(document, words, locale),
    total: [words.total, money(document.totals.gross)],
    texts: [
      ...(document.creditedInvoice ? [words.corrects(document.creditedInvoice.number)] : []),
      ...new Set(document.vat.flatMap(({ reason }) => (reason ? [reason] : []))),
      ...(document.notes ? [document.notes] : []),
    ],
    bank:
      iban === null || !isToPay
        ? []
        : [
            [words.iban, ibanInFours(iban)],
            ...(bic ? [[words.bic, bic] as [string, string]] : []),
            ...(holder ? [[words.holder, holder] as [string, string]] : []),
            ...(number ? [[words.reference, number] as [string, string]] : []),
          ],
    transfer:
      iban !== null && currency === 'EUR' && number !== null && transferable
        ? {
            iban,
            bic,
            holder: holder ?? seller.legalName ?? seller.name,
            amount: document.totals.gross.amount,
            reference: number,
          }
        : null,
  }
}

function factsOf(document: PrintedDocument, words: Words, locale: string): Content['facts'] {
  const { number, issueDate, dueDate, supplyDate, type } = document
  const due = issueDate ? dueDateAt(issueDate, document) : dueDate
  const optional = (label: string, value: string | null): Content['facts'] => (value === null ? [] : [[label, value]])
  return [
    [words.number[type], number ?? words.noNumber],
    [words.issueDate[type], formatDate(issueDate, locale)],
    ...(type === '380' ? [[words.dueDate, formatDate(due, locale)] as [string, string]] : []),
    ...optional(words.validUntil, document.validUntil ? formatDate(document.validUntil, locale) : null),
    ...optional(words.supplyDate, supplyDate && formatDate(supplyDate, locale)),
    ...optional(words.buyerReference, document.buyerReference),
    ...optional(words.orderReference, document.orderReference),
  ]
}

function rowsOf(document: PrintedDocument, words: Words, locale: string): Row[] {
  const { currency, taxMode } = document
  // With VAT included the customer sees what was typed: 1 x 500.00 is 500.00 (DOMAIN.md "Money" 3).
  const amounts =
    taxMode === 'gross'
      ? invoiceAmounts(document).lines.map(({ entered }) => toMoney(entered, currency))
      : document.lines.map(({ net }) => net)
  return document.lines.map((line, index) => {
    const { quantity, unit, baseQuantity } = line
    return {
      name: line.name,
      details: [
        ...(line.description ? [line.description] : []),
        ...adjustmentsOf(line, currency, words, locale).map(([what, amount]) => `${what}: ${amount}`),
      ],
      quantity: quantityOf(quantity, unit, words, locale),
      price:
        formatPrice(line.unitPrice, currency, locale) +
        (baseQuantity === '1' ? '' : ` / ${quantityOf(baseQuantity, unit, words, locale)}`),
      vat: vatCategories[line.vat.category].taxed
        ? `${asTyped(line.vat.rate, locale)} %`
        : words.categories[line.vat.category],
      amount: formatMoney(amounts[index]!, locale),
    }
  })
}

/** `1 day`, `2,5 Tage`; of pieces the number alone. */
function quantityOf(quantity: string, code: string, words: Words, locale: string): string {
  const unit = words.units[code] ?? code
  const name = typeof unit === 'string' ? unit : unit[quantity === '1' ? 0 : 1]
  return `${asTyped(quantity, locale)}${name && ` ${name}`}`
}

/** What each discount and charge is for, and its amount as it was typed. */
function adjustmentsOf(
  { allowances, charges }: Pick<Invoice['lines'][number], 'allowances' | 'charges'>,
  currency: string,
  words: Words,
  locale: string,
): [what: string, amount: string][] {
  const all = [
    ...allowances.map((each) => ({ ...each, word: words.discount, sign: -1n })),
    ...charges.map((each) => ({ ...each, word: words.charge, sign: 1n })),
  ]
  return all.map(({ amount, percent, reason, word, sign }) => [
    (reason ?? word) + (percent === undefined ? '' : ` ${asTyped(percent, locale)} %`),
    formatMoney(toMoney(sign * minorUnitsOf({ amount, currency }), currency), locale),
  ])
}

function totalsOf(document: PrintedDocument, words: Words, locale: string): Content['totals'] {
  const { totals, vat, currency } = document
  const money = (amount: Money) => formatMoney(amount, locale)
  return [
    ...adjustmentsOf(document, currency, words, locale),
    [words.subtotal, money(totals.net)],
    ...namedGroups(vat).map(({ category, rate, base, tax }): [string, string] => {
      const what = words.vatOf(asTyped(rate, locale), money(base))
      return [vatCategories[category].taxed ? what : `${words.categories[category]}: ${what}`, money(tax)]
    }),
    ...accountingTaxOf(document, words, locale),
  ]
}

/** The VAT in the seller's own currency, and by which rate it is that. */
function accountingTaxOf(
  { exchange, accountingTax }: PrintedDocument,
  words: Words,
  locale: string,
): Content['totals'] {
  if (!exchange || !accountingTax) return []
  const date = formatDate(exchange.date, locale)
  const label = words.vatIn(accountingTax.currency, formatRate(exchange, locale), exchange.source, date)
  return [[label, formatMoney(accountingTax, locale)]]
}

function addressOf({ address, country }: Pick<Seller, 'address' | 'country'>, locale: string): string[] {
  const place = [address.postalCode, address.city].filter(Boolean).join(' ')
  const name = new Intl.DisplayNames([locale], { type: 'region' }).of(country) ?? country
  return [address.line1, address.line2, place, address.region, name].filter((line): line is string => Boolean(line))
}

/** Every text that will stand there, to know the fonts before. */
export function textsOf(content: Content): string[] {
  const { seller, buyer, facts, rows, totals, total, texts, bank, title, note } = content
  return [
    title,
    note ?? '',
    seller.name,
    ...seller.lines,
    buyer.name,
    ...buyer.lines,
    ...[...facts, ...totals, total, ...bank].flat(),
    ...rows.flatMap(({ details, ...cells }) => [...Object.values(cells), ...details]),
    ...texts,
  ]
}
