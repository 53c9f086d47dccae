import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import type { OutboxFile, UnsentEntry } from '#shared/outbox.ts'
import { unsentKey } from '#page/device/device-news.ts'
import { exportUnsent, importUnsent, retryUnsent } from '#page/device/outbox-calls.ts'
import { shownPerson } from '#page/person.ts'
import { problemText } from '#page/words/problem-text.ts'
import { text } from '#page/words/app-text.ts'
import { Button } from '#page/ui/button.tsx'
import { notify } from '#page/ui/notify.ts'

const t = text.unsent

/** What concerns all of it: retry, export, import. */
export function Toolbar({ entries }: { entries: readonly UnsentEntry[] }) {
  const queryClient = useQueryClient()
  const picker = useRef<HTMLInputElement>(null)
  async function run(work: () => Promise<string>): Promise<void> {
    try {
      notify('info', await work())
    } catch (error) {
      notify('error', problemText(error, 'action'))
    }
    void queryClient.invalidateQueries({ queryKey: unsentKey })
  }
  return (
    <>
      {entries.some(isTried) && (
        <Button look="primary" onClick={() => void run(() => retryUnsent().then(() => t.retried))}>
          {t.retry}
        </Button>
      )}
      {entries.length > 0 && (
        <Button onClick={() => void run(() => exportUnsent().then(() => t.exported))}>{t.export}</Button>
      )}
      <Button onClick={() => picker.current?.click()}>{t.import}</Button>
      <input
        ref={picker}
        type="file"
        accept="application/json,.json"
        hidden
        aria-label={t.import}
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? []
          if (file) void run(() => read(file))
          // The same file can be chosen again.
          currentTarget.value = ''
        }}
      />
    </>
  )
}

/** Another try is of no use where two have changed the same: that is decided. */
function isTried({ state, theirs }: UnsentEntry): boolean {
  return state !== 'conflict' || theirs === null
}

async function read(file: File): Promise<string> {
  const data = parse(await file.text())
  if (!data) return t.notOurs
  if (data.userId !== shownPerson()) return t.anothers
  const { imported, refused } = await importUnsent(data)
  const said = [
    ...(imported > 0 || refused === 0 ? [t.imported(imported)] : []),
    ...(refused > 0 ? [t.refused(refused)] : []),
  ]
  return said.join('. ')
}

/** Null when it is no file of ours; what of it may be read is the device's to say. */
function parse(json: string): OutboxFile | null {
  try {
    const data = JSON.parse(json) as Partial<OutboxFile> | null
    return data?.docket === 'unsent' && typeof data.userId === 'string' && Array.isArray(data.entries)
      ? (data as OutboxFile)
      : null
  } catch {
    return null
  }
}
