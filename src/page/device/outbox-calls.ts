// What a person does with unsent writes; all of it happens on the device (shared/outbox.ts).
import { queryOptions } from '@tanstack/react-query'
import type { OutboxFile, Resolution, Unsent } from '#shared/outbox.ts'
import { callOutbox } from '#page/api.ts'
import { sync } from '#page/start/boot.ts'
import { unsentKey } from './device-news.ts'
import { offerFile } from '#page/offer-file.ts'
import { text } from '#page/words/app-text.ts'

/** Never as it was seen last: what has been sent since would look as if it still waited. */
export const unsentQuery = queryOptions({ queryKey: unsentKey, queryFn: () => callOutbox<Unsent>('GET'), gcTime: 0 })

/** All that wait are due now. */
export function retryUnsent(): Promise<void> {
  return callOutbox('POST', '/retry')
}

/** The loading of what was never on this device stops, or goes on. */
export async function pauseFirstSync(isPaused: boolean): Promise<void> {
  await callOutbox('POST', isPaused ? '/pause' : '/resume')
  if (!isPaused) sync()
}

/** Resolves to what was discarded, with what built on it: importing it is the undo. */
export function discardEntry(key: string): Promise<OutboxFile> {
  return callOutbox('DELETE', `/${encodeURIComponent(key)}`)
}

export function resolveEntry(key: string, resolution: Resolution): Promise<void> {
  return callOutbox('PUT', `/${encodeURIComponent(key)}`, resolution)
}

/** `isWhole`: all of it, or none where one does not go with what was done since. */
export function importUnsent(file: OutboxFile, isWhole = false): Promise<{ imported: number; refused: number }> {
  return callOutbox('POST', isWhole ? '/import?whole' : '/import', file)
}

/** The person gets everything unsent as a file. */
export async function exportUnsent(): Promise<void> {
  const file = await callOutbox<OutboxFile>('GET', '/export')
  offerFile(text.unsent.file(new Date().toISOString().slice(0, 10)), file)
}
