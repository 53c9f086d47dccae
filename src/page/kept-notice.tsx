import { text } from './text.ts'
import { Button } from './ui/button.tsx'
import { Notice } from './ui/screen.tsx'

/** Says that old text was put back, and lets the person do without it. */
export function KeptNotice({ onStartFresh }: { onStartFresh: () => void }) {
  return (
    <div className="grid justify-items-start gap-3">
      <Notice>{text.errors.unsaved}</Notice>
      <Button onClick={onStartFresh}>{text.errors.startFresh}</Button>
    </div>
  )
}
