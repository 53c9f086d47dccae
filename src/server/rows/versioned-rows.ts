// What customers, items and members have in common: a row with a version that a change names, and a tombstone in its place when it is deleted.
import type { Tx } from '#server/db/database.ts'
import type { Customers, Items, Members } from '#server/db/tables.ts'
import { pageStart, type PageAsked } from '#server/http/paging.ts'
import { searched } from './search.ts'

interface Tables {
  customers: Customers
  items: Items
  members: Members
}
type Table = keyof Tables
/** As it is read: JSON is parsed. */
export type RowOf<Name extends Table> = {
  [Column in keyof Tables[Name]]: Tables[Name][Column] extends string | number | bigint | null
    ? Tables[Name][Column]
    : unknown
}

// The columns that are named here are the same in each of the tables; Kysely knows one table at a time.
const asOne = (table: Table) => table as 'customers'

/** Those of these ids that are there, in no order. */
export async function findRows<Name extends Table>(
  tx: Tx,
  table: Name,
  organizationId: string,
  ids: readonly string[],
): Promise<RowOf<Name>[]> {
  if (ids.length === 0) return []
  const rows = await tx
    .selectFrom(asOne(table))
    .selectAll()
    .where('organizationId', '=', organizationId)
    .where('id', 'in', ids)
    .where('deletedAt', 'is', null)
    .execute()
  return rows as unknown as RowOf<Name>[]
}

export async function findRow<Name extends Table>(
  tx: Tx,
  table: Name,
  organizationId: string,
  id: string,
): Promise<RowOf<Name> | null> {
  return (await findRows(tx, table, organizationId, [id]))[0] ?? null
}

/** One more than the limit, when there are more. */
export async function listRows<Name extends Table>(
  tx: Tx,
  table: Name,
  organizationId: string,
  asked: PageAsked & { sort: string; q?: string | undefined },
): Promise<{ rows: RowOf<Name>[]; column: 'nameKey' | 'updatedAt' }> {
  const descending = asked.sort.startsWith('-')
  const column = asked.sort === '-updatedAt' ? 'updatedAt' : 'nameKey'
  const direction = descending ? 'desc' : 'asc'
  const start = pageStart(asked, column === 'updatedAt' ? 'instant' : 'text')
  let query = tx
    .selectFrom(asOne(table))
    .selectAll()
    .where('organizationId', '=', organizationId)
    .where('deletedAt', 'is', null)
    .orderBy(column, direction)
    .orderBy('id', direction)
    .limit(asked.limit + 1)
  if (asked.q) query = query.where((eb) => searched(eb, 'searchKey', asked.q!))
  if (start) {
    const after = descending ? '<' : '>'
    query = query.where((eb) => eb(eb.refTuple(column, 'id'), after, eb.tuple(start.key as string, start.id)))
  }
  return { rows: (await query.execute()) as unknown as RowOf<Name>[], column }
}

interface Fresh {
  version: number
  revision: bigint
  createdAt: string
  updatedAt: string
  deletedAt: null
}

/** The columns of a row that has just been made. */
export function freshRow(revision: bigint, now: string): Fresh {
  return { version: 1, revision, createdAt: now, updatedAt: now, deletedAt: null }
}

/** Its next version with these columns, or its tombstone. False when the row's version is no longer `version`. */
export async function updateRow(
  tx: Tx,
  table: Table,
  { organizationId, id, version }: { organizationId: string; id: string; version: number },
  columns: object | 'delete',
  revision: bigint,
  now: string,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable(asOne(table))
    .set({
      ...(columns === 'delete' ? { deletedAt: now } : columns),
      version: version + 1,
      revision,
      updatedAt: now,
    })
    .where('organizationId', '=', organizationId)
    .where('id', '=', id)
    .where('version', '=', version)
    .where('deletedAt', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}
