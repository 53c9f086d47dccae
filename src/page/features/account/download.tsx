import { Download } from 'lucide-react'
import { useState } from 'react'
import { problemText } from '#page/problem-text.ts'
import { text } from '#page/text.ts'
import { Button } from '#page/ui/button.tsx'
import { notify } from '#page/ui/notify.ts'
import { Section } from '#page/ui/screen.tsx'
import { exportAccount } from './queries.ts'

const t = text.data
/** A browser reads the file after the press: its address must live a little longer. */
const fileLivesMs = 60_000

export function DownloadData() {
  const [busy, setBusy] = useState(false)
  async function download(): Promise<void> {
    setBusy(true)
    try {
      const data = await exportAccount()
      offerFile(t.file(data.exportedAt.slice(0, 10)), JSON.stringify(data, null, 2))
      notify('success', t.done)
    } catch (error) {
      notify('error', problemText(error, 'action'))
    }
    setBusy(false)
  }
  return (
    <Section title={t.title}>
      <p className="text-sm text-muted">{t.lead}</p>
      <Button
        className="justify-self-start"
        icon={<Download className="size-5" aria-hidden />}
        busy={busy}
        onClick={() => void download()}
      >
        {busy ? t.busy : t.download}
      </Button>
    </Section>
  )
}

function offerFile(name: string, json: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([json], { type: 'application/json' }))
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), fileLivesMs)
}
