// A transaction that could not begin, or whose connection breaks: it did nothing, whoever asked for it hears so, and the next one is none the worse.
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { sqlState, withMaintenanceClient, type Database, type Tx } from '#server/db/database.ts'
import { engines, openFresh, type FreshDatabase } from '#tests/support/database.ts'

type Opened = Database & FreshDatabase

const whoAsks = async (tx: Tx) => (await sql<{ who: string }>`select current_user as "who"`.execute(tx)).rows[0]!.who

describe.each(engines)('on %s', (engine) => {
  let db: Opened
  beforeAll(async () => {
    db = await openFresh(engine)
  })
  afterAll(() => db.close())

  it('goes on after a value that cannot be sent', async () => {
    const ask = (value: unknown) =>
      db.asApp(
        {},
        async (tx) => (await sql<{ said: string }>`select ${value}::text as "said"`.execute(tx)).rows[0]?.said,
      )
    expect(await ask('first')).toBe('first')
    await expect(ask({ none: 1n })).rejects.toThrow('BigInt')
    expect(await ask('again')).toBe('again')
  })
})

describe('on embedded', () => {
  let db: Opened
  beforeAll(async () => {
    db = await openFresh('embedded')
  })
  afterAll(() => db.close())

  // On a server all databases share their roles.
  it('does nothing in a role that it could not take', async () => {
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
})

describe('on postgresql', () => {
  let db: Opened
  beforeAll(async () => {
    db = await openFresh('postgresql')
  })
  afterAll(() => db.close())

  it('lives on when the server ends a connection in the middle of a transaction', async () => {
    const operator = new pg.Client({ connectionString: db.databaseUrl })
    await operator.connect()
    const broken = db.asApp({}, async (tx) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as "pid"`.execute(tx)
      await operator.query('select pg_terminate_backend($1)', [rows[0]!.pid])
      for (;;) await whoAsks(tx)
    })
    // How it hears of it depends on what was on its way: the server's own words, or those of a socket that is gone.
    expect(await broken.catch((error: unknown) => error)).toBeInstanceOf(Error)
    expect(await db.asApp({}, whoAsks)).toBe('docket_app')
    await operator.end()
  })
})
