// The second wall: raw SQL in the roles the server uses. What a forgotten WHERE would show, the database refuses.
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import fs from 'node:fs'
import path from 'node:path'
import type { Organization } from '#shared/contract/organizations.ts'
import type { Invoice } from '#shared/contract/invoices.ts'
import { startTestApp, verifiedActor, type Actor, type TestApp } from '#tests/support/app.ts'
import { issue, makeCustomer, makeInvoice, makeOrganization } from '#tests/support/builders.ts'
import { engines, openFresh, type FreshDatabase } from '#tests/support/database.ts'

const tenantTables = [
  'customers',
  'invoices',
  'invoice_lines',
  'issued_invoices',
  'number_series',
  'number_counters',
  'organization_revisions',
  'idempotency',
]

describe.each(engines)('on %s', (engine) => {
  let app: TestApp
  let ann: Actor
  let eve: Actor
  let own: Organization
  let others: Organization
  let issued: Invoice
  let fresh: FreshDatabase
  beforeAll(async () => {
    const database = await openFresh(engine)
    fresh = database
    app = await startTestApp(database)
    ann = await verifiedActor(app)
    eve = await verifiedActor(app)
    own = await makeOrganization(ann)
    others = await makeOrganization(eve)
    for (const [actor, { id }] of [
      [ann, own],
      [eve, others],
    ] as const) {
      issued = await issue(actor, await makeInvoice(actor, id, (await makeCustomer(actor, id)).id))
    }
  })
  afterAll(() => app.db.close())

  /** One statement of a role, scoped as the server scopes it; what it answers, or its SQLSTATE. */
  async function as(role: string, scope: { user?: string; organizations?: string[] }, statement: string) {
    const embedded = () => fs.readFileSync(path.join(fresh.dataDir, 'database.socket'), 'utf8')
    const client = new pg.Client(
      fresh.databaseUrl
        ? { connectionString: fresh.databaseUrl }
        : { host: embedded(), user: 'postgres', database: 'postgres' },
    )
    await client.connect()
    try {
      await client.query(`begin; set local role ${role}`)
      if (scope.user) await client.query(`set local app.user_id = '${scope.user}'`)
      if (scope.organizations) await client.query(`set local app.organization_ids = '${scope.organizations.join(',')}'`)
      const { rows, rowCount } = await client.query(statement)
      return { rows, rowCount, state: null }
    } catch (error) {
      return { rows: [], rowCount: 0, state: (error as pg.DatabaseError).code }
    } finally {
      await client.query('rollback')
      await client.end()
    }
  }

  test.each(tenantTables)('%s: only rows of the organization named, and none when none is', async (table) => {
    const seen = await as(
      'docket_app',
      { user: ann.userId, organizations: [own.id] },
      `select organization_id from ${table}`,
    )
    if (table !== 'idempotency') expect(seen.rows.length).toBeGreaterThan(0)
    expect(seen.rows.every((row) => row.organization_id === own.id)).toBe(true)
    const both = await as(
      'docket_app',
      { organizations: [own.id, others.id] },
      `select distinct organization_id from ${table}`,
    )
    if (table !== 'idempotency') expect(both.rows).toHaveLength(2)
    expect((await as('docket_app', { user: ann.userId }, `select 1 from ${table}`)).rows).toEqual([])
    expect((await as('docket_app', {}, `select 1 from ${table}`)).rows).toEqual([])
  })

  test('organizations and memberships: the user’s own, and the one named', async () => {
    const organizations = await as('docket_app', { user: ann.userId }, 'select id from organizations')
    expect(organizations.rows.map((row) => row.id)).toEqual([own.id])
    const memberships = await as('docket_app', { user: ann.userId }, 'select user_id from memberships')
    expect(memberships.rows.map((row) => row.user_id)).toEqual([ann.userId])
  })

  test('nobody writes across the wall', async () => {
    const scope = { user: ann.userId, organizations: [own.id] }
    expect(
      await as('docket_app', scope, `update customers set name = 'x' where organization_id = '${others.id}'`),
    ).toMatchObject({ rowCount: 0 })
    const moved = await as('docket_app', scope, `update customers set organization_id = '${others.id}'`)
    expect(moved.state).toBe('42501')
    const inserted = `insert into organization_revisions (organization_id, revision) values ('${others.id}', 1)`
    expect((await as('docket_app', scope, inserted)).state).toBe('42501')
  })

  test('what was issued is immutable by privilege', async () => {
    const scope = { organizations: [others.id] }
    for (const statement of [
      `update issued_invoices set number = 'X'`,
      'delete from issued_invoices',
      'truncate issued_invoices',
      `delete from invoices where id = '${issued.id}'`,
    ]) {
      expect((await as('docket_app', scope, statement)).state).toBe('42501')
    }
  })

  test.each(['users', 'sessions', 'refresh_tokens', 'email_tokens', 'signing_keys', 'secrets', 'mails'])(
    'the app’s role cannot read %s',
    async (table) => {
      expect((await as('docket_app', { user: ann.userId }, `select 1 from ${table}`)).state).toBe('42501')
    },
  )

  test.each([...tenantTables.filter((table) => table !== 'idempotency'), 'organizations', 'memberships'])(
    'the role of accounts cannot read %s, nor can the role of jobs',
    async (table) => {
      for (const role of ['docket_auth', 'docket_jobs'])
        expect((await as(role, { organizations: [own.id] }, `select 1 from ${table}`)).state).toBe('42501')
    },
  )

  test('purging sees when an answer was kept, and nothing of it', async () => {
    expect((await as('docket_jobs', {}, 'select created_at from idempotency')).state).toBeNull()
    for (const column of ['body', 'key', 'organization_id'])
      expect((await as('docket_jobs', {}, `select ${column} from idempotency`)).state).toBe('42501')
  })

  test('no role makes tables or roles, or steps around the wall', async () => {
    for (const role of ['docket_app', 'docket_auth', 'docket_jobs']) {
      expect((await as(role, {}, 'create table stray (id int)')).state).toBe('42501')
      expect((await as(role, {}, 'create role stray')).state).toBe('42501')
      const { rows } = await as(role, {}, 'select rolsuper, rolbypassrls from pg_roles where rolname = current_user')
      expect(rows).toEqual([{ rolsuper: false, rolbypassrls: false }])
    }
  })
})
