// Which invoice a tab's "new invoice" is: ids are made on the device, and what was typed is kept under them.
import { useEffect, useState } from 'react'
import { isUuid, uuidv7 } from '#shared/ids.ts'
import { keptPrefix } from '#page/kept.ts'

const tabPrefix = 'docket.new-invoice.'

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
  const beginning = keptPrefix + newDraftName(organizationId, '')
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
