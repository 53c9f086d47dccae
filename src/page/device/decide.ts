import type { QueryClient } from '@tanstack/react-query'
import { ProblemError } from '#shared/problem.ts'

interface Form<Row, Body> {
  /** The row that it began with; null where nobody knows. */
  opened: Row | null
  /** As this device shows it by now. */
  shown: Row | undefined
  body: Body
  version: number
}

/**
 * Saves what a form sends. Where this device has come past the row that the form began with (a pull, another tab) what does not overlap is brought together
 * here already, and what does is all that the person is asked about for as long as this page is open: the outbox does not have that row.
 */
export async function saveForm<Row extends { version: number }, Body extends object>(
  queryClient: QueryClient,
  { opened, shown, body, version }: Form<Row, Body>,
  save: (body: Body, version: number, key?: string) => Promise<Row>,
  reread: () => Promise<Row>,
): Promise<Row> {
  const isPast = opened && shown && opened.version === version && shown.version !== version
  const asItIs: { body: Body; version: number; key?: string } = { body, version }
  const now = isPast ? (await import('./decision.ts')).broughtTogether(opened, shown, body) : asItIs
  return orDecide(queryClient, opened, save(now.body, now.version, now.key), reread)
}

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
