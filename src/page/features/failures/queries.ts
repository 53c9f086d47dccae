import { queryOptions, useQuery, type QueryClient } from '@tanstack/react-query'
import type { FailedMail, FailedWork, FailureCounts, Failures } from '#shared/contract/failures.ts'
import { call } from '#page/api.ts'

export const failuresQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ['failures', organizationId],
    queryFn: ({ signal }) => call<Failures>('listFailures', { params: { organizationId }, signal }),
  })

const failureCountsQuery = queryOptions({
  queryKey: ['failures'],
  queryFn: ({ signal }) => call<FailureCounts>('countFailures', { signal }).then(({ data }) => data),
})

/** How much failed in an organization, as far as one may see to it; 0 while nobody knows. */
export function useFailureCount(organizationId: string): number {
  const { data = [] } = useQuery(failureCountsQuery)
  return data.find((each) => each.organizationId === organizationId)?.count ?? 0
}

export async function retryMail(queryClient: QueryClient, organizationId: string, { id: mailId }: FailedMail) {
  await call('retryMail', { params: { organizationId, mailId } })
  await queryClient.invalidateQueries({ queryKey: failureCountsQuery.queryKey })
}

export async function dismissMail(queryClient: QueryClient, organizationId: string, { id: mailId }: FailedMail) {
  await call('dismissMail', { params: { organizationId, mailId } })
  await queryClient.invalidateQueries({ queryKey: failureCountsQuery.queryKey })
}

export async function retryWork(queryClient: QueryClient, organizationId: string, { job }: FailedWork) {
  await call('retryWork', { params: { organizationId }, body: { job } })
  await queryClient.invalidateQueries({ queryKey: failureCountsQuery.queryKey })
}
