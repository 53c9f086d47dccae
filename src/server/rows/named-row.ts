// The row that the path of a write names: read once before the work, for the work itself and for what is written down of it (activity-log.ts).
import type { Customer } from '#shared/contract/customers.ts'
import type { Invoice } from '#shared/contract/invoices.ts'
import type { Item } from '#shared/contract/items.ts'
import type { Member } from '#shared/contract/members.ts'
import type { Organization } from '#shared/contract/organizations.ts'
import type { Payment } from '#shared/contract/payments.ts'
import type { Quote } from '#shared/contract/quotes.ts'
import type { Recurring } from '#shared/contract/recurring.ts'
import type { Endpoint } from '#shared/endpoint.ts'
import { ProblemError } from '#shared/problem.ts'
import type { TenantCall } from '#server/context.ts'
import type { Tx } from '#server/db/database.ts'
import { findCustomer } from './customer-row.ts'
import { findInvitationRow, type InvitedRow } from './invitation-row.ts'
import { findItem } from './item-row.ts'
import { findMembers } from './member-row.ts'
import { findOrganizations } from './organization-row.ts'
import { findPayment } from './payment-row.ts'
import { findQuote } from './quote-row.ts'
import { findRecurring } from './recurring-row.ts'
import { findInvoice } from './whole-invoice.ts'

export interface Place {
  tx: Tx
  organizationId: string
  userId: string
  /** Today in the organization's zone. */
  today: string
  now: string
}

/** What a write is about: `id` is null for what it makes, `row` where there is none yet or any more, and for a kind that has no reader. */
export interface Named extends Subject {
  row: object | null
}

interface Subject {
  kind: string
  id: string | null
}

interface Rows {
  organization: Organization
  customer: Customer
  item: Item
  invoice: Invoice
  quote: Quote
  member: Member
  invitation: InvitedRow
  payment: Payment
  'recurring-invoice': Recurring
}

type Read<Row> = (place: Place, id: string) => Promise<Row | null | undefined>

/** Kind -> the row as the API shows it. What is not here is written down as its call answers it. */
const readers: { readonly [Kind in keyof Rows]: Read<Rows[Kind]> } = {
  organization: async ({ tx, userId }, id) => (await findOrganizations(tx, userId, id))[0],
  customer: ({ tx, organizationId }, id) => findCustomer(tx, organizationId, id),
  item: ({ tx, organizationId }, id) => findItem(tx, organizationId, id),
  invoice: ({ tx, organizationId, today }, id) => findInvoice(tx, organizationId, id, today),
  quote: ({ tx, organizationId, today }, id) => findQuote(tx, organizationId, id, today),
  member: async ({ tx, organizationId }, id) => (await findMembers(tx, organizationId, [id]))[0],
  invitation: ({ tx, organizationId }, id) => findInvitationRow(tx, organizationId, id),
  payment: ({ tx, organizationId }, id) => findPayment(tx, organizationId, id),
  'recurring-invoice': ({ tx, organizationId }, id) => findRecurring(tx, organizationId, id),
}

/** What a write with this path is about, with its row. */
export async function readNamed(
  place: Place,
  endpoint: Endpoint,
  params: Readonly<Record<string, string>>,
  body: unknown,
): Promise<Named> {
  const subject = subjectOf(place, endpoint, params, body)
  return { ...subject, row: await readRow(place, subject) }
}

/** As it stands now; of a write that makes one there is none. */
export async function readRow(place: Place, { kind, id }: Subject): Promise<object | null> {
  if (id === null) return null
  const read: Read<object> | undefined = readers[kind as keyof Rows]
  return (await read?.(place, id)) ?? null
}

/**
 * As it stood before the work, when nothing was held yet: what is decided behind a lock is read anew there. Throws 404 when there is none, and for a call
 * whose path names no such row.
 */
export function namedRow<Kind extends keyof Rows>(
  { named }: Pick<TenantCall<unknown, unknown>, 'named'>,
  kind: Kind,
): Rows[Kind] {
  if (named?.kind !== kind) throw new TypeError(`The path of this call names no ${kind}`)
  if (!named.row) throw new ProblemError('not_found')
  return named.row as Rows[Kind]
}

/** By the path: the row that its last id names, the one that a POST to a collection makes (null), or the organization itself. */
function subjectOf(
  { organizationId }: Place,
  { path, method }: Endpoint,
  params: Readonly<Record<string, string>>,
  body: unknown,
): Subject {
  const parts = path.split('/').slice(3)
  if (parts[0] === 'transfer') return { kind: 'member', id: (body as { userId: string }).userId }
  const at = parts.findLastIndex((part) => part.startsWith('{'))
  const isCollection = method === 'POST' && at < parts.length - 1 && parts.at(-1)!.endsWith('s')
  if (isCollection) return { kind: parts.at(-1)!.slice(0, -1), id: null }
  if (at < 0) return { kind: 'organization', id: organizationId }
  return { kind: parts[at - 1]!.slice(0, -1), id: params[parts[at]!.slice(1, -1)]!.toLowerCase() }
}
