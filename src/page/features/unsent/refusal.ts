import type { QueryClient } from '@tanstack/react-query'
import { ProblemError } from '#shared/problem.ts'
import { unsentQuery } from '#page/device/outbox-calls.ts'
import { problemText } from '#page/words/problem-text.ts'
import { text } from '#page/words/app-text.ts'

/** Why the outbox did not do what was asked of an entry: one that it does not find is on its way now, or has gone. */
export async function refusalText(queryClient: QueryClient, key: string, error: unknown): Promise<string> {
  if (!(error instanceof ProblemError) || error.code !== 'not_found') return problemText(error, 'action')
  const { entries } = await queryClient.fetchQuery({ ...unsentQuery, staleTime: 0 })
  return entries.some((entry) => entry.key === key) ? text.unsent.states.sending : text.unsent.gone
}
