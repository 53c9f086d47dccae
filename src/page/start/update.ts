import type { WorkerUpdate } from './register-worker.ts'
import { createTopic, useTopic } from '#page/topic.ts'

let waiting: WorkerUpdate | null = null
const offers = createTopic()

export function offerUpdate(update: WorkerUpdate): void {
  waiting = update
  offers.tell()
}

/** The version that waits to become current; null when there is none. */
export function useUpdate(): WorkerUpdate | null {
  return useTopic(offers, () => waiting, null)
}
