// Deletes what has served its time, so that no table grows for ever.
import type { Database } from './db/database.ts'
import type { Log } from './log.ts'

const hourMs = 60 * 60_000
const dayMs = 24 * hourMs

/** Longer than the longest window of limits.ts. */
const limitedEventsMs = dayMs
/** A phone may come back after this long with writes it has sent before (OFFLINE.md "Server side"). */
const answersMs = 90 * dayMs
const sentMailsMs = 30 * dayMs
/** An account's mail that could not be delivered for this long will not be, and its link has expired. */
const undeliveredMailsMs = 7 * dayMs
/** An ended session stays visible among the devices for a while. */
const endedSessionsMs = 30 * dayMs
const expiredLinksMs = 7 * dayMs
/** They hold addresses of people who may never have come. */
const overInvitationsMs = 30 * dayMs
/** A closed account or organization is erased after this (DOMAIN.md); until then its rows are still there. */
const closedMs = 30 * dayMs

/** From the rows that point to others to those they point to. */
const tenantTables = [
  'exportPieces',
  'exportFiles',
  'exports',
  'paymentReversals',
  'paymentAllocations',
  'payments',
  'activity',
  'publicLinks',
  'quoteLinks',
  'quoteMails',
  'quoteAnswers',
  'quoteEditions',
  'quotes',
  'invoiceMails',
  'reminderRules',
  'reminderPauses',
  'invoiceFiles',
  'logos',
  'dueWork',
  'recurringSendings',
  'recurringInvoices',
  'issuedInvoices',
  'invoiceLines',
  'invoices',
  'customers',
  'items',
  'numberCounters',
  'numberSeries',
  'idempotency',
  'organizationRevisions',
  'memberships',
  'members',
  'invitations',
] as const

export async function purge(db: Database, nowMs: number): Promise<void> {
  const before = (ageMs: number) => new Date(nowMs - ageMs).toISOString()
  await db.asJobs(async (tx) => {
    await tx.deleteFrom('proofsSeen').where('expiresAt', '<', before(0)).execute()
    await tx.deleteFrom('limitedEvents').where('at', '<', before(limitedEventsMs)).execute()
    await tx.deleteFrom('passkeyChallenges').where('expiresAt', '<', before(0)).execute()
    await tx.deleteFrom('emailTokens').where('expiresAt', '<', before(expiredLinksMs)).execute()
    await tx.deleteFrom('invitations').where('expiresAt', '<', before(overInvitationsMs)).execute()
    await tx.deleteFrom('mails').where('sentAt', '<', before(sentMailsMs)).execute()
    await tx
      .deleteFrom('mails')
      .where('sentAt', 'is', null)
      .where((eb) =>
        eb.or([
          eb.and([eb('organizationId', 'is', null), eb('createdAt', '<', before(undeliveredMailsMs))]),
          // An organization's stays for somebody to see.
          eb('createdAt', '<', before(sentMailsMs)),
        ]),
      )
      .execute()
    const gone = before(endedSessionsMs)
    await tx
      .deleteFrom('sessions')
      .where((eb) => eb.or([eb('endsAt', '<', gone), eb('idleExpiresAt', '<', gone)]))
      .execute()
    await tx.deleteFrom('userIdempotency').where('createdAt', '<', before(answersMs)).execute()
    await tx.deleteFrom('idempotency').where('createdAt', '<', before(answersMs)).execute()
  })
  await db.asPurge(async (tx) => {
    const closed = tx.selectFrom('organizations').select('id').where('deletedAt', '<', before(closedMs))
    for (const table of tenantTables) await tx.deleteFrom(table).where('organizationId', 'in', closed).execute()
    await tx.deleteFrom('organizations').where('deletedAt', '<', before(closedMs)).execute()
    const people = tx.selectFrom('users').select('id').where('deletedAt', '<', before(closedMs))
    await tx.deleteFrom('userIdempotency').where('userId', 'in', people).execute()
    await tx.deleteFrom('users').where('deletedAt', '<', before(closedMs)).execute()
  })
}

/** Purges now and every hour; answers how to stop it. */
export function purgeEveryHour(db: Database, clock: () => number, log: Log): () => void {
  const work = () =>
    void purge(db, clock()).catch((error: unknown) =>
      log.error({ error: error instanceof Error ? error.message : '' }, 'purging failed'),
    )
  work()
  const timer = setInterval(work, hourMs)
  return () => clearInterval(timer)
}
