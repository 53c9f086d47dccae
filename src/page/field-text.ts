// A field of a row as a person reads it when two versions stand side by side.
import type { AggregateKind } from '#shared/endpoint.ts'
import type { UnsentEntry } from '#shared/outbox.ts'
import { languageNames } from '#shared/language.ts'
import { formatDate, regionName } from '#page/format.ts'
import { text } from '#page/app-text.ts'

const labels: Record<AggregateKind | 'member' | 'invitation', Readonly<Record<string, unknown>>> = {
  organization: {
    ...text.organizations,
    reminders: text.reminders.title,
    registrationNumber: text.organizations.registration,
    vatRegime: text.organizations.regime,
  },
  customer: {
    ...text.customers,
    address: text.organizations.address,
    phone: text.organizations.phone,
    contactName: text.organizations.contactName,
    vatNumber: text.organizations.vatNumber,
    registrationNumber: text.organizations.registration,
    termsDays: text.customers.terms,
    buyerReference: text.customers.reference,
  },
  item: {
    ...text.items,
    currency: text.customers.currency,
    taxMode: text.invoices.taxMode,
    vat: text.invoices.vatCategory,
  },
  member: { ...text.members, name: text.account.name },
  invitation: text.members,
  invoice: {
    ...text.invoices,
    customerId: text.invoices.customer,
    termsDays: text.customers.terms,
    allowances: text.invoices.discounts,
    charges: text.invoices.extraCharges,
    allocations: text.invoices.amount,
    to: text.sending.to,
    remindersPaused: text.reminders.pause,
  },
}

const choices: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  language: languageNames,
  kind: text.customers.kinds,
  role: text.organizations.roles,
  vatRegime: text.organizations.regimes,
  taxMode: { net: text.organizations.net, gross: text.organizations.gross },
}

/** Of a kind that has no words of its own here the field's name has to do. */
export function fieldLabel(kind: string, field: string): string {
  const label = (labels as Partial<Record<string, Readonly<Record<string, unknown>>>>)[kind]?.[field]
  return typeof label === 'string' ? label : field
}

/** Where a row of a value's own time may be looked up. */
type Known = Pick<UnsentEntry, 'base' | 'theirs' | 'label'>

/** A line of text for each thing in it; none when it is empty. */
export function fieldLines(entry: Known, field: string, value: unknown, locale: string): string[] {
  if (value === null || value === undefined || value === '') return []
  if (typeof value === 'string') return [wordsOf(entry, field, value, locale)]
  if (Array.isArray(value)) return value.map(lineText)
  if (typeof value === 'object') return Object.values(value).flatMap((each) => fieldLines(entry, '', each, locale))
  if (typeof value === 'boolean') return [text.organizations.mayIssue[value ? 'yes' : 'no']]
  return [JSON.stringify(value)]
}

function wordsOf(entry: Known, field: string, value: string, locale: string): string {
  if (field === 'customerId') return customerName(entry, value)
  if (field === 'country') return regionName(value)
  if (field.endsWith('Date')) return formatDate(value, locale)
  return choices[field]?.[value] ?? value
}

/** Rows say the name of their customer; what was saved here says the id alone. */
function customerName({ base, theirs, label }: Known, id: string): string {
  const row = [theirs, base].find((each) => each?.['customerId'] === id)
  const name = row?.['customerName']
  return typeof name === 'string' ? name : label || text.conflict.otherCustomer
}

interface Line {
  name?: string
  quantity?: string
  unitPrice?: string
  reason?: string | null
  amount?: string
}

/** Of an invoice, or a discount. */
function lineText(line: Line): string {
  const { name, quantity, unitPrice, reason, amount } = line
  if (amount !== undefined) return [reason, amount].filter(Boolean).join(', ')
  return `${quantity} × ${name}, ${unitPrice}`
}
