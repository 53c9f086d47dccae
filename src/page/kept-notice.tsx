import { useState } from 'react'
import type { Kept } from './kept.ts'
import { text } from './text.ts'
import { Button } from './ui/button.tsx'
import { Notice } from './ui/screen.tsx'

/** Says that old text was put back, if it was, and lets the person do without it: `onStartFresh` empties the form. */
export function KeptNotice({ kept, onStartFresh }: { kept: Kept<unknown>; onStartFresh: () => void }) {
  const [shown, setShown] = useState(kept.found !== null)
  if (!shown) return null
  return (
    <div className="grid justify-items-start gap-3">
      <Notice>{text.errors.unsaved}</Notice>
      <Button
        onClick={() => {
          kept.discard()
          setShown(false)
          onStartFresh()
        }}
      >
        {text.errors.startFresh}
      </Button>
    </div>
  )
}
