// The question before a list is exported: in which format; then its progress.
import { useRef, useState } from 'react'
import { formatCount } from '#page/words/format.ts'
import { offerFile } from '#page/offer-file.ts'
import { problemText } from '#page/words/problem-text.ts'
import { text } from '#page/words/app-text.ts'
import { Button } from '#page/ui/button.tsx'
import { Dialog, DialogButtons } from '#page/ui/dialog.tsx'
import { SelectField } from '#page/ui/field.tsx'
import { notify } from '#page/ui/notify.ts'
import { Notice } from '#page/ui/screen.tsx'
import { exportList, type ExportFormat, type ListExport } from './list-export.ts'

const t = text.exports

export function ExportDialog({ onClose, ...asked }: ListExport & { onClose: () => void }) {
  const [format, setFormat] = useState<ExportFormat>('csv')
  const [rows, setRows] = useState<number | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const work = useRef<AbortController | null>(null)
  const formats: ExportFormat[] = asked.kind === 'invoices' ? ['csv', 'tables', 'json'] : ['csv', 'json']

  async function start(): Promise<void> {
    const controller = new AbortController()
    work.current = controller
    setProblem(null)
    setRows(0)
    try {
      const { name, file } = await exportList({ ...asked, format, signal: controller.signal, onProgress: setRows })
      if (controller.signal.aborted) return
      offerFile(name, file)
      notify('success', t.saved(name))
      onClose()
    } catch (error) {
      if (!controller.signal.aborted) setProblem(problemText(error, 'action'))
    } finally {
      setRows(null)
    }
  }

  function stop(): void {
    work.current?.abort()
    if (rows === null) onClose()
  }

  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (open) return
        work.current?.abort()
        onClose()
      }}
      title={t.dialog[asked.kind]}
      description={asked.chosen ? t.chosenLead(asked.chosen.length, formatCount(asked.chosen.length)) : t.lead}
    >
      <SelectField
        label={t.format}
        name="format"
        value={format}
        disabled={rows !== null}
        onChange={(event) => setFormat(event.currentTarget.value as ExportFormat)}
        choices={formats.map((value) => ({ value, label: t.formats[value] }))}
      />
      {rows !== null && (
        <div className="grid gap-2">
          <progress className="w-full" aria-label={t.progress} />
          <output className="text-muted">{t.rows(formatCount(rows))}</output>
        </div>
      )}
      {problem && <Notice tone="danger">{problem}</Notice>}
      <DialogButtons>
        <Button onClick={stop}>{rows === null ? text.cancel : t.stop}</Button>
        <Button look="primary" busy={rows !== null} onClick={() => void start()}>
          {t.start}
        </Button>
      </DialogButtons>
    </Dialog>
  )
}
