// The second wall: raw SQL in the roles the server uses. What a forgotten WHERE would show, the database refuses.
import fs from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { todayIn } from '#shared/dates.ts'
import { uuidv7 } from '#shared/ids.ts'
import { makeExports } from '#server/exports/make.ts'
import { repeatInvoices } from '#server/invoices/repeat.ts'
import type { Organization } from '#shared/contract/organizations.ts'
import type { Payment } from '#shared/contract/payments.ts'
import type { Invoice } from '#shared/contract/invoices.ts'
import { startTestApp, verifiedActor, type Actor, type TestApp } from '#tests/support/app.ts'
import { customerBody, organizationBody, remindersBody } from '#tests/support/bodies.ts'
import {
  issue,
  makeCustomer,
  makeInvoice,
  makeItem,
  makeQuote,
  makeRecurring,
  moveQuote,
  recordPayment,
  saveLogo,
} from '#tests/support/builders.ts'
import { engines, openFresh, type FreshDatabase } from '#tests/support/database.ts'

/** Every table of an organization's rows. One that is missing here fails "every table stands behind the wall". */
const tenantTables = [
  'activity',
  'customers',
  'items',
  'members',
  'invoices',
  'invoice_lines',
  'issued_invoices',
  'payments',
  'payment_allocations',
  'payment_reversals',
  'number_series',
  'number_counters',
  'organization_revisions',
  'invoice_files',
  'logos',
  'invoice_mails',
  'idempotency',
  'recurring_invoices',
  'recurring_sendings',
  'quotes',
  'quote_editions',
  'quote_answers',
  'quote_mails',
  'exports',
  'export_files',
  'export_pieces',
  'due_work',
  'reminder_rules',
  'reminder_pauses',
]

/** Found by their token alone, by the role of accounts too: global, and of an organization all the same. */
const byToken = ['public_links', 'quote_links']

/** Of which others than the app need more than when a row was made: nothing in it is a person's. */
const watched = ['idempotency', 'due_work']

/** A role that is not here has no reason to be. */
const roles = ['docket_app', 'docket_auth', 'docket_jobs', 'docket_backup', 'docket_purge']

interface Table {
  name: string
  enabled: boolean
  forced: boolean
  isTenant: boolean
}
/** One privilege of a role: on a whole table, or on one column of a type. */
interface Privilege {
  role: string
  table: string
  privilege: string
  column: string | null
  type: string | null
}
interface Policy {
  table: string
  role: string
  command: string
  permissive: string
  using: string | null
  check: string | null
}

describe.each(engines)('on %s', (engine) => {
  let app: TestApp
  let ann: Actor
  let eve: Actor
  let own: Organization
  let others: Organization
  let issued: Invoice
  let payment: Payment
  let fresh: FreshDatabase
  beforeAll(async () => {
    const database = await openFresh(engine)
    fresh = database
    app = await startTestApp(database)
    ann = await verifiedActor(app)
    eve = await verifiedActor(app)
    const world = async (actor: Actor): Promise<Organization> => {
      // Keys, so that the tables of kept answers have rows too.
      const headers = { 'idempotency-key': 'first' }
      const organization = (await actor.send('POST', '/organizations', { body: organizationBody(), headers })).body
      const customers = `/organizations/${organization.id}/customers`
      expect((await actor.send('POST', customers, { body: customerBody(), headers })).status).toBe(201)
      const buyer = await makeCustomer(actor, organization.id)
      await makeItem(actor, organization.id)
      await makeRecurring(actor, organization.id, buyer.id)
      // To somebody without an address: it stays to be seen.
      const today = todayIn(organization.timeZone, app.nowMs())
      await makeRecurring(actor, organization.id, buyer.id, { startsOn: today, action: 'send' })
      await repeatInvoices({ apiPublicUrl: '', mailQueued: () => {} })(app.db, organization.id, app.nowMs())
      await saveLogo(actor, organization.id)
      await makeInvoice(actor, organization.id, buyer.id)
      issued = await issue(actor, await makeInvoice(actor, organization.id, buyer.id))
      const offered = await makeQuote(actor, organization.id, buyer.id)
      const quotePath = `/organizations/${organization.id}/quotes/${offered.id}`
      const mailed = { body: { to: 'bob@example.com', subject: 'Quote', message: 'Here it is.' } }
      const out = await actor.send('POST', `${quotePath}/send`, { ...mailed, headers: { 'if-match': '"1"' } })
      await moveQuote(actor, out.body, 'answer', { answer: 'declined', name: 'Bob' })
      const invoicePath = `/organizations/${organization.id}/invoices/${issued.id}`
      const sending = { to: 'bob@example.com', subject: 'Invoice', message: 'Here it is.' }
      const sent = { body: sending, headers: { 'if-match': `"${issued.version}"` } }
      expect((await actor.send('POST', `${invoicePath}/send`, sent)).status).toBe(200)
      const paused = { body: { paused: true } }
      expect((await actor.send('PUT', `${invoicePath}/reminders`, paused)).status).toBe(200)
      const rules = { body: remindersBody(), headers: { 'if-match': '"1"' } }
      expect((await actor.send('PUT', `/organizations/${organization.id}/reminders`, rules)).status).toBe(200)
      const asked = { body: { id: uuidv7() } }
      await actor.send('POST', `/organizations/${organization.id}/exports`, asked)
      await makeExports({ publicUrl: '', mailQueued: () => {} })(app.db, organization.id, Date.now())
      payment = await recordPayment(actor, issued, '1.00')
      const reversed = { body: { reason: 'Entered twice' }, headers: { 'if-match': '"1"' } }
      await actor.send('POST', `/organizations/${organization.id}/payments/${payment.id}/reverse`, reversed)
      return organization
    }
    own = await world(ann)
    others = await world(eve)
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

  test.each([...tenantTables, ...byToken])(
    '%s: only rows of the organization named, and none when none is',
    async (table) => {
      const seen = await as(
        'docket_app',
        { user: ann.userId, organizations: [own.id] },
        `select organization_id from ${table}`,
      )
      expect(seen.rows.length).toBeGreaterThan(0)
      expect(seen.rows.every((row) => row.organization_id === own.id)).toBe(true)
      const both = await as(
        'docket_app',
        { organizations: [own.id, others.id] },
        `select distinct organization_id from ${table}`,
      )
      expect(both.rows).toHaveLength(2)
      expect((await as('docket_app', { user: ann.userId }, `select 1 from ${table}`)).rows).toEqual([])
      expect((await as('docket_app', {}, `select 1 from ${table}`)).rows).toEqual([])
    },
  )

  test.each([...tenantTables, ...byToken, 'memberships'])('%s: nothing is written across the wall', async (table) => {
    const scope = { user: ann.userId, organizations: [own.id] }
    const foreign = `organization_id = '${others.id}'`
    // Either no privilege at all, or no row to be seen.
    for (const statement of [
      `update ${table} set ${foreign} where ${foreign}`,
      `delete from ${table} where ${foreign}`,
    ]) {
      const { rowCount, state } = await as('docket_app', scope, statement)
      expect([0, '42501']).toContain(state ?? rowCount)
    }
    expect((await as('docket_app', scope, `update ${table} set ${foreign}`)).state).toBe('42501')
    const copied = `insert into ${table} select (jsonb_populate_record(t, '{"organization_id": "${others.id}"}')).* from ${table} t`
    expect((await as('docket_app', scope, copied)).state).toBe('42501')
    expect((await as('docket_app', {}, copied)).rowCount).toBe(0)
  })

  test('organizations and memberships: the user’s own, and the one named', async () => {
    const organizations = await as('docket_app', { user: ann.userId }, 'select id from organizations')
    expect(organizations.rows.map((row) => row.id)).toEqual([own.id])
    const memberships = await as('docket_app', { user: ann.userId }, 'select user_id from memberships')
    expect(memberships.rows.map((row) => row.user_id)).toEqual([ann.userId])
  })

  test('organizations and memberships: written only where they are named', async () => {
    const foreign = `update organizations set name = 'x' where id = '${others.id}'`
    const scope = { user: ann.userId, organizations: [own.id] }
    expect(await as('docket_app', scope, foreign)).toMatchObject({ rowCount: 0, state: null })
    // Seen because it is the user's own, and yet not named: the wall lets nothing in.
    const unnamed = { user: ann.userId }
    expect((await as('docket_app', unnamed, `update organizations set name = 'x'`)).state).toBe('42501')
    expect((await as('docket_app', unnamed, `update memberships set role = 'owner'`)).state).toBe('42501')
    const joined = `insert into memberships values ('${others.id}', '${ann.userId}', 'owner', now())`
    expect((await as('docket_app', scope, joined)).state).toBe('42501')
  })

  test('what is issued stays as it is, whatever the app’s role writes', async () => {
    const scope = { organizations: [issued.organizationId] }
    const row = `organization_id = '${issued.organizationId}' and id = '${issued.id}'`
    const lines = `organization_id = '${issued.organizationId}' and invoice_id = '${issued.id}'`
    for (const change of [
      `status = 'draft'`,
      `number = 'INV-9'`,
      `number = null`,
      `currency = 'USD'`,
      `issue_date = '2020-01-01'`,
      `due_date = null`,
      `net_amount = net_amount + 1`,
      `tax_amount = 0`,
      `gross_amount = -gross_amount`,
      `customer_name = 'Somebody else'`,
      `deleted_at = now()`,
    ])
      expect([change, (await as('docket_app', scope, `update invoices set ${change} where ${row}`)).state]).toEqual([
        change,
        '42501',
      ])
    expect((await as('docket_app', scope, `update invoices set viewed_at = now() where ${row}`)).rowCount).toBe(1)
    expect((await as('docket_app', scope, `select 1 from invoice_lines where ${lines}`)).rowCount).toBeGreaterThan(0)
    expect(await as('docket_app', scope, `update invoice_lines set net_amount = 0 where ${lines}`)).toMatchObject({
      rowCount: 0,
      state: null,
    })
    expect(await as('docket_app', scope, `delete from invoice_lines where ${lines}`)).toMatchObject({
      rowCount: 0,
      state: null,
    })
    const again = `insert into invoice_lines select organization_id, invoice_id, position + 100, id, name, description, quantity, unit, unit_price, base_quantity, allowances, charges, vat, net_amount from invoice_lines where ${lines}`
    expect((await as('docket_app', scope, again)).state).toBe('42501')
  })

  test('an invoice begins as a draft: none is there that was never issued, paid or sent', async () => {
    const scope = { organizations: [issued.organizationId] }
    const insert = (more: object) => {
      const values = {
        id: uuidv7(),
        status: 'draft',
        number: null,
        issue_date: null,
        issued_at: null,
        sent_at: null,
        viewed_at: null,
      }
      const row = JSON.stringify({ ...values, paid_amount: 0, credited_amount: 0, ...more })
      return `insert into invoices select (jsonb_populate_record(i, '${row}')).* from invoices i where i.id = '${issued.id}'`
    }
    expect(await as('docket_app', scope, insert({}))).toMatchObject({ rowCount: 1, state: null })
    const at = '2026-11-21T10:00:00Z'
    for (const more of [
      { status: 'issued', number: 'FAKE', issue_date: '2026-11-21', issued_at: at },
      { status: 'void', number: 'FAKE' },
      { status: 'uncollectible' },
      { number: 'FAKE' },
      { issue_date: '2026-11-21' },
      { issued_at: at },
      { sent_at: at },
      { viewed_at: at },
      { paid_amount: 1 },
      { credited_amount: 1 },
    ])
      expect([more, (await as('docket_app', scope, insert(more))).state]).toEqual([more, '42501'])
  })

  test('of what is issued no column changes but those that follow it, and it never goes back', async () => {
    const scope = { organizations: [issued.organizationId] }
    const row = `organization_id = '${issued.organizationId}' and id = '${issued.id}'`
    const update = (change: string) => `update invoices set ${change} where ${row}`
    const { rows } = await catalog(
      `select column_name::text as name, udt_name::text as type from information_schema.columns where table_name = 'invoices'`,
    )
    /** Something else than what stands there, for every type that there is. */
    const other: Record<string, (name: string) => string> = {
      uuid: () => 'gen_random_uuid()',
      text: (name) => `coalesce(${name}, '') || 'x'`,
      date: (name) => `coalesce(${name}, '2020-01-01') + 1`,
      timestamptz: (name) => `coalesce(${name}, now()) + interval '1 day'`,
      int4: (name) => `coalesce(${name}, 0) + 1`,
      int8: (name) => `coalesce(${name}, 0) + 1`,
      numeric: (name) => `coalesce(${name}, 0) + 1`,
      jsonb: () => `'[{"reason": "x"}]'`,
    }
    const follows = 'paid_amount credited_amount sent_at viewed_at version revision updated_at'.split(' ')
    expect(rows.map(({ name }) => name)).toEqual(expect.arrayContaining(follows))
    const found = []
    for (const { name, type } of rows)
      found.push([name, (await as('docket_app', scope, update(`${name} = ${other[type]!(name)}`))).state])
    expect(found).toEqual(rows.map(({ name }) => [name, follows.includes(name) ? null : '42501']))
    for (const [first, then] of [
      [`status = 'void'`, `status = 'issued'`],
      [`status = 'uncollectible'`, `status = 'issued'`],
      [`status = 'void'`, `status = 'uncollectible'`],
      [`viewed_at = now()`, `viewed_at = null`],
      [`sent_at = now()`, `sent_at = null`],
    ] as const) {
      expect(await as('docket_app', scope, update(first))).toMatchObject({ rowCount: 1, state: null })
      expect((await as('docket_app', scope, `${update(first)}; ${update(then)}`)).state).toBe('42501')
    }
    // Nor while it is being issued: only what issuing itself decides is written with it.
    const draft = `select id from invoices where organization_id = '${issued.organizationId}' and status = 'draft' limit 1`
    const { id } = (await as('docket_app', scope, draft)).rows[0]
    const frozen = `insert into issued_invoices select organization_id, '${id}', 'X-1', series_id, 'x', 1, now(), issued_by,
      content || '{"number": "X-1"}', content_hash from issued_invoices where invoice_id = '${issued.id}'`
    const issuing = (more: string) =>
      `${frozen}; update invoices set status = 'issued', number = 'X-1', issued_at = now(), (issue_date, due_date) =
         (select issue_date, due_date from invoices where id = '${issued.id}')${more} where id = '${id}'`
    const own = `, accounting_currency = 'EUR'`
    expect((await as('docket_app', scope, issuing(own))).state).toBeNull()
    for (const more of ['', `, accounting_currency = 'GBP'`, `${own}, notes = 'Other'`])
      expect([more, (await as('docket_app', scope, issuing(more))).state]).toEqual([more, '42501'])
    const rated = `, exchange_rate = 2, exchange_date = '2026-11-21', exchange_source = 'ECB', accounting_currency = 'GBP'`
    expect((await as('docket_app', scope, issuing(rated))).state).toBe('42501')
  })

  test('kept answers that name no organization: only the user’s own', async () => {
    const owners = 'select distinct user_id from user_idempotency'
    expect((await as('docket_app', { user: ann.userId }, owners)).rows).toEqual([{ user_id: ann.userId }])
    expect((await as('docket_app', { organizations: [own.id] }, owners)).rows).toEqual([])
    const given = `update user_idempotency set user_id = '${eve.userId}'`
    expect((await as('docket_app', { user: ann.userId }, given)).state).toBe('42501')
  })

  test('mails: each role writes those of its own side, and the sender alone reads them', async () => {
    const mail = (organization: string | null) =>
      `insert into mails values (gen_random_uuid(), ${organization === null ? 'null' : `'${organization}'`}, 'a@example.com', 'x', 'x', 'x', 'x', now(), now(), 0, null, null)`
    const scope = { user: ann.userId, organizations: [own.id] }
    expect(await as('docket_app', scope, mail(own.id))).toMatchObject({ rowCount: 1, state: null })
    expect(await as('docket_auth', {}, mail(null))).toMatchObject({ rowCount: 1, state: null })
    for (const organization of [others.id, null])
      expect((await as('docket_app', scope, mail(organization))).state).toBe('42501')
    expect((await as('docket_app', { user: ann.userId }, mail(own.id))).state).toBe('42501')
    expect((await as('docket_auth', scope, mail(own.id))).state).toBe('42501')
    expect((await as('docket_jobs', scope, mail(null))).state).toBe('42501')
    for (const role of ['docket_app', 'docket_auth'])
      for (const statement of ['select body_text from mails', `update mails set recipient = 'x'`, 'delete from mails'])
        expect((await as(role, scope, statement)).state).toBe('42501')
    expect((await as('docket_auth', scope, 'select 1 from mails')).state).toBe('42501')
    // That its own wait or failed an organization sees, and not what they say.
    const whose = await as('docket_app', scope, 'select distinct organization_id from mails')
    expect(whose.rows).toEqual([{ organization_id: own.id }])
    expect((await as('docket_app', { user: ann.userId }, 'select id from mails')).rows).toEqual([])
    for (const column of ['body_text', 'body_html', 'reply_to', '*'])
      expect((await as('docket_app', scope, `select ${column} from mails`)).state).toBe('42501')
    const foreign = `update mails set ended_as = 'x' where organization_id = '${others.id}' or organization_id is null`
    expect(await as('docket_app', scope, foreign)).toMatchObject({ rowCount: 0, state: null })
    // Registering wrote one for each of the two.
    expect((await as('docket_jobs', {}, 'select 1 from mails')).rowCount).toBeGreaterThanOrEqual(2)
  })

  test('what was issued or offered, and what was done, is immutable by privilege', async () => {
    const scope = { organizations: [others.id] }
    for (const statement of [
      `update issued_invoices set number = 'X'`,
      'delete from issued_invoices',
      'truncate issued_invoices',
      `update activity set label = 'X'`,
      'delete from activity',
      'truncate activity',
      `delete from invoices where id = '${issued.id}'`,
      `update quote_editions set content = '{}'`,
      'delete from quote_editions',
      `update quote_answers set answer = 'accepted'`,
      'delete from quote_answers',
    ]) {
      expect((await as('docket_app', scope, statement)).state).toBe('42501')
    }
  })

  test('what was recorded is immutable by privilege: a payment, where it went, and that it was reversed', async () => {
    const scope = { organizations: [others.id] }
    for (const statement of [
      `update payments set amount = 1`,
      `update payments set date = '2020-01-01', revision = 1`,
      `update payments set customer_name = 'X' where id = '${payment.id}'`,
      'delete from payments',
      'truncate payments cascade',
      'update payment_allocations set amount = 0',
      `update payment_allocations set invoice_id = '${issued.id}'`,
      'delete from payment_allocations',
      `update payment_reversals set reason = 'X'`,
      'delete from payment_reversals',
    ]) {
      expect({ statement, state: (await as('docket_app', scope, statement)).state }).toEqual({
        statement,
        state: '42501',
      })
    }
    // The feed's cursor moves, and nothing else of it.
    expect(await as('docket_app', scope, 'update payments set revision = revision')).toMatchObject({ rowCount: 1 })
  })

  test.each(['users', 'sessions', 'refresh_tokens', 'email_tokens', 'signing_keys', 'secrets'])(
    'the app’s role cannot read %s',
    async (table) => {
      expect((await as('docket_app', { user: ann.userId }, `select 1 from ${table}`)).state).toBe('42501')
    },
  )

  test.each([...tenantTables.filter((table) => !watched.includes(table)), 'organizations', 'memberships'])(
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
      expect((await as(role, {}, 'set local row_security = off; select 1 from customers')).state).toBe('42501')
    }
    const { rows } = await catalog(
      `select rolname::text, rolsuper or rolbypassrls or rolcreaterole or rolcreatedb or rolreplication as mighty,
              exists (select from pg_auth_members where member = r.oid) as "becomesAnother",
              exists (select from pg_class where relowner = r.oid) or exists (select from pg_proc where proowner = r.oid)
                or exists (select from pg_namespace where nspowner = r.oid) as owns
         from pg_roles r where rolname like 'docket\\_%' order by rolname`,
    )
    expect(roles).toEqual(expect.arrayContaining(rows.map((row) => row.rolname)))
    for (const { rolname, ...powers } of rows)
      expect({ rolname, ...powers }).toEqual({ rolname, mighty: false, becomesAnother: false, owns: false })
  })

  describe('the catalog: every table stands behind the wall', () => {
    let tables: Table[]
    let privileges: Privilege[]
    let policies: Policy[]
    beforeAll(async () => {
      tables = (
        await catalog(
          `select c.relname::text as name, c.relrowsecurity as enabled, c.relforcerowsecurity as forced,
                  exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'organization_id') as "isTenant"
             from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = 'public' and c.relkind in ('r', 'p')`,
        )
      ).rows
      const wanted = `cross join unnest(array['${roles.join("','")}']) as role`
      privileges = (
        await catalog(
          `select role, c.relname::text as table, privilege, null as column, null as type
             from pg_class c join pg_namespace n on n.oid = c.relnamespace ${wanted}
             cross join unnest(array['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER']) as privilege
            where n.nspname = 'public' and c.relkind in ('r', 'p', 'v', 'm', 'f')
              and exists (select from pg_roles where rolname = role) and has_table_privilege(role, c.oid, privilege)
           union all
           select role, c.relname::text, privilege, a.attname::text, format_type(a.atttypid, null)
             from pg_class c join pg_namespace n on n.oid = c.relnamespace ${wanted}
             join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
             cross join unnest(array['SELECT', 'INSERT', 'UPDATE', 'REFERENCES']) as privilege
            where n.nspname = 'public' and c.relkind in ('r', 'p', 'v', 'm', 'f') and exists (select from pg_roles where rolname = role)
              and has_column_privilege(role, c.oid, a.attnum, privilege) and not has_table_privilege(role, c.oid, privilege)`,
        )
      ).rows
      policies = (
        await catalog(
          `select tablename::text as table, unnest(roles)::text as role, cmd as command, permissive, qual as using, with_check as check
             from pg_policies where schemaname = 'public'`,
        )
      ).rows
    })
    const of = (role: string) => privileges.filter((each) => each.role === role)
    const shown = ({ table, privilege, column }: Privilege) =>
      `${privilege} ${table}${column === null ? '' : `.${column}`}`

    test('the tables of organizations are those that are tested here', () => {
      const found = tables.filter(({ isTenant }) => isTenant).map(({ name }) => name)
      expect(found.toSorted()).toEqual([...tenantTables, ...byToken, 'memberships', 'invitations', 'mails'].toSorted())
    })

    test('what the app’s role may touch has row-level security, forced, and a policy that asks whose row it is', () => {
      const touched = new Set(of('docket_app').map(({ table }) => table))
      expect([...touched].toSorted()).toEqual(
        [...tenantTables, ...byToken, 'mails', 'memberships', 'organizations', 'user_idempotency'].toSorted(),
      )
      for (const name of touched) {
        expect(tables.find((table) => table.name === name)).toMatchObject({ name, enabled: true, forced: true })
        const own = policies.filter(
          ({ table, role, permissive }) => table === name && role === 'docket_app' && permissive === 'PERMISSIVE',
        )
        // Several policies would widen one another.
        expect({ name, policies: own.length }).toEqual({ name, policies: 1 })
        const asks = /docket_(organizations|user)\(\)/
        if (own[0]!.command !== 'INSERT') expect(own[0]!.using).toMatch(asks)
        expect(own[0]!.check).toMatch(asks)
      }
      expect(policies.filter(({ role }) => !roles.includes(role))).toEqual([])
    })

    test('a table of organizations has row-level security whoever touches it', () => {
      for (const table of tables.filter(({ isTenant }) => isTenant))
        expect(table).toMatchObject({ enabled: true, forced: true })
    })

    test('the role of accounts has nothing to do with organizations but to invite, and to leave a mail that is of none', () => {
      const tenant = new Set(['organizations', ...tables.filter(({ isTenant }) => isTenant).map(({ name }) => name)])
      const found = of('docket_auth').filter(({ table }) => tenant.has(table))
      expect(found.map(shown).toSorted()).toEqual([
        'INSERT invitations',
        'INSERT mails',
        'SELECT invitations',
        'SELECT public_links',
        'SELECT quote_links',
        'UPDATE invitations',
      ])
    })

    test('the role of jobs sends mails, takes up what is due, and purges by time without seeing what', () => {
      const found = of('docket_jobs').filter(({ table }) => !['mails', 'due_work'].includes(table))
      expect(found.length).toBeGreaterThan(0)
      const needed = ({ privilege, type }: Privilege) =>
        privilege === 'DELETE' || (privilege === 'SELECT' && type === 'timestamp with time zone')
      expect(found.filter((each) => !needed(each)).map(shown)).toEqual([])
      const mails = of('docket_jobs').filter(({ table }) => table === 'mails')
      expect(mails.map(shown).toSorted()).toEqual(['DELETE mails', 'SELECT mails', 'UPDATE mails'])
      const due = of('docket_jobs').filter(({ table }) => table === 'due_work')
      expect(due.map(shown).toSorted()).toEqual(['SELECT due_work', 'UPDATE due_work'])
    })

    test('erasing sees whose row it is and that it was closed', () => {
      const needed = ({ privilege, column }: Privilege) =>
        privilege === 'DELETE' ||
        (privilege === 'SELECT' && ['id', 'organization_id', 'user_id', 'deleted_at'].includes(column ?? ''))
      expect(
        of('docket_purge')
          .filter((each) => !needed(each))
          .map(shown),
      ).toEqual([])
    })

    test('a backup reads and a restore writes every row, and does nothing else', () => {
      const whole = tables.filter(({ name }) => !['schema_migrations', 'durability_proof'].includes(name))
      const wanted = whole.flatMap(({ name }) => [`SELECT ${name}`, `INSERT ${name}`])
      const found = of('docket_backup').filter(({ table }) => whole.some(({ name }) => name === table))
      expect(found.map(shown).toSorted()).toEqual(wanted.toSorted())
      for (const { name } of whole.filter(({ enabled }) => enabled))
        expect(policies.filter(({ table, role }) => table === name && role === 'docket_backup')).toHaveLength(1)
    })

    test('no view and no function steps around the wall', async () => {
      const found = await catalog(
        `select relname::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
          where n.nspname = 'public' and relkind in ('v', 'm', 'f', 'S')
         union all select proname::text from pg_proc p join pg_namespace n on n.oid = p.pronamespace
          where n.nspname = 'public' and (p.prosecdef or p.proname not in ('docket_organizations', 'docket_user', 'docket_issued_stays', 'docket_first_pdf'))
         union all select tgname::text from pg_trigger where not tgisinternal`,
      )
      expect(found.rows).toEqual([])
    })

    test('every key of an organization’s rows, own or foreign, begins with the organization: no row of another is met by it', async () => {
      const { rows } = await catalog(
        `select r.relname::text as table, c.conname::text as name, f.relname::text as "refersTo",
                (select attname::text from pg_attribute where attrelid = c.conrelid and attnum = c.conkey[1]) as first,
                (select attname::text from pg_attribute where attrelid = c.confrelid and attnum = c.confkey[1]) as "firstThere"
           from pg_constraint c join pg_class r on r.oid = c.conrelid left join pg_class f on f.oid = c.confrelid
          where c.contype in ('p', 'u', 'f') and r.relname = any (array['${[...tenantTables, 'memberships'].join("','")}'])
         union all
         select r.relname::text, i.relname::text, null, a.attname::text, null
           from pg_index x join pg_class r on r.oid = x.indrelid join pg_class i on i.oid = x.indexrelid
           join pg_attribute a on a.attrelid = r.oid and a.attnum = x.indkey[0]
          where x.indisunique and r.relname = any (array['${[...tenantTables, 'memberships'].join("','")}'])`,
      )
      expect(rows.length).toBeGreaterThan(tenantTables.length)
      for (const { table, name, first, refersTo, firstThere } of rows) {
        expect({ table, name, first }).toEqual({ table, name, first: 'organization_id' })
        if (refersTo !== null)
          expect({ name, firstThere }).toEqual({
            name,
            firstThere: refersTo === 'organizations' ? 'id' : 'organization_id',
          })
      }
    })
  })

  async function catalog(query: string) {
    const answer = await as('docket_app', {}, query)
    expect(answer.state).toBeNull()
    return answer
  }
})
