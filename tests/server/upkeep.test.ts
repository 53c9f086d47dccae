// The embedded database is checkpointed and vacuumed while it is used: between two transactions, never within one.
import { sql } from 'kysely'
import { afterAll, expect, it, vi } from 'vitest'
import { openDatabase, type Database } from '#server/db/database.ts'
import { freshDatabase } from '#tests/support/database.ts'

let db: Database
afterAll(() => db.close())

it('breaks no transaction that is under way, and is done', async () => {
  const complaints = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  const fresh = await freshDatabase('embedded')
  db = await openDatabase({ ...fresh, upkeepEveryMs: { checkpoint: 5, vacuum: 300 } })
  const broken: unknown[] = []
  for (let transactions = 0; transactions < 40; transactions += 1)
    await db
      .asJobs(async (tx) => {
        for (let statements = 0; statements < 5; statements += 1) {
          await sql`select 1`.execute(tx)
          await new Promise((resolve) => setTimeout(resolve, 1))
        }
      })
      .catch((error: unknown) => broken.push(error))
  expect(broken).toEqual([])
  const { rows } = await db.asJobs((tx) =>
    sql<{ vacuumed: bigint }>`
      select count(*) filter (where vacuum_count > 0) as "vacuumed" from pg_stat_all_tables where schemaname = 'public'`.execute(
      tx,
    ),
  )
  expect(Number(rows[0]!.vacuumed)).toBeGreaterThan(0)
  expect(complaints.mock.calls).toEqual([])
})
