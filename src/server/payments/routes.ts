import { newPayment, payment, paymentPage, paymentQuery, paymentReversal } from '#shared/contract/payments.ts'
import { ProblemError } from '#shared/problem.ts'
import { row, type TenantCall } from '#server/context.ts'
import { tenantEndpoint, type Route } from '#server/http/endpoint.ts'
import { namedRow } from '#server/rows/named-row.ts'
import { findPayment } from '#server/rows/payment-row.ts'
import { nextRevision } from '#server/rows/revision.ts'
import { listPayments } from './list.ts'
import { asksForTheSame, recordPayment } from './record.ts'
import { reversePayment } from './reverse.ts'

export const paymentRoutes: Route[] = [
  tenantEndpoint(
    'listPayments',
    { summary: 'Payments', query: paymentQuery, answers: { 200: paymentPage } },
    async ({ tx, organizationId, query }) => ({ status: 200, body: await listPayments(tx, organizationId, query) }),
  ),

  tenantEndpoint('getPayment', { summary: 'A payment', answers: { 200: payment } }, async (call) =>
    row(await existing(call)),
  ),

  tenantEndpoint(
    'recordPayment',
    { summary: 'Record a payment', body: newPayment, answers: { 201: payment, 200: payment } },
    async ({ tx, organizationId, caller, body, today, now }) => {
      // The organization's counter row first: of two payments at once the second sees what the first has left due.
      const revision = await nextRevision(tx, organizationId)
      const known = await findPayment(tx, organizationId, body.id)
      if (known && !asksForTheSame(body, known)) throw new ProblemError('id_taken')
      if (!known) await recordPayment(tx, { organizationId, asked: body, userId: caller.userId, revision, today, now })
      return row(known ?? (await findPayment(tx, organizationId, body.id))!, known ? 200 : 201)
    },
  ),

  tenantEndpoint(
    'reversePayment',
    { summary: 'Reverse a payment', body: paymentReversal, answers: { 200: payment } },
    async (call) => {
      const { tx, organizationId, caller, body, ifMatch, now } = call
      namedRow(call, 'payment')
      const revision = await nextRevision(tx, organizationId)
      const paid = await existing(call)
      if (paid.reversal)
        throw new ProblemError('invalid_transition', { detail: 'This payment has been reversed already.' })
      if (paid.version !== ifMatch) throw new ProblemError('stale')
      await reversePayment(tx, { paid, userId: caller.userId, reason: body.reason, revision, now })
      return row(await existing(call))
    },
  ),
]

async function existing({ tx, organizationId, params }: TenantCall<unknown, unknown>) {
  const stored = await findPayment(tx, organizationId, params['paymentId']!.toLowerCase())
  if (!stored) throw new ProblemError('not_found')
  return stored
}
