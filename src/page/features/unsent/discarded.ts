// What was discarded in this tab can be taken back until the tab is closed or its person leaves: whoever goes on to another screen has not thought it over yet.
import { useState } from 'react'
import type { OutboxFile } from '#shared/outbox.ts'
import { keyPrefix } from '#page/forms/kept.ts'
import { shownPerson } from '#page/person.ts'

export interface Discarded {
  /** Of the entry that was pressed. */
  key: string
  what: string
  file: OutboxFile
  /** Whether the server heard of it is not known. */
  mayHaveArrived: boolean
}

type Change = (before: Discarded[]) => Discarded[]

export function useDiscarded(): [Discarded[], (change: Change) => void] {
  const [person] = useState(shownPerson)
  const name = `${keyPrefix}${person}.discarded`
  const [discarded, setDiscarded] = useState<Discarded[]>(() => read(name))
  return [
    discarded,
    (change) => {
      setDiscarded(change)
      // Kept also where the screen was left before the device had answered; but of who has left nothing is written again.
      if (shownPerson() !== person) return
      try {
        sessionStorage.setItem(name, JSON.stringify(change(read(name))))
      } catch {
        // More than a tab may hold: it can be taken back while this screen stands.
      }
    },
  ]
}

function read(name: string): Discarded[] {
  return JSON.parse(sessionStorage.getItem(name) ?? '[]') as Discarded[]
}
