// A process that takes up a job and never ends it: a test kills it.
import { openDatabase } from '#server/db/database.ts'
import { openQueue } from '#server/job-queue.ts'
import { startRunner } from '#server/jobs/runner.ts'
import { createLog } from '#server/log.ts'

const [databaseUrl, patience] = process.argv.slice(2) as [string, string]
const db = await openDatabase({ dataDir: '', databaseUrl })
const hang = () => {
  process.send!('began')
  return new Promise<void>(() => {})
}
const log = createLog({ write() {} })
const queue = await openQueue(db, log, JSON.parse(patience))
const work = { recurring: hang, reminders: hang }
const runner = await startRunner({ db, queue, clock: Date.now, log, work })
await runner.look()
