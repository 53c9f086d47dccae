import { failureCounts, failures, retriedWork } from '#shared/contract/failures.ts'
import { may, type Role } from '#shared/permissions.ts'
import { ProblemError } from '#shared/problem.ts'
import { recordActivity } from '#server/rows/activity-log.ts'
import type { TenantCall } from '#server/context.ts'
import { endpoint, tenantEndpoint, type Route } from '#server/http/endpoint.ts'
import { membershipsOf } from '#server/rows/organization-row.ts'
import { countFailures, findFailedMail, listFailures } from './store.ts'

export const failureRoutes: Route[] = [
  endpoint(
    'countFailures',
    { summary: 'In which of my organizations something failed', answers: { 200: failureCounts } },
    async ({ services: { db }, caller, now }) => {
      const { userId } = caller!
      const organizationIds = await db.asApp({ userId }, (tx) => membershipsOf(tx, userId))
      if (organizationIds.length === 0) return { status: 200, body: { data: [] } }
      const data = await db.asApp({ userId, organizationIds }, async (tx) => {
        const rows = await tx
          .selectFrom('organizations')
          .innerJoin('memberships', 'memberships.organizationId', 'organizations.id')
          .select(['organizations.id', 'organizations.timeZone', 'memberships.role'])
          .where('memberships.userId', '=', userId)
          .where('organizations.id', 'in', organizationIds)
          .where('organizations.deletedAt', 'is', null)
          .execute()
        const mine = rows.filter(({ role }) => may({ role: role as Role }, 'failure.manage'))
        return countFailures(tx, mine, Date.parse(now))
      })
      return { status: 200, body: { data } }
    },
  ),

  tenantEndpoint(
    'listFailures',
    { summary: 'What failed in an organization', answers: { 200: failures } },
    async ({ tx, organizationId, today }) => ({ status: 200, body: await listFailures(tx, organizationId, today) }),
  ),

  tenantEndpoint(
    'retryWork',
    { summary: 'Have a job that failed tried now', body: retriedWork, answers: { 204: null } },
    async (call) => {
      const { tx, organizationId, body, now, services } = call
      await tx
        .updateTable('dueWork')
        .set({ dueAt: now })
        .where('organizationId', '=', organizationId)
        .where('kind', '=', body.job)
        .where('failures', '>', 0)
        .execute()
      call.afterCommit(() => services.workDue(body.job, organizationId))
      return { status: 204 }
    },
  ),

  tenantEndpoint('retryMail', { summary: 'Have a mail tried now', answers: { 204: null } }, async (call) => {
    await existing(call)
    await change(call, { dueAt: call.now, givenUpAt: null })
    call.afterCommit(call.services.mailQueued)
    return { status: 204 }
  }),

  tenantEndpoint(
    'dismissMail',
    { summary: 'Let a mail be that does not get through', answers: { 204: null } },
    async (call) => {
      const { tx, organizationId, caller, now } = call
      const { id, recipient, invoiceNumber } = await existing(call)
      await change(call, { endedAt: now, endedAs: 'dismissed', bodyText: '', bodyHtml: '' })
      const place = { tx, organizationId, userId: caller.userId, now }
      const told = [{ field: 'to', before: recipient, after: null }]
      await recordActivity(place, 'dismissMail', { kind: 'mail', id }, invoiceNumber ?? '', told)
      return { status: 204 }
    },
  ),
]

type AnyCall = TenantCall<unknown, unknown>

async function existing({ tx, organizationId, params }: AnyCall) {
  const found = await findFailedMail(tx, organizationId, params['mailId']!)
  if (!found) throw new ProblemError('not_found')
  return found
}

/** One that is sent at this very moment stays as it is. */
async function change({ tx, organizationId, params }: AnyCall, columns: object): Promise<void> {
  await tx
    .updateTable('mails')
    .set(columns)
    .where('organizationId', '=', organizationId)
    .where('id', '=', params['mailId']!)
    .where('sentAt', 'is', null)
    .where('endedAt', 'is', null)
    .execute()
}
