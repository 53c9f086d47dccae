import { useSyncExternalStore } from 'react'
import type { WorkerUpdate } from './register-worker.ts'

let waiting: WorkerUpdate | null = null
const listeners = new Set<() => void>()

export function offerUpdate(update: WorkerUpdate): void {
  waiting = update
  for (const listener of listeners) listener()
}

/** The version that waits to become current; null when there is none. */
export function useUpdate(): WorkerUpdate | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => waiting,
    () => null,
  )
}
