import type { QueryClient } from '@tanstack/react-query'
import { ProblemError } from '#shared/problem.ts'

/**
 * Resolves to what was saved. Where somebody was faster it goes on with their change, if both fit together, and is what `reread` says then; else the question
 * is shown, and what was thrown is thrown on. `opened`: the row that the form began with.
 */
export async function orDecide<Row extends object>(
  queryClient: QueryClient,
  opened: Row | null,
  saving: Promise<Row>,
  reread: () => Promise<Row>,
): Promise<Row> {
  try {
    return await saving
  } catch (error) {
    const key = error instanceof ProblemError && error.headers['x-docket-unsent']
    // Seldom needed: screens begin without it.
    if (key && (await (await import('./decision.ts')).decide(queryClient, key, opened))) return reread()
    throw error
  }
}
