// The worker's word that a write is on the disk, before anybody knows what the server says to it (OFFLINE.md "Writing: the outbox").
import { hearBroadcasts } from './broadcasts.ts'

/** Where a write comes from that keeps its content on the device as long as nothing else does. */
export interface Writer {
  /** The outbox has it. */
  stored(): void
  /** It was refused, and is about to be taken out of the outbox. */
  returned(): void
}

const waiting = new Map<string, () => void>()
let isHearing = false

/** Calls `then` when the write with this key is stored; what it answers ends the waiting. */
export function whenStored(key: string, then: () => void): () => void {
  if (!isHearing)
    hearBroadcasts((broadcast) => {
      if (broadcast.type === 'stored') waiting.get(broadcast.key)?.()
    })
  isHearing = true
  waiting.set(key, then)
  return () => void waiting.delete(key)
}
