// Who did what, and the one mapping to its contract: for its own resource and the export.
import type { Activity } from '#shared/contract/activity.ts'
import type { Tx } from '#server/db/database.ts'

export const activityRows = (tx: Tx, organizationId: string) =>
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

export function activityFromRow({ organizationId: _, userName, changes, ...row }: Row): Activity {
  return { ...row, userName: userName ?? '', changes: changes as Activity['changes'] }
}
