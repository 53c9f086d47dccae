// What is typed into a form is kept on this page's device until the server has it: a closed tab or an empty battery costs nothing (OFFLINE.md).
import { useEffect, useState } from 'react'
import { shownPerson } from './person.ts'

/** Of everything that goes with the person at sign-out; then comes whose it is (query-client.ts). */
export const keyPrefix = 'docket.paint.'
const restMs = 300

export function keptPrefix(person = shownPerson()): string {
  return `${keyPrefix}${person}.draft.`
}

export interface Kept<Values> {
  /** What was left unsaved here; null when nothing was. */
  found: Values | null
  /** Soon, and at the latest when the screen or the page goes away. */
  keep(values: Values): void
  /** The person does without it: what is typed from now on is kept anew. */
  discard(): void
  /** The server has it. */
  forget(): void
}

/** `name` holds the record's id and version, so that old text is never put over something newer. */
export function useKept<Values>(name: string): Kept<Values> {
  const [kept] = useState(() => createKept<Values>(name))
  useEffect(() => {
    window.addEventListener('pagehide', kept.flush)
    return () => {
      window.removeEventListener('pagehide', kept.flush)
      kept.flush()
    }
  }, [kept])
  return kept
}

interface FormStore<Values> {
  state: { values: Values; isDirty: boolean }
  subscribe(listener: () => void): { unsubscribe(): void }
}

/** Keeps every change of a form. */
export function useKeepForm<Values>({ store }: { store: FormStore<Values> }, kept: Kept<Values>): void {
  useEffect(() => {
    const { unsubscribe } = store.subscribe(() => {
      if (store.state.isDirty) kept.keep(store.state.values)
    })
    return unsubscribe
  }, [store, kept])
}

function createKept<Values>(name: string): Kept<Values> & { flush(): void } {
  const person = shownPerson()
  const key = keptPrefix(person) + name
  let waiting: Values | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  let isOver = false
  const flush = () => {
    clearTimeout(timer)
    // What a form still holds when its person has left must not come back to the device.
    if (waiting === null || isOver || person !== shownPerson()) return
    try {
      localStorage.setItem(key, JSON.stringify(waiting))
    } catch {
      // A full device: saving itself still works.
    }
    waiting = null
  }
  return {
    found: read<Values>(key),
    flush,
    keep(values) {
      waiting = values
      clearTimeout(timer)
      timer = setTimeout(flush, restMs)
    },
    discard() {
      clearTimeout(timer)
      waiting = null
      localStorage.removeItem(key)
    },
    forget() {
      isOver = true
      clearTimeout(timer)
      localStorage.removeItem(key)
    },
  }
}

function read<Values>(key: string): Values | null {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null') as Values | null
  } catch {
    return null
  }
}
