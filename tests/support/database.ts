// A migrated database of its own for a test file, of either engine.
import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { inject } from 'vitest'
import { openDatabase, type Database } from '#server/db/database.ts'
import { templateDatabase } from './postgres.ts'

export type Engine = Database['engine']
export const engines = ['embedded', 'postgresql'] as const satisfies Engine[]

/** Settings that open a fresh copy of the migrated database. */
export interface FreshDatabase {
  dataDir: string
  databaseUrl: string | undefined
}

export async function freshDatabase(engine: Engine): Promise<FreshDatabase> {
  const { embedded, postgresql } = inject('engines')
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'docket-test-'))
  if (engine === 'embedded') {
    fs.cpSync(embedded, dataDir, { recursive: true })
    return { dataDir, databaseUrl: undefined }
  }
  const name = `test_${randomBytes(8).toString('hex')}`
  const owner = new pg.Client({ connectionString: postgresql.replace('DATABASE', 'postgres') })
  await owner.connect()
  await owner.query(`create database ${name} template ${templateDatabase} strategy file_copy`)
  await owner.end()
  return { dataDir, databaseUrl: postgresql.replace('DATABASE', name) }
}

export async function openFresh(engine: Engine): Promise<Database & FreshDatabase> {
  const fresh = await freshDatabase(engine)
  return { ...fresh, ...(await openDatabase(fresh)) }
}
