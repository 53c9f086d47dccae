// What is typed into a form is kept on this page's device until the outbox or the server has it: a closed tab or an empty battery costs nothing (OFFLINE.md).
import { useEffect, useState } from 'react'
import { keptPrefix, shownPerson } from '#page/person.ts'
import { openForms } from './typed.ts'
import { isLeftForGood } from '#page/session.ts'
import type { Writer } from '#page/device/stored.ts'

const restMs = 300

export interface Kept<Values> extends Writer {
  /** What was left unsaved here; null when nothing was. */
  found: Values | null
  /**
   * What was typed upon an earlier version, where the record was changed in the same fields since: the person says whether it goes into the form. Until then
   * it stays, and is asked about again.
   */
  older: Values | null
  /** What the form holds from now on, with `older` in it: what else was typed meanwhile stays. It is kept with that. */
  putBack(): Values
  /** Soon, and at the latest when the screen or the page goes away. */
  keep(values: Values): void
  /** At once; false when this device does not store it. */
  flush(): boolean
  /** The person does without it: what is typed from now on is kept anew. */
  discard(): void
  /** What is in the form now is what is being saved: what is typed until that is stored is a change of it. */
  submitted(): void
  /** It is saved, and there is no form any more; what was typed meanwhile stays, under the name that the record's form has now, and so does what was not decided. */
  forget(name?: string): void
}

/**
 * `name` ends with the record's version, so that old text is never put over something newer: what was typed upon another version, which a draft has as soon as it
 * is sent, is brought together with the record as the form is `opened` on it now.
 */
export function useKept<Values>(name: string, opened?: () => Values & object): Kept<Values> {
  const [kept] = useState(() => createKept<Values>(name, opened))
  useEffect(() => {
    kept.taken()
    openForms.add(kept)
    window.addEventListener('pagehide', kept.leave)
    return () => {
      openForms.delete(kept)
      window.removeEventListener('pagehide', kept.leave)
      kept.keepUnsaved()
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
  /** The form goes, and what is in it is not saved. */
  keepUnsaved(): void
  /** All that is kept under that name is saved by now, and the form that it is of goes. */
  end(of: string): void
}

/** Of what was typed last: only in the form, on this device as well, in the outbox, or in no form any more. What is in the outbox must not be put back. */
type State = 'typed' | 'kept' | 'stored' | 'over'

function createKept<Values>(name: string, opened?: () => Values & object): Keeper<Values> {
  const person = shownPerson()
  let key = keptPrefix(person) + name
  // What a form still holds when its person has left must not come back to the device.
  const isSealed = () => person !== shownPerson()
  const hasItsOwn = sessionStorage.getItem(key) !== null
  const own = read<Values>(key)
  const stem = /^.*\.(?=\d+$)/.exec(key)?.[0]
  const first = stem === undefined ? undefined : opened?.()
  /** What the form showed when it was opened, or what it has saved since: what was typed is a change of that, also after the page was loaded anew. */
  let from = (own !== null && first ? read<Values & object>(key + ofOpened) : null) ?? first
  const before = own === null && stem && first ? ofEarlierVersion(stem, first) : null
  /** Else nobody has decided yet, and it is left as it is: it is no part of what is saved here. */
  let isBeforeIn = before?.isClear ?? false
  const found = own ?? (isBeforeIn ? before!.values : null)
  let last = found
  // Of a tab that was loaded anew only this tab knows its text: what is on the device may be another one's.
  let state: State = found === own && !hasItsOwn ? 'kept' : 'typed'
  let timer: ReturnType<typeof setTimeout> | undefined
  /** What this tab knows to be on the device: anything else there is what another tab is typing into the same. */
  let written = localStorage.getItem(key)
  const isOwn = () => localStorage.getItem(key) === written
  /** What is being saved, or was. */
  let sent: Values | null = null
  const write = (storage: Storage): boolean => {
    try {
      if (from) storage.setItem(key + ofOpened, JSON.stringify(from))
      storage.setItem(key, JSON.stringify(last))
      if (storage === localStorage) written = storage.getItem(key)
      return true
    } catch {
      // A full device: saving itself still works.
      return false
    }
  }
  const flush = () => {
    clearTimeout(timer)
    if (state !== 'typed' || isSealed()) return true
    if (!write(localStorage)) return false
    state = 'kept'
    return true
  }
  const remove = () => {
    clearTimeout(timer)
    drop(key, ...(isOwn() ? [] : [sessionStorage]))
    written = localStorage.getItem(key)
    if (isBeforeIn) before?.drop()
  }
  /** As the form goes: another tab may have taken the text of this one off the device, or written its own there. */
  const keepUnsaved = () => {
    if (state === 'kept' && last !== null && !isOwn() && !isLeftForGood()) state = 'typed'
    return flush()
  }
  const keep = (values: Values) => {
    // The form tells of more than of its text.
    if (state === 'over' || (state === 'stored' && isSame(values, last))) return
    last = values
    state = 'typed'
    clearTimeout(timer)
    timer = setTimeout(flush, restMs)
  }
  return {
    found,
    keepUnsaved,
    older: before?.isClear === false ? before.values : null,
    flush,
    keep,
    putBack() {
      isBeforeIn = true
      const values = { ...before!.values, ...last, ...before!.typed }
      keep(values)
      if (flush()) before!.drop()
      return values
    },
    end(of) {
      if (of === key) state = 'over'
    },
    leave() {
      keepUnsaved()
      const isTyped = state === 'kept' || state === 'typed'
      if (!isTyped || last === null || isSealed()) return
      if (write(sessionStorage) && sent !== null) sessionStorage.setItem(key + ofSent, JSON.stringify(sent))
    },
    taken() {
      if (!flush()) return
      drop(key, sessionStorage)
      if (isBeforeIn) before?.drop()
    },
    discard() {
      last = null
      state = 'kept'
      before?.drop()
      remove()
    },
    submitted() {
      sent = last ?? first ?? null
    },
    stored() {
      sent ??= last
      if (first && sent) from = sent as Values & object
      state = last === null || isSame(last, sent) ? 'stored' : 'typed'
      remove()
      flush()
    },
    returned() {
      // Nothing of it is saved: what was typed is a change of what the form showed.
      from = first
      sent = null
      state = last === null ? 'kept' : 'typed'
      flush()
    },
    forget(now) {
      remove()
      // Only the form of a record has it again: a payment that is recorded is over.
      const hasForm = now !== undefined || first !== undefined
      if (hasForm && sent && last !== null && !isSame(last, sent)) {
        // It is found upon what was saved.
        if (now !== undefined) key = keptPrefix(person) + now
        from = sent as Values & object
        state = 'typed'
        flush()
      }
      state = 'over'
    },
  }
}

/** Beside what was typed: what the form showed when it was opened. */
const ofOpened = '.from'
/** Beside what a tab that is loaded anew goes on with: what was being saved when it went. */
const ofSent = '.sent'
const storages = () => [sessionStorage, localStorage]

/** Whether this tab was loaded anew while it saved this, before it heard that it is stored, and nothing was typed since. */
export function wasBeingSaved(name: string): boolean {
  const key = keptPrefix() + name
  const sent = sessionStorage.getItem(key + ofSent)
  return sent !== null && sent === sessionStorage.getItem(key)
}

/** It is saved, and no form has it. */
export function dropKept(name: string): void {
  drop(keptPrefix() + name)
}

interface Earlier<Values> {
  typed: Partial<Values>
  /** It, upon what is there now. */
  values: Values
  /** Nothing that was typed has been changed elsewhere since. */
  isClear: boolean
  drop(): void
}

/** Of the same record, upon whichever other version: none of this one was found. */
function ofEarlierVersion<Values>(stem: string, now: Values & object): Earlier<Values> | null {
  const isOfIt = (each: string) => each.startsWith(stem) && /^\d+$/.test(each.slice(stem.length))
  const earlier = storages()
    .flatMap((storage) => Object.keys(storage))
    .find(isOfIt)
  const kept = earlier && read<Values>(earlier)
  if (!kept) return null
  const from = read<Partial<Values>>(earlier + ofOpened)
  const typed: Partial<Values> = {}
  let isClear = from !== null
  for (const name of Object.keys(kept) as (keyof Values & string)[]) {
    if (from && isSame(kept[name], from[name])) continue
    if (!isSame(now[name], from?.[name]) && !isSame(now[name], kept[name])) isClear = false
    typed[name] = kept[name]
  }
  const values = { ...now, ...typed }
  // All of it is saved by now, maybe from another tab that is at it.
  if (isClear && isSame(values, now)) {
    for (const each of openForms) each.end(earlier)
    drop(earlier)
    return null
  }
  return { typed, values, isClear, drop: () => drop(earlier) }
}

/** Rows of a form have ids that are new whenever it is opened. */
function isSame(one: unknown, other: unknown): boolean {
  const text = (value: unknown) => JSON.stringify(value, (name, each: unknown) => (name === 'id' ? undefined : each))
  return text(one) === text(other)
}

function drop(key: string, ...only: Storage[]): void {
  for (const storage of only.length > 0 ? only : storages())
    for (const each of [key, key + ofOpened, key + ofSent]) storage.removeItem(each)
}

/** As it was in this tab, before what another one keeps. */
function read<Values>(key: string): Values | null {
  for (const storage of storages()) {
    try {
      const found = JSON.parse(storage.getItem(key) ?? 'null') as Values | null
      if (found !== null) return found
    } catch {
      // Not ours.
    }
  }
  return null
}
