// What is being typed is kept on the page until the server has it: a closed tab or an empty battery costs nothing (OFFLINE.md).
import { useEffect, useState } from 'react'
import { isUuid, uuidv7 } from '#shared/ids.ts'
import type { DraftValues } from './draft-values.ts'

/** Removed with everything else of the person at sign-out (page/query-client.ts seals by the same beginning). */
const prefix = 'docket.paint.draft.'
const tabPrefix = 'docket.new-invoice.'
const restMs = 300

export interface Autosave {
  /** What was left unsaved here; null when nothing was. */
  found: DraftValues | null
  forget(): void
}

/** `name` is the invoice's id and version, so that a draft is never put over a newer one. */
export function useAutosave(name: string): Autosave {
  const key = prefix + name
  const [found] = useState<DraftValues | null>(() => {
    try {
      return JSON.parse(localStorage.getItem(key) ?? 'null') as DraftValues | null
    } catch {
      return null
    }
  })
  return { found, forget: () => localStorage.removeItem(key) }
}

export function useKeep(name: string, values: DraftValues, changed: boolean): void {
  useEffect(() => {
    if (!changed) return
    const timer = setTimeout(() => {
      try {
        localStorage.setItem(prefix + name, JSON.stringify(values))
      } catch {
        // A full device: saving the draft itself still works.
      }
    }, restMs)
    return () => clearTimeout(timer)
  }, [name, values, changed])
}

export function newDraftName(organizationId: string, id: string): string {
  return `${organizationId}.new.${id}`
}

/**
 * The id of the invoice that this tab writes anew: its own from before a reload, else one whose tab is gone and whose text was kept, else a
 * fresh one. Two tabs never write the same. Null until that is known.
 */
export function useNewDraftId(organizationId: string): string | null {
  const [id, setId] = useState<string | null>(null)
  useEffect(() => {
    let left = false
    void claim(organizationId).then((claimed) => {
      if (!left) setId(claimed)
    })
    return () => {
      left = true
    }
  }, [organizationId])
  return id
}

/** The next "new invoice" of this tab is another one. */
export function releaseNewDraft(organizationId: string): void {
  sessionStorage.removeItem(tabPrefix + organizationId)
}

async function claim(organizationId: string): Promise<string> {
  const own = sessionStorage.getItem(tabPrefix + organizationId)
  if (own) return hold(own)
  const open = new Set((await navigator.locks?.query().catch(() => null))?.held?.map(({ name }) => name))
  const beginning = prefix + newDraftName(organizationId, '')
  const orphan = Object.keys(localStorage)
    .filter((key) => key.startsWith(beginning))
    .map((key) => key.slice(beginning.length))
    .filter((id) => isUuid(id) && !open.has(tabPrefix + id))
    .toSorted()
    .at(-1)
  const id = orphan ?? uuidv7()
  sessionStorage.setItem(tabPrefix + organizationId, id)
  return hold(id)
}

/** Held for as long as this tab lives; other tabs see by it that the draft is somebody's. */
function hold(id: string): string {
  void navigator.locks?.request(tabPrefix + id, { ifAvailable: true }, () => new Promise(() => {})).catch(() => {})
  return id
}
