import type { Activity, ActivityPage, ActivityQuery } from '#shared/contract/activity.ts'
import { isUuid } from '#shared/ids.ts'
import type { Tx } from '#server/db/database.ts'
import { pageStart, toPage } from '#server/http/paging.ts'
import { fieldProblem } from '#server/http/problems.ts'

const rows = (tx: Tx, organizationId: string) =>
  tx
    .selectFrom('activity')
    .leftJoin('members', (join) =>
      join.onRef('members.organizationId', '=', 'activity.organizationId').onRef('members.id', '=', 'activity.userId'),
    )
    .selectAll('activity')
    .select('members.name as userName')
    .where('activity.organizationId', '=', organizationId)

type Row = Awaited<ReturnType<ReturnType<typeof rows>['execute']>>[number]

/** Newest first; ids are in the order of time. */
export async function listActivity(tx: Tx, organizationId: string, asked: ActivityQuery): Promise<ActivityPage> {
  const { kind, userId, subjectId, limit } = asked
  const start = pageStart(asked, 'text')
  if (start && !isUuid(start.id)) throw fieldProblem('/query/cursor', 'This page mark is not one of ours')
  let query = rows(tx, organizationId)
    .orderBy('activity.id', 'desc')
    .limit(limit + 1)
  if (kind !== undefined) query = query.where('kind', '=', kind)
  if (userId !== undefined) query = query.where('userId', '=', userId)
  if (subjectId !== undefined) query = query.where('subjectId', '=', subjectId)
  if (start) query = query.where('activity.id', '<', start.id)
  return toPage(await query.execute(), asked, ({ at, id }) => ({ key: at, id }), fromRow)
}

/** In no order. */
export async function findActivity(tx: Tx, organizationId: string, ids: readonly string[]): Promise<Activity[]> {
  if (ids.length === 0) return []
  return (await rows(tx, organizationId).where('activity.id', 'in', ids).execute()).map(fromRow)
}

function fromRow({ organizationId: _, userName, changes, ...row }: Row): Activity {
  return { ...row, userName: userName ?? '', changes: changes as Activity['changes'] }
}
