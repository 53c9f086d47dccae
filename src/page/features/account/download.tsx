import { Download } from 'lucide-react'
import { useState } from 'react'
import { offerFile } from '#page/offer-file.ts'
import { problemText } from '#page/words/problem-text.ts'
import { text } from '#page/words/app-text.ts'
import { Button } from '#page/ui/button.tsx'
import { notify } from '#page/ui/notify.ts'
import { Section } from '#page/ui/screen.tsx'
import { exportAccount } from './queries.ts'

const t = text.data

export function DownloadData() {
  const [busy, setBusy] = useState(false)
  async function download(): Promise<void> {
    setBusy(true)
    try {
      const data = await exportAccount()
      offerFile(t.file(data.exportedAt.slice(0, 10)), data)
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
