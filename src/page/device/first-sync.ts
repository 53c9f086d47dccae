// How far the first loading of an organization onto this device has come: as the worker tells it, and asked for when a screen begins.
import type { FirstSync } from '#shared/outbox.ts'
import { isSignedIn } from '#shared/session.ts'
import { useLasting } from '#page/lasting.ts'
import { useSession } from '#page/session.ts'
import { createTopic, useTopic } from '#page/topic.ts'

const restMs = 1000

let known: { userId: string; progress: FirstSync } | null = null
let tellings = 0
const tidings = createTopic()

export function tellFirstSync(userId: string, progress: FirstSync | null): void {
  tellings += 1
  known = progress && { userId, progress }
  tidings.tell()
}

/** Whether one is under way as far as was told: it may have been broken off since, and its organization be nobody's here any more. */
export const isFirstSyncTold = () => known !== null && !known.progress.isPaused

/** Takes an answer for what it says, unless something was told since it was asked for: that is the newer. */
export function awaitFirstSync(): (userId: string, progress: FirstSync | null) => void {
  const before = tellings
  return (userId, progress) => {
    if (before === tellings) tellFirstSync(userId, progress)
  }
}

/** Of the person whose screen this is; `progress`: null while none is under way, or not for long. */
export function useFirstSync(): { progress: FirstSync | null; isUnderWay: boolean } {
  const session = useSession()
  const told = useTopic(tidings, () => known, null)
  const isUnderWay = told !== null && isSignedIn(session) && told.userId === session.userId
  const isLong = useLasting(isUnderWay, restMs)
  return { progress: isUnderWay && isLong ? told.progress : null, isUnderWay }
}
