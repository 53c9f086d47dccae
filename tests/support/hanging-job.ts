// A process that takes up a job, or a mail, and never ends it: a test kills it.
import { openDatabase } from '#server/db/database.ts'
import { openQueue } from '#server/jobs/queue.ts'
import { startRunner } from '#server/jobs/runner.ts'
import { createLog } from '#server/log.ts'
import { startSender } from '#server/mail/sender.ts'

const [databaseUrl, patience, leaseMs] = process.argv.slice(2) as [string, string, string]
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
await startSender({ db, queue, log, transport: { send: hang, close() {} }, leaseMs: Number(leaseMs) })
