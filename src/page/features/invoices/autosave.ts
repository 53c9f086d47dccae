// What is being typed is kept on the page until the server has it: a closed tab or an empty battery costs nothing (OFFLINE.md).
import { useEffect, useState } from 'react'
import type { DraftValues } from './draft-values.ts'

/** Removed with everything else of the person at sign-out (page/query-client.ts seals by the same beginning). */
const prefix = 'docket.paint.draft.'
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
