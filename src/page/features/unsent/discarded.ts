// What was discarded in this tab can be taken back until the tab is closed or its person leaves: whoever goes on to another screen has not thought it over yet.
import { useState } from 'react'
import { needsPerson, type OutboxFile, type UnsentEntry } from '#shared/outbox.ts'
import { discardEntry, importUnsent } from '#page/device/outbox-calls.ts'
import { keyPrefix, shownPerson } from '#page/person.ts'
import { text } from '#page/words/app-text.ts'

export interface Discarded {
  /** Of the entry that was pressed. */
  key: string
  what: string
  file: OutboxFile
  /** Whether the server heard of it is not known. */
  mayHaveArrived: boolean
}

type Change = (before: Discarded[]) => Discarded[]

export interface Discards {
  discarded: Discarded[]
  /** Takes it off the device, with what builds on it. `what`: how the person knows it. */
  discard(entry: UnsentEntry, what: string): Promise<void>
  /** False: it stays discarded; what was done since does not go with it. */
  undo(gone: Discarded): Promise<boolean>
}

export function useDiscarded(): Discards {
  const [person] = useState(shownPerson)
  const name = `${keyPrefix}${person}.discarded`
  const [discarded, setDiscarded] = useState<Discarded[]>(() => read(name))
  const keep = (change: Change) => {
    setDiscarded(change)
    // Kept also where the screen was left before the device had answered; but of who has left nothing is written again.
    if (shownPerson() !== person) return
    try {
      sessionStorage.setItem(name, JSON.stringify(change(read(name))))
    } catch {
      // More than a tab may hold: it can be taken back while this screen stands.
    }
  }
  return {
    discarded,
    async discard(entry, called) {
      const { key, attempts, state } = entry
      const file = await discardEntry(key)
      const more = file.entries.length - 1
      const what = called + (more > 0 ? text.unsent.discardedMore(more) : '')
      keep((before) => [...before, { key, what, file, mayHaveArrived: attempts > 0 && !needsPerson(state) }])
    },
    async undo(gone) {
      const { refused } = await importUnsent(gone.file, true)
      if (refused > 0) return false
      keep((before) => before.filter(({ key }) => key !== gone.key))
      return true
    },
  }
}

function read(name: string): Discarded[] {
  return JSON.parse(sessionStorage.getItem(name) ?? '[]') as Discarded[]
}
