import type { Recurring, RecurringEditInput } from '#shared/contract/recurring.ts'

/** Its schedule as it is, with this content. One that stopped by itself goes on with what mends it, and what was due meanwhile is made up for. */
export function contentBody(
  { interval, every, startsOn, endsOn, action, supplyOn, paused, lastProblem }: Recurring,
  invoice: RecurringEditInput['invoice'],
): RecurringEditInput {
  return { interval, every, startsOn, endsOn, action, supplyOn, paused: paused && lastProblem === null, invoice }
}
