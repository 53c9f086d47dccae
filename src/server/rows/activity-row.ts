// Who did what, and the one mapping to its contract: for its own resource and the export.
import type { Activity } from '#shared/contract/activity.ts'
import type { Tx } from '#server/db/database.ts'
import { asManyAs, textBytes } from './weight.ts'

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

const mostBytes = 512 * 1024

/** Of these, in their order, as many as are read at once, and one at least: an entry holds what a row was before and after, of a long draft megabytes. */
export async function lightEnough(tx: Tx, organizationId: string, ids: readonly string[]): Promise<readonly string[]> {
  if (ids.length === 0) return ids
  const weighed = await tx
    .selectFrom('activity')
    .select(['id', textBytes('changes').as('bytes')])
    .where('organizationId', '=', organizationId)
    .where('id', 'in', ids)
    .execute()
  const bytesOf = new Map(weighed.map(({ id, bytes }) => [id, bytes]))
  return asManyAs(ids, mostBytes, (id) => bytesOf.get(id) ?? 0)
}

function activityFromRow({ organizationId: _, userName, changes, ...row }: Row): Activity {
  return { ...row, userName: userName ?? '', changes: changes as Activity['changes'] }
}
