import { useState } from 'react'
import type { Kept } from './kept.ts'
import { text } from '#page/words/app-text.ts'
import { Button } from '#page/ui/button.tsx'
import { Notice } from '#page/ui/screen.tsx'

/** Empties a form. Not its defaults, which are what was found: drawn the next time with those again, the form would take them for new ones and put them back. */
export function beginAnew<Values>(
  form: { reset(values: Values, options: { keepDefaultValues: boolean }): void },
  fresh: Values,
): void {
  form.reset(fresh, { keepDefaultValues: true })
}

/** Says that old text was put back, if it was, and lets the person do without it: `onStartFresh` empties the form. */
export function KeptNotice({ kept, onStartFresh }: { kept: Kept<unknown>; onStartFresh: () => void }) {
  const [shown, setShown] = useState(kept.found !== null)
  if (!shown) return null
  return (
    <div className="grid justify-items-start gap-3">
      <Notice>{text.kept.unsaved}</Notice>
      <Button
        onClick={() => {
          kept.discard()
          setShown(false)
          onStartFresh()
        }}
      >
        {text.kept.startFresh}
      </Button>
    </div>
  )
}
