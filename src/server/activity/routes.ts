import { activityPage, activityQuery } from '#shared/contract/activity.ts'
import { tenantEndpoint, type Route } from '#server/http/endpoint.ts'
import { listActivity } from './store.ts'

export const activityRoutes: Route[] = [
  tenantEndpoint(
    'listActivity',
    { summary: 'Who did what', query: activityQuery, answers: { 200: activityPage } },
    async ({ tx, organizationId, query }) => ({ status: 200, body: await listActivity(tx, organizationId, query) }),
  ),
]
