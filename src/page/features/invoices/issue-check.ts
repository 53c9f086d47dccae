// What stands between a draft and a good invoice: what issuing needs, with an e-invoice profile also what that does, and what the law or the customer's
// bookkeeping may ask for besides (DOMAIN.md "REST"). One list, each with the field that it is mended in.
import { lackingIn } from '#documents/pdf/fonts.ts'
import type { Customer } from '#shared/contract/customers.ts'
import type { Invoice } from '#shared/contract/invoices.ts'
import type { Organization } from '#shared/contract/organizations.ts'
import { eInvoiceErrors } from '#shared/e-invoice.ts'
import { issuedAs } from '#shared/e-invoice-profile.ts'
import type { Checked } from '#shared/e-invoice-parts.ts'
import { missingToIssue } from '#shared/invoice-draft.ts'
import { minorUnitsOf } from '#shared/money.ts'
import type { FieldError } from '#shared/problem-form.ts'
import type { VatCategory } from '#shared/vat.ts'
import { fieldLabel } from '#page/words/field-text.ts'
import { text } from '#page/words/app-text.ts'
import { said } from '#page/words/said.ts'

const t = text.invoices.findings

export interface Finding {
  /** `needed`: it is not issued without; `e-invoice`: of use only to who makes e-invoices, and this organization has no profile. */
  weight: 'needed' | 'advice' | 'e-invoice'
  words: string
  /** Whose form it is mended in. */
  of: 'draft' | 'customer' | 'organization'
  /** The field's name in that form. */
  field: string
  /** The same as a person reads it. */
  label: string
}

type Draft = Checked &
  Pick<Invoice, 'customerId' | 'notes'> & {
    /** A copy that an older build made has none. */
    exchange?: Invoice['exchange'] | undefined
  }
type Ours = Pick<
  Organization,
  | 'name'
  | 'legalName'
  | 'country'
  | 'address'
  | 'vatNumber'
  | 'taxNumber'
  | 'registrationNumber'
  | 'endpoint'
  | 'contact'
  | 'bank'
  | 'currency'
  | 'eInvoiceProfile'
>
type Theirs = Pick<
  Customer,
  'name' | 'contactName' | 'country' | 'address' | 'vatNumber' | 'registrationNumber' | 'endpoint'
> & { kind?: Customer['kind'] }

/**
 * `customer`: null for none, or while it loads; `today` as `YYYY-MM-DD`; `corrected`: of a credit note its invoice. What is needed comes first; a field
 * is named once.
 */
export function issueFindings(
  draft: Draft,
  organization: Ours,
  customer: Theirs | null,
  today: string,
  corrected: Invoice | null = null,
): Finding[] {
  const asked = customer && draft.lines.length > 0 ? eInvoiceFindings(draft, organization, customer, corrected) : []
  const isNeeded = ({ weight }: Finding) => weight === 'needed'
  const all = [
    ...missingToIssue(draft).map((error) => found(error, 'needed')),
    ...asked.filter(isNeeded),
    ...advice(draft, organization, customer, today),
    ...unprintable(draft, organization, customer),
    ...asked.filter((finding) => !isNeeded(finding)),
  ]
  const named = new Set<string>()
  return all.filter(({ of, field }) => named.size < named.add(`${of} ${field}`).size)
}

function eInvoiceFindings(draft: Draft, organization: Ours, customer: Theirs, corrected: Invoice | null): Finding[] {
  // A paint cache of an earlier build does not know the profile.
  const chosen = organization.eInvoiceProfile ?? 'none'
  const { profile, errors, why } = issuedAs(chosen, draft, organization, customer, corrected)
  if (profile !== 'none') return errors.map((error) => found(error, 'needed'))
  // Once it is issued it cannot be mended that a firm was entered as a person. Of a credit note's invoice nothing can be at all.
  if (why !== null && draft.type === '380')
    return [found({ pointer: '/buyer/kind', detail: text.sending.withoutXml(said(why)) }, 'advice')]
  return eInvoiceErrors('en16931', draft, organization, customer).map((error) => found(error, 'e-invoice'))
}

function advice(
  draft: Draft,
  organization: Pick<Ours, 'country' | 'address' | 'vatNumber' | 'taxNumber' | 'bank' | 'currency'>,
  customer: Pick<Theirs, 'address' | 'vatNumber'> | null,
  today: string,
): Finding[] {
  const used = (...categories: VatCategory[]) => draft.vat.some(({ category }) => categories.includes(category))
  const standardAtZero = draft.lines.findIndex(({ vat }) => vat.category === 'S' && vat.rate === '0')
  const wanting = (isWanting: boolean, pointer: string, detail: string): Finding[] =>
    isWanting ? [found({ pointer, detail }, 'advice')] : []
  const { currency } = organization
  const isUnknown = organization.vatNumber === null
  // UStG § 14 (4) 2 and 6: one of the two numbers, and when it was supplied, whatever the VAT.
  const isGerman = organization.country === 'DE'
  const wantsRate = draft.type === '380' && draft.currency !== currency && !draft.exchange
  const isBlank = ({ line1, city }: Ours['address']) => line1 === null && city === null
  return [
    ...wanting(isBlank(organization.address), '/seller/address/line1', t.ownAddress),
    ...(isGerman
      ? wanting(isUnknown && !organization.taxNumber, '/seller/taxNumber', t.ownTaxNumber)
      : wanting(isUnknown && used('S', 'AE', 'K', 'G'), '/seller/vatNumber', t.ownVatNumber)),
    ...wanting(organization.bank.iban === null, '/seller/bank/iban', t.iban),
    ...(customer
      ? [
          ...wanting(isBlank(customer.address), '/buyer/address/line1', t.customerAddress),
          ...wanting(customer.vatNumber === null && used('AE', 'K'), '/buyer/vatNumber', t.customerVatNumber),
        ]
      : []),
    ...wanting(standardAtZero >= 0, `/lines/${standardAtZero}/vat/rate`, t.standardAtZero(standardAtZero + 1)),
    ...wanting(wantsRate && minorUnitsOf(draft.totals.tax) !== 0n, '/exchange/rate', t.exchange(currency)),
    ...wanting(draft.supplyDate === null && used('K'), '/supplyDate', t.supplyDate),
    ...wanting(draft.type === '380' && draft.supplyDate === null && isGerman, '/supplyDate', t.supplied),
    ...wanting(draft.type === '380' && draft.dueDate === null && draft.termsDays === null, '/dueDate', t.due),
    ...wanting(draft.dueDate !== null && draft.dueDate < today, '/dueDate', t.pastDue),
    ...wanting(draft.lines.length > 0 && minorUnitsOf(draft.totals.gross) <= 0n, '/lines/0/unitPrice', t.nothingToPay),
  ]
}

/** What the PDF would show as the sign for what is missing. */
function unprintable(draft: Draft, organization: Ours, customer: Theirs | null): Finding[] {
  const { lines, allowances, charges, notes, buyerReference, orderReference, exchange } = draft
  const printed: [pointer: string, texts: (string | null)[]][] = [
    ...lines.map((line, index): [string, (string | null)[]] => [
      `/lines/${index}/name`,
      [line.name, line.description, ...[...line.allowances, ...line.charges].map(({ reason }) => reason)],
    ]),
    ['/allowances', allowances.map(({ reason }) => reason)],
    ['/charges', charges.map(({ reason }) => reason)],
    ['/buyerReference', [buyerReference]],
    ['/orderReference', [orderReference]],
    ['/exchange/source', [exchange?.source ?? null]],
    ['/notes', [notes]],
    ['/seller/name', [organization.name, organization.legalName]],
    ['/seller/address/line1', Object.values(organization.address)],
    ...(customer
      ? ([
          ['/buyer/name', [customer.name, customer.contactName]],
          ['/buyer/address/line1', Object.values(customer.address)],
        ] as [string, (string | null)[]][])
      : []),
  ]
  return printed.flatMap(([pointer, texts]) => {
    const lacking = lackingIn(texts.filter((each) => each !== null))
    return lacking.length > 0 ? [found({ pointer, detail: t.noFont(lacking.slice(0, 12).join(' ')) }, 'advice')] : []
  })
}

/** `/seller/...` is the organization, `/buyer/...` the customer, anything else the draft. */
function found({ pointer, detail: words }: FieldError, weight: Finding['weight']): Finding {
  const path = pointer.slice(1).split('/')
  const of = path[0] === 'seller' ? 'organization' : path[0] === 'buyer' ? 'customer' : 'draft'
  if (of !== 'draft') path.shift()
  const first = firstFields[path.join('/')] ?? path.join('.')
  return { weight, words: said(words), of, field: first, label: labelOf(of, path) }
}

/** Where a form has several fields for what is missing, and no line yet. */
const firstFields: Readonly<Record<string, string>> = { lines: 'lines.0.name', endpoint: 'endpoint.scheme' }

const addressLabels: Readonly<Record<string, string>> = {
  line1: text.organizations.street,
  city: text.organizations.city,
  postalCode: text.organizations.postalCode,
}

function labelOf(of: Finding['of'], path: readonly string[]): string {
  const [first = '', index] = path
  const last = path.at(-1)!
  if (first === 'lines' && index !== undefined) {
    const labels: Readonly<Record<string, string>> = {
      name: text.invoices.item,
      rate: text.invoices.rate,
      unit: text.items.unit,
    }
    const label = labels[last] ?? text.invoices.price
    return `${label}, ${t.line(Number(index) + 1)}`
  }
  if (first === 'address') return addressLabels[last]!
  if (first === 'endpoint') return text.eInvoice.scheme
  const { iban, bic, holder } = text.organizations
  if (first === 'bank') return { iban, bic, holder }[last]!
  if (first === 'contact')
    return {
      name: text.organizations.contactName,
      email: text.organizations.contactEmail,
      phone: text.organizations.phone,
    }[last]!
  return fieldLabel(of === 'draft' ? 'invoice' : of, of === 'organization' ? last : first)
}
