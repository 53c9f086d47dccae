// A save that somebody else was faster than: it stays in the outbox, and where both changed the same the person is asked, field by field (OFFLINE.md "Conflict").
import type { QueryClient } from '@tanstack/react-query'
import { uuidv7 } from '#shared/ids.ts'
import { merge, takesChanges } from '#shared/merge.ts'
import { resolveEntry, unsentQuery } from './outbox-calls.ts'

type Fields = Readonly<Record<string, unknown>>
type Row = Fields & { readonly version: number }

const seen = new Map<string, Fields>()
let show: (key: string) => Promise<void> = async () => {}

/** How this page shows the question about an unsent write. */
export function showDecisionsBy(shows: typeof show): void {
  show = shows
}

/** The row as the form of this write was opened with, where the device had come past it and kept none; null when this page does not know it either. */
export function seenBefore(key: string): Fields | null {
  return seen.get(key) ?? null
}

/**
 * What a form sends, on the row as it is shown by now; what both changed is sent as of the row that the form began with, which asks about it: under a key by
 * which that row is known here, or all that differs would be asked about.
 */
export function broughtTogether<Body extends object>(
  opened: Row,
  shown: Row,
  body: Body,
): { body: Body; version: number; key?: string } {
  if (!takesChanges(shown)) return { body, version: opened.version }
  const { merged, inQuestion } = merge(opened, body as Fields, shown)
  // Its fields are those of the body.
  const together = merged as Body
  if (inQuestion.length === 0) return { body: together, version: shown.version }
  const key = uuidv7()
  seen.set(key, opened)
  return { body: together, version: opened.version, key }
}

/** Resolves to whether it goes on by itself: somebody had changed other fields since it was `opened`. Else the question is shown. */
export async function decide(queryClient: QueryClient, key: string, opened: object | null): Promise<boolean> {
  const { entries } = await queryClient.fetchQuery({ ...unsentQuery, staleTime: 0 })
  const entry = entries.find((each) => each.key === key)
  if (opened) seen.set(key, opened as Fields)
  const base = entry?.base ?? seenBefore(key)
  const { body, theirs } = entry ?? {}
  const both = base && body && theirs && takesChanges(theirs) ? merge(base, body, theirs) : null
  if (both?.inQuestion.length === 0) {
    await resolveEntry(key, { body: both.merged, baseVersion: theirs!['version'] as number })
    return true
  }
  await show(key)
  return false
}
