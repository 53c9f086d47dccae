import { useState } from 'react'
import { problemText } from '#page/words/problem-text.ts'
import { text } from '#page/words/app-text.ts'
import { Button } from '#page/ui/button.tsx'
import { Dialog, DialogButtons } from '#page/ui/dialog.tsx'
import { notify } from '#page/ui/notify.ts'

/** The button that deletes what cannot be brought back, and the question before it does. */
export function ConfirmDelete({ title, lead, remove }: { title: string; lead: string; remove: () => Promise<void> }) {
  const [asking, setAsking] = useState(false)
  return (
    <>
      <Button look="danger" onClick={() => setAsking(true)}>
        {text.delete}
      </Button>
      <Dialog open={asking} onOpenChange={setAsking} title={title} description={lead}>
        <DialogButtons>
          <Button onClick={() => setAsking(false)}>{text.cancel}</Button>
          <Button
            look="danger"
            onClick={() => {
              setAsking(false)
              remove().catch((error: unknown) => notify('error', problemText(error, 'action')))
            }}
          >
            {text.delete}
          </Button>
        </DialogButtons>
      </Dialog>
    </>
  )
}
