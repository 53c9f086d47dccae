// The button of a list that exports what it shows. Tables and their columns are loaded with the dialog: a list is on the screen sooner without them.
import { Download } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { text } from '#page/words/app-text.ts'
import { Button } from '#page/ui/button.tsx'
import type { ListExport } from './list-export.ts'

const Asking = lazy(() => import('./export-dialog.tsx').then((module) => ({ default: module.ExportDialog })))

export function ExportDialog(asked: ListExport & { onClose: () => void }) {
  return (
    <Suspense>
      <Asking {...asked} />
    </Suspense>
  )
}

export function ListExportButton(asked: ListExport) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button icon={<Download className="size-5" aria-hidden />} onClick={() => setOpen(true)}>
        {text.exports.open}
      </Button>
      {isOpen && <ExportDialog {...asked} onClose={() => setOpen(false)} />}
    </>
  )
}
