import { infiniteQueryOptions, queryOptions, type QueryClient } from '@tanstack/react-query'
import type { NewRecurringInput, Recurring, RecurringEditInput, RecurringPage } from '#shared/contract/recurring.ts'
import { ProblemError } from '#shared/problem.ts'
import { call } from '#page/api.ts'

const allOf = (organizationId: string) => ['recurring', organizationId]

export const recurringListQuery = (organizationId: string) =>
  infiniteQueryOptions({
    queryKey: [...allOf(organizationId), 'list'],
    queryFn: ({ pageParam, signal }) =>
      call<RecurringPage>('listRecurring', {
        params: { organizationId },
        query: { cursor: pageParam || undefined },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ page }) => page.nextCursor ?? undefined,
  })

export const recurringQuery = (organizationId: string, recurringId: string) =>
  queryOptions({
    queryKey: [...allOf(organizationId), recurringId],
    queryFn: ({ signal }) => call<Recurring>('getRecurring', { params: { organizationId, recurringId }, signal }),
  })

export async function createRecurring(
  queryClient: QueryClient,
  organizationId: string,
  { id, ...body }: NewRecurringInput,
): Promise<Recurring> {
  const params = { organizationId }
  const created = await call<Recurring>('createRecurring', { params, body: { id, ...body } }).catch(
    (error: unknown) => {
      if (!(error instanceof ProblemError) || error.code !== 'id_taken') throw error
      // An earlier save had arrived although its answer was lost: this is a change of that first version, and of no later one.
      return call<Recurring>('saveRecurring', { params: { ...params, recurringId: id }, ifMatch: 1, body })
    },
  )
  forget(queryClient, organizationId)
  return created
}

export async function saveRecurring(
  queryClient: QueryClient,
  { organizationId, id, version }: Recurring,
  body: RecurringEditInput,
): Promise<Recurring> {
  const params = { organizationId, recurringId: id }
  const saved = await call<Recurring>('saveRecurring', { params, ifMatch: version, body })
  forget(queryClient, organizationId)
  return saved
}

export async function deleteRecurring(
  queryClient: QueryClient,
  { organizationId, id, version }: Recurring,
): Promise<void> {
  await call('deleteRecurring', { params: { organizationId, recurringId: id }, ifMatch: version })
  queryClient.removeQueries({ queryKey: recurringQuery(organizationId, id).queryKey })
  forget(queryClient, organizationId)
}

function forget(queryClient: QueryClient, organizationId: string): void {
  void queryClient.invalidateQueries({ queryKey: allOf(organizationId) })
}
