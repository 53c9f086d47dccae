import { infiniteQueryOptions } from '@tanstack/react-query'
import type { ActivityPage } from '#shared/contract/activity.ts'
import { call } from '#page/api.ts'

export interface ActivityFilter {
  kind: string
  userId: string
}

export function activityQuery(organizationId: string, { kind, userId }: ActivityFilter) {
  return infiniteQueryOptions({
    queryKey: ['activity', organizationId, kind, userId],
    queryFn: ({ pageParam, signal }) =>
      call<ActivityPage>('listActivity', {
        params: { organizationId },
        query: { cursor: pageParam, kind: kind || undefined, userId: userId || undefined },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ page }: ActivityPage) => page.nextCursor ?? undefined,
  })
}
