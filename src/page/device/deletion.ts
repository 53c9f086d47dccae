// A deletion that is taken back within 10 s was never sent (UX.md "Undo (10 s) instead of are you sure").
import { uuidv7 } from '#shared/ids.ts'
import { holdMs } from '#shared/outbox.ts'
import { ProblemError } from '#shared/problem.ts'
import { sync } from '#page/start/boot.ts'
import { text } from '#page/words/app-text.ts'
import { problemText } from '#page/words/problem-text.ts'
import { notify } from '#page/ui/notify.ts'
import { discardEntry } from './outbox-calls.ts'
import { markOf, tellDeleted } from './saved.ts'

export interface Removal {
  /** The Idempotency-Key: what is taken back is named by it. */
  key: string
  isHeld: true
}

/** Deletes, and says so with the way back. `remove`: the call, with what makes this device hold it. */
export async function deleteWithUndo(
  what: string,
  remove: (removal: Removal) => Promise<object | undefined>,
  onUndone: () => Promise<void>,
): Promise<void> {
  const key = uuidv7()
  const answer = await remove({ key, isHeld: true })
  // A device that could not keep it has sent it.
  if (!markOf(answer)) return tellDeleted(what, answer)
  // The worker sends it then by itself, if it lives for so long.
  setTimeout(sync, holdMs)
  const undo = () =>
    discardEntry(key).then(onUndone, (error: unknown) => {
      const isOver = error instanceof ProblemError && error.code === 'not_found'
      notify('error', isOver ? text.unsent.tooLate : problemText(error))
    })
  const withinMs = holdMs - 2000
  notify('success', text.saved.deletedHere(what), { label: text.unsent.undo, run: () => void undo(), withinMs })
}
