// Takes mails from the queue and hands them over, one at a time: soon after they are queued, again when that failed.
import type { Database } from '#server/db/database.ts'
import type { Mails } from '#server/db/tables.ts'
import type { Attachment } from './queue.ts'
import type { Log } from '#server/log.ts'

export interface AttachedFile {
  filename: string
  contentType: string
  content: Buffer
}

/** Reads or makes what a mail's attachments name. */
export type Attach = (organizationId: string, attachments: readonly Attachment[]) => Promise<AttachedFile[]>

/** Hands one mail over; rejects when it could not. */
export interface Transport {
  send(mail: QueuedMail, files: readonly AttachedFile[]): Promise<void>
  close(): void
}

/** A row as it is read: JSON is parsed. */
export type QueuedMail = Omit<Mails, 'attachments'> & { attachments: unknown }

export interface Sender {
  /** A mail was queued here: look at once. */
  nudge(): void
  /** Waits for the mail under way. */
  stop(): Promise<void>
}

const pollEveryMs = 2000
/** While a mail is being handed over no other process takes it; a process that dies lets it go after this. */
const leaseMs = 60_000
const firstRetryMs = 5000
const longestRetryMs = 60 * 60_000
const stopPatienceMs = 5000

export function startSender(db: Database, transport: Transport, log: Log, attach: Attach = async () => []): Sender {
  let stopped = false
  let running: Promise<void> | null = null
  let again = false

  async function drain(): Promise<void> {
    while (!stopped) {
      const mail = await take(db)
      if (!mail) return
      try {
        const named = (mail.attachments ?? []) as Attachment[]
        const files = mail.organizationId && named.length > 0 ? await attach(mail.organizationId, named) : []
        await transport.send(mail, files)
        await settle(db, mail, { sentAt: new Date().toISOString(), lastError: null, bodyText: '', bodyHtml: '' })
      } catch (error) {
        const delay = Math.min(firstRetryMs * 2 ** (mail.attempts - 1), longestRetryMs)
        const lastError = error instanceof Error ? error.message.slice(0, 500) : 'unknown'
        await settle(db, mail, { dueAt: new Date(Date.now() + delay).toISOString(), lastError })
        log.warn({ mail: mail.id, attempt: mail.attempts, retryInMs: delay }, 'mail could not be handed over')
      }
    }
  }

  function nudge(): void {
    if (stopped) return
    if (running) {
      again = true
      return
    }
    running = drain()
      .catch((error: unknown) => log.error({ error: error instanceof Error ? error.message : '' }, 'mail queue failed'))
      .finally(() => {
        running = null
        if (again) {
          again = false
          nudge()
        }
      })
  }

  const timer = setInterval(nudge, pollEveryMs)
  nudge()
  return {
    nudge,
    async stop() {
      stopped = true
      clearInterval(timer)
      // A mail server that says nothing is not waited for: the mail stays in the queue.
      await Promise.race([running, new Promise((resolve) => setTimeout(resolve, stopPatienceMs))])
      transport.close()
    },
  }
}

/** The next mail that is due, leased to this process. */
function take(db: Database): Promise<QueuedMail | undefined> {
  const now = new Date()
  return db.asJobs((tx) =>
    tx
      .updateTable('mails')
      .set((eb) => ({ attempts: eb('attempts', '+', 1), dueAt: new Date(now.getTime() + leaseMs).toISOString() }))
      .where('id', '=', (eb) =>
        eb
          .selectFrom('mails')
          .select('id')
          .where('sentAt', 'is', null)
          .where('dueAt', '<=', now.toISOString())
          .orderBy('dueAt')
          .limit(1)
          .forUpdate()
          .skipLocked(),
      )
      .returningAll()
      .executeTakeFirst(),
  )
}

function settle(db: Database, mail: QueuedMail, change: Partial<Omit<Mails, 'attachments'>>): Promise<unknown> {
  return db.asJobs((tx) => tx.updateTable('mails').set(change).where('id', '=', mail.id).execute())
}
