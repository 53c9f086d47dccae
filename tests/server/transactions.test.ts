// A transaction's first statement is sent along with its beginning: what could not begin in its role does nothing, and the next one is none the worse.
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sqlState, withMaintenanceClient, type Database, type Tx } from '#server/db/database.ts'
import { openFresh, type FreshDatabase } from '#tests/support/database.ts'

let db: Database & FreshDatabase
beforeAll(async () => {
  db = await openFresh('embedded')
})
afterAll(() => db.close())

const whoAsks = async (tx: Tx) => (await sql<{ who: string }>`select current_user as "who"`.execute(tx)).rows[0]!.who

it('does nothing in a role that it could not take', async () => {
  const rename = (from: string, to: string) =>
    withMaintenanceClient(db, 'running', (owner) => owner.query(`alter role ${from} rename to ${to}`))
  await rename('docket_purge', 'docket_gone')
  let heard: unknown
  const asked = db.asPurge(async (tx) => {
    heard = await whoAsks(tx).catch(sqlState)
  })
  // invalid_parameter_value: no such role; in_failed_sql_transaction.
  expect(await asked.catch(sqlState)).toBe('22023')
  expect(heard).toBe('25P02')
  await rename('docket_gone', 'docket_purge')
  expect(await db.asPurge(whoAsks)).toBe('docket_purge')
})
