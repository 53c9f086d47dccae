// What is typed into a form is kept on this page's device until the outbox or the server has it: a closed tab or an empty battery costs nothing (OFFLINE.md).
import { useEffect, useState } from 'react'
import { shownPerson } from '#page/person.ts'
import type { Writer } from '#page/device/stored.ts'

/** Of everything that goes with the person at sign-out; then comes whose it is (query-client.ts). */
export const keyPrefix = 'docket.paint.'
const restMs = 300

export function keptPrefix(person = shownPerson()): string {
  return `${keyPrefix}${person}.draft.`
}

export interface Kept<Values> extends Writer {
  /** What was left unsaved here; null when nothing was. */
  found: Values | null
  /** Soon, and at the latest when the screen or the page goes away. */
  keep(values: Values): void
  /** At once; false when this device does not store it. */
  flush(): boolean
  /** The person does without it: what is typed from now on is kept anew. */
  discard(): void
  /** It is saved, and there is no form any more. */
  forget(): void
}

/** `name` holds the record's id and version, so that old text is never put over something newer. */
export function useKept<Values>(name: string): Kept<Values> {
  const [kept] = useState(() => createKept<Values>(name))
  useEffect(() => {
    kept.taken()
    window.addEventListener('pagehide', kept.leave)
    return () => {
      window.removeEventListener('pagehide', kept.leave)
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

interface Keeper<Values> extends Kept<Values> {
  /** The page goes away, maybe to be loaded anew: this tab's text is its own, whatever another tab keeps of the same record. */
  leave(): void
  /** What was found is in the form now. */
  taken(): void
}

function createKept<Values>(name: string): Keeper<Values> {
  const person = shownPerson()
  const key = keptPrefix(person) + name
  // What a form still holds when its person has left must not come back to the device.
  const isSealed = () => person !== shownPerson()
  const found = read<Values>(sessionStorage, key) ?? read<Values>(localStorage, key)
  let last = found
  let isWritten = true
  let timer: ReturnType<typeof setTimeout> | undefined
  let isOver = false
  /** The outbox has it: if the page goes away now, it is not to be put back. */
  let isStored = false
  const write = (storage: Storage): boolean => {
    try {
      storage.setItem(key, JSON.stringify(last))
      return true
    } catch {
      // A full device: saving itself still works.
      return false
    }
  }
  const flush = () => {
    clearTimeout(timer)
    if (last === null || isWritten || isOver || isStored || isSealed()) return true
    isWritten = write(localStorage)
    return isWritten
  }
  const remove = () => {
    clearTimeout(timer)
    for (const storage of [localStorage, sessionStorage]) storage.removeItem(key)
  }
  return {
    found,
    flush,
    keep(values) {
      // The form tells of more than of its text.
      if (isStored && JSON.stringify(values) === JSON.stringify(last)) return
      last = values
      isWritten = false
      isStored = false
      clearTimeout(timer)
      timer = setTimeout(flush, restMs)
    },
    leave() {
      flush()
      if (last !== null && !isOver && !isStored && !isSealed()) write(sessionStorage)
    },
    taken: () => sessionStorage.removeItem(key),
    discard() {
      last = null
      remove()
    },
    stored() {
      isStored = true
      remove()
    },
    returned() {
      isStored = false
      isWritten = false
      flush()
    },
    forget() {
      isOver = true
      remove()
    },
  }
}

function read<Values>(storage: Storage, key: string): Values | null {
  try {
    return JSON.parse(storage.getItem(key) ?? 'null') as Values | null
  } catch {
    return null
  }
}
