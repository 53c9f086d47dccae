// The whole database as a file: gzipped lines of JSON, the same for both engines, and so the way from one to the other.
import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import { pipeline as connect, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import pg from 'pg'

/** First line of a file: what it is, and the schema its rows fit. */
interface Header {
  docket: 'backup'
  version: 1
  takenAt: string
  migrations: Record<string, string>
}
/** A table begins. Its rows follow, each an array of texts as PostgreSQL writes them, null for null. */
interface TableLine {
  table: string
  columns: string[]
}
/** The last line: without it the file was cut off. */
interface Footer {
  rows: number
}

const rowsPerFetch = 500
/** Not rows of the product: made by migrating and by the durability test. */
const leftOut = ['schema_migrations', 'durability_proof']
/** Made by starting and by mere trying; a restored database brings its own. */
const madeOnStart = ['signing_keys', 'secrets', 'proofs_seen', 'limited_events', 'passkey_challenges']

/** Writes everything, as it stands at one moment, beside the running server. Answers the number of rows. */
export async function writeBackup(client: pg.Client, file: string): Promise<number> {
  await client.query("begin isolation level repeatable read; set local timezone to 'UTC'; set local datestyle to 'ISO'")
  try {
    const header: Header = {
      docket: 'backup',
      version: 1,
      takenAt: new Date().toISOString(),
      migrations: await migrationsOf(client),
    }
    // Only docket_backup may read every row; migrations it cannot see, so they are read before.
    await client.query('set local role docket_backup')
    let rows = 0
    const lines = async function* () {
      yield text(header)
      for (const { table, columns } of await tablesOf(client)) {
        yield text({ table, columns } satisfies TableLine)
        const list = columns.map((column) => `${pg.escapeIdentifier(column)}::text`).join(', ')
        await client.query(`declare dump no scroll cursor for select ${list} from ${pg.escapeIdentifier(table)}`)
        for (;;) {
          const batch = await client.query<(string | null)[]>({
            text: `fetch ${rowsPerFetch} from dump`,
            rowMode: 'array',
          })
          if (batch.rows.length === 0) break
          rows += batch.rows.length
          yield batch.rows.map(text).join('')
        }
        await client.query('close dump')
      }
      yield text({ rows } satisfies Footer)
    }
    // Complete or not there: a half-written file never bears the name.
    const partial = `${file}.partial`
    await pipeline(Readable.from(lines()), createGzip(), fs.createWriteStream(partial, { mode: 0o600, flush: true }))
    fs.renameSync(partial, file)
    return rows
  } finally {
    await client.query('rollback')
  }
}

/** Fills an empty, migrated database from a file, in one transaction. Throws one clear line when it cannot. */
export async function readBackup(client: pg.Client, file: string): Promise<number> {
  await client.query("begin; set local timezone to 'UTC'; set local datestyle to 'ISO'")
  try {
    const { rows: others } = await client.query(
      `select 1 from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend' limit 1`,
    )
    if (others.length > 0) throw new Error('Docket is running on this database: stop it first.')
    const known = await migrationsOf(client)
    const tables = await tablesOf(client)
    for (const table of madeOnStart) await client.query(`delete from ${pg.escapeIdentifier(table)}`)
    await client.query('set local role docket_backup')
    for (const { table } of tables) {
      const { rowCount } = await client.query(`select 1 from ${pg.escapeIdentifier(table)} limit 1`)
      if (rowCount) throw new Error('The database is not empty: restore into a new one.')
    }
    const epoch = randomBytes(4).toString('hex')
    let rows = 0
    let header: Header | null = null
    let current: TableLine | null = null
    let footer: Footer | null = null
    for await (const line of linesOf(file)) {
      const parsed = parseLine(line)
      if (header === null) header = checkedHeader(parsed, known)
      else if (Array.isArray(parsed)) {
        await insert(client, current!, inEpoch(epoch, current!, parsed))
        rows += 1
      } else if ('table' in parsed) current = parsed
      else if ('rows' in parsed) footer = parsed
    }
    if (footer?.rows !== rows) throw new Error('The backup file is incomplete.')
    await client.query('commit')
    return rows
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

/** Devices may have seen what came after the backup, under revisions that are now given again: they are told apart (changes/store.ts). */
function inEpoch(epoch: string, { table, columns }: TableLine, values: (string | null)[]): (string | null)[] {
  if (table !== 'organization_revisions') return values
  return values.map((value, index) => (columns[index] === 'epoch' ? epoch : value))
}

async function* linesOf(file: string): AsyncGenerator<string> {
  // The callback only keeps a failure from being uncaught: it comes out of the loop below.
  const unzipped = connect(fs.createReadStream(file), createGunzip(), () => {}).setEncoding('utf8')
  let rest = ''
  try {
    for await (const chunk of unzipped as AsyncIterable<string>) {
      const lines = (rest + chunk).split('\n')
      rest = lines.pop()!
      yield* lines
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'Z_BUF_ERROR') throw new Error('The backup file is incomplete.', { cause: error })
    if (code?.startsWith('Z_')) throw new Error('This is not a backup file of Docket.', { cause: error })
    throw error
  }
}

function parseLine(line: string): Header | TableLine | Footer | (string | null)[] {
  try {
    return JSON.parse(line) as Header | TableLine | Footer | (string | null)[]
  } catch (error) {
    throw new Error('This is not a backup file of Docket.', { cause: error })
  }
}

function checkedHeader(line: object, known: Record<string, string>): Header {
  const header = line as Partial<Header>
  if (header.docket !== 'backup' || header.version !== 1) throw new Error('This is not a backup file of Docket.')
  const same = JSON.stringify(header.migrations) === JSON.stringify(known)
  if (!same) throw new Error('The backup is of another version of Docket: restore it with that version, then upgrade.')
  return header as Header
}

async function insert(client: pg.Client, { table, columns }: TableLine, values: (string | null)[]): Promise<void> {
  const names = columns.map((column) => pg.escapeIdentifier(column)).join(', ')
  const places = columns.map((_, index) => `$${index + 1}`).join(', ')
  await client.query(`insert into ${pg.escapeIdentifier(table)} (${names}) values (${places})`, values)
}

async function migrationsOf(client: pg.Client): Promise<Record<string, string>> {
  const { rows } = await client.query<{ name: string; hash: string }>(
    'select name, hash from schema_migrations order by name',
  )
  return Object.fromEntries(rows.map(({ name, hash }) => [name, hash]))
}

/** In the order they were made, so that a row comes after those it refers to. */
async function tablesOf(client: pg.Client): Promise<TableLine[]> {
  const { rows } = await client.query<TableLine>(
    `select c.relname::text as table, array_agg(a.attname::text order by a.attnum) as columns
       from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
      where n.nspname = 'public' and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped and c.relname <> all ($1)
      group by c.oid, c.relname order by c.oid`,
    [leftOut],
  )
  return rows
}

function text(line: unknown): string {
  return `${JSON.stringify(line)}\n`
}
