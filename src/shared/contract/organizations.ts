import * as z from 'zod'
import {
  creditNotePattern,
  defaultNumberPattern,
  numberResets,
  parseNumberPattern,
  quotePattern,
  type NumberReset,
} from '#shared/invoice-number.ts'
import { roles } from '#shared/permissions.ts'
import {
  address,
  blankAsNull,
  country,
  currency,
  electronicEndpoint,
  email,
  id,
  line,
  locale,
  oneOf,
  optionalLine,
  optionalText,
  rowFields,
  termsDays,
  timeZone,
  vatRate,
} from './common.ts'

export const taxMode = oneOf(['net', 'gross'])

/** Standard: charges VAT. Small business: exempt under a national threshold. None: outside VAT altogether. */
const vatRegime = oneOf(['standard', 'small-business', 'none'])

/** What an invoice starts from when it says nothing itself. */
const invoiceDefaults = z
  .object({
    termsDays: termsDays.default(14),
    taxMode: taxMode.default('net'),
    notes: optionalText(4000),
    vatRate: vatRate.nullable().default(null),
  })
  .meta({ id: 'InvoiceDefaults' })

/** A series; `pattern` and `reset` are what it begins with where nothing is said. */
const seriesWith = (pattern: string, reset: NumberReset, id: string) =>
  z
    .object({ pattern: line(60).default(pattern), reset: oneOf(numberResets).default(reset) })
    .superRefine((series, context) => {
      const parsed = parseNumberPattern(series.pattern, series.reset)
      if (!parsed.ok) context.addIssue({ code: 'custom', path: ['pattern'], message: parsed.error })
    })
    .meta({ id })

const numbering = seriesWith(defaultNumberPattern, 'yearly', 'Numbering')
const creditNoteNumbering = seriesWith(creditNotePattern, 'yearly', 'CreditNoteNumbering')
const quoteNumbering = seriesWith(quotePattern, 'never', 'QuoteNumbering')

const bank = z
  .object({
    iban: blankAsNull(
      line(42)
        .transform((text) => text.replace(/\s+/g, '').toUpperCase())
        .refine((iban) => isIban(iban), 'This IBAN is not valid'),
    ),
    bic: blankAsNull(
      line(11)
        .toUpperCase()
        .regex(/^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$/, 'This BIC is not valid'),
    ),
    holder: optionalLine(70),
  })
  .meta({ id: 'Bank' })

/** Which picture stands on its documents; it is had by its hash. */
const pictureHash = z.string().regex(/^[0-9a-f]{64}$/)
const logo = z
  .object({
    hash: pictureHash,
    mediaType: oneOf(['image/png', 'image/jpeg']),
    width: z.int(),
    height: z.int(),
  })
  .meta({ id: 'Logo' })
export type Logo = z.infer<typeof logo>

/** A PNG or JPEG of at most 200 kB and 1200 pixels; null takes the logo away. */
export const newLogo = z
  .object({
    content: z.base64('This is no picture').max(280_000, 'This picture is too large: at most 200 kB').nullable(),
  })
  .meta({ id: 'NewLogo' })

/** Which one: an issued invoice names the one that it was issued with; left out, the one that is shown now. */
export const logoQuery = z.object({ hash: pictureHash.optional() })

/** What its documents are made as. */
const documents = {
  /** What issuing checks and which XML goes out with a mail; `none` asks for neither. */
  eInvoiceProfile: oneOf(['none', 'en16931', 'peppol', 'facturx', 'xrechnung']),
  paperSize: oneOf(['A4', 'letter']),
}
export type EInvoiceProfile = z.infer<typeof documents.eInvoiceProfile>

/** What the tax office knows a business by that has no VAT number, or has one besides (BT-32): in Germany the Steuernummer. */
const taxNumber = optionalLine(60)
/** The same where leaving it out is no word about it. */
const taxNumberIfSaid = z
  .string()
  .transform((text) => text.trim() || null)
  .pipe(line(60).nullable())
  .nullable()
  .optional()

const editable = {
  name: line(200, 'Enter a name'),
  legalName: optionalLine(200),
  country,
  currency,
  locale: locale.default('en-GB'),
  timeZone: timeZone.default('Etc/UTC'),
  address: address.prefault({}),
  vatNumber: optionalLine(30),
  registrationNumber: optionalLine(60),
  endpoint: electronicEndpoint.nullable().default(null),
  contact: z
    .object({ name: optionalLine(200), email: blankAsNull(email), phone: optionalLine(40) })
    .prefault({})
    .meta({ id: 'Contact' }),
  bank: bank.prefault({}),
  vatRegime: vatRegime.default('standard'),
  defaults: invoiceDefaults.prefault({}),
  numbering: numbering.prefault({}),
}

export const newOrganization = z
  .object({
    id,
    ...editable,
    taxNumber,
    membersMayIssue: z.boolean().default(true),
    eInvoiceProfile: documents.eInvoiceProfile.default('none'),
    paperSize: documents.paperSize.default('A4'),
    creditNoteNumbering: creditNoteNumbering.prefault({}),
    quoteNumbering: quoteNumbering.prefault({}),
  })
  .meta({ id: 'NewOrganization' })
export type NewOrganization = z.infer<typeof newOrganization>
/** What a client may send: fields with defaults left out. */
export type NewOrganizationInput = z.input<typeof newOrganization>

/** What may be left out stays as it is: a change that an older build kept on a device does not know of it. */
export const organizationEdit = z
  .object({
    ...editable,
    taxNumber: taxNumberIfSaid,
    membersMayIssue: z.boolean().optional(),
    eInvoiceProfile: documents.eInvoiceProfile.optional(),
    paperSize: documents.paperSize.optional(),
    creditNoteNumbering: creditNoteNumbering.optional(),
    quoteNumbering: quoteNumbering.optional(),
  })
  .meta({ id: 'OrganizationEdit' })
export type OrganizationEdit = z.infer<typeof organizationEdit>
export type OrganizationEditInput = z.input<typeof organizationEdit>

export const organization = z
  .object({
    id,
    ...editable,
    membersMayIssue: z.boolean(),
    ...documents,
    creditNoteNumbering,
    quoteNumbering,
    // What an older build keeps, and what was issued before there were tax numbers and logos, says nothing of them.
    taxNumber: taxNumberIfSaid,
    logo: logo.nullable().optional(),
    ...rowFields,
    role: oneOf(roles),
  })
  .meta({ id: 'Organization' })
export type Organization = z.infer<typeof organization>

/** Everyone's organizations are few: the list is not paged (at most 200). */
export const organizationList = z.object({ data: z.array(organization) }).meta({ id: 'OrganizationList' })

/** ISO 13616: the rearranged digits are 1 modulo 97. */
function isIban(iban: string): boolean {
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(iban)) return false
  const digits = (iban.slice(4) + iban.slice(0, 4)).replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55))
  return BigInt(digits) % 97n === 1n
}
