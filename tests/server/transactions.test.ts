// A transaction that could not begin, or whose connection breaks: it did nothing, whoever asked for it hears so, and the next one is none the worse.
import { sql } from 'kysely'
import pg from 'pg'
import { expect, it, onTestFinished, vi } from 'vitest'
import { sqlState, withMaintenanceClient, type Tx } from '#server/db/database.ts'
import { engines, openFresh, type Engine } from '#tests/support/database.ts'

async function opened(engine: Engine) {
  const db = await openFresh(engine)
  onTestFinished(() => db.close())
  return db
}

const whoAsks = async (tx: Tx) => (await sql<{ who: string }>`select current_user as "who"`.execute(tx)).rows[0]!.who

it.each(engines)('goes on after a value that cannot be sent, on %s', async (engine) => {
  const db = await opened(engine)
  const ask = (value: unknown) =>
    db.asApp({}, async (tx) => (await sql<{ said: string }>`select ${value}::text as "said"`.execute(tx)).rows[0]?.said)
  expect(await ask('first')).toBe('first')
  await expect(ask({ none: 1n })).rejects.toThrow('BigInt')
  expect(await ask('again')).toBe('again')
})

// On a server all databases share their roles.
it('does nothing in a role that it could not take, on embedded', async () => {
  const db = await opened('embedded')
  const rename = (from: string, to: string) =>
    withMaintenanceClient(db, 'running', (owner) => owner.query(`alter role ${from} rename to ${to}`))
  await rename('docket_purge', 'docket_gone')
  const work = vi.fn<typeof whoAsks>(whoAsks)
  // invalid_parameter_value: no such role.
  expect(await db.asPurge(work).catch(sqlState)).toBe('22023')
  expect(work).not.toHaveBeenCalled()
  await rename('docket_gone', 'docket_purge')
  expect(await db.asPurge(whoAsks)).toBe('docket_purge')
})

it('lives on when the server ends a connection in the middle of a transaction, on postgresql', async () => {
  const db = await opened('postgresql')
  const operator = new pg.Client({ connectionString: db.databaseUrl })
  await operator.connect()
  onTestFinished(() => operator.end())
  const broken = db.asApp({}, async (tx) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as "pid"`.execute(tx)
    await operator.query('select pg_terminate_backend($1)', [rows[0]!.pid])
    for (;;) await whoAsks(tx)
  })
  // How it hears of it depends on what was on its way: the server's own words, or those of a socket that is gone.
  expect(await broken.catch((error: unknown) => error)).toBeInstanceOf(Error)
  expect(await db.asApp({}, whoAsks)).toBe('docket_app')
})
