// Brings the schema up to date: plain .sql files in order, each in one transaction with the row that records it.
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import type { ClientBase } from 'pg'
import { rekeyInvoices, rekeyQuotes } from './rekey.ts'

/** File name -> text. */
export type Migrations = Readonly<Record<string, string>>

const lockKey = 7_366_853

/** What SQL can't do, after the file that it belongs to and in the same transaction. */
const steps: Readonly<Record<string, (client: ClientBase) => Promise<void>>> = {
  '0026-what-stays.sql': rekeyInvoices,
  '0033-searched-in.sql': async (client) => {
    await rekeyInvoices(client)
    await rekeyQuotes(client)
  },
}

/**
 * Runs what has not run yet. Several processes may start at once: the first holds a lock inside its transaction, the others wait and find
 * nothing to do. A migration whose text changed after it ran is refused, because the database would not be what the files say.
 */
export async function migrate(client: ClientBase, migrations: Migrations): Promise<string[]> {
  await client.query('begin')
  try {
    await client.query(`select pg_advisory_xact_lock(${lockKey})`)
    await client.query(
      'create table if not exists schema_migrations (name text primary key, hash text not null, ran_at timestamptz not null)',
    )
    const { rows } = await client.query<{ name: string; hash: string }>('select name, hash from schema_migrations')
    const done = new Map(rows.map((row) => [row.name, row.hash]))
    const ran: string[] = []
    for (const [name, text] of Object.entries(migrations).toSorted(([a], [b]) => (a < b ? -1 : 1))) {
      const hash = createHash('sha256').update(text).digest('hex')
      const known = done.get(name)
      if (known === hash) continue
      if (known !== undefined) throw new Error(`Migration ${name} was changed after it ran`)
      for (const statement of statements(text)) await client.query(statement)
      await steps[name]?.(client)
      await client.query('insert into schema_migrations values ($1, $2, $3)', [name, hash, new Date().toISOString()])
      ran.push(name)
    }
    await client.query('commit')
    return ran
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

/** One statement at a time, as distributed databases want it: split at semicolons outside of $$ bodies and comments. */
function statements(text: string): string[] {
  const found: string[] = []
  let current = ''
  let quoted = false
  for (const line of text.split('\n')) {
    if (!quoted && line.trimStart().startsWith('--')) continue
    if ((line.match(/\$\$/g) ?? []).length % 2 === 1) quoted = !quoted
    current += `${line}\n`
    if (!quoted && line.trimEnd().endsWith(';')) {
      found.push(current.trim())
      current = ''
    }
  }
  if (current.trim()) throw new Error(`A migration ends in the middle of a statement: ${current.trim().slice(0, 80)}`)
  return found
}

/** The .sql files that stand beside this module, in the sources and in the bundle alike. */
export function readMigrations(): Migrations {
  const folder = new URL('./migrations/', import.meta.url)
  const names = fs.readdirSync(folder).filter((name) => name.endsWith('.sql'))
  return Object.fromEntries(names.map((name) => [name, fs.readFileSync(new URL(name, folder), 'utf8')]))
}
