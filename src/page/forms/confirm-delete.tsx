import { useState } from 'react'
import { problemText } from '#page/words/problem-text.ts'
import { text } from '#page/words/text.ts'
import { Button } from '#page/ui/button.tsx'
import { Dialog } from '#page/ui/dialog.tsx'
import { notify } from '#page/ui/notify.ts'

interface Asked {
  title: string
  lead: string
  remove: () => Promise<void>
}

/** The button that deletes, and the question before it does. */
export function ConfirmDelete(asked: Asked) {
  const [asking, setAsking] = useState(false)
  return (
    <>
      <Button look="danger" onClick={() => setAsking(true)}>
        {text.delete}
      </Button>
      <DeleteDialog {...asked} open={asking} onOpenChange={setAsking} />
    </>
  )
}

/** The question alone, where a menu asks it. */
export function DeleteDialog({
  title,
  lead,
  remove,
  open,
  onOpenChange,
}: Asked & { open: boolean; onOpenChange: (open: boolean) => void }) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={title} description={lead}>
      <div className="flex justify-end gap-3">
        <Button onClick={() => onOpenChange(false)}>{text.cancel}</Button>
        <Button
          look="danger"
          onClick={() => {
            onOpenChange(false)
            remove().catch((error: unknown) => notify('error', problemText(error)))
          }}
        >
          {text.delete}
        </Button>
      </div>
    </Dialog>
  )
}
