import type { ActivityPage, ActivityQuery } from '#shared/contract/activity.ts'
import { isUuid } from '#shared/ids.ts'
import type { Tx } from '#server/db/database.ts'
import { pageStart, toPage } from '#server/http/paging.ts'
import { fieldProblem } from '#server/http/problems.ts'
import { findActivity, lightEnough } from '#server/rows/activity-row.ts'

/** Newest first; ids are in the order of time. */
export async function listActivity(tx: Tx, organizationId: string, asked: ActivityQuery): Promise<ActivityPage> {
  const { kind, userId, subjectId, limit } = asked
  const start = pageStart(asked, 'text')
  if (start && !isUuid(start.id)) throw fieldProblem('/query/cursor', 'This page mark is not one of ours')
  let query = tx
    .selectFrom('activity')
    .select(['id', 'at'])
    .where('organizationId', '=', organizationId)
    .orderBy('id', 'desc')
    .limit(limit + 1)
  if (kind !== undefined) query = query.where('kind', '=', kind)
  if (userId !== undefined) query = query.where('userId', '=', userId)
  if (subjectId !== undefined) query = query.where('subjectId', '=', subjectId)
  if (start) query = query.where('id', '<', start.id)
  const found = await query.execute()
  const ids = found.slice(0, limit).map(({ id }) => id)
  const read = await lightEnough(tx, organizationId, ids)
  const rows = new Map((await findActivity(tx, organizationId, read)).map((row) => [row.id, row]))
  const page = { ...asked, limit: read.length < ids.length ? read.length : limit }
  return toPage(
    found,
    page,
    ({ at, id }) => ({ key: at, id }),
    ({ id }) => rows.get(id)!,
  )
}
