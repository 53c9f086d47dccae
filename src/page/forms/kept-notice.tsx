import { useState } from 'react'
import type { Kept } from './kept.ts'
import { text } from '#page/words/app-text.ts'
import { Button } from '#page/ui/button.tsx'
import { Notice } from '#page/ui/screen.tsx'

interface Form<Values> {
  reset(values: Values, options: { keepDefaultValues: boolean }): void
}

/** Fills a form, or empties it. Not its defaults, which are what was found: drawn the next time with those again, the form would take them for new ones and put them back. */
export function beginAnew<Values>(form: Form<Values>, fresh: Values): void {
  form.reset(fresh, { keepDefaultValues: true })
}

interface Props<Values> {
  kept: Kept<Values>
  onStartFresh: () => void
  /** Puts in what was typed upon an earlier version; a form without it knows none. */
  onPutBack?: (values: Values) => void
}

/**
 * Says that old text was put back, if it was, and lets the person do without it: `onStartFresh` empties the form. Or that there is some, where the same was
 * changed elsewhere since.
 */
export function KeptNotice<Values>({ kept, onStartFresh, onPutBack }: Props<Values>) {
  const [shown, setShown] = useState(kept.older ? 'older' : kept.found === null ? null : 'found')
  if (!shown) return null
  const startFresh = () => {
    kept.discard()
    setShown(null)
    onStartFresh()
  }
  return (
    <div className="grid justify-items-start gap-3">
      <Notice tone={shown === 'older' ? 'warn' : 'info'}>{text.kept[shown === 'older' ? 'older' : 'unsaved']}</Notice>
      <div className="flex flex-wrap gap-3">
        {shown === 'older' && onPutBack && (
          <Button
            onClick={() => {
              setShown('found')
              onPutBack(kept.putBack())
            }}
          >
            {text.kept.putBack}
          </Button>
        )}
        <Button onClick={startFresh}>{shown === 'older' ? text.kept.discard : text.kept.startFresh}</Button>
      </div>
    </div>
  )
}
