// What the server still has to do for an organization, and what of it failed.
import type { Database } from '#server/db/database.ts'
import type { Actor } from './app.ts'

/** When the job is to look at this organization again; undefined when it has nothing to do there. */
export async function dueAtOf(db: Database, organizationId: string, kind: string): Promise<string | undefined> {
  const row = await db.asJobs((tx) =>
    tx
      .selectFrom('dueWork')
      .select('dueAt')
      .where('organizationId', '=', organizationId)
      .where('kind', '=', kind)
      .executeTakeFirst(),
  )
  return row?.dueAt
}

/** What the person is told failed there. */
export async function failureCountOf(actor: Actor, organizationId: string): Promise<number> {
  const counts: { organizationId: string; count: number }[] = (await actor.send('GET', '/failures')).body.data
  return counts.find((each) => each.organizationId === organizationId)?.count ?? 0
}
