// What is written down of every write in an organization, in its own transaction: by the road of all calls (endpoint.ts), so that no handler forgets it.
import { isDeepStrictEqual } from 'node:util'
import type { Endpoint } from '#shared/endpoint.ts'
import { uuidv7 } from '#shared/ids.ts'
import type { Activity } from '#shared/contract/activity.ts'
import type { Answer } from '#server/context.ts'
import { findCustomer } from './customer-row.ts'
import type { Tx } from '#server/db/database.ts'
import { findInvitationRow } from './invitation-row.ts'
import { findItem } from './item-row.ts'
import { findMembers } from './member-row.ts'
import { findRecurring } from './recurring-row.ts'
import { findOrganizations } from './organization-row.ts'
import { findPayment } from './payment-row.ts'
import { findQuote } from './quote-row.ts'
import { findInvoices } from './whole-invoice.ts'

interface Place {
  tx: Tx
  organizationId: string
  userId: string
  /** Today in the organization's zone. */
  today: string
  now: string
}

interface Subject {
  kind: string
  id: string
}

type Row = Readonly<Record<string, unknown>>

/** Kind -> the row as the API shows it. What is not here is written down as its call answers it. */
const readers: Readonly<Record<string, (place: Place, id: string) => Promise<object | null | undefined>>> = {
  organization: async ({ tx, userId }, id) => (await findOrganizations(tx, userId, id))[0],
  customer: ({ tx, organizationId }, id) => findCustomer(tx, organizationId, id),
  item: ({ tx, organizationId }, id) => findItem(tx, organizationId, id),
  invoice: async ({ tx, organizationId, today }, id) => (await findInvoices(tx, organizationId, [id], today))[0],
  quote: ({ tx, organizationId, today }, id) => findQuote(tx, organizationId, id, today),
  member: async ({ tx, organizationId }, id) => (await findMembers(tx, organizationId, [id]))[0],
  invitation: ({ tx, organizationId }, id) => findInvitationRow(tx, organizationId, id),
  payment: ({ tx, organizationId }, id) => findPayment(tx, organizationId, id),
  'recurring-invoice': ({ tx, organizationId }, id) => findRecurring(tx, organizationId, id),
}

/** Said elsewhere, reckoned from the rest, or how to reach somebody who may leave. */
const leftOut = new Set(
  'id organizationId version revision createdAt updatedAt net tax gross accountingTax amountDue overdue paymentStatus seller buyer'.split(
    ' ',
  ),
)
const leftOutOf: Readonly<Record<string, readonly string[]>> = {
  organization: ['role'],
  member: ['email'],
  quote: ['history'],
}

/** Of a kind what its changes mean nothing without: only the amount says whether money came or was given back. */
const alwaysTold: Readonly<Record<string, string>> = { payment: 'amount' }

/** Begins before the work, and answers what writes it down after it. */
export async function followWrite(
  place: Place,
  name: string,
  endpoint: Endpoint,
  params: Readonly<Record<string, string>>,
  body: unknown,
): Promise<(answer: Answer) => Promise<void>> {
  const { kind, id } = subjectOf(place, endpoint, params, body)
  const read = async () => (id === null ? null : ((await readers[kind]?.(place, id)) as Row | null | undefined)) ?? null
  const before = await read()
  return async (answer) => {
    const answered = (answer.body ?? null) as Row | null
    const isMade = answer.status === 201 && typeof answered?.['id'] === 'string'
    // The same again: it was there.
    if (id === null && !isMade) return
    const after = isDeleted(endpoint) ? null : isMade || answered?.['id'] === id ? answered : await read()
    const row = after ?? before
    // It is made by a path of its own, and from then on has that of invoices.
    const named = kind === 'invoice' && row?.['type'] === '381' ? 'credit-note' : kind
    const subject = { kind: named, id: isMade ? (answered['id'] as string) : id! }
    const changes = changesOf(kind, isMade ? null : before, after)
    if (changes.length > 0) await recordActivity(place, name, subject, labelOf(row), changes)
  }
}

/** The row that the path names, and not something of it such as its links. */
function isDeleted({ method, path }: Endpoint): boolean {
  return method === 'DELETE' && path.endsWith('}')
}

/** `userId`: null for what a job did. */
export async function recordActivity(
  { tx, organizationId, userId, now }: Omit<Place, 'today' | 'userId'> & { userId: string | null },
  action: string,
  { kind, id: subjectId }: Subject,
  label: string,
  changes: Activity['changes'],
): Promise<void> {
  const row = { organizationId, id: uuidv7(Date.parse(now)), at: now, userId, action, kind, subjectId, label }
  await tx
    .insertInto('activity')
    .values({ ...row, changes: JSON.stringify(changes) })
    .execute()
}

/** By the path: the row that its last id names, the one that a POST to a collection makes (null), or the organization itself. */
function subjectOf(
  { organizationId }: Place,
  { path, method }: Endpoint,
  params: Readonly<Record<string, string>>,
  body: unknown,
): { kind: string; id: string | null } {
  const parts = path.split('/').slice(3)
  if (parts[0] === 'transfer') return { kind: 'member', id: (body as { userId: string }).userId }
  const at = parts.findLastIndex((part) => part.startsWith('{'))
  const isCollection = method === 'POST' && at < parts.length - 1 && parts.at(-1)!.endsWith('s')
  if (isCollection) return { kind: parts.at(-1)!.slice(0, -1), id: null }
  if (at < 0) return { kind: 'organization', id: organizationId }
  return { kind: parts[at - 1]!.slice(0, -1), id: params[parts[at]!.slice(1, -1)]!.toLowerCase() }
}

/** What is not the same, and what that is of; of what was made or deleted, whatever it held. */
function changesOf(kind: string, before: Row | null, after: Row | null): Activity['changes'] {
  const fields = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])
  const isLeftOut = (field: string) => leftOut.has(field) || leftOutOf[kind]?.includes(field)
  const told = [...fields]
    .filter((field) => !isLeftOut(field))
    .map((field) => ({ field, before: before?.[field] ?? null, after: after?.[field] ?? null }))
  const isChanged = (change: (typeof told)[number]) => !isDeepStrictEqual(change.before, change.after)
  return told.some(isChanged) ? told.filter((each) => isChanged(each) || each.field === alwaysTold[kind]) : []
}

/** What is written down of a row that was made or changed by a call about several. */
export function changesBetween(kind: string, before: Row | null, after: Row) {
  return { label: labelOf(after), changes: changesOf(kind, before, after) }
}

function labelOf(row: Row | null): string {
  const names = ['number', 'name', 'customerName', 'email'].map((field) => row?.[field])
  return names.find((name): name is string => typeof name === 'string') ?? ''
}
