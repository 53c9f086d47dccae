// Server entry: environment -> database -> migrate -> app -> listen.
import type http from 'node:http'
import path from 'node:path'
import { serve } from '@hono/node-server'
import { createApp } from '#server/app.ts'
import { openDatabase } from '#server/db/database.ts'
import { drainOnSignal } from '#server/drain.ts'
import { processSettings } from '#server/env.ts'
import { defaultLimits } from '#server/http/limits.ts'
import type { WorkKind } from '#server/jobs/due-work.ts'
import { makeExports } from '#server/exports/make.ts'
import { repeatInvoices } from '#server/invoices/repeat.ts'
import { openQueue } from '#server/jobs/queue.ts'
import { startRunner, type Work } from '#server/jobs/runner.ts'
import { createLog } from '#server/log.ts'
import { mailboxPath } from '#server/mail/mailbox.ts'
import { drawIssued } from '#server/outgoing/draw-issued.ts'
import { prepareMail } from '#server/outgoing/mail-attachments.ts'
import { startSender } from '#server/mail/sender.ts'
import { stopDrawing } from '#server/outgoing/pdf-drawing.ts'
import { mailboxTransport, smtpTransport } from '#server/mail/transport.ts'
import { purgeEveryHour } from '#server/purge.ts'
import { remindCustomers } from '#server/reminders/remind.ts'
import { loadStaticFiles } from '#server/http/static.ts'

const checked = processSettings()
if ('problem' in checked) stop(checked.problem)
const { settings } = checked

const log = createLog()
const db = await openDatabase(settings).catch((error: unknown) => {
  const message = error instanceof Error ? error.message : String(error)
  return stop(settings.databaseUrl ? `DATABASE_URL: ${message}` : message)
})
const mailbox = settings.smtpUrl === undefined ? path.join(settings.dataDir, 'mailbox') : null
const transport =
  mailbox === null ? smtpTransport(settings.smtpUrl!, settings.mailFrom) : mailboxTransport(mailbox, settings.mailFrom)
const queue = await openQueue(db, log)
const sender = await startSender({ db, queue, transport, log, prepare: prepareMail(db) })
const mailQueued = sender.nudge
const work: Record<WorkKind, Work> = {
  recurring: repeatInvoices({ apiPublicUrl: settings.apiPublicUrl, mailQueued }),
  reminders: remindCustomers({ apiPublicUrl: settings.apiPublicUrl, mailQueued }),
  documents: drawIssued,
  export: makeExports({ publicUrl: settings.publicUrl, mailQueued }),
}
const runner = await startRunner({ db, queue, clock: Date.now, log, work })
const stopPurging = purgeEveryHour(db, Date.now, log)
const services = {
  db,
  clock: Date.now,
  limits: defaultLimits,
  log,
  mailQueued: sender.nudge,
  workDue: runner.hurry,
  publicUrl: settings.publicUrl,
  apiPublicUrl: settings.apiPublicUrl,
}
const app = await createApp({ services, settings, files: loadStaticFiles(path.resolve('dist/app')), mailbox })

/** Longer than proxies keep a connection that nobody uses (nginx a minute, Caddy two): closed here first, it may be just being used again, and that call fails. */
const keepAliveTimeout = 130_000

// Plain HTTP/1.1: a proxy in front ends TLS.
const serverOptions = { keepAliveTimeout }
const listening = { fetch: app.fetch, hostname: settings.host, port: settings.port, serverOptions }
const server = serve(listening, ({ port }) => {
  const data = settings.databaseUrl ? 'PostgreSQL (DATABASE_URL)' : settings.dataDir
  const mail = mailbox === null ? 'sent by SMTP_URL' : `http://localhost:${port}${mailboxPath} (kept in ${mailbox})`
  process.stdout.write(`Docket is at ${settings.publicUrl}\n  data: ${data}\n  mail: ${mail}\n`)
}) as http.Server
server.on('error', (error: NodeJS.ErrnoException) =>
  stop(error.code === 'EADDRINUSE' ? `PORT ${settings.port} is in use` : error.message),
)

drainOnSignal(server, async () => {
  stopPurging()
  runner.stop()
  sender.stop()
  await queue.stop()
  transport.close()
  await sender.settled()
  await stopDrawing()
  await db.close()
})

function stop(problem: string): never {
  process.stderr.write(`Docket cannot start: ${problem}\n`)
  process.exit(1)
}
