import { dashboard } from '#shared/contract/dashboard.ts'
import { tenantEndpoint, type Route } from '#server/http/endpoint.ts'
import { findOrganizations } from '#server/rows/organization-row.ts'
import { findDashboard } from './store.ts'

export const dashboardRoutes: Route[] = [
  tenantEndpoint(
    'getDashboard',
    { summary: 'Figures', answers: { 200: dashboard } },
    async ({ tx, caller, organizationId, today }) => {
      const [organization] = await findOrganizations(tx, caller.userId, organizationId)
      return { status: 200, body: await findDashboard(tx, organizationId, today, organization!.currency) }
    },
  ),
]
