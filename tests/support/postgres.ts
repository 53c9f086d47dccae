// Once per test run: a real PostgreSQL, and of each engine a migrated database to copy from.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { TestProject } from 'vitest/node'
import { openDatabase } from '#server/db/database.ts'
import { startCluster } from '#tools/postgres.ts'

export interface Engines {
  /** Connection string with `DATABASE` in the place of the database's name. */
  postgresql: string
  /** A data folder with a migrated embedded database that nobody has open. */
  embedded: string
}

export const templateDatabase = 'docket_template'

declare module 'vitest' {
  interface ProvidedContext {
    engines: Engines
  }
}

const ends: (() => Promise<void> | void)[] = []

export async function setup(project: TestProject): Promise<void> {
  const cluster = await startCluster()
  cluster.createDatabase(templateDatabase)
  const embedded = fs.mkdtempSync(path.join(os.tmpdir(), 'docket-embedded-'))
  const migrated = [
    await openDatabase({ dataDir: embedded }),
    await openDatabase({ dataDir: embedded, databaseUrl: cluster.url(templateDatabase) }),
  ]
  for (const database of migrated) await database.close()
  project.provide('engines', { postgresql: cluster.url('DATABASE'), embedded })
  ends.push(cluster.stop, () => fs.rmSync(embedded, { recursive: true, force: true }))
}

export async function teardown(): Promise<void> {
  for (const end of ends.splice(0)) await end()
}
