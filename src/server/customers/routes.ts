import { customer, customerEdit, customerPage, customerQuery, newCustomer } from '#shared/contract/customers.ts'
import { ProblemError } from '#shared/problem.ts'
import { row } from '#server/context.ts'
import { renameInDrafts } from '#server/rows/draft-customer.ts'
import { tenantEndpoint, type Route } from '#server/http/endpoint.ts'
import { namedRow } from '#server/rows/named-row.ts'
import { nextRevision } from '#server/rows/revision.ts'
import { saysTheSame } from '#server/rows/same.ts'
import { findCustomer } from '#server/rows/customer-row.ts'
import { updateRow } from '#server/rows/versioned-rows.ts'
import { importCustomers } from './import.ts'
import { hasDrafts, insertCustomer, isRepeated, listCustomers, toColumns } from './store.ts'

export const customerRoutes: Route[] = [
  importCustomers,

  tenantEndpoint(
    'listCustomers',
    { summary: 'Customers', query: customerQuery, answers: { 200: customerPage } },
    async ({ tx, organizationId, query }) => ({ status: 200, body: await listCustomers(tx, organizationId, query) }),
  ),

  tenantEndpoint(
    'createCustomer',
    { summary: 'Create a customer', body: newCustomer, answers: { 201: customer, 200: customer } },
    async ({ tx, organizationId, body, now }) => {
      // The counter row is locked first here, so that two creates of one id come one after the other.
      const revision = await nextRevision(tx, organizationId)
      const made = await insertCustomer(tx, organizationId, body, revision, now)
      if (made) return row(made, 201)
      const known = await findCustomer(tx, organizationId, body.id)
      if (!known || !saysTheSame(body, known)) throw new ProblemError('id_taken')
      return row(known)
    },
  ),

  tenantEndpoint(
    'getCustomer',
    { summary: 'A customer', answers: { 200: customer } },
    async ({ tx, organizationId, params }) => {
      const stored = await findCustomer(tx, organizationId, params['customerId']!)
      if (!stored) throw new ProblemError('not_found')
      return row(stored)
    },
  ),

  tenantEndpoint(
    'saveCustomer',
    { summary: 'Change a customer', body: customerEdit, answers: { 200: customer } },
    async (call) => {
      const { tx, organizationId, body, ifMatch, now } = call
      const { id } = namedRow(call, 'customer')
      const revision = await nextRevision(tx, organizationId)
      const changed = { organizationId, id, version: ifMatch! }
      if (!(await updateRow(tx, 'customers', changed, toColumns(body), revision, now))) throw new ProblemError('stale')
      await renameInDrafts(tx, organizationId, { id, name: body.name }, revision)
      return row((await findCustomer(tx, organizationId, id))!)
    },
  ),

  tenantEndpoint('deleteCustomer', { summary: 'Delete a customer', answers: { 204: null } }, async (call) => {
    const { tx, organizationId, ifMatch, now } = call
    const { id } = namedRow(call, 'customer')
    const revision = await nextRevision(tx, organizationId)
    // What was issued keeps its own copy of the customer; a draft would lose its own.
    if (await hasDrafts(tx, organizationId, id)) {
      throw new ProblemError('in_use', { detail: 'Drafts still name this customer.' })
    }
    if (await isRepeated(tx, organizationId, id))
      throw new ProblemError('in_use', { detail: 'A recurring invoice still names this customer.' })
    const deleted = { organizationId, id, version: ifMatch! }
    if (!(await updateRow(tx, 'customers', deleted, 'delete', revision, now))) throw new ProblemError('stale')
    return { status: 204 }
  }),
]
