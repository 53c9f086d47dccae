// Recurring invoices: people say what is repeated and how often; repeat.ts writes them.
import { draftBytes } from '#shared/contract/invoices.ts'
import {
  newRecurring,
  recurring,
  recurringEdit,
  recurringPage,
  recurringQuery,
  type Recurring,
  type RecurringEdit,
} from '#shared/contract/recurring.ts'
import { mayRepeat } from '#shared/permissions.ts'
import { ProblemError } from '#shared/problem.ts'
import { row, type TenantCall } from '#server/context.ts'
import { findCustomer } from '#server/rows/customer-row.ts'
import { tenantEndpoint, type Route } from '#server/http/endpoint.ts'
import { organizationOf } from '#server/rows/organization-row.ts'
import { fieldProblem } from '#server/http/problems.ts'
import { completeDraft, type Draft } from './draft.ts'
import { noteNext, recurringColumns } from './recurring-store.ts'
import { forgetUnsent } from './send-repeated.ts'
import { findRecurring, holdRecurring, listRecurring } from '#server/rows/recurring-row.ts'

export const recurringRoutes: Route[] = [
  tenantEndpoint(
    'listRecurring',
    { summary: 'Recurring invoices', query: recurringQuery, answers: { 200: recurringPage } },
    async ({ tx, organizationId, query }) => ({ status: 200, body: await listRecurring(tx, organizationId, query) }),
  ),

  tenantEndpoint(
    'createRecurring',
    { summary: 'Repeat an invoice', body: newRecurring, bodyBytes: draftBytes, answers: { 201: recurring } },
    async (call) => {
      const { tx, organizationId, body, caller, today, now } = call
      const { id, ...asked } = body
      refuseMore(call, asked)
      const { draft, timeZone } = await reckoned(call, asked)
      const fresh = { version: 1, createdAt: now, updatedAt: now, deletedAt: null, createdBy: caller.userId }
      const { numInsertedOrUpdatedRows } = await tx
        .insertInto('recurringInvoices')
        .values({
          organizationId,
          id,
          ...recurringColumns(asked, draft, null, today),
          ...fresh,
          lastOn: null,
          lastInvoiceId: null,
          issuingInvoiceId: null,
        })
        .onConflict((conflict) => conflict.columns(['organizationId', 'id']).doNothing())
        .executeTakeFirstOrThrow()
      if (numInsertedOrUpdatedRows === 0n) throw new ProblemError('id_taken')
      await noteNext(tx, organizationId, timeZone, now)
      return row((await findRecurring(tx, organizationId, id))!, 201)
    },
  ),

  tenantEndpoint('getRecurring', { summary: 'A recurring invoice', answers: { 200: recurring } }, async (call) =>
    row(await existing(call)),
  ),

  tenantEndpoint(
    'saveRecurring',
    {
      summary: 'Change what is repeated, or how often',
      body: recurringEdit,
      bodyBytes: draftBytes,
      answers: { 200: recurring },
    },
    async (call) => {
      const { tx, organizationId, body, caller, today, now } = call
      const { id, action } = await existing(call, holdRecurring)
      // Neither what issues already nor what would from now on.
      refuseMore(call, { action })
      refuseMore(call, body)
      const before = await progressOf(call, id)
      const { draft, timeZone } = await reckoned(call, body)
      // From now on theirs: what it issues is issued by their right.
      const stays = body.action === 'draft' ? { issuingInvoiceId: null } : {}
      await change(call, { ...recurringColumns(body, draft, before, today), ...stays, createdBy: caller.userId })
      await forgetUnsent(tx, organizationId, id)
      await noteNext(tx, organizationId, timeZone, now)
      return row((await findRecurring(tx, organizationId, id))!)
    },
  ),

  tenantEndpoint('deleteRecurring', { summary: 'Repeat it no more', answers: { 204: null } }, async (call) => {
    const { tx, organizationId, now } = call
    const { id, action } = await existing(call, holdRecurring)
    refuseMore(call, { action })
    // What was written and is not issued yet stays a draft: nothing goes out for a rule that was ended.
    await change(call, { deletedAt: now, issuingInvoiceId: null })
    await forgetUnsent(tx, organizationId, id)
    const { timeZone } = await organizationOf(call)
    await noteNext(tx, organizationId, timeZone, now)
    return { status: 204 }
  }),
]

type AnyCall = TenantCall<unknown, unknown>

function refuseMore({ standing }: AnyCall, rule: Pick<Recurring, 'action'>): void {
  if (!mayRepeat(standing, rule)) throw new ProblemError('forbidden')
}

async function existing({ tx, organizationId, params }: AnyCall, find = findRecurring): Promise<Recurring> {
  const found = await find(tx, organizationId, params['recurringId']!)
  if (!found) throw new ProblemError('not_found')
  return found
}

/** The draft that would be written today; what is wrong with it is said at its own fields. */
async function reckoned(call: AnyCall, { invoice }: RecurringEdit): Promise<{ draft: Draft; timeZone: string }> {
  const organization = await organizationOf(call)
  const customer = await findCustomer(call.tx, call.organizationId, invoice.customerId!)
  if (!customer) throw fieldProblem('/invoice/customerId', 'This customer does not exist')
  try {
    return { draft: completeDraft(invoice, organization, customer), timeZone: organization.timeZone }
  } catch (error) {
    if (!(error instanceof ProblemError) || !error.problem.errors) throw error
    const errors = error.problem.errors.map(({ pointer, detail }) => ({ pointer: `/invoice${pointer}`, detail }))
    throw new ProblemError(error.code, { errors })
  }
}

/** Also of one that is paused, of which nobody is told when it would be next. */
function progressOf({ tx, organizationId }: AnyCall, id: string) {
  return tx
    .selectFrom('recurringInvoices')
    .select(['lastOn', 'nextOn', 'paused', 'lastProblem'])
    .where('organizationId', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
}

async function change({ tx, organizationId, params, ifMatch, now }: AnyCall, columns: object): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('recurringInvoices')
    .set({ ...columns, version: ifMatch! + 1, updatedAt: now })
    .where('organizationId', '=', organizationId)
    .where('id', '=', params['recurringId']!)
    .where('version', '=', ifMatch!)
    .where('deletedAt', 'is', null)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) throw new ProblemError('stale')
}
