// Tells the pages what is new on the device: what changes in one go is told in one go.
import type { FirstSync, UnsentCounts } from '#shared/outbox.ts'
import type { Broadcast } from '#shared/worker-messages.ts'
import { atLeisure } from './leisure.ts'

const progressEveryMs = 250
/** Counting a long queue takes long: most of the time is left to what else wants the database. */
const pace = { afterMs: 30, restPerWork: 9, longestRestMs: 500 }

export interface News {
  /** Rows of these organizations are new; `unsent`: so is what waits to be sent. */
  note(userId: string, organizations: readonly string[], unsent: boolean): void
  /** How far a first sync has come; null: to its end. */
  progress(userId: string, progress: FirstSync | null): void
}

export function createNews(tell: (message: Broadcast) => void, count: (userId: string) => Promise<UnsentCounts>): News {
  const organizations = new Set<string>()
  let isUnsentNew = false
  let progressToldAtMs = -Infinity

  const saySoon = atLeisure(async (userId: string) => {
    tell({ type: 'copy-changed', userId, organizations: [...organizations] })
    organizations.clear()
    if (!isUnsentNew) return
    isUnsentNew = false
    tell({ type: 'unsent-changed', userId, ...(await count(userId)) })
  }, pace)

  return {
    note(userId, changed, unsent) {
      for (const id of changed) organizations.add(id)
      isUnsentNew ||= unsent
      saySoon(userId)
    },
    progress(userId, progress) {
      const nowMs = performance.now()
      if (progress && nowMs - progressToldAtMs < progressEveryMs) return
      progressToldAtMs = nowMs
      tell({ type: 'first-sync', userId, progress })
    },
  }
}
