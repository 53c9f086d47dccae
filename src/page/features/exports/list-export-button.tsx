// The button of a list that exports what it shows. Tables and their columns are loaded with the dialog: a list is on the screen sooner without them.
import { Download } from 'lucide-react'
import { Suspense, useState } from 'react'
import { Late } from '#page/late.tsx'
import { lazily } from '#page/lazily.ts'
import { text } from '#page/words/app-text.ts'
import { Button } from '#page/ui/button.tsx'
import type { ListExport } from './list-export.ts'

const Asking = lazily(() => import('./export-dialog.tsx').then((module) => module.ExportDialog))

export function ExportDialog(asked: ListExport & { onClose: () => void }) {
  return (
    <Suspense fallback={<Late onClose={asked.onClose} />}>
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
