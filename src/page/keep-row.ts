// What a write was answered with is what the screens show from then on.
import type { QueryClient, QueryKey } from '@tanstack/react-query'

/**
 * Puts a row where its screens read it. A read that is under way may be of the moment before (it "waits to be sent"), and would put that back for an
 * instant, with the buttons that go by it: it is begun anew.
 */
export function keepRow<Row>(
  queryClient: QueryClient,
  queryKey: QueryKey,
  next: (before: Row | undefined) => Row | undefined,
): void {
  const state = queryClient.getQueryState(queryKey)
  const isRead = state?.fetchStatus === 'fetching' && state.data !== undefined
  if (isRead) void queryClient.cancelQueries({ queryKey, exact: true })
  queryClient.setQueryData<Row>(queryKey, next)
  if (isRead) void queryClient.invalidateQueries({ queryKey, exact: true })
}
