// The words that stand on a document, in its own language. One catalogue for server and device.
import type { Language } from '#shared/language.ts'
import type { VatCategory } from '#shared/vat.ts'

type Units = Readonly<Record<string, string | readonly [one: string, other: string]>>

const english = {
  title: { '380': 'Invoice', '381': 'Credit note', quote: 'Quote' },
  draft: 'DRAFT',
  void: 'VOID',
  number: { '380': 'Invoice number', '381': 'Credit note number', quote: 'Quote number' },
  noNumber: 'Draft',
  issueDate: { '380': 'Issue date', '381': 'Issue date', quote: 'Date' },
  dueDate: 'Due date',
  validUntil: 'Valid until',
  supplyDate: 'Date of supply',
  buyerReference: 'Buyer reference',
  orderReference: 'Order reference',
  corrects: (number: string) => `Corrects invoice ${number}`,
  to: 'To',
  noCustomer: 'No customer yet',
  vatNumber: 'VAT number',
  taxNumber: 'Tax number',
  registrationNumber: 'Registration',
  item: 'Description',
  quantity: 'Quantity',
  price: 'Unit price',
  vat: 'VAT',
  amount: 'Amount',
  discount: 'Discount',
  charge: 'Extra charge',
  rounding: 'Rounding',
  vatIncluded: 'Prices and amounts include VAT',
  subtotal: 'Without VAT',
  vatOf: (rate: string, base: string) => `VAT ${rate} % of ${base}`,
  vatIn: (currency: string, rate: string, source: string, date: string) =>
    `VAT in ${currency} at ${rate} (${source}, ${date})`,
  total: 'Total',
  iban: 'IBAN',
  bic: 'BIC',
  holder: 'Account holder',
  reference: 'Reference',
  scan: 'Scan to pay with your banking app',
  download: 'Download PDF',
  from: 'From',
  pay: 'How to pay',
  quotes: {
    answer: 'Your answer',
    lead: 'Accept the quote as it stands here, or decline it. You can answer once.',
    name: 'Your name',
    accept: 'Accept quote',
    decline: 'Decline',
    noScript: 'To answer here, allow scripts on this page; or answer its sender by mail.',
    accepted: (name: string, date: string) => `Accepted by ${name} on ${date}.`,
    declined: (name: string, date: string) => `Declined by ${name} on ${date}.`,
    expired: (date: string) => `This quote expired on ${date}. Ask its sender for a new one.`,
    revised: 'This quote is being changed. A new one will follow.',
    noName: 'Enter your name.',
    failed: 'This did not get through. Check your connection and try again.',
  },
  isVoid: 'This invoice is void: there is nothing to pay.',
  isPaid: (date: string) => `Paid on ${date}: there is nothing to pay.`,
  isCredited: 'Credited: there is nothing to pay.',
  isDue: (paid: string | null, credited: string | null, whole: string, due: string) =>
    `${[paid && `Paid ${paid}`, credited && `Credited ${credited}`].filter(Boolean).join(', ')} of ${whole}: ${due} is due.`,
  noLink: 'This link shows nothing',
  noLinkLead: 'It may have been turned off, or not copied whole. Ask its sender for a new one.',
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
  /** Of one and of any other number; a unit without an entry is shown by its code, pieces (C62, and what others write for them: H87, EA, XPP) by nothing. */
  units: {
    C62: '',
    H87: '',
    EA: '',
    XPP: '',
    HUR: 'h',
    MIN: 'min',
    DAY: ['day', 'days'],
    WEE: ['week', 'weeks'],
    MON: ['month', 'months'],
    ANN: ['year', 'years'],
    MTR: 'm',
    CMT: 'cm',
    MTK: 'm²',
    MTQ: 'm³',
    KMT: 'km',
    KGM: 'kg',
    GRM: 'g',
    TNE: 't',
    LTR: 'l',
    KWH: 'kWh',
    SET: ['set', 'sets'],
    PR: ['pair', 'pairs'],
    E48: ['service unit', 'service units'],
    LS: '',
  } as Units,
  /** In the XML. */
  terms: {
    credit: 'In favour of the buyer',
    atOnce: 'Payable at once',
    within: (days: number) => (days === 1 ? 'Payable within 1 day' : `Payable within ${days} days`),
    until: (date: string) => `Payable until ${date}`,
  },
  /** Docket's own words of a reminder, the oftener the more serious (reminder-words.ts). `{amount}` is what is still open: each holds after a part payment too. */
  reminders: {
    notice: {
      subject: 'Invoice {number} is due on {due}',
      message:
        'Hello {customer},\n\nThis is a friendly notice that {amount} of our invoice {number} is due on {due}. The invoice is attached.\n\nIf you have paid already, please ignore this mail.\n\nThank you,\n{organization}',
    },
    first: {
      subject: 'Reminder: invoice {number}',
      message:
        'Hello {customer},\n\n{amount} of our invoice {number} is still open; it was due on {due}. Perhaps it slipped by: the invoice is attached.\n\nIf you have paid meanwhile, please ignore this mail.\n\nThank you,\n{organization}',
    },
    second: {
      subject: 'Second reminder: invoice {number}',
      message:
        'Hello {customer},\n\nAfter our first reminder {amount} of our invoice {number} is still open; it was due on {due}. Please pay it in the next days, or tell us if something is wrong with the invoice.\n\nThank you,\n{organization}',
    },
    last: {
      subject: 'Last reminder: invoice {number}',
      message:
        'Hello {customer},\n\nIn spite of our reminders {amount} of our invoice {number} is still open; it was due on {due}. Please pay it within seven days.\n\n{organization}',
    },
  },
  /** What a mail begins with; the sender changes it. */
  mail: {
    /** No number: it waits to be issued. */
    subject: (number: string | null, name: string) =>
      number === null ? `Invoice from ${name}` : `Invoice ${number} from ${name}`,
    creditSubject: (number: string | null, name: string) =>
      number === null ? `Credit note from ${name}` : `Credit note ${number} from ${name}`,
    message: (to: string, what: string, due: string | null, name: string) =>
      `Hello${to && ` ${to}`},\n\nPlease find our ${what} attached${due ? `, payable until ${due}` : ''}.\n\nThank you,\n${name}`,
    invoiceOver: (amount: string) => `invoice for ${amount}`,
    creditOver: (amount: string) => `credit note for ${amount}`,
    view: { '380': 'View the invoice', '381': 'View the credit note' },
    quoteSubject: (name: string) => `Quote from ${name}`,
    quoteMessage: (to: string, amount: string, until: string | null, name: string) =>
      `Hello${to && ` ${to}`},\n\nPlease find our quote for ${amount} attached${until ? `. It is good until ${until}` : ''}. You can accept it by the link below.\n\nThank you,\n${name}`,
    viewQuote: 'View and answer the quote',
  },
}

export type Words = typeof english

const german: Words = {
  title: { '380': 'Rechnung', '381': 'Rechnungskorrektur', quote: 'Angebot' },
  draft: 'ENTWURF',
  void: 'STORNIERT',
  number: { '380': 'Rechnungsnummer', '381': 'Nummer der Korrektur', quote: 'Angebotsnummer' },
  noNumber: 'Entwurf',
  issueDate: { '380': 'Rechnungsdatum', '381': 'Datum', quote: 'Datum' },
  dueDate: 'Fällig am',
  validUntil: 'Gültig bis',
  supplyDate: 'Leistungsdatum',
  buyerReference: 'Referenz des Käufers',
  orderReference: 'Bestellnummer',
  corrects: (number) => `Korrigiert Rechnung ${number}`,
  to: 'An',
  noCustomer: 'Noch kein Kunde',
  vatNumber: 'USt-IdNr.',
  taxNumber: 'Steuernummer',
  registrationNumber: 'Registernummer',
  item: 'Bezeichnung',
  quantity: 'Menge',
  price: 'Einzelpreis',
  vat: 'MwSt.',
  amount: 'Betrag',
  discount: 'Rabatt',
  charge: 'Zuschlag',
  rounding: 'Rundung',
  vatIncluded: 'Preise und Beträge enthalten die MwSt.',
  subtotal: 'Ohne MwSt.',
  vatOf: (rate, base) => `${rate} % MwSt. auf ${base}`,
  vatIn: (currency, rate, source, date) => `MwSt. in ${currency} zum Kurs ${rate} (${source}, ${date})`,
  total: 'Gesamt',
  iban: 'IBAN',
  bic: 'BIC',
  holder: 'Kontoinhaber',
  reference: 'Zweck',
  scan: 'Zum Bezahlen mit der Banking-App scannen',
  download: 'PDF herunterladen',
  from: 'Von',
  pay: 'So bezahlen Sie',
  quotes: {
    answer: 'Ihre Antwort',
    lead: 'Nehmen Sie das Angebot an, wie es hier steht, oder lehnen Sie es ab. Sie können einmal antworten.',
    name: 'Ihr Name',
    accept: 'Angebot annehmen',
    decline: 'Ablehnen',
    noScript: 'Um hier zu antworten, erlauben Sie Skripte auf dieser Seite; oder antworten Sie dem Absender per Mail.',
    accepted: (name, date) => `Am ${date} angenommen von ${name}.`,
    declined: (name, date) => `Am ${date} abgelehnt von ${name}.`,
    expired: (date) => `Dieses Angebot ist am ${date} abgelaufen. Bitten Sie den Absender um ein neues.`,
    revised: 'Dieses Angebot wird gerade geändert. Ein neues folgt.',
    noName: 'Geben Sie Ihren Namen ein.',
    failed: 'Das ist nicht durchgekommen. Prüfen Sie Ihre Verbindung und versuchen Sie es noch einmal.',
  },
  isVoid: 'Diese Rechnung ist storniert: Es ist nichts zu zahlen.',
  isPaid: (date) => `Bezahlt am ${date}: Es ist nichts zu zahlen.`,
  isCredited: 'Gutgeschrieben: Es ist nichts zu zahlen.',
  isDue: (paid, credited, whole, due) =>
    `${[paid && `Bezahlt ${paid}`, credited && `Gutgeschrieben ${credited}`].filter(Boolean).join(', ')} von ${whole}: ${due} sind offen.`,
  noLink: 'Dieser Link zeigt nichts',
  noLinkLead: 'Vielleicht wurde er abgeschaltet oder nicht ganz kopiert. Bitten Sie den Absender um einen neuen.',
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
    C62: '',
    H87: '',
    EA: '',
    XPP: '',
    HUR: 'Std.',
    MIN: 'Min.',
    DAY: ['Tag', 'Tage'],
    WEE: ['Woche', 'Wochen'],
    MON: ['Monat', 'Monate'],
    ANN: ['Jahr', 'Jahre'],
    MTR: 'm',
    CMT: 'cm',
    MTK: 'm²',
    MTQ: 'm³',
    KMT: 'km',
    KGM: 'kg',
    GRM: 'g',
    TNE: 't',
    LTR: 'l',
    KWH: 'kWh',
    SET: ['Satz', 'Sätze'],
    PR: ['Paar', 'Paar'],
    E48: ['Leistung', 'Leistungen'],
    LS: 'pauschal',
  },
  terms: {
    credit: 'Zugunsten des Käufers',
    atOnce: 'Sofort zahlbar',
    within: (days) => (days === 1 ? 'Zahlbar innerhalb eines Tages' : `Zahlbar innerhalb von ${days} Tagen`),
    until: (date) => `Zahlbar bis ${date}`,
  },
  reminders: {
    notice: {
      subject: 'Rechnung {number} ist am {due} fällig',
      message:
        'Guten Tag {customer},\n\nein freundlicher Hinweis: Von unserer Rechnung {number} sind am {due} {amount} fällig. Die Rechnung ist angehängt.\n\nSollten Sie schon gezahlt haben, beachten Sie diese Mail bitte nicht.\n\nMit freundlichen Grüßen\n{organization}',
    },
    first: {
      subject: 'Zahlungserinnerung: Rechnung {number}',
      message:
        'Guten Tag {customer},\n\nvon unserer Rechnung {number} sind noch {amount} offen; fällig war das am {due}. Vielleicht ist sie untergegangen: Die Rechnung ist angehängt.\n\nSollten Sie inzwischen gezahlt haben, beachten Sie diese Mail bitte nicht.\n\nMit freundlichen Grüßen\n{organization}',
    },
    second: {
      subject: 'Zweite Zahlungserinnerung: Rechnung {number}',
      message:
        'Guten Tag {customer},\n\nauch nach unserer ersten Erinnerung sind von unserer Rechnung {number} noch {amount} offen; fällig war das am {due}. Bitte zahlen Sie in den nächsten Tagen, oder sagen Sie uns, wenn mit der Rechnung etwas nicht stimmt.\n\nMit freundlichen Grüßen\n{organization}',
    },
    last: {
      subject: 'Letzte Zahlungserinnerung: Rechnung {number}',
      message:
        'Guten Tag {customer},\n\ntrotz unserer Erinnerungen sind von unserer Rechnung {number} noch {amount} offen; fällig war das am {due}. Bitte zahlen Sie innerhalb von sieben Tagen.\n\nMit freundlichen Grüßen\n{organization}',
    },
  },
  mail: {
    subject: (number, name) => (number === null ? `Rechnung von ${name}` : `Rechnung ${number} von ${name}`),
    creditSubject: (number, name) =>
      number === null ? `Rechnungskorrektur von ${name}` : `Rechnungskorrektur ${number} von ${name}`,
    message: (to, what, due, name) =>
      `Guten Tag${to && ` ${to}`},\n\nanbei erhalten Sie unsere ${what}${due ? `, zahlbar bis ${due}` : ''}.\n\nMit freundlichen Grüßen\n${name}`,
    invoiceOver: (amount) => `Rechnung über ${amount}`,
    creditOver: (amount) => `Rechnungskorrektur über ${amount}`,
    view: { '380': 'Rechnung ansehen', '381': 'Rechnungskorrektur ansehen' },
    quoteSubject: (name) => `Angebot von ${name}`,
    quoteMessage: (to, amount, until, name) =>
      `Guten Tag${to && ` ${to}`},\n\nanbei erhalten Sie unser Angebot über ${amount}${until ? `. Es gilt bis ${until}` : ''}. Über den Link unten können Sie es annehmen.\n\nMit freundlichen Grüßen\n${name}`,
    viewQuote: 'Angebot ansehen und beantworten',
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

/** As it is read and typed. */
export function ibanInFours(iban: string): string {
  return iban.replace(/(.{4})(?=.)/g, '$1 ')
}
