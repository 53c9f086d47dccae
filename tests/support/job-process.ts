// A process of its own that takes up jobs and mails until a test kills it: it says which, and does them or hangs at each. Argument: JobProcess as JSON.
import { setTimeout as pause } from 'node:timers/promises'
import { openDatabase } from '#server/db/database.ts'
import { setDue } from '#server/jobs/due-work.ts'
import { openQueue, type Patience } from '#server/jobs/queue.ts'
import { startRunner, type Work } from '#server/jobs/runner.ts'
import { createLog } from '#server/log.ts'
import { startSender } from '#server/mail/sender.ts'
import { smtpTransport } from '#server/mail/transport.ts'
import { prepareMail } from '#server/outgoing/mail-attachments.ts'
import type { FreshDatabase } from './database.ts'

export interface JobProcess {
  at: FreshDatabase
  hangs: boolean
  patience: Partial<Patience>
  leaseMs: number
  /** Where mails are handed over; null: it hangs before that. */
  smtpUrl: string | null
}

/** What it has taken up; the first message says that it looks for more. */
export type Said = 'ready' | { organizationId: string } | { mailId: string }

const { at, hangs, patience, leaseMs, smtpUrl } = JSON.parse(process.argv[2]!) as JobProcess
const say = (said: Said) => void process.send!(said)
const forEver = () => new Promise<never>(() => {})

const work: Work = async (db, organizationId) => {
  say({ organizationId })
  if (hangs) return forEver()
  await pause(300)
  await db.asApp({ organizationIds: [organizationId] }, (tx) => setDue(tx, organizationId, 'recurring', null))
}
const hanging = {
  send({ id }: { id: string }) {
    say({ mailId: id })
    return forEver()
  },
  close() {},
}

const db = await openDatabase(at)
const log = createLog({ write() {} })
const queue = await openQueue(db, log, patience)
const runner = await startRunner({ db, queue, clock: Date.now, log, work: { recurring: work, reminders: work } })
const transport = smtpUrl === null ? hanging : smtpTransport(smtpUrl, 'docket@example.com')
await startSender({ db, queue, log, transport, leaseMs, prepare: prepareMail(db) })
say('ready')
process.on('message', () => void runner.look())
await runner.look()
