// The words that stand on a document, in its own language. One catalogue for server and device.
import type { Language } from '#shared/language.ts'
import type { VatCategory } from '#shared/vat.ts'

const english = {
  title: { '380': 'Invoice', '381': 'Credit note' },
  draft: 'DRAFT',
  number: 'Number',
  invoiceNumber: 'Invoice number',
  creditNoteNumber: 'Credit note number',
  noNumber: 'Draft',
  issueDate: 'Issue date',
  dueDate: 'Due date',
  supplyDate: 'Date of supply',
  buyerReference: 'Buyer reference',
  orderReference: 'Order reference',
  corrects: (number: string) => `Corrects invoice ${number}`,
  credits: (number: string) => `Credits ${number}`,
  to: 'To',
  noCustomer: 'No customer yet',
  vatNumber: 'VAT number',
  registrationNumber: 'Registration',
  item: 'Description',
  quantity: 'Quantity',
  price: 'Unit price',
  perQuantity: (quantity: string) => `for ${quantity}`,
  vat: 'VAT',
  amount: 'Amount',
  discount: 'Discount',
  charge: 'Extra charge',
  vatIncluded: 'Prices and amounts include VAT',
  discounts: 'Discounts',
  charges: 'Extra charges',
  subtotal: 'Without VAT',
  vatOf: (rate: string, base: string) => `VAT ${rate} % of ${base}`,
  total: 'Total',
  iban: 'IBAN',
  bic: 'BIC',
  holder: 'Account holder',
  reference: 'Reference',
  scan: 'Scan to pay with your banking app',
  download: 'Download PDF',
  from: 'From',
  pay: 'How to pay',
  isVoid: 'This invoice is void: there is nothing to pay.',
  noLink: 'This link shows nothing',
  noLinkLead: 'It may have been turned off, or not copied whole. Ask the sender of the invoice for a new one.',
  page: (page: number, pages: number) => `${page} / ${pages}`,
  categories: {
    S: 'Standard',
    Z: 'Zero rated',
    E: 'Exempt',
    AE: 'Reverse charge',
    K: 'Intra-community',
    G: 'Export',
    O: 'No VAT',
  } satisfies Record<VatCategory, string>,
  /** Of a number of units; one without an entry is shown by its code, C62 (pieces) by nothing. */
  units: {
    HUR: 'h',
    DAY: 'days',
    WEE: 'weeks',
    MON: 'months',
    MTR: 'm',
    MTK: 'm²',
    MTQ: 'm³',
    KMT: 'km',
    KGM: 'kg',
    TNE: 't',
    LTR: 'l',
    KWH: 'kWh',
    SET: 'sets',
    PR: 'pairs',
    E48: 'service units',
    LS: '',
    C62: '',
  } as Readonly<Record<string, string>>,
  /** In the XML. */
  terms: {
    credit: 'In favour of the buyer',
    atOnce: 'Payable at once',
    within: (days: number) => `Payable within ${days} days`,
    until: (date: string) => `Payable until ${date}`,
  },
  /** What a mail begins with; the sender changes it. */
  mail: {
    subject: (number: string, name: string) => `Invoice ${number} from ${name}`,
    message: (to: string, amount: string, due: string | null, name: string) =>
      `Hello${to && ` ${to}`},\n\nplease find our invoice over ${amount} attached${due ? `, payable until ${due}` : ''}.\n\nThank you,\n${name}`,
    view: 'View the invoice',
  },
}

export type Words = typeof english

const german: Words = {
  title: { '380': 'Rechnung', '381': 'Rechnungskorrektur' },
  draft: 'ENTWURF',
  number: 'Nummer',
  invoiceNumber: 'Rechnungsnummer',
  creditNoteNumber: 'Nummer der Korrektur',
  noNumber: 'Entwurf',
  issueDate: 'Rechnungsdatum',
  dueDate: 'Fällig am',
  supplyDate: 'Leistungsdatum',
  buyerReference: 'Referenz des Käufers',
  orderReference: 'Bestellnummer',
  corrects: (number) => `Korrigiert Rechnung ${number}`,
  credits: (number) => `zu ${number}`,
  to: 'An',
  noCustomer: 'Noch kein Kunde',
  vatNumber: 'USt-IdNr.',
  registrationNumber: 'Registernummer',
  item: 'Bezeichnung',
  quantity: 'Menge',
  price: 'Einzelpreis',
  perQuantity: (quantity) => `für ${quantity}`,
  vat: 'MwSt.',
  amount: 'Betrag',
  discount: 'Rabatt',
  charge: 'Zuschlag',
  vatIncluded: 'Preise und Beträge enthalten die MwSt.',
  discounts: 'Rabatte',
  charges: 'Zuschläge',
  subtotal: 'Ohne MwSt.',
  vatOf: (rate, base) => `${rate} % MwSt. auf ${base}`,
  total: 'Gesamt',
  iban: 'IBAN',
  bic: 'BIC',
  holder: 'Kontoinhaber',
  reference: 'Zweck',
  scan: 'Zum Bezahlen mit der Banking-App scannen',
  download: 'PDF herunterladen',
  from: 'Von',
  pay: 'So bezahlen Sie',
  isVoid: 'Diese Rechnung ist storniert: Es ist nichts zu zahlen.',
  noLink: 'Dieser Link zeigt nichts',
  noLinkLead:
    'Vielleicht wurde er abgeschaltet oder nicht ganz kopiert. Bitten Sie den Absender der Rechnung um einen neuen.',
  page: (page, pages) => `${page} / ${pages}`,
  categories: {
    S: 'Normalfall',
    Z: 'Nullsatz',
    E: 'Steuerfrei',
    AE: 'Reverse Charge',
    K: 'Innergem.',
    G: 'Ausfuhr',
    O: 'Ohne MwSt.',
  },
  units: {
    HUR: 'Std.',
    DAY: 'Tage',
    WEE: 'Wochen',
    MON: 'Monate',
    MTR: 'm',
    MTK: 'm²',
    MTQ: 'm³',
    KMT: 'km',
    KGM: 'kg',
    TNE: 't',
    LTR: 'l',
    KWH: 'kWh',
    SET: 'Sätze',
    PR: 'Paar',
    E48: 'Leistungen',
    LS: 'pauschal',
    C62: '',
  },
  terms: {
    credit: 'Zugunsten des Käufers',
    atOnce: 'Sofort zahlbar',
    within: (days) => (days === 1 ? 'Zahlbar innerhalb eines Tages' : `Zahlbar innerhalb von ${days} Tagen`),
    until: (date) => `Zahlbar bis ${date}`,
  },
  mail: {
    subject: (number, name) => `Rechnung ${number} von ${name}`,
    message: (to, amount, due, name) =>
      `Guten Tag${to && ` ${to}`},\n\nanbei erhalten Sie unsere Rechnung über ${amount}${due ? `, zahlbar bis ${due}` : ''}.\n\nMit freundlichen Grüßen\n${name}`,
    view: 'Rechnung ansehen',
  },
}

const catalogues: Readonly<Record<Language, Words>> = { en: english, de: german }

/** Of a document that an older build kept on a device, and that says no language, in English: so it was made. */
export function wordsOf(language: Language | undefined): Words {
  return catalogues[language ?? 'en']
}

/** How amounts and dates are written on a document: as the seller's locale does where it speaks the document's language, else as that language is written in the seller's country. */
export function documentLocale(language: Language | undefined, locale: string): string {
  const { language: own, region } = new Intl.Locale(locale).maximize()
  const spoken = language ?? 'en'
  return own === spoken ? locale : region ? `${spoken}-${region}` : spoken
}
