// What a screen shows of how much is unsent: asked for once when it begins, told ever after.
import { useEffect } from 'react'
import type { UnsentCounts } from '#shared/outbox.ts'
import { ProblemError } from '#shared/problem.ts'
import { isSignedIn } from '#shared/session.ts'
import { useSession } from '#page/session.ts'
import { useTopic } from '#page/topic.ts'
import { askUnsent, counted, toldCounts } from './unsent-counts.ts'

/** Whether something would, or may, be lost with this device's data. What cannot be asked is as it was told last; never told, there may be something. */
export async function hasUnsent(userId: string): Promise<boolean> {
  const counts = await askUnsent(userId).catch((error: unknown) => {
    // Not signed in here any more: nothing of theirs goes by what they press now.
    if (error instanceof ProblemError && error.code === 'invalid_token') return { waiting: 0, attention: 0 }
    return toldCounts(userId)
  })
  return counts === null || counts.waiting + counts.attention > 0
}

/** Not known is shown as nothing, and there is no use in saying that it failed: it is asked again, ever less often, until it is known or the screen is left. */
function askUntilKnown(userId: string): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isLeft = false
  const askOnce = (restMs: number) => {
    void askUnsent(userId).catch(() => {
      if (!isLeft && toldCounts(userId) === null) timer = setTimeout(askOnce, restMs, Math.min(2 * restMs, 30_000))
    })
  }
  askOnce(1000)
  return () => {
    isLeft = true
    clearTimeout(timer)
  }
}

/** Of the person whose screen this is; null until it is known. */
export function useUnsentCounts(): UnsentCounts | null {
  const session = useSession()
  const userId = isSignedIn(session) ? session.userId : null
  const counts = useTopic(counted, () => toldCounts(userId), null)
  useEffect(() => {
    if (userId !== null) return askUntilKnown(userId)
  }, [userId])
  return counts
}
