import type { QueryClient } from '@tanstack/react-query'
import type { Recurring, RecurringEditInput } from '#shared/contract/recurring.ts'
import { ProblemError } from '#shared/problem.ts'
import { contentBody } from './content-body.ts'
import { recurringQuery, saveRecurring } from './queries.ts'

/** What each one says, its schedule as it is; what is wrong with it is told as the editor's own fields are called. */
export async function saveRecurringContent(
  queryClient: QueryClient,
  recurring: Recurring,
  invoice: RecurringEditInput['invoice'],
): Promise<Recurring> {
  const saved = await saveRecurring(queryClient, recurring, contentBody(recurring, invoice)).catch((error: unknown) => {
    if (!(error instanceof ProblemError) || !error.problem.errors) throw error
    const errors = error.problem.errors.map(({ pointer, detail }) => ({
      pointer: pointer.replace(/^\/invoice(?=\/)/, ''),
      detail,
    }))
    throw new ProblemError(error.code, { ...error.problem, errors })
  })
  queryClient.setQueryData(recurringQuery(saved.organizationId, saved.id).queryKey, saved)
  return saved
}
