// What stands in a field of a row, in words, a line for each thing in it.
import type { Money } from '#shared/money.ts'
import type { Exchange } from '#shared/exchange.ts'
import type { UnsentEntry } from '#shared/outbox.ts'
import { languageNames } from '#shared/language.ts'
import { vatCategories, type Vat } from '#shared/vat.ts'
import { asTyped, formatMoney, formatPrice, formatRate } from '#shared/format.ts'
import { formatDate, formatInstant, regionName } from '#page/words/format.ts'
import { fieldLabel, innerLabel, knownLabel } from '#page/words/field-text.ts'
import { said } from '#page/words/said.ts'
import { text } from '#page/words/app-text.ts'

type Fields = Readonly<Record<string, unknown>>
type Words = Readonly<Record<string, string | undefined>>

/** Where a row of a value's own time may be looked up, its currency, and the zone of its organization where it is known. */
type Known = Pick<UnsentEntry, 'base' | 'theirs' | 'label'> & {
  kind: string
  currency: string | null
  timeZone?: string | undefined
}

const { organizations, invoices, recurring, quotes, fields } = text
const taxMode = { net: organizations.net, gross: organizations.gross }

/** Of every kind that has this field. */
const choices: Readonly<Record<string, Words>> = {
  language: languageNames,
  role: organizations.roles,
  vatRegime: organizations.regimes,
  reset: organizations.resets,
  method: text.payments.methods,
  interval: recurring.intervals,
  action: recurring.actions,
  supplyOn: recurring.supplies,
  eInvoiceProfile: text.eInvoice.profiles,
  paperSize: text.eInvoice.papers,
  kind: text.customers.kinds,
  unit: text.units,
  taxMode,
}

const statuses: Readonly<Record<string, Words>> = {
  invitation: text.members.statuses,
  quote: quotes.status,
}

/** None when it is empty. */
export function fieldLines(known: Known, field: string, value: unknown, locale: string): string[] {
  if (value === null || value === undefined || value === '') return []
  if (typeof value === 'string') return [wordsOf(known, field, value, locale)]
  if (typeof value === 'number') return [asTyped(String(value), locale)]
  if (typeof value === 'boolean')
    return [field === 'membersMayIssue' ? organizations.mayIssue[yesNo(value)] : fields[yesNo(value)]]
  if (Array.isArray(value)) return value.flatMap((each: unknown) => partLines(known, field, each as Fields, locale))
  return partLines(known, field, value as Fields, locale)
}

const yesNo = (value: boolean) => (value ? 'yes' : 'no')

function wordsOf(known: Known, field: string, value: string, locale: string): string {
  if (field === 'customerId') return customerName(known, value)
  if (field === 'country') return regionName(value)
  if (field === 'status') return (statuses[known.kind] ?? (invoices.status as Words))[value] ?? value
  if (field === 'vatRate') return `${asTyped(value, locale)} %`
  if (field === 'unitPrice') return priceText(value, known.currency, locale)
  if (field === 'lastProblem') return said(value)
  // `-3: Subject`, a line each (server/reminders/routes.ts).
  if (field === 'reminders') return value.replaceAll(/^(-?\d+)(?=: )/gm, (days) => text.reminders.offset(Number(days)))
  // Before what its name looks like: `supplyOn` is no date.
  if (choices[field]) return choices[field][value] ?? value
  if (/(^date|Date|On|Until)$/.test(field)) return formatDate(value, locale)
  return field.endsWith('At') ? instantText(known, value, locale) : value
}

function instantText({ timeZone }: Known, instant: unknown, locale: string): string {
  return formatInstant(instant as string, { locale, ...(timeZone && { timeZone }) })
}

/** Without a currency it is a number alone: an item that names none has its organization's. */
function priceText(price: string, currency: string | null, locale: string): string {
  return currency ? formatPrice(price, currency, locale) : asTyped(price, locale)
}

/** Rows say the name of their customer; what was saved here says the id alone. */
function customerName({ base, theirs, label }: Known, id: string): string {
  const row = [theirs, base].find((each) => each?.['customerId'] === id)
  const name = row?.['customerName']
  return typeof name === 'string' ? name : label || text.conflict.otherCustomer
}

/** Each is told by what it holds: the field alone does not say of which row's fields it is. */
function partLines(known: Known, field: string, part: Fields, locale: string): string[] {
  if (typeof part !== 'object') return fieldLines(known, field, part, locale)
  const { amount, currency } = part
  if (typeof amount === 'string' && typeof currency === 'string') return [formatMoney(part as unknown as Money, locale)]
  switch (field) {
    case 'lines':
      return [lineText(known, part as unknown as Line, locale)]
    case 'allowances':
    case 'charges':
      return [adjustmentText(known, part as unknown as Adjustment, locale)]
    case 'allocations':
      return [listed(part['invoiceNumber'], part['amount'] && formatMoney(part['amount'] as Money, locale))]
    case 'totals':
      return part['gross'] ? [formatMoney(part['gross'] as Money, locale)] : []
    case 'vat':
      return [vatText(part as unknown as Vat, locale)]
    case 'answer':
      return [quotes[part['answer'] as 'accepted'](part['name'] as string, instantText(known, part['at'], locale))]
    case 'reversal':
      return [listed(instantText(known, part['at'], locale), part['reason'])]
    case 'address': {
      // As on an envelope: what was written down is in no order.
      const { line1, line2, postalCode, city, region } = part
      return [line1, line2, [postalCode, city].filter(Boolean).join(' '), region].filter(Boolean).map(String)
    }
    case 'exchange': {
      const exchange = part as unknown as Exchange
      return [listed(formatRate(exchange, locale), exchange.source, exchange.date && formatDate(exchange.date, locale))]
    }
    case 'endpoint':
      return [listed(part['scheme'], part['id'])]
    case 'logo':
      return [`${String(part['width'])} × ${String(part['height'])}`]
  }
  // Another document: by its number, which a draft does not have.
  if ('number' in part) return [(part['number'] as string | null) ?? invoices.draftNumber]
  const isContent = 'lines' in part
  return Object.entries(part).flatMap(([own, value]) => {
    if (isContent && knownLabel('invoice', own) === null) return []
    const lines = fieldLines(known, own, value, locale)
    const label = isContent ? fieldLabel('invoice', own) : innerLabel(own)
    return label === null ? lines : lines.map((each) => `${label}: ${each}`)
  })
}

function listed(...parts: unknown[]): string {
  return parts.filter(Boolean).join(', ')
}

interface Adjustment {
  amount: string
  percent?: string | undefined
  reason?: string | null
  vat?: Vat
}

interface Line {
  name: string
  description?: string | null
  quantity: string
  unit?: string
  unitPrice: string
  baseQuantity?: string
  vat?: Vat
  net?: Money
  allowances?: readonly Adjustment[]
  charges?: readonly Adjustment[]
}

function lineText(known: Known, line: Line, locale: string): string {
  const { name, description, quantity, unit, unitPrice, baseQuantity = '1' } = line
  const { vat, net, allowances = [], charges = [] } = line
  const within = { ...known, currency: net?.currency ?? known.currency }
  const unitWord = unit && ((text.units as Words)[unit] ?? unit)
  // Whatever a person may have changed: two sides that look the same tell nothing of it.
  return listed(
    `${asTyped(quantity, locale)} × ${name}`,
    unitWord,
    description?.replaceAll('\n', ' '),
    priceText(unitPrice, within.currency, locale) + (baseQuantity === '1' ? '' : ` / ${asTyped(baseQuantity, locale)}`),
    vat && vatText(vat, locale),
    ...allowances.map((each) => `− ${adjustmentText(within, each, locale)}`),
    ...charges.map((each) => `+ ${adjustmentText(within, each, locale)}`),
  )
}

function adjustmentText({ currency }: Known, { reason, amount, percent, vat }: Adjustment, locale: string): string {
  const share = percent === undefined ? null : `${asTyped(percent, locale)} %`
  return listed(reason, share, priceText(amount, currency, locale), vat && vatText(vat, locale))
}

function vatText({ category, rate, reason }: Vat, locale: string): string {
  const { taxed, label } = vatCategories[category]
  return taxed ? `${invoices.vat} ${asTyped(rate, locale)} %` : reason || said(label)
}
