import { item, itemEdit, itemPage, itemQuery, newItem } from '#shared/contract/items.ts'
import { ProblemError } from '#shared/problem.ts'
import { row } from '#server/context.ts'
import { tenantEndpoint, type Route } from '#server/http/endpoint.ts'
import { findItem } from '#server/rows/item-row.ts'
import { namedRow } from '#server/rows/named-row.ts'
import { nextRevision } from '#server/rows/revision.ts'
import { saysTheSame } from '#server/rows/same.ts'
import { updateRow } from '#server/rows/versioned-rows.ts'
import { importItems } from './import.ts'
import { insertItem, listItems, toColumns } from './store.ts'

export const itemRoutes: Route[] = [
  importItems,

  tenantEndpoint(
    'listItems',
    { summary: 'Items', query: itemQuery, answers: { 200: itemPage } },
    async ({ tx, organizationId, query }) => ({ status: 200, body: await listItems(tx, organizationId, query) }),
  ),

  tenantEndpoint(
    'createItem',
    { summary: 'Create an item', body: newItem, answers: { 201: item, 200: item } },
    async ({ tx, organizationId, body, now }) => {
      // The counter row is locked first here, so that two creates of one id come one after the other.
      const revision = await nextRevision(tx, organizationId)
      const made = await insertItem(tx, organizationId, body, revision, now)
      if (made) return row(made, 201)
      const known = await findItem(tx, organizationId, body.id)
      if (!known || !saysTheSame(body, known)) throw new ProblemError('id_taken')
      return row(known)
    },
  ),

  tenantEndpoint('getItem', { summary: 'An item', answers: { 200: item } }, async ({ tx, organizationId, params }) => {
    const stored = await findItem(tx, organizationId, params['itemId']!)
    if (!stored) throw new ProblemError('not_found')
    return row(stored)
  }),

  tenantEndpoint('saveItem', { summary: 'Change an item', body: itemEdit, answers: { 200: item } }, async (call) => {
    const { tx, organizationId, body, ifMatch, now } = call
    const changed = { organizationId, id: namedRow(call, 'item').id, version: ifMatch! }
    const revision = await nextRevision(tx, organizationId)
    if (!(await updateRow(tx, 'items', changed, toColumns(body), revision, now))) throw new ProblemError('stale')
    return row((await findItem(tx, organizationId, changed.id))!)
  }),

  tenantEndpoint('deleteItem', { summary: 'Delete an item', answers: { 204: null } }, async (call) => {
    const { tx, organizationId, ifMatch, now } = call
    const deleted = { organizationId, id: namedRow(call, 'item').id, version: ifMatch! }
    const revision = await nextRevision(tx, organizationId)
    if (!(await updateRow(tx, 'items', deleted, 'delete', revision, now))) throw new ProblemError('stale')
    return { status: 204 }
  }),
]
