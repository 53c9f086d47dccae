// A process that takes up a job and never ends it: a test kills it.
import { openDatabase } from '#server/db/database.ts'
import { startRunner } from '#server/jobs/runner.ts'
import { createLog } from '#server/log.ts'

const [databaseUrl, patience] = process.argv.slice(2) as [string, string]
const db = await openDatabase({ dataDir: '', databaseUrl })
const recurring = () => {
  process.send!('began')
  return new Promise<void>(() => {})
}
const log = createLog({ write() {} })
const runner = await startRunner({ db, clock: Date.now, log, work: { recurring }, patience: JSON.parse(patience) })
await runner.look()
