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
  const [name] = useState(() => `${keyPrefix}${shownPerson()}.discarded`)
  const [discarded, setDiscarded] = useState<Discarded[]>(() => read(name))
  return [
    discarded,
    (change) =>
      setDiscarded((before) => {
        const next = change(before)
        try {
          sessionStorage.setItem(name, JSON.stringify(next))
        } catch {
          // More than a tab may hold: it can be taken back while this screen stands.
        }
        return next
      }),
  ]
}

function read(name: string): Discarded[] {
  return JSON.parse(sessionStorage.getItem(name) ?? '[]') as Discarded[]
}
