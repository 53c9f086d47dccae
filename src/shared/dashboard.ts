// How much a dashboard shows, and how what is owed is sorted by age: the server and the device's copy answer alike.

export const monthsShown = 12
export const attentionShown = 6
export const topCustomersShown = 5

/** From how many days past the due date on a group of the ageing begins; the first is what is not late. */
export const ageGroups = [0, 1, 31, 61, 91] as const

/** The index of the group that something still due belongs to. Dates as `YYYY-MM-DD`; without a due date nothing is late. */
export function ageGroupOf(dueDate: string | null, today: string): number {
  const days = dueDate === null ? 0 : (Date.parse(today) - Date.parse(dueDate)) / 86_400_000
  return ageGroups.findLastIndex((from) => days >= from || from === 0)
}
