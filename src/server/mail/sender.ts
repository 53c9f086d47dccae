// Hands over the mails that are due. Their rows are the truth; the job queue sees to it that of all processes one takes each, one at a time.
import type { Database } from '#server/db/database.ts'
import type { Mails } from '#server/db/tables.ts'
import type { Queue } from '#server/jobs/queue.ts'
import type { Log } from '#server/log.ts'
import { AnswerMissing, DocumentsMissing, failureOf } from './failure.ts'
import type { Attachment } from './queue.ts'

export interface AttachedFile {
  filename: string
  contentType: string
  content: Buffer
}

/** Reads or makes what an organization's mail takes along; null: what it says is no longer so, and it stays here. */
export type Prepare = (
  organizationId: string,
  mail: { kind: string; attachments: readonly Attachment[] },
) => Promise<AttachedFile[] | null>

/** Hands one mail over; rejects when it could not. */
export interface Transport {
  /** Where what is handed over twice arrives twice, `noteHandedOver` is waited for before the other side has the end of it. */
  send(mail: QueuedMail, files: readonly AttachedFile[], noteHandedOver: () => Promise<void>): Promise<void>
  close(): void
}

/** A row as it is read: JSON is parsed. */
export type QueuedMail = Omit<Mails, 'attachments'> & { attachments: unknown }

export interface Sender {
  /** A mail was queued here: look at once. */
  nudge(): void
  /** Looks no more. What is under way the queue waits for. */
  stop(): void
  /** Once the transport was closed: what became of the mails that it gave up at is written down. */
  settled(): Promise<void>
}

interface SenderParts {
  db: Database
  queue: Queue
  transport: Transport
  log: Log
  prepare?: Prepare
  leaseMs?: number
}

const kind = 'mail'
const lookEveryMs = 2000
const mostAtOnce = 100
/** While a mail is being handed over its lease is renewed and nobody else takes it; a process that dies lets it go after this. */
const usualLeaseMs = 60_000
/** Longer than a transport takes, documents and all: what is still there then hangs. */
const longestSendingSeconds = 30 * 60
const firstRetryMs = 5000
const longestRetryMs = 60 * 60_000
/** How long the server's end waits for it to be written down what became of a mail. */
const mostAtEndMs = 2000
/** As a rule a mail whose fate is unknown has arrived. Once more is enough, and not before somebody could say so. */
const unknownRetryMs = 24 * 60 * 60_000
/** What did not get through in this time will not: somebody has to look at it. */
const patienceMs = 7 * 24 * 60 * 60_000

export async function startSender(parts: SenderParts): Promise<Sender> {
  const { db, queue, transport, log, prepare, leaseMs = usualLeaseMs } = parts
  const underWay = new Set<Promise<void>>()
  function deliver(id: string): Promise<void> {
    const delivering = deliverOne(id).finally(() => underWay.delete(delivering))
    underWay.add(delivering)
    return delivering
  }

  async function deliverOne(id: string): Promise<void> {
    const mail = await take(db, id, leaseMs)
    // Another process sent it meanwhile, or somebody took it back.
    if (!mail) return
    const letGo = keepTaken(mail)
    const outcome = await outcomeOf(mail)
    // A renewal that came after it would have a mail tried again at once that is to rest.
    await letGo()
    await settle(db, mail, { ...outcome, handedOverAt: null })
  }

  async function outcomeOf(mail: QueuedMail): Promise<Change> {
    try {
      if (mail.handedOverAt !== null) throw new AnswerMissing('The server ended before the answer came')
      const files = await filesOf(mail)
      if (files === null) return { endedAt: nowText(), endedAs: 'withdrawn', ...forgotten }
      await transport.send(mail, files, async () => {
        const isMine = await settle(db, mail, { handedOverAt: nowText() })
        if (!isMine) throw new Error('Taken over, or taken back')
      })
      return { sentAt: nowText(), lastError: null, failure: null, ...forgotten }
    } catch (error) {
      const { failure, lastError, isFinal } = failureOf(error)
      const isUnknown = failure === 'unknown'
      const delay = isUnknown ? unknownRetryMs : Math.min(firstRetryMs * 2 ** (mail.attempts - 1), longestRetryMs)
      const next = Date.now() + delay
      const isTooLate = next > Date.parse(mail.createdAt) + patienceMs
      const isHopeless = isFinal || isTooLate || (isUnknown && mail.failure === 'unknown')
      // An account's mails have no screen where somebody would have them tried again.
      const isOver = mail.organizationId !== null && isHopeless
      const retry = isOver ? {} : { retryInMs: delay }
      log.warn({ mail: mail.id, attempt: mail.attempts, failure, ...retry }, 'mail could not be handed over')
      // Whatever comes after it, one that was once handed over without an answer may be there.
      const kept = mail.failure === 'unknown' ? mail.failure : failure
      return { dueAt: new Date(next).toISOString(), failure: kept, lastError, givenUpAt: isOver ? nowText() : null }
    }
  }

  /** A mail server may take minutes: until it is let go nobody else takes the mail. */
  function keepTaken(mail: QueuedMail): () => Promise<void> {
    const end = Date.now() + longestSendingSeconds * 1000
    let renewal = Promise.resolve()
    const renewing = setInterval(() => {
      if (Date.now() > end) return clearInterval(renewing)
      const renewed = settle(db, mail, { dueAt: new Date(Date.now() + leaseMs).toISOString() })
      renewal = renewed.then(
        () => {},
        (error: unknown) =>
          log.error({ mail: mail.id, error: error instanceof Error ? error.message : '' }, 'a mail could not be kept'),
      )
    }, leaseMs / 3)
    return () => {
      clearInterval(renewing)
      return renewal
    }
  }

  async function filesOf({ organizationId, kind: about, attachments }: QueuedMail): Promise<AttachedFile[] | null> {
    const named = (attachments ?? []) as Attachment[]
    if (!prepare || organizationId === null || named.length === 0) return []
    try {
      return await prepare(organizationId, { kind: about, attachments: named })
    } catch (error) {
      throw new DocumentsMissing(error instanceof Error ? error.message : 'unknown')
    }
  }

  async function look(): Promise<void> {
    const due = await dueNow(db)
    const ofAccounts = due.filter(({ organizationId }) => organizationId === null)
    // Somebody waits in front of the screen for a link; a hundred reminders do not keep them waiting.
    await queue.add(
      kind,
      due.map(({ id }) => id),
      ofAccounts.map(({ id }) => id),
    )
  }

  let looking: Promise<void> | null = null
  let isWanted = false
  let isStopped = false
  function nudge(): void {
    if (isStopped) return
    isWanted = true
    looking ??= (async () => {
      while (isWanted) {
        isWanted = false
        await look().catch((error: unknown) =>
          log.error({ error: error instanceof Error ? error.message : '' }, 'looking for mails failed'),
        )
      }
      looking = null
    })()
  }

  // A failure is noted in the row, with its next try: the queue tries nothing again by itself.
  await queue.work(kind, deliver, { retryLimit: 0, expireInSeconds: longestSendingSeconds })
  const timer = setInterval(nudge, lookEveryMs)
  nudge()
  return {
    nudge,
    stop() {
      isStopped = true
      clearInterval(timer)
    },
    async settled() {
      let timer: NodeJS.Timeout | undefined
      const enough = new Promise((resolve) => (timer = setTimeout(resolve, mostAtEndMs)))
      await Promise.race([Promise.allSettled(underWay), enough])
      clearTimeout(timer)
    },
  }
}

/** Links are secrets. */
const forgotten = { bodyText: '', bodyHtml: '' }
const nowText = () => new Date().toISOString()

function dueNow(db: Database) {
  return db.asJobs((tx) =>
    tx
      .selectFrom('mails')
      .select(['id', 'organizationId'])
      .where('sentAt', 'is', null)
      .where('givenUpAt', 'is', null)
      .where('endedAt', 'is', null)
      .where('dueAt', '<=', nowText())
      // An account's own go first, however many of an organization's wait.
      .orderBy((eb) => eb('organizationId', 'is not', null))
      .orderBy('dueAt')
      .limit(mostAtOnce)
      .execute(),
  )
}

/** The mail, leased, if it is still due: a job may be begun twice where its process was only slow. */
function take(db: Database, id: string, leaseMs: number): Promise<QueuedMail | undefined> {
  const now = Date.now()
  return db.asJobs((tx) =>
    tx
      .updateTable('mails')
      .set((eb) => ({ attempts: eb('attempts', '+', 1), dueAt: new Date(now + leaseMs).toISOString() }))
      .where('id', '=', id)
      .where('sentAt', 'is', null)
      .where('givenUpAt', 'is', null)
      .where('endedAt', 'is', null)
      .where('dueAt', '<=', new Date(now).toISOString())
      .returningAll()
      .executeTakeFirst(),
  )
}

type Change = Partial<Omit<Mails, 'attachments'>>

/** That a mail was sent is so whoever has it by now; all else is said by whoever took it last, of a mail that nobody was done with meanwhile: else false. */
async function settle(db: Database, mail: QueuedMail, change: Change): Promise<boolean> {
  const { numUpdatedRows } = await db.asJobs((tx) => {
    const row = tx.updateTable('mails').set(change).where('id', '=', mail.id)
    if (change.sentAt) return row.executeTakeFirst()
    const mine = row.where('attempts', '=', mail.attempts).where('sentAt', 'is', null).where('endedAt', 'is', null)
    return mine.executeTakeFirst()
  })
  return numUpdatedRows > 0n
}
