import {
  invoice,
  invoiceEdit,
  invoicePage,
  invoiceQuery,
  newInvoice,
  type Invoice,
  type InvoiceEdit,
} from '#shared/contract/invoices.ts'
import type { Organization } from '#shared/contract/organizations.ts'
import { canInvoice } from '#shared/invoice-state.ts'
import { ProblemError } from '#shared/problem.ts'
import { row, type TenantCall } from '#server/context.ts'
import { findCustomer } from '#server/customer-row.ts'
import { tenantEndpoint, type Route } from '#server/endpoint.ts'
import { findOrganizations } from '#server/organization-row.ts'
import { fieldProblem } from '#server/problems.ts'
import { nextRevision } from '#server/revision.ts'
import { findInvoice } from '#server/whole-invoice.ts'
import { asksForTheSame, completeDraft } from './draft.ts'
import { issueInvoice } from './issue.ts'
import { listInvoices } from './list.ts'
import { insertDraft, invoiceIdExists, updateDraft } from './store.ts'

export const invoiceRoutes: Route[] = [
  tenantEndpoint(
    'listInvoices',
    { summary: 'Invoices', query: invoiceQuery, answers: { 200: invoicePage } },
    async ({ tx, organizationId, query, today }) => ({
      status: 200,
      body: await listInvoices(tx, organizationId, query, today),
    }),
  ),

  tenantEndpoint(
    'createInvoice',
    { summary: 'Create a draft', body: newInvoice, answers: { 201: invoice, 200: invoice } },
    async (call) => {
      const { tx, organizationId, body, now, today } = call
      const organization = await seller(call)
      // The organization's counter row first: whoever deletes or renames the customer meanwhile comes before or after, never between.
      const revision = await nextRevision(tx, organizationId)
      const draft = completeDraft(body, organization, await namedCustomer(call, body))
      const fresh = !(await invoiceIdExists(tx, organizationId, body.id))
      if (fresh) await insertDraft(tx, organizationId, body.id, draft, revision, now)
      const stored = await findInvoice(tx, organizationId, body.id, today)
      if (!stored || (!fresh && !asksForTheSame(body, draft.content, stored))) throw new ProblemError('id_taken')
      return row(stored, fresh ? 201 : 200)
    },
  ),

  tenantEndpoint('getInvoice', { summary: 'An invoice', answers: { 200: invoice } }, async (call) =>
    row(await existing(call)),
  ),

  tenantEndpoint(
    'saveInvoice',
    { summary: 'Change a draft', body: invoiceEdit, answers: { 200: invoice } },
    async (call) => {
      const { tx, organizationId, params, body, ifMatch, now, today } = call
      const organization = await seller(call)
      const stored = await existing(call)
      if (!canInvoice('edit', stored.status)) throw new ProblemError('invalid_transition')
      const revision = await nextRevision(tx, organizationId)
      const draft = completeDraft(body, organization, await namedCustomer(call, body))
      if (!(await updateDraft(tx, organizationId, stored.id, draft, ifMatch!, revision, now)))
        throw new ProblemError('stale')
      return row((await findInvoice(tx, organizationId, params['invoiceId']!, today))!)
    },
  ),

  tenantEndpoint('deleteInvoice', { summary: 'Delete a draft', answers: { 204: null } }, async (call) => {
    const { tx, organizationId, ifMatch, now } = call
    const stored = await existing(call)
    if (!canInvoice('delete', stored.status)) throw new ProblemError('invalid_transition')
    const revision = await nextRevision(tx, organizationId)
    if (!(await updateDraft(tx, organizationId, stored.id, 'delete', ifMatch!, revision, now)))
      throw new ProblemError('stale')
    return { status: 204 }
  }),

  tenantEndpoint('issueInvoice', { summary: 'Issue a draft', answers: { 200: invoice } }, async (call) => {
    const { tx, organizationId, ifMatch, caller, now, today } = call
    const organization = await seller(call)
    const draft = await existing(call)
    const customer = draft.customerId === null ? null : await findCustomer(tx, organizationId, draft.customerId)
    await issueInvoice(tx, { draft, organization, customer, version: ifMatch!, today, userId: caller.userId, now })
    return row((await findInvoice(tx, organizationId, draft.id, today))!)
  }),
]

type AnyCall = TenantCall<unknown, unknown>

async function seller({ tx, caller, organizationId }: AnyCall): Promise<Organization> {
  const [organization] = await findOrganizations(tx, caller.userId, organizationId)
  return organization!
}

async function existing({ tx, organizationId, params, today }: AnyCall): Promise<Invoice> {
  const stored = await findInvoice(tx, organizationId, params['invoiceId']!, today)
  if (!stored) throw new ProblemError('not_found')
  return stored
}

async function namedCustomer({ tx, organizationId }: AnyCall, { customerId }: InvoiceEdit) {
  if (customerId === null) return null
  const customer = await findCustomer(tx, organizationId, customerId)
  if (!customer) throw fieldProblem('/customerId', 'This customer does not exist')
  return customer
}
