// Whether calls get through, judged by the calls themselves: `navigator.onLine` is a hint, never a decision (OFFLINE.md).
import type { QueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { ProblemError } from '#shared/problem.ts'

let reachable = true
const listeners = new Set<() => void>()

function set(next: boolean): void {
  if (reachable === next) return
  reachable = next
  for (const listener of listeners) listener()
}

/** Follows every query and mutation of the cache; what failed is asked again as soon as the network says it is back. */
export function followConnection(queryClient: QueryClient): void {
  const judge = (error: unknown, succeeded: boolean) => {
    if (error instanceof ProblemError && error.code === 'undeliverable') set(false)
    else if (error || succeeded) set(true)
  }
  queryClient.getQueryCache().subscribe(({ type, query }) => {
    if (type !== 'updated') return
    const { fetchFailureReason, status, fetchStatus } = query.state
    judge(fetchFailureReason, status === 'success' && fetchStatus === 'idle')
  })
  queryClient.getMutationCache().subscribe(({ mutation }) => {
    if (mutation) judge(mutation.state.error, mutation.state.status === 'success')
  })
  window.addEventListener('online', () => void queryClient.refetchQueries({ type: 'active' }))
}

export function useReachable(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => reachable,
    () => true,
  )
}
