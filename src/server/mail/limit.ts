import { ProblemError } from '#shared/problem.ts'
import type { Tx } from '#server/db/database.ts'

/** An organization's mails to its customers in an hour: a stolen or careless account is no source of mass mail. */
const mostPerHour = 200
const hourMs = 3_600_000

/** How many more may go out now, of invoices, reminders and quotes together. */
export async function mailsLeft(tx: Tx, organizationId: string, now: string): Promise<number> {
  const since = new Date(Date.parse(now) - hourMs).toISOString()
  let left = mostPerHour
  for (const table of ['invoiceMails', 'quoteMails'] as const) {
    const { count } = await tx
      .selectFrom(table)
      .select((eb) => eb.fn.countAll<bigint>().as('count'))
      .where('organizationId', '=', organizationId)
      .where('sentAt', '>', since)
      .executeTakeFirstOrThrow()
    left -= Number(count)
  }
  return left
}

export async function refuseTooManyMails(tx: Tx, organizationId: string, now: string): Promise<void> {
  if ((await mailsLeft(tx, organizationId, now)) <= 0)
    throw new ProblemError('too_many_requests', {}, { 'retry-after': '600' })
}
