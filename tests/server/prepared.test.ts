// The embedded database plans a statement once, for whoever asks it: behind the same walls, and anew on the next connection.
import { sql, type RawBuilder } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openDatabase, sqlState, type Database } from '#server/db/database.ts'
import { startTestApp, verifiedActor } from '#tests/support/app.ts'
import { makeCustomer, makeOrganization } from '#tests/support/builders.ts'
import { freshDatabase } from '#tests/support/database.ts'
import { until } from '#tests/support/people.ts'

interface Prepared {
  plans: bigint
  at: string
}

let db: Database
const own: { organizationId: string; customerId: string }[] = []

beforeAll(async () => {
  db = await openDatabase({ ...(await freshDatabase('embedded')), preparedForSeconds: 2 })
  const app = await startTestApp(db)
  for (let person = 0; person < 2; person += 1) {
    const actor = await verifiedActor(app)
    const organizationId = (await makeOrganization(actor)).id
    own.push({ organizationId, customerId: (await makeCustomer(actor, organizationId)).id })
  }
})
afterAll(() => db.close())

/** No condition of its own but one that is always true: what it finds is what the wall lets through. */
const customersSeen = (): RawBuilder<{ id: string }> => sql`select id from customers where 1 = ${1}::int`

/** How that statement stands on this connection; null: it was not asked there yet. */
async function prepared(): Promise<Prepared | null> {
  const { rows } = await db.asJobs((tx) =>
    sql<Prepared>`select generic_plans as plans, prepare_time as at from pg_prepared_statements
      where statement like 'select id from customers where 1 =%'`.execute(tx),
  )
  return rows[0] ?? null
}

it('shows each organization its own rows, and a role without the right none, however often one plan is used', async () => {
  await until(async () => {
    for (const { organizationId, customerId } of own) {
      const { rows } = await db.asApp({ organizationIds: [organizationId] }, (tx) => customersSeen().execute(tx))
      expect(rows).toEqual([{ id: customerId }])
    }
    const none = await db.asApp({}, (tx) => customersSeen().execute(tx))
    expect(none.rows).toEqual([])
    const refused = await db.asAuth((tx) => customersSeen().execute(tx)).catch(sqlState)
    expect(refused).toBe('42501')
    return ((await prepared())?.plans ?? 0n) > 0n
  })
})

it('begins anew on the next connection, which finds nothing of what the one before has prepared', async () => {
  const ask = async () => {
    const { organizationId, customerId } = own[0]!
    const { rows } = await db.asApp({ organizationIds: [organizationId] }, (tx) => customersSeen().execute(tx))
    expect(rows).toEqual([{ id: customerId }])
    return prepared()
  }
  const before = await until(ask)
  await until(async () => {
    const after = await ask()
    // Between the two questions of one look the connection may end as well.
    return after !== null && after.at !== before.at
  })
})
