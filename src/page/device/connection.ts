// Whether calls get through, judged by the calls themselves: `navigator.onLine` is a hint, never a decision (OFFLINE.md).
import { createTopic, useTopic } from '#page/topic.ts'

let reachable = true
export const reach = createTopic()

export const isReachable = () => reachable

/** What became of a call, any call: api.ts says it. */
export function reportReachable(next: boolean): void {
  if (reachable === next) return
  reachable = next
  reach.tell()
}

let asOfMs: number | null = null
const age = createTopic()

/** From when the device's own answers are, in milliseconds since 1970: api.ts says it; NaN when the answer does not. */
export function reportAsOf(next: number): void {
  if (Number.isNaN(next) || asOfMs === next) return
  asOfMs = next
  age.tell()
}

/** Organizations of which the last answer was drawn from a part of the rows. */
let incomplete: ReadonlySet<string> = new Set()
const completeness = createTopic()

/** Whether an answer about an organization, as its address names it, lacks what only the server has (`x-docket-complete`): api.ts says it. */
export function reportComplete(url: string, isComplete: boolean): void {
  const [, id = ''] = /organizations\/([\w-]+)/.exec(url) ?? []
  if (isComplete !== incomplete.has(id)) return
  incomplete = new Set([...incomplete, id].filter((each) => !isComplete || each !== id))
  completeness.tell()
}

/** Whether any answer that was drawn lacked what only the server has. */
export const isPartShown = () => incomplete.size > 0

export function useReachable(): boolean {
  return useTopic(reach, () => reachable, true)
}

/** From when the device's copy is that was read last; null while none was. */
export function useAsOf(): number | null {
  return useTopic(age, () => asOfMs, null)
}

/** Whether what is shown of this organization lacks what only the server has. */
export function useIncomplete(organizationId: string | undefined): boolean {
  const among = useTopic(completeness, () => incomplete, incomplete)
  return organizationId !== undefined && among.has(organizationId)
}
