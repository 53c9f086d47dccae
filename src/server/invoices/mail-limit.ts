import { ProblemError } from '#shared/problem.ts'
import type { TenantCall } from '#server/context.ts'

/** An organization's mails to its customers in an hour: a stolen or careless account is no source of mass mail. */
const mostPerHour = 200
const hourMs = 3_600_000

/** Invoices and quotes together. */
export async function refuseTooManyMails({ tx, organizationId, now }: TenantCall<unknown, unknown>): Promise<void> {
  const since = new Date(Date.parse(now) - hourMs).toISOString()
  let count = 0n
  for (const table of ['invoiceMails', 'quoteMails'] as const) {
    const sent = await tx
      .selectFrom(table)
      .select((eb) => eb.fn.countAll<bigint>().as('count'))
      .where('organizationId', '=', organizationId)
      .where('sentAt', '>', since)
      .executeTakeFirstOrThrow()
    count += sent.count
  }
  if (count >= BigInt(mostPerHour)) throw new ProblemError('too_many_requests', {}, { 'retry-after': '600' })
}
