import { dashboard } from '#shared/contract/dashboard.ts'
import { todayIn } from '#shared/dates.ts'
import { tenantEndpoint, type Route } from '#server/endpoint.ts'
import { findOrganizations } from '#server/organization-row.ts'
import { findDashboard } from './store.ts'

export const dashboardRoutes: Route[] = [
  tenantEndpoint(
    'getDashboard',
    { summary: 'Figures', answers: { 200: dashboard } },
    async ({ tx, caller, organizationId, now }) => {
      const [organization] = await findOrganizations(tx, caller.userId, organizationId)
      const today = todayIn(organization!.timeZone, Date.parse(now))
      return { status: 200, body: await findDashboard(tx, organizationId, today, organization!.currency) }
    },
  ),
]
