// Invoices out of a file, as drafts: their numbers are given here and nowhere else. The number that a file gives is what they are known again by.
import { createHash } from 'node:crypto'
import type { Customer } from '#shared/contract/customers.ts'
import { importReport, rowImport, type ImportedOutcome, type ImportedRow } from '#shared/contract/import.ts'
import { invoiceEdit, type Invoice } from '#shared/contract/invoices.ts'
import type { Organization } from '#shared/contract/organizations.ts'
import { customerMatchKeys, matchesOf } from '#shared/import-match.ts'
import { minorUnitsOf, parseMoney, toMoney } from '#shared/money.ts'
import { ProblemError } from '#shared/problem.ts'
import { customersLike } from '#server/rows/customer-match.ts'
import { tenantEndpoint } from '#server/http/endpoint.ts'
import { nextRevision } from '#server/rows/revision.ts'
import { organizationOf } from '#server/rows/organization-row.ts'
import { bad, badField, judge, noteRow, outcome, over, vatOver, type ImportCall } from '#server/rows/row-import.ts'
import { findInvoice, findInvoices } from '#server/rows/whole-invoice.ts'
import { asksForTheSame, completeDraft, type Draft } from './draft.ts'
import { insertDraft, updateDraft } from './store.ts'

type Values = Readonly<Record<string, unknown>>
type Customers = Awaited<ReturnType<typeof customersLike>>

/** What is here already of the rows of one call. */
interface Here {
  organization: Organization
  customers: Customers
  /** By id, those that were deleted too. */
  imported: Map<string, { status: string; isDeleted: boolean }>
  numbers: Map<string, string>
  invoices: Map<string, Invoice>
}

export const importInvoices = tenantEndpoint(
  'importInvoices',
  { summary: 'Import invoices as drafts', body: rowImport, answers: { 200: importReport } },
  async (call) => {
    const { tx, organizationId, body } = call
    // The counter row first: whoever changes one of them meanwhile comes before or after, never between.
    const revision = body.write ? await nextRevision(tx, organizationId) : null
    const here = await whatIsHere(call)
    const rows: ImportedOutcome[] = []
    for (const row of body.rows) rows.push(await take(call, row, here, revision))
    return { status: 200, body: { rows } }
  },
)

async function whatIsHere(call: ImportCall): Promise<Here> {
  const { tx, organizationId, body, today } = call
  const numbers = body.rows.map(({ values }) => numberOf(values)).filter((number) => number !== '')
  const ids = numbers.map((number) => importedId(organizationId, number))
  const found = await tx
    .selectFrom('invoices')
    .select(['id', 'number', 'status', 'deletedAt'])
    .where('organizationId', '=', organizationId)
    .where((eb) => eb.or([eb('id', 'in', [organizationId, ...ids]), eb('number', 'in', ['', ...numbers])]))
    .execute()
  const there = found.filter(({ deletedAt }) => deletedAt === null)
  const whole = await findInvoices(
    tx,
    organizationId,
    there.map(({ id }) => id),
    today,
  )
  return {
    organization: await organizationOf(call),
    customers: await customersLike(
      tx,
      organizationId,
      body.rows.map(({ values }) => customerMatchKeys(customerOf(values))),
    ),
    imported: new Map(found.map(({ id, status, deletedAt }) => [id, { status, isDeleted: deletedAt !== null }])),
    numbers: new Map(found.flatMap(({ id, number }) => (number === null ? [] : [[number, id] as const]))),
    invoices: new Map(whole.map((invoice) => [invoice.id, invoice])),
  }
}

async function take(call: ImportCall, row: ImportedRow, here: Here, revision: bigint | null): Promise<ImportedOutcome> {
  const { tx, organizationId, now, today } = call
  const number = numberOf(row.values)
  if (number === '') return badField(row, '/number', 'Enter the number that the invoice had')
  const own = here.numbers.get(number)
  // One's own export, brought back.
  if (own !== undefined) return asIssued(row, here, own)
  if ((row.values['type'] ?? '380') !== '380')
    return badField(row, '/type', 'Only invoices are imported: a credit note is made from its invoice')
  const id = importedId(organizationId, number)
  const known = here.imported.get(id)
  if (known?.isDeleted) return badField(row, '/number', 'Was imported before, and its draft deleted since')
  // Issued since: it cannot be changed, and need not be.
  if (known && known.status !== 'draft') return asIssued(row, here, id)
  const before = here.invoices.get(id) ?? null
  const found = customerHere(row, here)
  if ('problem' in found) return badField(row, '/customer/name', found.problem)
  const drafted = draftOf(row, before, found.customer, here.organization)
  if ('errors' in drafted) return bad(row, drafted.errors, before?.id ?? null)
  if (before && drafted.isSame) return outcome(row, 'same', id)
  const what = before ? 'changed' : 'new'
  const gross = grossOfDraft(drafted.draft)
  if (revision === null) return outcome(row, what, before?.id ?? null, { gross })
  if (before) await updateDraft(tx, organizationId, id, drafted.draft, before.version, revision, now)
  else await insertDraft(tx, organizationId, id, drafted.draft, revision, now)
  const after = (await findInvoice(tx, organizationId, id, today))!
  await noteRow(call, before ? 'saveInvoice' : 'createInvoice', 'invoice', before, after)
  // The same number again in this call is about the same draft.
  here.imported.set(id, { status: 'draft', isDeleted: false })
  here.invoices.set(id, after)
  return outcome(row, what, id, { gross })
}

/** It cannot be changed, and need not be, unless it is another that has its number. What the file does not say, or says in a way that cannot be used, is no difference. */
function asIssued(row: ImportedRow, here: Here, id: string): ImportedOutcome {
  const invoice = here.invoices.get(id)
  const isOther = (what: string) => badField(row, '/number', what)
  if (!invoice) return outcome(row, 'same', id)
  const { currency } = row.values
  if (typeof currency === 'string' && currency !== invoice.currency)
    return isOther('An invoice with this number is here, in another currency')
  const found = customerHere(row, here)
  if ('problem' in found) return outcome(row, 'same', id)
  if (found.customer.id !== invoice.customerId)
    return isOther('An invoice with this number is here, for another customer')
  const said = grossOf(row.values)
  const reckoned = said === undefined ? draftOf(row, null, found.customer, here.organization) : null
  const gross = reckoned && 'draft' in reckoned ? grossOfDraft(reckoned.draft).amount : said
  if (gross === undefined || !parseMoney(gross, invoice.currency).ok) return outcome(row, 'same', id)
  const isSame = minorUnitsOf({ amount: gross, currency: invoice.currency }) === minorUnitsOf(invoice.gross)
  return isSame ? outcome(row, 'same', id) : isOther('An invoice with this number is here, with another total')
}

const grossOfDraft = ({ amounts, content }: Draft) => toMoney(amounts.totals.gross, content.currency)

function grossOf({ totals }: Values): string | undefined {
  const gross = (totals as Values | undefined)?.['gross']
  return typeof gross === 'string' ? gross : undefined
}

function customerHere({ values }: ImportedRow, { customers }: Here): { customer: Customer } | { problem: string } {
  const named = customerOf(values)
  const keys = customerMatchKeys(named)
  if (keys.every((key) => key === null)) return { problem: 'Name the customer' }
  const matches = matchesOf(keys, customers)
  if (matches.length > 1) return { problem: 'Several customers here are like this one: name it by its ID' }
  if (!matches[0]) return { problem: `No customer here is called ${nameOf(named)}: import the customers first` }
  return { customer: matches[0] }
}

/**
 * A rate is for two currencies: what the draft had for others is gone. Other programs write a 1 beside what is in the own currency, and a rate of no day
 * from nowhere beside what is not: neither says anything, and neither is a reason to leave a row out.
 */
function exchangeOver(before: Invoice | null, said: unknown, pair: { from: unknown; to: string }): unknown {
  const had = before?.exchange?.from === pair.from && before?.exchange?.to === pair.to ? before.exchange : null
  if (said === undefined) return had
  // The contract's to take, where it is null, or to refuse.
  if (said === null || typeof said !== 'object') return said
  const { rate = '1', date, source } = said as Values
  if (pair.from === pair.to && typeof rate === 'string' && /^1(\.0*)?$/.test(rate)) return null
  if (!had && !date && !source) return null
  return { ...pair, ...had, ...said }
}

/** The lines of a file take the place of the draft's, but for the ids of those that stay where they are. */
function draftOf(
  { values }: ImportedRow,
  before: Invoice | null,
  customer: Customer,
  organization: Organization,
): { draft: Draft; isSame: boolean } | { errors: { pointer: string; detail: string }[] } {
  const { number: _, customer: __, type: ___, totals: ____, lines, ...said } = values
  const asked = Array.isArray(lines) ? (lines as Values[]) : []
  const gross = grossOf(values)
  const laid = over(before ?? {}, said)
  const currency = laid['currency'] ?? customer.currency ?? organization.currency
  laid['exchange'] = exchangeOver(before, said['exchange'], {
    from: currency,
    to: organization.currency,
  })
  const judged = judge(invoiceEdit, {
    ...laid,
    customerId: customer.id,
    currency,
    totals: { gross: gross === undefined ? undefined : { amount: gross, currency } },
    lines: asked.map((line, index) => ({
      quantity: '1',
      ...line,
      vat: vatOver(organization, undefined, line['vat']),
      ...(before?.lines[index] && { id: before.lines[index].id }),
    })),
  })
  if (!judged.ok) return { errors: judged.errors }
  if (judged.edit.lines.length === 0) return { errors: [{ pointer: '/lines', detail: 'Has no line' }] }
  try {
    const draft = completeDraft(judged.edit, organization, customer)
    return { draft, isSame: before !== null && asksForTheSame(judged.edit, draft.content, before) }
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error
    return { errors: error.problem.errors ?? [{ pointer: '', detail: error.problem.title }] }
  }
}

/** A UUID of version 8 out of the number: a second import of the same file finds the draft, whatever was done to it since. */
function importedId(organizationId: string, number: string): string {
  const hex = createHash('sha256').update(`${organizationId} imported ${number}`).digest('hex')
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-a$4-$5')
}

function numberOf({ number }: Values): string {
  // No database looks for NUL.
  return typeof number === 'string' ? number.replaceAll('\0', '').trim().slice(0, 100) : ''
}

function customerOf({ customer }: Values): Values {
  return typeof customer === 'object' && customer !== null ? (customer as Values) : {}
}

function nameOf({ name, email, vatNumber, id }: Values): string {
  return String(name ?? email ?? vatNumber ?? id)
}
