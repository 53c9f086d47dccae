// Behind a pooler that gives each transaction whatever connection is free: nothing of one transaction may stay for the next.
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase, type Database } from '#server/db/database.ts'
import { uuidv7 } from '#shared/ids.ts'
import { verifiedAccount } from '#tests/support/api-client.ts'
import { expectProblem, startTestApp, verifiedActor, type TestApp } from '#tests/support/app.ts'
import { customerBody, organizationBody } from '#tests/support/bodies.ts'
import { issue, makeCustomer, makeInvoice, makeOrganization } from '#tests/support/builders.ts'
import { password } from '#tests/support/people.ts'
import { startPooled, type Pooled } from '#tests/support/pgbouncer.ts'
import { startServer } from '#tests/support/server-process.ts'

const poolSize = 2

let pooled: Pooled
let db: Database | undefined
let app: TestApp
beforeAll(async () => {
  pooled = await startPooled(poolSize)
})
afterAll(async () => {
  await db?.close()
  await pooled.stop()
})

test('a server starts: it migrates as the owner, straight, and serves through the pooler', async () => {
  const server = await startServer({
    DATA_DIR: pooled.dataDir,
    DATABASE_URL: pooled.databaseUrl,
    DATABASE_MIGRATION_URL: pooled.databaseMigrationUrl,
  })
  try {
    const { call } = await verifiedAccount(server.url)
    expect((await call('POST', '/organizations', organizationBody())).status).toBe(201)
    expect((await call('GET', '/organizations')).body.data).toHaveLength(1)
    expect((await pooled.connections()).servers).toBeGreaterThan(0)
  } finally {
    expect(await server.end('SIGTERM')).toBe(0)
  }
  // The one login of a simple installation owns, migrates and serves, all of it through the pooler.
  const simple = await openDatabase({ dataDir: pooled.dataDir, databaseUrl: pooled.pooledOwnerUrl })
  await simple.close()
  db = await openDatabase(pooled)
  app = await startTestApp(db)
})

test('requests of several tenants, interleaved: each sees its own alone, and no connection keeps role, scope or statement', async () => {
  const tenants = await Promise.all(
    Array.from({ length: 6 }, async (_, index) => {
      const actor = await verifiedActor(app)
      const mark = `Tenant-${index}`
      const organization = await makeOrganization(actor, { name: mark })
      const customer = await makeCustomer(actor, organization.id, { name: mark })
      return { actor, mark, id: organization.id, customer: customer.id }
    }),
  )
  type Tenant = (typeof tenants)[number]
  const requests = [
    ({ actor, id }: Tenant) => actor.send('GET', `/organizations/${id}/customers?limit=200`),
    ({ actor, id, mark }: Tenant) =>
      actor.send('POST', `/organizations/${id}/customers`, {
        body: customerBody({ name: mark }),
        headers: { 'idempotency-key': uuidv7() },
      }),
    ({ actor }: Tenant) => actor.send('GET', '/organizations'),
    ({ actor, id, customer }: Tenant) => actor.send('GET', `/organizations/${id}/customers/${customer}`),
    // Thrown in the middle of a transaction, which is rolled back.
    ({ actor, id, customer, mark }: Tenant) =>
      actor.send('POST', `/organizations/${id}/customers`, {
        body: customerBody({ id: customer, name: `${mark} other` }),
      }),
    ({ actor, customer }: Tenant, other: Tenant) =>
      actor.send('GET', `/organizations/${other.id}/customers/${customer}`),
    ({ actor }: Tenant) => actor.send('GET', '/account'),
  ]
  const statuses = [200, 201, 200, 200, 409, 404, 200]

  let over = false
  const probe = watchConnections(() => over)
  const most = countConnections(() => over)
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, round) =>
      requests.map(async (request, index) => {
        const tenant = tenants[(round + index) % tenants.length]!
        const other = tenants[(round + index + 1) % tenants.length]!
        // Looked up each time, so that transactions of accounts and of organizations take turns.
        app.pass(100)
        const answer = await request(tenant, other)
        expect(answer.status).toBe(statuses[index])
        const marks = new Set(answer.text.match(/Tenant-\d/g))
        expect([...marks].filter((mark) => mark !== tenant.mark)).toEqual([])
        if (index === 0) for (const { organizationId } of answer.body.data) expect(organizationId).toBe(tenant.id)
        return answer.status
      }),
    ).flat(),
  )
  over = true
  expect(answers.length).toBeGreaterThanOrEqual(200)
  const { states, backends } = await probe
  expect(states.length).toBeGreaterThan(20)
  const login = new URL(pooled.databaseUrl).username
  // Whatever connection a stranger is given, between any two transactions: nobody's role, nobody's scope, no statement with a name.
  expect([...new Set(states)]).toEqual([JSON.stringify({ role: login, user: '', organizations: '', prepared: 0 })])
  expect(backends.size).toBe(poolSize)
  const { clients, servers } = await most
  expect(clients).toBeGreaterThanOrEqual(8)
  expect(servers).toBe(poolSize)
})

test('a transaction that cannot even begin leaves its connection clean', async () => {
  const owner = new pg.Client({ connectionString: pooled.databaseMigrationUrl })
  await owner.connect()
  const login = pg.escapeIdentifier(new URL(pooled.databaseUrl).username)
  const read = () => db!.asJobs((tx) => tx.selectFrom('mails').select('id').limit(1).execute())
  try {
    await owner.query(`revoke docket_jobs from ${login}`)
    for (let each = 0; each < 4; each += 1) await expect(read()).rejects.toMatchObject({ code: '42501' })
    await owner.query(`grant docket_jobs to ${login}`)
    await expect(Promise.all(Array.from({ length: 12 }, read))).resolves.toHaveLength(12)
  } finally {
    await owner.end()
  }
})

test('thirty invoices issued at once have thirty numbers without a gap', async () => {
  const actor = await verifiedActor(app)
  const { id } = await makeOrganization(actor)
  const customer = await makeCustomer(actor, id)
  const drafts = await Promise.all(Array.from({ length: 30 }, () => makeInvoice(actor, id, customer.id)))
  const issued = await Promise.all(drafts.map((draft) => issue(actor, draft)))
  const sequences = issued.map(({ number }) => Number(number!.slice(-4))).toSorted((a, b) => a - b)
  expect(sequences).toEqual(Array.from({ length: 30 }, (_, index) => index + 1))
})

test('signing in and renewing, many at once; limits and single use hold', async () => {
  const actors = await Promise.all(Array.from({ length: 8 }, () => verifiedActor(app)))
  await Promise.all(
    actors.map(async ({ email }) => {
      const { status, body } = await app.send('POST', '/api/v1/auth/login', { body: { email, password } })
      expect(status).toBe(200)
      const renew = (pair: object) => app.send('POST', '/api/v1/auth/refresh-token', { body: pair })
      // Repeats of one request at the same time give siblings; the first used wins.
      const siblings = await Promise.all([renew(body), renew(body), renew(body)])
      expect(siblings.map((each) => each.status)).toEqual([200, 200, 200])
      expect((await renew(siblings[0]!.body)).status).toBe(200)
      expectProblem(await renew(body), { status: 401, code: 'reuse_detected' })
    }),
  )
  const strict = await startTestApp(db!, { limits: { signInPerAccount: { most: 10, windowMs: 60_000 } } })
  const wrong = { email: actors[0]!.email, password: 'not this one' }
  const tries = await Promise.all(
    Array.from({ length: 16 }, () => strict.send('POST', '/api/v1/auth/login', { body: wrong })),
  )
  expect(tries.filter(({ status }) => status === 401)).toHaveLength(10)
  expect(tries.filter(({ status }) => status === 429)).toHaveLength(6)
})

/** A stranger on the pooler, who looks at whatever connection is free, again and again. */
async function watchConnections(over: () => boolean) {
  const states: string[] = []
  const backends = new Set<number>()
  const client = new pg.Client({ connectionString: pooled.databaseUrl })
  await client.connect()
  while (!over()) {
    const { rows } = await client.query(
      `select pg_backend_pid() as backend, current_user::text as role, coalesce(current_setting('app.user_id', true), '') as user,
              coalesce(current_setting('app.organization_ids', true), '') as organizations,
              (select count(*)::int from pg_prepared_statements) as prepared`,
    )
    const { backend, ...state } = rows[0]
    backends.add(backend)
    states.push(JSON.stringify(state))
  }
  await client.end()
  return { states, backends }
}

async function countConnections(over: () => boolean) {
  const most = { clients: 0, servers: 0 }
  while (!over()) {
    const { clients, servers } = await pooled.connections()
    most.clients = Math.max(most.clients, clients)
    most.servers = Math.max(most.servers, servers)
  }
  return most
}
