import { seriesReportList } from '#shared/contract/series.ts'
import { tenantEndpoint, type Route } from '#server/http/endpoint.ts'
import { reportSeries } from './store.ts'

export const seriesRoutes: Route[] = [
  tenantEndpoint(
    'listSeries',
    { summary: 'Number series and what was given of them', answers: { 200: seriesReportList } },
    async ({ tx, organizationId, today }) => ({
      status: 200,
      body: { data: await reportSeries(tx, organizationId, today) },
    }),
  ),
]
