import { useEffect } from 'react'
import type { UnsentEntry } from '#shared/outbox.ts'
import { keptPrefix, shownPerson } from '#page/person.ts'

const name = (key: string) => `docket.unsent.${key}`

/** The page may be loaded anew while the write is being sent: what is typed into its form is of use only with what it is of. */
export function useOpened(entry: UnsentEntry, isEdited: boolean): void {
  useEffect(() => {
    if (!isEdited) return
    const person = shownPerson()
    const leave = () => {
      // Signing out loads the page anew as well: of who has left nothing is written again.
      if (shownPerson() !== person) return
      try {
        sessionStorage.setItem(name(entry.key), JSON.stringify(entry))
      } catch {
        // A full device: the write itself is in the outbox.
      }
    }
    window.addEventListener('pagehide', leave)
    return () => window.removeEventListener('pagehide', leave)
  }, [entry, isEdited])
}

/** A write that has gone meanwhile, if this tab still holds something that was typed into its form. */
export function openedBefore(key: string): UnsentEntry | null {
  const typed = `${keptPrefix()}unsent.${key}`
  if (sessionStorage.getItem(typed) === null && localStorage.getItem(typed) === null) return null
  return JSON.parse(sessionStorage.getItem(name(key)) ?? 'null') as UnsentEntry | null
}
