import { queryOptions } from '@tanstack/react-query'
import type { Dashboard } from '#shared/contract/dashboard.ts'
import { call } from '#page/api.ts'
import { paint } from '#page/query-client.ts'

export function dashboardQuery(organizationId: string) {
  return queryOptions({
    queryKey: ['dashboard', organizationId],
    queryFn: ({ signal }) => call<Dashboard>('getDashboard', { params: { organizationId }, signal }),
    ...paint,
  })
}
