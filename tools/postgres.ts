// A throw-away PostgreSQL cluster: its own folder, a unix socket, no TCP. For tests and benchmarks.
import { execFileSync, spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'

const binaryFolders = ['/usr/lib/postgresql', '/opt/homebrew/opt', '/usr/local/opt']

/** Folder of the server's programs; undefined when PostgreSQL 15 or later is not installed. */
export function installedPostgres(): string | undefined {
  const onPath = (process.env['PATH'] ?? '').split(path.delimiter)
  const versioned = binaryFolders
    .filter((folder) => fs.existsSync(folder))
    .flatMap((folder) => fs.readdirSync(folder).map((name) => path.join(folder, name, 'bin')))
    .toSorted()
    .toReversed()
  return [...versioned, ...onPath].find((folder) => {
    if (!['initdb', 'postgres'].every((name) => fs.existsSync(path.join(folder, name)))) return false
    const version = execFileSync(path.join(folder, 'postgres'), ['--version'], { encoding: 'utf8' })
    return Number(/(\d+)/.exec(version)?.[1]) >= 15
  })
}

/** The pooler's program; undefined when it is not installed. Debian keeps it where only root's PATH looks. */
export function installedPgbouncer(): string | undefined {
  const folders = [
    '/usr/sbin',
    '/opt/homebrew/bin',
    '/usr/local/bin',
    ...(process.env['PATH'] ?? '').split(path.delimiter),
  ]
  return folders.map((folder) => path.join(folder, 'pgbouncer')).find((program) => fs.existsSync(program))
}

/** How to start what refuses to run as root: as the user that Debian's package brings. */
export function unprivileged(): { uid?: number; gid?: number } {
  return process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : {}
}

export interface Cluster {
  /** Connection string of a database in it, for a login: `docket` may create roles and databases and is no superuser. */
  url(database: string, login?: 'docket' | 'postgres'): string
  /** An empty database that belongs to the login `docket`. */
  createDatabase(name: string): void
  stop(): Promise<void>
}

export async function startCluster(): Promise<Cluster> {
  const bin = installedPostgres()
  if (!bin) throw new Error('PostgreSQL is not installed')
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'docket-pg-'))
  const data = path.join(folder, 'data')
  const asUser = unprivileged()
  if (asUser.uid !== undefined) fs.chownSync(folder, asUser.uid, asUser.gid!)
  const options = { ...asUser, cwd: folder }
  execFileSync(
    path.join(bin, 'initdb'),
    ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '-N'],
    {
      ...options,
      stdio: 'pipe',
    },
  )
  const settings = ['listen_addresses=', `unix_socket_directories=${folder}`, 'max_connections=100', 'fsync=off']
  const server = spawn(path.join(bin, 'postgres'), ['-D', data, ...settings.flatMap((each) => ['-c', each])], {
    ...options,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()))
  const log: string[] = []
  await new Promise<void>((resolve, reject) => {
    server.stderr.setEncoding('utf8').on('data', (text: string) => {
      log.push(text)
      if (text.includes('ready to accept connections')) resolve()
    })
    void ended.then(() => reject(new Error(`PostgreSQL did not start:\n${log.join('')}`)))
  })
  const url = (database: string, login = 'docket') =>
    `postgresql://${login}@localhost/${database}?host=${encodeURIComponent(folder)}`
  const psql = (login: 'docket' | 'postgres', statement: string) =>
    execFileSync(path.join(bin, 'psql'), [url('postgres', login), '-qc', statement])
  psql('postgres', 'create role docket login createrole createdb')
  return {
    url,
    createDatabase: (name) => void psql('docket', `create database ${name}`),
    async stop() {
      server.kill('SIGINT')
      await ended
      fs.rmSync(folder, { recursive: true, force: true })
    },
  }
}

function idOf(option: string): number {
  return Number(execFileSync('id', [option, 'postgres'], { encoding: 'utf8' }))
}
