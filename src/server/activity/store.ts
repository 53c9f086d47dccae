import type { ActivityPage, ActivityQuery } from '#shared/contract/activity.ts'
import { isUuid } from '#shared/ids.ts'
import type { Tx } from '#server/db/database.ts'
import { pageStart, toPage } from '#server/http/paging.ts'
import { fieldProblem } from '#server/http/problems.ts'
import { activityFromRow, activityRows } from '#server/rows/activity-row.ts'

/** Newest first; ids are in the order of time. */
export async function listActivity(tx: Tx, organizationId: string, asked: ActivityQuery): Promise<ActivityPage> {
  const { kind, userId, subjectId, limit } = asked
  const start = pageStart(asked, 'text')
  if (start && !isUuid(start.id)) throw fieldProblem('/query/cursor', 'This page mark is not one of ours')
  let query = activityRows(tx, organizationId)
    .orderBy('activity.id', 'desc')
    .limit(limit + 1)
  if (kind !== undefined) query = query.where('kind', '=', kind)
  if (userId !== undefined) query = query.where('userId', '=', userId)
  if (subjectId !== undefined) query = query.where('subjectId', '=', subjectId)
  if (start) query = query.where('activity.id', '<', start.id)
  return toPage(await query.execute(), asked, ({ at, id }) => ({ key: at, id }), activityFromRow)
}
