// The scalars that every resource's contract is built from. Messages are words for a person: they appear at the field.
import * as z from 'zod'
import { isCountry } from '#shared/country.ts'
import { isCurrency } from '#shared/currency.ts'
import { isTimeZone } from '#shared/dates.ts'
import { parseDecimal, vatRateLimits, type DecimalLimits } from '#shared/decimal.ts'
import { isUuid } from '#shared/ids.ts'
import { longestVatReason, vatCategories, vatCategoryCodes } from '#shared/vat.ts'

/** Not the nil nor the max UUID: no path or page mark would take them. */
export const id = z.uuid({ error: 'Must be a UUID', abort: true }).refine(isUuid, 'Must be a UUID').toLowerCase()

/** NUL and lone surrogates have no place in a database or an XML invoice; other control characters only as line breaks in long text. */
const unprintable = /[\u0000-\u001f\u007f]|[\ud800-\udfff]/u
const unprintableInLines = /[\u0000-\u0008\u000b-\u001f\u007f]|[\ud800-\udfff]/u

/** One line of text, trimmed, not empty. */
export function line(max: number, missing = 'This is needed') {
  return z
    .string(missing)
    .trim()
    .min(1, missing)
    .max(max, `At most ${max} characters`)
    .refine((text) => !unprintable.test(text), 'Contains a character that cannot be used')
}

/** One line that may be left out: absent, null and blank all mean null. */
export function optionalLine(max: number) {
  return blankAsNull(line(max))
}

/** One line that stands in for a usual one: absent and blank are the usual one, null says "none". */
export function ownLine(max: number) {
  return z.preprocess((value) => (isBlank(value) ? undefined : value), line(max).nullable().optional()).optional()
}

/** Several lines of text, trimmed; may be empty. */
export function longText(max: number) {
  return z
    .string()
    .trim()
    .max(max, `At most ${max} characters`)
    .transform((text) => text.replaceAll('\r\n', '\n'))
    .refine((text) => !unprintableInLines.test(text), 'Contains a character that cannot be used')
}

/** Several lines of text that may be left out. */
export function optionalText(max: number) {
  return blankAsNull(longText(max))
}

const isBlank = (value: unknown) => typeof value === 'string' && value.trim() === ''

/** Absent, null and blank text become null before `schema` sees them. */
export function blankAsNull<Schema extends z.ZodType>(schema: Schema) {
  return z
    .preprocess((value) => (value === undefined || isBlank(value) ? null : value), z.nullable(schema))
    .default(null as never)
}

export const country = z.string('Choose a country').refine(isCountry, 'Choose a country')
export const currency = z.string('Choose a currency').refine(isCurrency, 'Choose a currency')
export const timeZone = z.string().refine(isTimeZone, 'Choose a time zone')
export const locale = z.string().refine(isLocale, 'Choose a language such as en-GB')
/** Within the years that every part of Docket, its database included, can hold. */
export const date = z.iso.date('Enter a date').refine((text) => /^(19|[2-9]\d)/.test(text), 'Enter a year from 1900 on')
export const instant = z.iso.datetime()
export const email = z.email('Enter an email such as name@example.com').max(254)

export function decimalText(limits: DecimalLimits) {
  return z.string('Enter a number').superRefine((text, context) => {
    const parsed = parseDecimal(text, limits)
    if (!parsed.ok) context.addIssue({ code: 'custom', message: parsed.error })
  })
}

/** VAT in per cent, 0 to 100. */
export const vatRate = decimalText(vatRateLimits).refine((text) => {
  const parsed = parseDecimal(text, vatRateLimits)
  return !parsed.ok || parsed.value.digits <= 100n * 10n ** BigInt(parsed.value.scale)
}, 'At most 100')

/** One of a closed list. */
export function oneOf<const Values extends readonly [string, ...string[]]>(values: Values) {
  return z.enum(values, `Must be one of ${values.join(', ')}`)
}

/** What a line, an item, an allowance or a charge says of its VAT. */
export const vat = z
  .object({ category: oneOf(vatCategoryCodes), rate: vatRate, reason: optionalLine(longestVatReason) })
  .superRefine(({ category, rate }, context) => {
    const parsed = parseDecimal(rate, vatRateLimits)
    if (parsed.ok && parsed.value.digits !== 0n && !vatCategories[category].taxed) {
      context.addIssue({ code: 'custom', path: ['rate'], message: `Must be 0 for ${vatCategories[category].label}` })
    }
  })
  .meta({ id: 'Vat' })

/** UN/ECE Recommendation 20; C62 is "one". */
export const unit = z
  .string()
  .regex(/^[A-Z0-9]{1,3}$/, 'A unit code such as C62')
  .default('C62')

/** Whole days from issue to due. */
export const termsDays = z
  .int('Enter whole days such as 14')
  .min(0, 'Enter 0 or more days')
  .max(365, 'At most 365 days')

export const money = z
  .object({ amount: z.string().meta({ example: '758.00' }), currency: z.string().meta({ example: 'EUR' }) })
  .meta({ id: 'Money' })

export const address = z
  .object({
    line1: optionalLine(200),
    line2: optionalLine(200),
    city: optionalLine(100),
    postalCode: optionalLine(20),
    region: optionalLine(100),
  })
  .meta({ id: 'Address' })
export type Address = z.infer<typeof address>

/** Where e-invoices are delivered: a scheme of the EAS code list and an identifier in it. */
export const electronicEndpoint = z
  .object({ scheme: line(4).regex(/^\d{4}$|^EM$/, 'A scheme such as 0088'), id: line(100) })
  .meta({ id: 'ElectronicEndpoint' })

/** What every mutable row says of itself. `version` is also its ETag; `revision` is the organization's at the change. */
export const rowFields = {
  version: z.int(),
  revision: z.int(),
  createdAt: instant,
  updatedAt: instant,
}

/** Query of a list (DOMAIN.md "Lists"): text in, checked values out. */
export const pageQuery = z.object({
  limit: z.coerce
    .number('Must be 1 to 200')
    .int('Must be 1 to 200')
    .min(1, 'Must be 1 to 200')
    .max(200, 'Must be 1 to 200')
    .default(50),
  cursor: z.string().max(1000).optional(),
  q: z
    .string()
    .max(200)
    .transform((text) => text.replaceAll('\0', ' '))
    .optional(),
})

export function page<Row extends z.ZodType>(row: Row) {
  return z.object({ data: z.array(row), page: z.object({ nextCursor: z.string().nullable(), limit: z.int() }) })
}

/** Without an extension: it would put dates in another calendar and figures in other digits, also on what is issued. */
function isLocale(tag: string): boolean {
  try {
    const locale = new Intl.Locale(tag)
    return locale.toString() === locale.baseName
  } catch {
    return false
  }
}
