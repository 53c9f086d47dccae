// What a column of a file may hold, for each kind of row, and by which names in its head it is known, in English and German. The names are what other
// programs write: they are not words of the screen.
import { searchKey } from '#shared/search-key.ts'
import type { FileRow } from './read-file.ts'

export const importKinds = ['customers', 'items', 'invoices'] as const
export type ImportKind = (typeof importKinds)[number]

/** How a cell is read: values.ts. */
export type CellKind =
  | 'text'
  /** Text that may have several. */
  | 'lines'
  | 'money'
  | 'quantity'
  | 'rate'
  | 'exchangeRate'
  | 'days'
  | 'date'
  | 'country'
  | 'language'
  | 'unit'
  | 'currency'
  | 'customerKind'
  | 'taxMode'
  | 'vatCategory'
  | 'invoiceType'

export interface ImportField {
  /** Where it stands in the row as the API has it; of an invoice's line below `line`. */
  name: string
  /** Its word on the screen (import-words.ts). */
  word: string
  cell: CellKind
  isNeeded?: true
  /** In the form of {@link headKey}. */
  heads: string
}

const vat: ImportField[] = [
  {
    name: 'vat.rate',
    word: 'vatRate',
    cell: 'rate',
    heads: 'vatrate vatpercent taxrate ustsatz mwstsatz steuersatz vat tax ust mwst umsatzsteuer',
  },
  { name: 'vat.category', word: 'vatCategory', cell: 'vatCategory', heads: 'vatcategory taxcategory steuerkategorie' },
  { name: 'vat.reason', word: 'vatReason', cell: 'text', heads: 'vatreason taxreason exemptionreason befreiungsgrund' },
]

const fieldsOf: Readonly<Record<ImportKind, readonly ImportField[]>> = {
  customers: [
    {
      name: 'name',
      word: 'name',
      cell: 'text',
      isNeeded: true,
      heads: 'name company companyname customer customername firma firmenname kunde kundenname organisation',
    },
    { name: 'kind', word: 'kind', cell: 'customerKind', heads: 'kind type customertype art typ kundentyp' },
    {
      name: 'contactName',
      word: 'contactName',
      cell: 'text',
      heads: 'contactperson contact contactname ansprechpartner kontakt kontaktperson',
    },
    { name: 'email', word: 'email', cell: 'text', heads: 'email emailaddress mail emailadresse' },
    {
      name: 'phone',
      word: 'phone',
      cell: 'text',
      heads: 'phone telephone phonenumber tel telefon telefonnummer mobile handy',
    },
    {
      name: 'address.line1',
      word: 'street',
      cell: 'text',
      heads:
        'street address address1 addressline1 streetandnumber strasse strasseundhausnummer strassehausnummer anschrift adresse',
    },
    { name: 'address.line2', word: 'street2', cell: 'text', heads: 'addressline2 address2 adresszusatz zusatz' },
    {
      name: 'address.postalCode',
      word: 'postalCode',
      cell: 'text',
      heads: 'postalcode postcode zip zipcode plz postleitzahl',
    },
    { name: 'address.city', word: 'city', cell: 'text', heads: 'city town ort stadt' },
    { name: 'address.region', word: 'region', cell: 'text', heads: 'region state province bundesland' },
    {
      name: 'country',
      word: 'country',
      cell: 'country',
      heads: 'country countrycode land landercode landeskennzeichen',
    },
    {
      name: 'vatNumber',
      word: 'vatNumber',
      cell: 'text',
      heads: 'vatnumber vatid vatno taxnumber ustid ustidnr ustidnummer umsatzsteuerid uid uidnummer',
    },
    {
      name: 'registrationNumber',
      word: 'registration',
      cell: 'text',
      heads: 'registrationnumber companynumber handelsregister handelsregisternummer hrb steuernummer',
    },
    { name: 'endpoint.scheme', word: 'endpointScheme', cell: 'text', heads: 'einvoicescheme peppolscheme' },
    { name: 'endpoint.id', word: 'endpointId', cell: 'text', heads: 'einvoiceaddress peppolid' },
    { name: 'currency', word: 'currency', cell: 'currency', heads: 'currency wahrung wahrungscode' },
    {
      name: 'termsDays',
      word: 'terms',
      cell: 'days',
      heads: 'daystopay terms paymentterms zahlungsziel zahlungsfrist',
    },
    // XRechnung has the Leitweg-ID there (BT-10).
    {
      name: 'buyerReference',
      word: 'buyerReference',
      cell: 'text',
      heads: 'buyerreference kundenreferenz leitwegid leitweg',
    },
    { name: 'language', word: 'language', cell: 'language', heads: 'language documentlanguage sprache' },
    { name: 'notes', word: 'notes', cell: 'lines', heads: 'notes note comment notiz notizen bemerkung bemerkungen' },
    { name: 'id', word: 'id', cell: 'text', heads: 'id' },
  ],
  items: [
    {
      name: 'name',
      word: 'name',
      cell: 'text',
      isNeeded: true,
      heads: 'name item itemname product productname artikel bezeichnung produkt artikelname artikelbezeichnung',
    },
    {
      name: 'sku',
      word: 'sku',
      cell: 'text',
      heads: 'itemnumber sku articlenumber productcode artikelnummer artikelnr artnr',
    },
    { name: 'description', word: 'description', cell: 'lines', heads: 'description details beschreibung langtext' },
    { name: 'unit', word: 'unit', cell: 'unit', heads: 'unit einheit mengeneinheit' },
    {
      name: 'unitPrice',
      word: 'unitPrice',
      cell: 'money',
      isNeeded: true,
      heads:
        'unitprice price rate preis einzelpreis stuckpreis vk verkaufspreis nettopreis netprice bruttopreis grossprice',
    },
    { name: 'currency', word: 'currency', cell: 'currency', heads: 'currency wahrung' },
    { name: 'taxMode', word: 'taxMode', cell: 'taxMode', heads: 'prices taxmode preisart' },
    ...vat,
    { name: 'id', word: 'id', cell: 'text', heads: 'id' },
  ],
  invoices: [
    {
      name: 'number',
      word: 'number',
      cell: 'text',
      isNeeded: true,
      heads: 'number invoicenumber invoice invoiceno rechnungsnummer rechnungsnr rechnung belegnummer nummer',
    },
    { name: 'type', word: 'type', cell: 'invoiceType', heads: 'type invoicetype documenttype belegart rechnungsart' },
    {
      name: 'customer.name',
      word: 'customer',
      cell: 'text',
      heads: 'customer customername client clientname kunde kundenname firma company',
    },
    {
      name: 'customer.email',
      word: 'customerEmail',
      cell: 'text',
      heads: 'customeremail email clientemail kundenemail',
    },
    {
      name: 'customer.vatNumber',
      word: 'customerVat',
      cell: 'text',
      heads: 'customervatnumber vatnumber ustid ustidnr',
    },
    { name: 'customer.id', word: 'customerId', cell: 'text', heads: 'customerid' },
    { name: 'currency', word: 'currency', cell: 'currency', heads: 'currency wahrung' },
    { name: 'exchange.to', word: 'exchangeTo', cell: 'currency', heads: 'accountingcurrency buchwahrung hauswahrung' },
    {
      name: 'exchange.rate',
      word: 'exchangeRate',
      cell: 'exchangeRate',
      heads: 'exchangerate conversionrate fxrate wechselkurs umrechnungskurs kurs',
    },
    {
      name: 'exchange.date',
      word: 'exchangeDate',
      cell: 'date',
      heads: 'exchangeratedate exchangedate ratedate kursdatum datumdeskurses',
    },
    {
      name: 'exchange.source',
      word: 'exchangeSource',
      cell: 'text',
      heads: 'exchangeratesource exchangesource ratesource kursquelle',
    },
    { name: 'taxMode', word: 'taxMode', cell: 'taxMode', heads: 'prices taxmode preisart' },
    {
      name: 'dueDate',
      word: 'dueDate',
      cell: 'date',
      heads: 'duedate due faelligkeitsdatum falligkeitsdatum fallig falligam faelligam zahlbarbis',
    },
    {
      name: 'supplyDate',
      word: 'supplyDate',
      cell: 'date',
      heads: 'supplydate deliverydate servicedate leistungsdatum lieferdatum',
    },
    {
      name: 'orderReference',
      word: 'orderReference',
      cell: 'text',
      heads: 'orderreference ordernumber purchaseorder po bestellnummer auftragsnummer',
    },
    { name: 'buyerReference', word: 'buyerReference', cell: 'text', heads: 'buyerreference kundenreferenz' },
    { name: 'notes', word: 'notes', cell: 'lines', heads: 'notes note comment bemerkung bemerkungen notiz' },
    // Only held against what the lines come to. `Total` and `Amount` are as often those of a line.
    {
      name: 'totals.gross',
      word: 'gross',
      cell: 'money',
      heads: 'invoicegross gross invoicetotal grosstotal gesamtbetrag rechnungsbetrag rechnungssumme',
    },
    {
      name: 'line.name',
      word: 'lineName',
      cell: 'text',
      isNeeded: true,
      heads: 'item itemname linename product service artikel bezeichnung position leistung produkt',
    },
    { name: 'line.description', word: 'description', cell: 'lines', heads: 'description details beschreibung' },
    { name: 'line.quantity', word: 'quantity', cell: 'quantity', heads: 'quantity qty menge anzahl' },
    { name: 'line.unit', word: 'unit', cell: 'unit', heads: 'unit einheit' },
    {
      name: 'line.unitPrice',
      word: 'unitPrice',
      cell: 'money',
      isNeeded: true,
      heads: 'unitprice price rate einzelpreis preis stuckpreis',
    },
    { name: 'line.baseQuantity', word: 'baseQuantity', cell: 'quantity', heads: 'basequantity preiseinheit' },
    // Amounts: `Discount` is as often a percentage.
    { name: 'line.discount', word: 'discount', cell: 'money', heads: 'discounts discountamount rabattbetrag' },
    { name: 'line.charge', word: 'charge', cell: 'money', heads: 'charges chargeamount' },
    ...vat.map((field) => ({ ...field, name: `line.${field.name}` })),
  ],
}

export function importFields(kind: ImportKind): readonly ImportField[] {
  return fieldsOf[kind]
}

/** Column -> the field that it fills, or null; each field once, the column whose name is known earliest in its list. */
export type Mapping = readonly (string | null)[]

/** Heads that are as often an amount's. */
const rateOrAmount = new Set('vat tax ust mwst umsatzsteuer'.split(' '))
const mostRates = 6
/** In per cent: no country takes more. */
const highestRate = 50

/** `rows`: for what a head alone leaves in doubt. */
export function guessMapping(
  kind: ImportKind,
  head: readonly string[],
  rows: readonly Pick<FileRow, 'cells'>[] = [],
): Mapping {
  const keys = head.map(headKey).map((key, column) =>
    rateOrAmount.has(key) &&
    !areRates(
      kind,
      rows.map(({ cells }) => cells[column] ?? ''),
    )
      ? ''
      : key,
  )
  const mapping: (string | null)[] = head.map(() => null)
  for (const { name, heads } of fieldsOf[kind]) {
    const known = heads.split(' ').find((each) => keys.some((key, column) => key === each && mapping[column] === null))
    if (known !== undefined) mapping[keys.findIndex((key, column) => key === known && mapping[column] === null)] = name
  }
  return mapping
}

/** Of a column that seems to hold amounts of VAT, and so fills nothing: how the file calls it, unless another one has the rate. */
export function vatLeftOut(kind: ImportKind, head: readonly string[], mapping: Mapping): string | null {
  const rate = fieldsOf[kind].find(({ name }) => name.endsWith('vat.rate'))
  if (!rate || mapping.includes(rate.name)) return null
  return head.find((name, column) => mapping[column] === null && rateOrAmount.has(headKey(name))) ?? null
}

/**
 * A few numbers again and again; a price list has hardly ever the amount. What is none stays in the column, and its row is named: one slip of the keyboard
 * does not make amounts of all.
 */
function areRates(kind: ImportKind, cells: readonly string[]): boolean {
  const figures = cells.map((cell) => cell.replace(/[^\d.,]/g, '')).filter((figure) => /\d/.test(figure))
  const rates = figures.filter(
    (figure) => /^\d{1,2}([.,]\d{1,4})?$/.test(figure) && Number(figure.replace(',', '.')) <= highestRate,
  )
  if (new Set(rates).size > mostRates) return false
  return kind === 'items' ? rates.length * 2 >= figures.length : rates.length * 5 >= figures.length * 4
}

/** What the head over prices says they are, as `Nettopreis` does; a `Großhandelspreis` says nothing of it. */
export function taxModeOf(head: string): 'net' | 'gross' | null {
  const [, net, gross] = /^(?:(netto?)|(brutto|gross))(?:einzel|stuck|unit)?(?:preis|price)$/.exec(headKey(head)) ?? []
  return net ? 'net' : gross ? 'gross' : null
}

/** Letters and digits alone, without accents: `E-Mail Adresse` is `emailadresse`. */
function headKey(head: string): string {
  return searchKey(head).replace(/[^a-z0-9]/g, '')
}
