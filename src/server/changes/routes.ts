import { changes, changesQuery } from '#shared/contract/changes.ts'
import { tenantEndpoint, type Route } from '#server/http/endpoint.ts'
import { findChanges } from './store.ts'

export const changeRoutes: Route[] = [
  tenantEndpoint(
    'listChanges',
    { summary: 'What changed since', query: changesQuery, answers: { 200: changes } },
    async ({ tx, organizationId, query, today }) => ({
      status: 200,
      body: await findChanges(tx, organizationId, query, today),
    }),
  ),
]
