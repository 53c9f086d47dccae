import { useState } from 'react'
import { deleteWithUndo, type Removal } from '#page/device/deletion.ts'
import { problemText } from '#page/words/problem-text.ts'
import { text } from '#page/words/app-text.ts'
import { Button } from '#page/ui/button.tsx'
import { notify } from '#page/ui/notify.ts'

interface Props {
  /** What it is, as in "Customer deleted". */
  what: string
  /** Throws what keeps it from being deleted. */
  remove: (removal: Removal) => Promise<object | undefined>
  /** Leads away from what is gone, and back to it. */
  leave: () => Promise<void>
  comeBack: () => Promise<void>
}

/** Deletes at once: what can be taken back is not asked about (UX.md). */
export function DeleteButton({ what, remove, leave, comeBack }: Props) {
  const [busy, setBusy] = useState(false)
  async function run(): Promise<void> {
    setBusy(true)
    try {
      await deleteWithUndo(what, remove, comeBack)
      await leave()
    } catch (error) {
      notify('error', problemText(error, 'action'))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button look="danger" busy={busy} onClick={() => void run()}>
      {text.delete}
    </Button>
  )
}
