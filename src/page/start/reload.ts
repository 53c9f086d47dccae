// Loads the page anew, but never away from under what somebody typed (OFFLINE.md "Shell and updates").
import { createTopic, useTopic } from '#page/topic.ts'

const lookEveryMs = 1000

const holds = new Set<() => boolean>()
const waits = createTopic()
let isWaiting = false

/** `isHeld` says whether something would be lost now. Resolves the hold when called. */
export function holdReload(isHeld: () => boolean): () => void {
  holds.add(isHeld)
  return () => void holds.delete(isHeld)
}

/** At once where nothing is lost by it, else as soon as that is so. */
export function reloadWhenFree(): void {
  if (isFree()) return location.reload()
  if (isWaiting) return
  isWaiting = true
  waits.tell()
  let wasFree = false
  setInterval(() => {
    const free = isFree()
    // Twice: whoever has just saved sees that it was, and is where it leads them.
    if (free && wasFree) location.reload()
    wasFree = free
  }, lookEveryMs)
}

/** The page will be loaded anew once what is typed is saved or left. */
export function useReloadWaits(): boolean {
  return useTopic(waits, () => isWaiting, false)
}

function isFree(): boolean {
  return ![...holds].some((isHeld) => isHeld())
}
