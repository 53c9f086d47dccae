// Which record a tab's "new ..." is: ids are made on the device, what was typed is kept under them, and saving again is saving the same.
import { useEffect, useState } from 'react'
import { isUuid, uuidv7 } from '#shared/ids.ts'
import { call } from '#page/api.ts'
import { keptPrefix } from '#page/person.ts'
import type { Writer } from '#page/device/stored.ts'
import { dropKept, wasBeingSaved } from './kept.ts'

const tabPrefix = 'docket.new.'
/** Ids that this very page holds. */
const held = new Set<string>()
/** A page that is being reloaded lets its locks go a moment later. */
const tries = 5
const betweenTriesMs = 100
/** Of a question to the device. */
const patienceMs = 1000
/** By the scope's first word. */
const gets = {
  organization: 'getOrganization',
  customer: 'getCustomer',
  item: 'getItem',
  invoice: 'getInvoice',
  quote: 'getQuote',
} as const

export interface NewRecord {
  /** Null until it is known. */
  id: string | null
  /** Takes a fresh one. */
  renew(): void
}

/** Under which name a new record's form is kept. `scope` says of which kind and organization it is. */
export function newRecordName(scope: string, id: string): string {
  return `new.${scope}.${id}`
}

/** Under which name the form of one that is saved is kept (forms/kept.ts): with its version. */
export function savedRecordName(scope: string, { id, version }: { id: string; version: number }): string {
  return `${scope}.${id}.${version}`
}

/**
 * The id that this tab uses: its own from before a reload, else one whose tab is gone and whose text was kept and `fits`, else a fresh one.
 * Two tabs never use the same. `purpose` parts what one tab begins for different ends. `onSaved`: the tab was loaded anew between its press to save and
 * the word that this is stored, and stored it is.
 */
export function useNewRecord<Row>(
  scope: string,
  onSaved: (row: Row) => void,
  purpose = '',
  fits: (kept: unknown) => boolean = anything,
): NewRecord {
  const [id, setId] = useState<string | null>(null)
  useEffect(() => {
    let left = false
    const begin = async () => {
      const claimed = await claim(scope, purpose, fits)
      const name = newRecordName(scope, claimed)
      const saved = wasBeingSaved(name) ? await madeRow<Row>(scope, claimed) : null
      if (left) return
      if (saved === null) return setId(claimed)
      releaseNewRecord(scope, claimed)
      dropKept(name)
      onSaved(saved)
    }
    void begin()
    return () => {
      left = true
    }
    // oxlint-disable-next-line react/exhaustive-deps -- `fits` and `onSaved` go with the purpose.
  }, [scope, purpose])
  return {
    id,
    renew() {
      if (id) releaseNewRecord(scope, id)
      void claim(scope, purpose, () => false).then(setId)
    },
  }
}

/** The next new one of this tab begins with these values, as if they had been typed there. */
export function beginNewRecord(scope: string, values: object): void {
  const id = remember(scope, '', uuidv7())
  localStorage.setItem(keptPrefix() + newRecordName(scope, id), JSON.stringify(values))
}

/** It is saved: the next new one of this tab is another, for whatever end it was begun. */
export function releaseNewRecord(scope: string, id: string): void {
  const beginning = tabKey(scope, '')
  for (const [key, own] of Object.entries(sessionStorage))
    if (key.startsWith(beginning) && own === id) sessionStorage.removeItem(key)
}

/** Of the form of a new one: what is stored is no new one any more, unless it comes back. */
export function newRecordWriter(kept: Writer, id: string, scope: string, purpose = ''): Writer {
  return {
    stored() {
      kept.stored()
      releaseNewRecord(scope, id)
    },
    returned() {
      remember(scope, purpose, id)
      kept.returned()
    },
  }
}

async function claim(scope: string, purpose: string, fits: (kept: unknown) => boolean): Promise<string> {
  const own = sessionStorage.getItem(tabKey(scope, purpose))
  const beginning = keptPrefix() + newRecordName(scope, '')
  const text = parse(localStorage.getItem(beginning + own))
  // A duplicated tab has a copy of this too: whose lock it is decides.
  if (own && (text === null || fits(text)) && (await hold(own, tries))) return own
  const orphans = Object.keys(localStorage)
    .filter((key) => key.startsWith(beginning) && fits(parse(localStorage.getItem(key))))
    .map((key) => key.slice(beginning.length))
    .filter(isUuid)
    .toSorted()
    .toReversed()
  for (const orphan of orphans) {
    const isOwn = held.has(orphan)
    if (!(await hold(orphan, 1))) continue
    // What this page has begun itself it has not forgotten.
    if (isOwn || (await madeRow(scope, orphan)) === null) return remember(scope, purpose, orphan)
    localStorage.removeItem(beginning + orphan)
  }
  const fresh = uuidv7()
  await hold(fresh, 1)
  return remember(scope, purpose, fresh)
}

/**
 * The row, where it was saved after all; null where it was not. A browser that is killed forgets what it wrote to localStorage in the last seconds, and with
 * it that what was typed is no longer needed; saved again it would be refused for its id. Where it cannot be said at once the text is kept.
 */
async function madeRow<Row>(scope: string, id: string): Promise<Row | null> {
  const [kind, organizationId = id] = scope.split('.')
  const get = gets[kind as keyof typeof gets]
  const signal = AbortSignal.timeout(patienceMs)
  return call<Row>(get, { params: { organizationId, [`${kind}Id`]: id }, signal }).catch(() => null)
}

/** Holds the id for as long as this page lives; false when another page does. */
async function hold(id: string, attempts: number): Promise<boolean> {
  if (held.has(id) || !('locks' in navigator)) return true
  for (let attempt = 1; ; attempt += 1) {
    const granted = await new Promise<boolean>((resolve) => {
      navigator.locks
        .request(tabPrefix + id, { ifAvailable: true }, (lock) => {
          resolve(lock !== null)
          return lock ? new Promise<void>(() => {}) : undefined
        })
        .catch(() => resolve(true))
    })
    if (granted) held.add(id)
    if (granted || attempt >= attempts) return granted
    await new Promise((resolve) => setTimeout(resolve, betweenTriesMs))
  }
}

function remember(scope: string, purpose: string, id: string): string {
  sessionStorage.setItem(tabKey(scope, purpose), id)
  return id
}

function tabKey(scope: string, purpose: string): string {
  return `${tabPrefix}${scope}.${purpose}`
}

function parse(kept: string | null): unknown {
  try {
    return JSON.parse(kept ?? 'null')
  } catch {
    return null
  }
}

function anything(): boolean {
  return true
}
