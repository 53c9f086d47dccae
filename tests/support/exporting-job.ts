// A process that makes exports until it is killed: arguments are the database's address and the queue's patience.
import { openDatabase } from '#server/db/database.ts'
import { makeExports } from '#server/exports/make.ts'
import { openQueue } from '#server/jobs/queue.ts'
import { startRunner } from '#server/jobs/runner.ts'
import { createLog } from '#server/log.ts'

const [databaseUrl = '', patience = '{}'] = process.argv.slice(2)
const db = await openDatabase({ dataDir: '', databaseUrl })
const log = createLog({ write() {} })
await startRunner({
  db,
  queue: await openQueue(db, log, JSON.parse(patience)),
  clock: Date.now,
  log,
  work: { export: makeExports({ publicUrl: 'http://localhost:8080', mailQueued: () => {} }) },
})
