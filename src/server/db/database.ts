// The database as the rest of the server sees it: short transactions, each in one role behind its wall. The only file that knows PGlite from PostgreSQL.
import fs from 'node:fs'
import path from 'node:path'
import { CamelCasePlugin, CompiledQuery, Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { isUuid } from '#shared/ids.ts'
import { startEmbedded } from './embedded.ts'
import { migrate, readMigrations } from './migrate.ts'
import { beginsConnection, PreparingClient, preparedForSeconds } from './preparing-client.ts'
import type { Tables, Users } from './tables.ts'
import { beginUpkeep, type UpkeepTimes } from './upkeep.ts'

export type Tx = Kysely<Tables>

/** Whose rows a transaction may see: row-level security refuses all others (STACK.md "Roles and walls"). */
export interface Scope {
  userId?: string
  organizationIds?: readonly string[]
}

export interface Database {
  engine: 'embedded' | 'postgresql'
  /** One short transaction behind the tenant wall. Read committed: counters are locked rows. Runs again on 40001 and 40P01, and when another has taken the number. */
  asApp<T>(scope: Scope, work: (tx: Tx) => Promise<T>): Promise<T>
  /** The same with users, sessions and keys, and without any grant on tenant tables. */
  asAuth<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** The same for what runs on its own: the mail queue and purging. */
  asJobs<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** The same for erasing what was closed: it sees nothing else. */
  asPurge<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** Throws when the database does not answer. */
  ready(): Promise<void>
  close(): Promise<void>
}

export interface DatabaseSettings {
  dataDir: string
  databaseUrl?: string | undefined
  databaseMigrationUrl?: string | undefined
  /** Of the embedded database; for tests. */
  upkeepEveryMs?: UpkeepTimes | undefined
  preparedForSeconds?: number | undefined
}

const servingRoles = ['docket_app', 'docket_auth', 'docket_jobs', 'docket_purge'] as const
type Role = (typeof servingRoles)[number]

const retriedStates = new Set(['40001', '40P01'])
const retryLimit = 5

/** Opens or creates the database, migrates it and checks that the walls stand. */
export async function openDatabase(settings: DatabaseSettings): Promise<Database> {
  const source = settings.databaseUrl ? serverSource(settings) : await embeddedSource(settings.dataDir)
  try {
    await prepare(source)
  } catch (error) {
    await source.close()
    throw error
  }
  const isEmbedded = source.engine === 'embedded'
  const pool = new pg.Pool({
    ...source.connection,
    max: source.maxConnections,
    types: columnTypes,
    ...(isEmbedded && preparing(settings.preparedForSeconds)),
  })
  // A connection that breaks is replaced by the pool, and what was under way on it is refused; without a listener it would end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  const kysely = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool }),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  })
  const upkeep = isEmbedded ? beginUpkeep(pool, settings.upkeepEveryMs) : null
  return {
    engine: source.engine,
    asApp: (scope, work) => transaction(kysely, opening('docket_app', scope), work),
    asAuth: (work) => transaction(kysely, opening('docket_auth', {}), work),
    asJobs: (work) => transaction(kysely, opening('docket_jobs', {}), work),
    asPurge: (work) => transaction(kysely, opening('docket_purge', {}), work),
    async ready() {
      await pool.query('select 1')
    },
    async close() {
      upkeep?.end()
      await kysely.destroy()
      await source.close()
    },
  }
}

function preparing(forSeconds = preparedForSeconds): Partial<pg.PoolConfig> {
  return {
    Client: PreparingClient,
    maxLifetimeSeconds: forSeconds,
    // Its age alone ends it: after ten quiet seconds, the pool's usual, all would be planned anew.
    idleTimeoutMillis: 0,
    // oxlint-disable-next-line typescript/no-misused-promises -- The pool waits for it, which its types don't say.
    onConnect: (client) => client.query(beginsConnection),
  }
}

/** Where the connections come from. */
interface Source {
  engine: Database['engine']
  connection: pg.PoolConfig
  /** For migrating; the owner of the tables. */
  ownerConnection: pg.ClientConfig
  maxConnections: number
  close(): Promise<void>
}

function serverSource({ databaseUrl, databaseMigrationUrl }: DatabaseSettings): Source {
  return {
    engine: 'postgresql',
    connection: { connectionString: databaseUrl! },
    ownerConnection: { connectionString: databaseMigrationUrl ?? databaseUrl! },
    maxConnections: 10,
    close: async () => {},
  }
}

/** The running server leaves its socket's folder here, so that a backup can be taken while it runs. */
function socketNote(dataDir: string): string {
  return path.join(dataDir, 'database.socket')
}

async function embeddedSource(dataDir: string): Promise<Source> {
  const embedded = await startEmbedded(dataDir)
  fs.writeFileSync(socketNote(dataDir), embedded.host, { mode: 0o600 })
  return {
    ...embeddedConnection(embedded.host),
    async close() {
      fs.rmSync(socketNote(dataDir), { force: true })
      await embedded.close()
    },
  }
}

/**
 * One connection as the owner, for a backup or a restore, after migrating. An embedded database that is running is reached through its
 * socket; with `stopped` it must not run.
 */
export async function withMaintenanceClient<T>(
  settings: DatabaseSettings,
  state: 'running' | 'stopped',
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const note = socketNote(settings.dataDir)
  const running = !settings.databaseUrl && fs.existsSync(note) && (await answers(fs.readFileSync(note, 'utf8')))
  if (running && state === 'stopped') throw new Error('Docket is running: stop it first.')
  if (state === 'running' && !settings.databaseUrl && !fs.existsSync(path.join(settings.dataDir, 'database')))
    throw new Error(`There is no database in ${settings.dataDir}: set DATA_DIR or DATABASE_URL.`)
  const source: Source = running
    ? { ...embeddedConnection(fs.readFileSync(note, 'utf8')), close: async () => {} }
    : settings.databaseUrl
      ? serverSource(settings)
      : await embeddedSource(settings.dataDir)
  try {
    if (!running) await prepare(source)
    const client = new pg.Client(source.ownerConnection)
    await client.connect()
    try {
      return await work(client)
    } finally {
      await client.end()
    }
  } finally {
    await source.close()
  }
}

/** A note of a process that was killed stays behind; nobody listens there any more. */
async function answers(host: string): Promise<boolean> {
  const client = new pg.Client(embeddedConnection(host).connection)
  try {
    await client.connect()
    await client.end()
    return true
  } catch {
    return false
  }
}

function embeddedConnection(host: string): Omit<Source, 'close'> {
  const connection = { host, port: 5432, user: 'postgres', database: 'postgres' }
  // One backend runs one transaction at a time: a second connection would only wait inside the engine instead of in the pool.
  return { engine: 'embedded', connection, ownerConnection: connection, maxConnections: 1 }
}

async function prepare(source: Omit<Source, 'close'>): Promise<void> {
  const owner = new pg.Client(source.ownerConnection)
  await owner.connect()
  try {
    await migrate(owner, readMigrations())
    await admitLogin(owner, loginOf(source.connection), servingRoles)
    // Backups read every row: nobody who serves requests may.
    await admitLogin(owner, loginOf(source.ownerConnection), ['docket_backup'])
  } finally {
    await owner.end()
  }
  await checkWalls(source.connection)
}

/** A login becomes a role by `set local role`, which it must be a member of. */
async function admitLogin(owner: pg.Client, login: string, roles: readonly string[]): Promise<void> {
  const { rows } = await owner.query<{ role: string }>(
    "select role from unnest($2::text[]) as role where not pg_has_role($1, role, 'member')",
    [login, roles],
  )
  for (const { role } of rows) await owner.query(`grant ${role} to ${pg.escapeIdentifier(login)}`)
}

function loginOf(connection: pg.ClientConfig): string {
  return new pg.Client(connection).user ?? 'postgres'
}

/** A role that row-level security does not bind would make every wall a decoration. */
async function checkWalls(connection: pg.PoolConfig): Promise<void> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    for (const role of servingRoles) {
      await client.query(`begin; set local role ${role}`)
      const { rows } = await client.query(
        'select 1 from pg_roles where rolname = current_user and (rolsuper or rolbypassrls or rolname <> $1)',
        [role],
      )
      await client.query('rollback')
      if (rows.length > 0)
        throw new Error(`The database role ${role} is not bound by row-level security; refusing to start.`)
    }
  } finally {
    await client.end()
  }
}

/** What an organization shows of a person. */
export type Person = Pick<Users, 'id' | 'name' | 'email' | 'emailKey'>

/**
 * Holds a person's account for the rest of a transaction of docket_app; null when it was closed. Whoever closes or renames it waits, and sees
 * what was written here.
 */
export function holdAccount(tx: Tx, userId: string): Promise<Person | null> {
  return asAuthWithin(tx, async () => {
    const open = await tx
      .selectFrom('users')
      .select(['id', 'name', 'email', 'emailKey'])
      .where('id', '=', userId)
      .where('disabledAt', 'is', null)
      .forShare()
      .executeTakeFirst()
    return open ?? null
  })
}

/** A part of a transaction of docket_app that is about accounts, so that both are done or neither. */
export async function asAuthWithin<T>(tx: Tx, work: () => Promise<T>): Promise<T> {
  await tx.executeQuery(CompiledQuery.raw('set local role docket_auth'))
  const result = await work()
  await tx.executeQuery(CompiledQuery.raw('set local role docket_app'))
  return result
}

/** A part of a transaction of docket_auth that is about organizations, which it names from then on. */
export async function asAppWithin<T>(tx: Tx, scope: Scope, work: () => Promise<T>): Promise<T> {
  await tx.executeQuery(CompiledQuery.raw(wall('docket_app', scope)))
  const result = await work()
  await tx.executeQuery(CompiledQuery.raw('set local role docket_auth'))
  return result
}

/** `begin` and the wall in one round trip. */
function opening(role: Role, scope: Scope): string {
  return `begin; ${wall(role, scope)}`
}

/** `set local` takes no parameters, so what goes in is checked to be a uuid. */
function wall(role: Role, scope: Scope): string {
  const ids = [scope.userId, ...(scope.organizationIds ?? [])].filter((each) => each !== undefined)
  const stray = ids.find((each) => !isUuid(each))
  if (stray !== undefined) throw new TypeError('A transaction was scoped to something that is no uuid')
  const user = scope.userId ? `; set local app.user_id = '${scope.userId}'` : ''
  const organizations = scope.organizationIds?.length
    ? `; set local app.organization_ids = '${scope.organizationIds.join(',')}'`
    : ''
  return `set local role ${role}${user}${organizations}`
}

async function transaction<T>(kysely: Kysely<Tables>, begin: string, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await kysely.connection().execute(async (tx) => {
        try {
          // Its own failure is rolled back as well: the connection goes back to the pool, where the next one begins anew.
          await tx.executeQuery(CompiledQuery.raw(begin))
          const result = await work(tx)
          await tx.executeQuery(CompiledQuery.raw('commit'))
          return result
        } catch (error) {
          await tx.executeQuery(CompiledQuery.raw('rollback')).catch(() => {})
          throw error
        }
      })
    } catch (error) {
      if (attempt >= retryLimit || !hasCollided(error)) throw error
    }
  }
}

/** Of an issued number: what was frozen under it, and the row that it stands in. */
const numberConstraints = new Set(['issued_invoices_organization_id_number_key', 'invoices_by_own_number'])

/** Two series of one organization may make the same number: who comes second finds it taken when it begins anew, and takes the next. */
function hasCollided(error: unknown): boolean {
  const isNumberTaken = error instanceof pg.DatabaseError && numberConstraints.has(error.constraint ?? '')
  return isNumberTaken || retriedStates.has(sqlState(error) ?? '')
}

/** The SQLSTATE of a database error, null for anything else. */
export function sqlState(error: unknown): string | null {
  return error instanceof pg.DatabaseError ? (error.code ?? null) : null
}

/** `unique_violation`: another row has this key already. */
export const uniqueViolation = '23505'

// One parser each: bigint for int8, ISO text for instants, plain text for dates (a JS Date would shift them by a zone).
const parsers: Record<number, (text: string) => unknown> = {
  [pg.types.builtins.INT8]: BigInt,
  [pg.types.builtins.DATE]: String,
  [pg.types.builtins.TIMESTAMPTZ]: (text) => new Date(text).toISOString(),
}
const columnTypes: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    parsers[oid] ?? pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
}
