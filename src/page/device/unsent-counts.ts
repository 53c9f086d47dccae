// How much is written on this device and not yet at the server: as the worker tells it, and as it answers.
import type { Unsent, UnsentCounts } from '#shared/outbox.ts'
import { ProblemError } from '#shared/problem.ts'
import { callOutbox } from '#page/api.ts'
import { awaitFirstSync } from './first-sync.ts'
import { createTopic } from '#page/topic.ts'

interface Known extends UnsentCounts {
  userId: string
}

let known: Known | null = null
/** Counts what was told, so that an answer that a telling overtook is known to be the older. */
let tellings = 0
let asked: { userId: string; answer: Promise<Unsent> } | null = null
export const counted = createTopic()

/** Null: nothing was told of this person. */
export const toldCounts = (userId: string | null): UnsentCounts | null => (known?.userId === userId ? known : null)

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
  // What was told since is the newer, if it is of the same person.
  if (before === tellings || known?.userId !== userId)
    tellCounts({ userId, waiting: unsent.waiting, attention: unsent.attention })
  // A worker of an older version does not tell.
  takeFirstSync(userId, unsent.firstSync ?? null)
  return unsent
}
