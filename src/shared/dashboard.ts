// How much a dashboard shows, and how what is owed is sorted by age: the server and the device's copy answer alike.
import type { Dashboard } from './contract/dashboard.ts'

export const monthsShown = 12
export const attentionShown = 6
export const topCustomersShown = 5
/** So many of what is to be given back are named before what is overdue: money of others comes first, and leaves room for what others owe. */
const backFirst = 2

/** What needs a person today, named. Each kind comes with its most pressing first, as many as are shown. */
export function attentionOf<Row>({ back, overdue, drafts }: Record<'back' | 'overdue' | 'drafts', Row[]>): Row[] {
  return [...back.slice(0, backFirst), ...overdue, ...back.slice(backFirst), ...drafts].slice(0, attentionShown)
}

/** From how many days past the due date on a group of the ageing begins; the first is what is not late. */
export const ageGroups = [0, 1, 31, 61, 91] as const

/** The index of the group that something still due belongs to. Dates as `YYYY-MM-DD`; without a due date nothing is late. */
export function ageGroupOf(dueDate: string | null, today: string): number {
  const days = dueDate === null ? 0 : (Date.parse(today) - Date.parse(dueDate)) / 86_400_000
  return ageGroups.findLastIndex((from) => days >= from || from === 0)
}

/** How many of a kind there are over all currencies: a count can be added up where amounts cannot. */
export function countOf(
  kind: 'overdue' | 'toGiveBack' | 'drafts',
  { currencies }: Pick<Dashboard, 'currencies'>,
): number {
  return currencies.reduce((sum, figures) => sum + figures[kind].count, 0)
}
