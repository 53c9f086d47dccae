// The changes feed: every kind of row by its revision, merged into one order that no later commit can get in front of.
import { sql } from 'kysely'
import type * as z from 'zod'
import type { Change, Changes, changesQuery } from '#shared/contract/changes.ts'
import { readFeedMark, writeFeedMark, type FeedPlace } from '#shared/feed-mark.ts'
import { isUuid } from '#shared/ids.ts'
import { ProblemError } from '#shared/problem.ts'
import { customerFromRow } from '#server/rows/customer-row.ts'
import type { Tx } from '#server/db/database.ts'
import { itemFromRow } from '#server/rows/item-row.ts'
import { findMembers } from '#server/rows/member-row.ts'
import { fieldProblem } from '#server/http/problems.ts'
import { findRows } from '#server/rows/versioned-rows.ts'
import { findPayments } from '#server/rows/payment-row.ts'
import { asManyAs } from '#server/rows/weight.ts'
import { findInvoices, weighInvoices } from '#server/rows/whole-invoice.ts'

/** In the order in which rows of one revision are told: what others point to comes first. */
const kinds = ['customer', 'item', 'invoice', 'payment', 'member'] as const
type Kind = (typeof kinds)[number]
const tables = {
  customer: 'customers',
  item: 'items',
  invoice: 'invoices',
  payment: 'payments',
  member: 'members',
} as const

/** Of the invoices in one answer. */
const mostBytes = 4 * 1024 * 1024

type Place = FeedPlace & { kind: Kind | null }

interface Told {
  kind: Kind
  id: string
  revision: bigint
  deletedAt: string | null
}

export async function findChanges(
  tx: Tx,
  organizationId: string,
  { since, limit }: z.infer<typeof changesQuery>,
  today: string,
): Promise<Changes> {
  const place = readPlace(since)
  // Everything up to this revision is committed, because writers take it under a lock that they hold to their end (revision.ts); what is
  // committed from now on is after it and waits for the next call, whichever of the queries below might see it.
  const { revision: upTo, epoch } = await tx
    .selectFrom('organizationRevisions')
    .select(['revision', 'epoch'])
    .where('organizationId', '=', organizationId)
    .executeTakeFirstOrThrow()
  // A database that was put back to an older state: the device holds what never happened, and begins anew. One that was put back by other
  // means than Docket's own has the epoch it had, and is known only until it has come as far as the device.
  const isBeginning = place.revision === 0n && place.kind === null
  if (place.revision > upTo || (place.epoch !== epoch && !isBeginning)) throw new ProblemError('changes_lost')
  const found: Told[] = []
  for (const kind of kinds) found.push(...(await changedOf(tx, organizationId, kind, place, upTo, limit + 1)))
  const ordered = found.toSorted(
    (a, b) =>
      Number(a.revision - b.revision) || kinds.indexOf(a.kind) - kinds.indexOf(b.kind) || (a.id < b.id ? -1 : 1),
  )
  const told = await lightEnough(tx, organizationId, ordered.slice(0, limit))
  const more = ordered.length > told.length
  const last = told.at(-1)
  return {
    data: await withRows(tx, organizationId, told, today),
    page: {
      next: writeFeedMark({ epoch, ...(more && last ? last : { revision: upTo, kind: null, id: null }) }),
      more,
      limit,
      ...(since === '' && { total: await countRows(tx, organizationId) }),
    },
  }
}

/** As many of these as are answered at once: five hundred invoices are a megabyte, or, each with hundreds of long lines, hundreds of them. */
async function lightEnough(tx: Tx, organizationId: string, told: readonly Told[]): Promise<readonly Told[]> {
  const ids = told.filter(({ kind, deletedAt }) => kind === 'invoice' && deletedAt === null).map(({ id }) => id)
  if (ids.length < 2) return told
  const bytesOf = await weighInvoices(tx, organizationId, ids)
  return asManyAs(told, mostBytes, ({ id }) => bytesOf.get(id) ?? 0)
}

async function changedOf(
  tx: Tx,
  organizationId: string,
  kind: Kind,
  after: Place,
  upTo: bigint,
  limit: number,
): Promise<Told[]> {
  const rows = await tx
    .selectFrom(tables[kind])
    // A payment is never deleted.
    .select(['id', 'revision', kind === 'payment' ? sql<null>`null`.as('deletedAt') : 'deletedAt'])
    .where('organizationId', '=', organizationId)
    .where('revision', '<=', upTo)
    .where((eb) => {
      const { revision } = after
      // Without a kind all of that revision was told.
      const order = after.kind === null ? -1 : kinds.indexOf(kind) - kinds.indexOf(after.kind)
      if (order < 0) return eb('revision', '>', revision)
      if (order > 0) return eb('revision', '>=', revision)
      return eb(eb.refTuple('revision', 'id'), '>', eb.tuple(revision, after.id!))
    })
    .orderBy('revision')
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map((row) => ({ kind, ...row }))
}

async function withRows(tx: Tx, organizationId: string, told: readonly Told[], today: string): Promise<Change[]> {
  const ids = (kind: Kind) => told.filter((each) => each.kind === kind && each.deletedAt === null).map(({ id }) => id)
  // Deleted since it was told: the tombstone comes early.
  const customers = await findRows(tx, 'customers', organizationId, ids('customer'))
  const items = await findRows(tx, 'items', organizationId, ids('item'))
  const invoices = await findInvoices(tx, organizationId, ids('invoice'), today)
  const payments = await findPayments(tx, organizationId, ids('payment'))
  const members = await findMembers(tx, organizationId, ids('member'))
  const rows = {
    customer: new Map(customers.map((row) => [row.id, customerFromRow(row)])),
    item: new Map(items.map((row) => [row.id, itemFromRow(row)])),
    invoice: new Map(invoices.map((row) => [row.id, row])),
    payment: new Map(payments.map((row) => [row.id, row])),
    member: new Map(members.map((row) => [row.id, row])),
  }
  return told.map(({ kind, id, revision }) => ({
    kind,
    id,
    revision: Number(revision),
    row: rows[kind].get(id) ?? null,
  })) as Change[]
}

async function countRows(tx: Tx, organizationId: string): Promise<number> {
  let total = 0
  for (const kind of kinds) {
    const { count } = await tx
      .selectFrom(tables[kind])
      .select((eb) => eb.fn.countAll<bigint>().as('count'))
      .where('organizationId', '=', organizationId)
      .executeTakeFirstOrThrow()
    total += Number(count)
  }
  return total
}

function readPlace(since: string): Place {
  const place = readFeedMark(since)
  if (!place || !isOurs(place)) throw fieldProblem('/query/since', 'This mark is not one of ours')
  return place
}

function isOurs(place: FeedPlace): place is Place {
  return place.kind === null || ((kinds as readonly string[]).includes(place.kind) && isUuid(place.id!))
}
