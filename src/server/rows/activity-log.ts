// What is written down of every write in an organization, in its own transaction: by the road of all calls (endpoint.ts), so that no handler forgets it.
import { isDeepStrictEqual } from 'node:util'
import type { Endpoint } from '#shared/endpoint.ts'
import { uuidv7 } from '#shared/ids.ts'
import type { Activity } from '#shared/contract/activity.ts'
import type { Answer } from '#server/context.ts'
import { readRow, type Named, type Place } from './named-row.ts'

interface Subject {
  kind: string
  id: string
}

type Row = Readonly<Record<string, unknown>>

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

/** After the work: what it answered, or what is there now, is compared with the row that was read before it. */
export async function recordWrite(
  place: Place,
  name: string,
  endpoint: Endpoint,
  named: Named,
  answer: Answer,
): Promise<void> {
  const { kind, id } = named
  const before = named.row as Row | null
  const answered = (answer.body ?? null) as Row | null
  const isMade = answer.status === 201 && typeof answered?.['id'] === 'string'
  // The same again: it was there.
  if (id === null && !isMade) return
  const isAnswered = isMade || answered?.['id'] === id
  const after = isDeleted(endpoint) ? null : isAnswered ? answered : ((await readRow(place, named)) as Row | null)
  const row = after ?? before
  // It is made by a path of its own, and from then on has that of invoices.
  const shown = kind === 'invoice' && row?.['type'] === '381' ? 'credit-note' : kind
  const subject = { kind: shown, id: isMade ? (answered['id'] as string) : id! }
  const changes = changesOf(kind, isMade ? null : before, after)
  if (changes.length > 0) await recordActivity(place, name, subject, labelOf(row), changes)
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
