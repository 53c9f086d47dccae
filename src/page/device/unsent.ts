// How much is written on this device and not yet at the server: as the worker tells it, and asked for once when a screen begins.
import { useEffect } from 'react'
import type { Unsent, UnsentCounts } from '#shared/outbox.ts'
import { ProblemError } from '#shared/problem.ts'
import { isSignedIn } from '#shared/session.ts'
import { callOutbox } from '#page/api.ts'
import { awaitFirstSync } from './first-sync.ts'
import { useSession } from '#page/session.ts'
import { createTopic, useTopic } from '#page/topic.ts'

interface Known extends UnsentCounts {
  userId: string
}

let known: Known | null = null
/** Counts what was told, so that an answer that a telling overtook is known to be the older. */
let tellings = 0
let asked: { userId: string; answer: Promise<Unsent> } | null = null
const counted = createTopic()

export function tellCounts(next: Known): void {
  tellings += 1
  const isSame = known?.userId === next.userId && known.waiting === next.waiting && known.attention === next.attention
  if (isSame) return
  known = next
  counted.tell()
}

/** All of it, from the device; the counts are told on the way. */
export function askUnsent(userId: string): Promise<Unsent> {
  if (asked?.userId === userId) return asked.answer
  const asking = { userId, answer: ask(userId) }
  asked = asking
  const end = () => {
    if (asked === asking) asked = null
  }
  asking.answer.then(end, end)
  return asking.answer
}

async function ask(userId: string): Promise<Unsent> {
  const before = tellings
  const takeFirstSync = awaitFirstSync()
  const unsent = await callOutbox<Unsent>('GET').catch((error: unknown): Unsent => {
    // A worker of an older version keeps none.
    if (error instanceof ProblemError && error.code === 'not_found')
      return { waiting: 0, attention: 0, entries: [], firstSync: null }
    throw error
  })
  if (before === tellings) tellCounts({ userId, waiting: unsent.waiting, attention: unsent.attention })
  // A worker of an older version does not tell.
  takeFirstSync(userId, unsent.firstSync ?? null)
  return unsent
}

/** Whether something would, or may, be lost with this device's data. What cannot be asked is as it was told last; never told, there may be something. */
export async function hasUnsent(userId: string): Promise<boolean> {
  const counts = await askUnsent(userId).catch((error: unknown) => {
    // Not signed in here any more: nothing of theirs goes by what they press now.
    if (error instanceof ProblemError && error.code === 'invalid_token') return { waiting: 0, attention: 0 }
    return known?.userId === userId ? known : null
  })
  return counts === null || counts.waiting + counts.attention > 0
}

/** Of the person whose screen this is; null until it is known. */
export function useUnsentCounts(): UnsentCounts | null {
  const session = useSession()
  const userId = isSignedIn(session) ? session.userId : null
  const counts = useTopic(counted, () => known, null)
  useEffect(() => {
    // Not known is shown as nothing: there is no other use in saying that it failed.
    if (userId !== null) void askUnsent(userId).catch(() => {})
  }, [userId])
  return counts !== null && counts.userId === userId ? counts : null
}
