import type { Activity, ActivityPage, ActivityQuery } from '#shared/contract/activity.ts'
import { isUuid } from '#shared/ids.ts'
import type { Tx } from '#server/db/database.ts'
import { pageStart, toPage } from '#server/http/paging.ts'
import { fieldProblem } from '#server/http/problems.ts'

/** Newest first; ids are in the order of time. */
export async function listActivity(tx: Tx, organizationId: string, asked: ActivityQuery): Promise<ActivityPage> {
  const { kind, userId, subjectId, limit } = asked
  const start = pageStart(asked, 'text')
  if (start && !isUuid(start.id)) throw fieldProblem('/query/cursor', 'This page mark is not one of ours')
  let query = tx
    .selectFrom('activity')
    .leftJoin('members', (join) =>
      join.onRef('members.organizationId', '=', 'activity.organizationId').onRef('members.id', '=', 'activity.userId'),
    )
    .selectAll('activity')
    .select('members.name as userName')
    .where('activity.organizationId', '=', organizationId)
    .orderBy('activity.id', 'desc')
    .limit(limit + 1)
  if (kind !== undefined) query = query.where('kind', '=', kind)
  if (userId !== undefined) query = query.where('userId', '=', userId)
  if (subjectId !== undefined) query = query.where('subjectId', '=', subjectId)
  if (start) query = query.where('activity.id', '<', start.id)
  return toPage(
    await query.execute(),
    asked,
    ({ at, id }) => ({ key: at, id }),
    ({ organizationId: _, userName, changes, ...row }) => ({
      ...row,
      userName: userName ?? '',
      changes: changes as Activity['changes'],
    }),
  )
}
