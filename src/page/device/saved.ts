// What became of a save, in the two honest words (OFFLINE.md "What the person sees"): on this device, or at the server.
import type { Marked } from '#shared/outbox.ts'
import { text } from '#page/words/app-text.ts'
import { notify } from '#page/ui/notify.ts'

/** The mark of a row that holds something not yet at the server; null when it holds nothing. */
export function markOf(row: object | undefined): NonNullable<Marked['unsent']> | null {
  return (row as Marked | undefined)?.unsent ?? null
}

/** A draft that is issued as far as this device can: a change now would be one of an issued invoice. */
export function waitsForIssue(row: { status: string }): boolean {
  const mark = markOf(row)
  return row.status === 'draft' && (mark === 'issue' || mark === 'send')
}

/** `answer`: what the call that saved it came back with. */
export function tellSaved(what: string, answer: object): void {
  const mark = markOf(answer)
  if (mark === 'attention') notify('warning', text.saved.attention(what))
  else notify('success', mark ? text.saved.here(what) : text.saved.synced(what))
}

export function tellDeleted(what: string, answer: object | undefined): void {
  notify('success', markOf(answer) ? text.saved.deletedHere(what) : text.saved.deleted(what))
}
