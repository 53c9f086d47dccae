// What failed in an organization: its mails that do not get through, its reminders without an address, its recurring invoices that stopped or went to nobody, its jobs. Nothing here says what a mail says.
import type { FailedMail, FailedWork, Failures } from '#shared/contract/failures.ts'
import { todayIn } from '#shared/dates.ts'
import type { Tx } from '#server/db/database.ts'
import { dueReminders, reminderRulesOf } from '#server/rows/due-reminders.ts'

const shownOfEach = 200

function unsent(tx: Tx, organizationIds: readonly string[]) {
  return tx
    .selectFrom('mails')
    .where('mails.organizationId', 'in', organizationIds)
    .where('mails.sentAt', 'is', null)
    .where('mails.endedAt', 'is', null)
    .where('mails.failure', 'is not', null)
}

function failing(tx: Tx, organizationIds: readonly string[]) {
  return tx.selectFrom('dueWork').where('organizationId', 'in', organizationIds).where('failures', '>', 0)
}

/** What stopped by itself, and nobody has looked at since: whoever saves it has seen to it. */
function stopped(tx: Tx, organizationIds: readonly string[]) {
  return tx
    .selectFrom('recurringInvoices')
    .where('recurringInvoices.organizationId', 'in', organizationIds)
    .where('recurringInvoices.deletedAt', 'is', null)
    .where('recurringInvoices.lastProblem', 'is not', null)
    .where('recurringInvoices.paused', '=', true)
}

/** What a rule issued and could not send, and nobody has sent since; and what it could not issue, and nobody has touched since. */
function leftOpen(tx: Tx, organizationIds: readonly string[]) {
  return tx
    .selectFrom('recurringSendings')
    .innerJoin('invoices', (join) =>
      join
        .onRef('invoices.organizationId', '=', 'recurringSendings.organizationId')
        .onRef('invoices.id', '=', 'recurringSendings.invoiceId')
        .on('invoices.deletedAt', 'is', null)
        .on((eb) =>
          eb.or([
            eb.and([eb('invoices.status', '=', 'issued'), eb('invoices.sentAt', 'is', null)]),
            eb.and([eb('invoices.status', '=', 'draft'), eb('invoices.version', '=', 1)]),
          ]),
        ),
    )
    .where('recurringSendings.organizationId', 'in', organizationIds)
    .where('recurringSendings.problem', 'is not', null)
}

async function mailRows(tx: Tx, organizationId: string, id?: string): Promise<FailedMail[]> {
  let query = unsent(tx, [organizationId])
    .leftJoin('invoiceMails', (join) =>
      join.onRef('invoiceMails.id', '=', 'mails.id').on('invoiceMails.organizationId', '=', organizationId),
    )
    .leftJoin('invoices', (join) =>
      join.onRef('invoices.id', '=', 'invoiceMails.invoiceId').on('invoices.organizationId', '=', organizationId),
    )
    .select(['mails.id', 'mails.kind', 'mails.recipient', 'mails.subject', 'mails.createdAt', 'mails.attempts'])
    .select(['mails.failure', 'mails.lastError', 'mails.dueAt', 'mails.givenUpAt'])
    .select(['invoices.id as invoiceId', 'invoices.number as invoiceNumber'])
    .orderBy('mails.createdAt', 'desc')
    .orderBy('mails.id', 'desc')
    .limit(shownOfEach)
  if (id !== undefined) query = query.where('mails.id', '=', id)
  const rows = await query.execute()
  return rows.map(({ attempts: tries, failure, lastError, dueAt, givenUpAt, ...row }) => ({
    ...row,
    tries,
    failure: failure as FailedMail['failure'],
    // Of one that cannot be reached it says what the operator's machines are called.
    answer: failure === 'address' || failure === 'refused' ? lastError : null,
    nextTryAt: givenUpAt === null ? dueAt : null,
  }))
}

export async function findFailedMail(tx: Tx, organizationId: string, id: string): Promise<FailedMail | null> {
  return (await mailRows(tx, organizationId, id))[0] ?? null
}

export async function listFailures(tx: Tx, organizationId: string, today: string): Promise<Failures> {
  const work = await failing(tx, [organizationId]).selectAll().orderBy('kind').execute()
  return {
    mails: await mailRows(tx, organizationId),
    unaddressed: await unaddressed(tx, organizationId, today),
    recurring: await stoppedRows(tx, organizationId),
    work: work.map(({ kind, failures, failedAt, lastError, dueAt }) => ({
      job: kind as FailedWork['job'],
      failures,
      failedAt: failedAt!,
      lastError: lastError ?? '',
      nextTryAt: dueAt,
    })),
  }
}

async function stoppedRows(tx: Tx, organizationId: string): Promise<Failures['recurring']> {
  const rows = await stopped(tx, [organizationId])
    .innerJoin('customers', (join) =>
      join
        .onRef('customers.organizationId', '=', 'recurringInvoices.organizationId')
        .onRef('customers.id', '=', 'recurringInvoices.customerId'),
    )
    .select(['recurringInvoices.id as recurringId', 'customers.name as customerName', 'lastProblem'])
    .orderBy('recurringInvoices.id', 'desc')
    .limit(shownOfEach)
    .execute()
  const left = await leftOpen(tx, [organizationId])
    .select(['recurringSendings.recurringId', 'invoices.customerName', 'recurringSendings.problem'])
    .select(['invoices.id as invoiceId', 'invoices.number as invoiceNumber'])
    .orderBy('invoices.id', 'desc')
    .limit(shownOfEach)
    .execute()
  return [
    ...rows.map(({ lastProblem, ...row }) => ({
      ...row,
      problem: lastProblem!,
      invoiceId: null,
      invoiceNumber: null,
    })),
    ...left.map(({ customerName, problem, ...row }) => ({
      ...row,
      customerName: customerName ?? '',
      problem: problem!,
    })),
  ]
}

async function unaddressed(tx: Tx, organizationId: string, today: string): Promise<Failures['unaddressed']> {
  const { enabled, steps } = await reminderRulesOf(tx, organizationId)
  if (!enabled) return []
  const found = await dueReminders(tx, organizationId, steps, today, { limit: shownOfEach, unaddressed: true })
  return found.map(({ step: _, recipient: __, ...row }) => row)
}

/** How much there is in each of these organizations; those with nothing are left out. */
export async function countFailures(tx: Tx, organizations: readonly { id: string; timeZone: string }[], nowMs: number) {
  if (organizations.length === 0) return []
  const ids = organizations.map(({ id }) => id)
  const perOrganization = [
    await unsent(tx, ids)
      .select((eb) => ['mails.organizationId', eb.fn.countAll<bigint>().as('count')])
      .groupBy('mails.organizationId')
      .execute(),
    await failing(tx, ids)
      .select((eb) => ['organizationId', eb.fn.countAll<bigint>().as('count')])
      .groupBy('organizationId')
      .execute(),
    await stopped(tx, ids)
      .select((eb) => ['recurringInvoices.organizationId', eb.fn.countAll<bigint>().as('count')])
      .groupBy('recurringInvoices.organizationId')
      .execute(),
    await leftOpen(tx, ids)
      .select((eb) => ['recurringSendings.organizationId', eb.fn.countAll<bigint>().as('count')])
      .groupBy('recurringSendings.organizationId')
      .execute(),
  ].flat()
  const reminding = await tx
    .selectFrom('reminderRules')
    .select('organizationId')
    .where('organizationId', 'in', ids)
    .where('enabled', '=', true)
    .execute()
  const counts = new Map<string, number>()
  const add = (id: string, count: number) => counts.set(id, (counts.get(id) ?? 0) + count)
  for (const { organizationId, count } of perOrganization) add(organizationId!, Number(count))
  for (const { organizationId } of reminding) {
    const { timeZone } = organizations.find(({ id }) => id === organizationId)!
    add(organizationId, (await unaddressed(tx, organizationId, todayIn(timeZone, nowMs))).length)
  }
  return [...counts].flatMap(([organizationId, count]) => (count > 0 ? [{ organizationId, count }] : []))
}
