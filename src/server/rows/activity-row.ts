// Who did what, and the one mapping to its contract: for its own resource and the export.
import { sql } from 'kysely'
import type { Activity } from '#shared/contract/activity.ts'
import type { Tx } from '#server/db/database.ts'

const activityRows = (tx: Tx, organizationId: string) =>
  tx
    .selectFrom('activity')
    .leftJoin('members', (join) =>
      join.onRef('members.organizationId', '=', 'activity.organizationId').onRef('members.id', '=', 'activity.userId'),
    )
    .selectAll('activity')
    .select('members.name as userName')
    .where('activity.organizationId', '=', organizationId)

type Row = Awaited<ReturnType<ReturnType<typeof activityRows>['execute']>>[number]

/** In no order. */
export async function findActivity(tx: Tx, organizationId: string, ids: readonly string[]): Promise<Activity[]> {
  if (ids.length === 0) return []
  return (await activityRows(tx, organizationId).where('activity.id', 'in', ids).execute()).map(activityFromRow)
}

const mostBytes = 256 * 1024

/**
 * Of these, in their order, as many as are read at once, and one at least: an entry holds what a row was before and after, of a long draft megabytes.
 * Weighed as the database packs them.
 */
export async function lightEnough(tx: Tx, organizationId: string, ids: readonly string[]): Promise<readonly string[]> {
  if (ids.length === 0) return ids
  const weighed = await tx
    .selectFrom('activity')
    .select(['id', sql<number>`pg_column_size(changes)`.as('bytes')])
    .where('organizationId', '=', organizationId)
    .where('id', 'in', ids)
    .execute()
  const bytesOf = new Map(weighed.map(({ id, bytes }) => [id, bytes]))
  let total = 0
  const most = ids.findIndex((id, index) => (total += bytesOf.get(id) ?? 0) > mostBytes && index > 0)
  return most === -1 ? ids : ids.slice(0, most)
}

function activityFromRow({ organizationId: _, userName, changes, ...row }: Row): Activity {
  return { ...row, userName: userName ?? '', changes: changes as Activity['changes'] }
}
