// Tells the pages what is new on the device: what changes in one go is told in one go.
import type { FirstSync, UnsentCounts } from '#shared/outbox.ts'
import type { Broadcast } from '#shared/worker-messages.ts'

const tellAfterMs = 30
const progressEveryMs = 250
/** Counting a long queue takes long: most of the time is left to what else wants the database. */
const restPerCount = 9
const longestRestMs = 500

export interface News {
  /** Rows of these organizations are new; `unsent`: so is what waits to be sent. */
  note(userId: string, organizations: readonly string[], unsent: boolean): void
  /** How far a first sync has come; null: to its end. */
  progress(userId: string, progress: FirstSync | null): void
}

export function createNews(tell: (message: Broadcast) => void, count: (userId: string) => Promise<UnsentCounts>): News {
  const organizations = new Set<string>()
  let isUnsentNew = false
  let isSoon = false
  let progressToldAtMs = -Infinity
  let restUntilMs = 0

  function say(userId: string): void {
    isSoon = false
    tell({ type: 'copy-changed', userId, organizations: [...organizations] })
    organizations.clear()
    // A person who has left meanwhile has nothing that could be counted.
    if (isUnsentNew) void tellCounts(userId).catch(() => {})
    isUnsentNew = false
  }

  async function tellCounts(userId: string): Promise<void> {
    const beganMs = performance.now()
    const counts = await count(userId)
    const endedMs = performance.now()
    restUntilMs = endedMs + Math.min(longestRestMs, restPerCount * (endedMs - beganMs))
    tell({ type: 'unsent-changed', userId, ...counts })
  }

  return {
    note(userId, changed, unsent) {
      for (const id of changed) organizations.add(id)
      isUnsentNew ||= unsent
      if (isSoon) return
      isSoon = true
      setTimeout(() => say(userId), Math.max(tellAfterMs, restUntilMs - performance.now()))
    },
    progress(userId, progress) {
      const nowMs = performance.now()
      if (progress && nowMs - progressToldAtMs < progressEveryMs) return
      progressToldAtMs = nowMs
      tell({ type: 'first-sync', userId, progress })
    },
  }
}
