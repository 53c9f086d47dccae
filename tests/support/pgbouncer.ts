// A PgBouncer of the test's own, pooling by transaction, on a free port of this machine.
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { inject } from 'vitest'
import { installedPgbouncer, unprivileged } from '#tools/postgres.ts'
import { until } from './people.ts'
import { freePort } from './server-process.ts'

export interface Pooled {
  dataDir: string
  /** Through the pooler, as a login that may do nothing but become Docket's roles. */
  databaseUrl: string
  /** Straight to the database, as its owner. */
  databaseMigrationUrl: string
  /** Through the pooler, as the owner. */
  pooledOwnerUrl: string
  /** How many connections the pooler has now: from clients, and to the database. */
  connections(): Promise<{ clients: number; servers: number }>
  stop(): Promise<void>
}

/** An empty database behind a pooler that has `poolSize` connections to it. */
export async function startPooled(poolSize: number): Promise<Pooled> {
  const program = installedPgbouncer()
  if (!program) throw new Error('PgBouncer is not installed: npm test installs it, or says how')
  const template = inject('engines').postgresql
  const name = `pooled_${randomBytes(8).toString('hex')}`
  const login = `serving_${name}`
  const owner = new pg.Client({ connectionString: template.replace('DATABASE', 'postgres') })
  await owner.connect()
  await owner.query(`create database ${name}`)
  await owner.query(`create role ${login} login`)
  await owner.end()

  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'docket-pgbouncer-'))
  const port = await freePort()
  const socket = new URL(template).searchParams.get('host')!
  const settings = {
    listen_addr: '127.0.0.1',
    listen_port: port,
    unix_socket_dir: '',
    auth_type: 'trust',
    auth_file: path.join(folder, 'users'),
    admin_users: 'watcher',
    pool_mode: 'transaction',
    default_pool_size: poolSize,
    max_db_connections: poolSize,
  }
  const lines = Object.entries(settings).map(([key, value]) => `${key} = ${value}`)
  const file = path.join(folder, 'pgbouncer.ini')
  fs.writeFileSync(file, `[databases]\n${name} = host=${socket} dbname=${name}\n[pgbouncer]\n${lines.join('\n')}\n`)
  fs.writeFileSync(settings.auth_file, [login, 'docket', 'watcher'].map((user) => `"${user}" ""\n`).join(''))
  const asUser = unprivileged()
  if (asUser.uid !== undefined) fs.chownSync(folder, asUser.uid, asUser.gid!)
  const child = spawn(program, [file], { ...asUser, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] })
  const log: string[] = []
  child.stderr.setEncoding('utf8').on('data', (text: string) => log.push(text))
  const ended = once(child, 'exit')

  const url = (user: string, database: string) => `postgresql://${user}@127.0.0.1:${port}/${database}`
  const watch = async <Row extends pg.QueryResultRow>(command: string): Promise<Row[]> => {
    const client = new pg.Client({ connectionString: url('watcher', 'pgbouncer') })
    await client.connect()
    const { rows } = await client.query<Row>(command)
    await client.end()
    return rows
  }
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`PgBouncer did not start:\n${log.join('')}`)
    return watch('show version').catch(() => null)
  })
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'docket-test-'))
  return {
    dataDir,
    databaseUrl: url(login, name),
    databaseMigrationUrl: template.replace('DATABASE', name),
    pooledOwnerUrl: url('docket', name),
    async connections() {
      const [clients, servers] = [
        await watch<{ database: string }>('show clients'),
        await watch<{ database: string }>('show servers'),
      ]
      const count = (rows: { database: string }[]) => rows.filter(({ database }) => database === name).length
      return { clients: count(clients), servers: count(servers) }
    },
    async stop() {
      child.kill('SIGTERM')
      await ended
      for (const each of [folder, dataDir]) fs.rmSync(each, { recursive: true, force: true })
    },
  }
}
