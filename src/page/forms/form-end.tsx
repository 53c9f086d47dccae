import { Countdown } from './countdown.tsx'
import type { FormState } from './form.ts'
import { text } from '#page/words/text.ts'
import { Button, type ButtonLook } from '#page/ui/button.tsx'
import { Notice } from '#page/ui/screen.tsx'

/** Every form ends the same: what concerns the whole of it, the button that sends it, and the way out when somebody else was faster. */
export function FormEnd({
  state,
  submit,
  look = 'primary',
  disabled = false,
  waitWords,
  onCancel,
  onReload,
}: {
  state: FormState
  submit: string
  look?: ButtonLook
  disabled?: boolean
  /** What is waited for, where it is not that somebody tried too often. */
  waitWords?: (clock: string) => string
  onCancel?: () => void
  onReload?: (() => void) | undefined
}) {
  return (
    <>
      {state.message && <Notice tone="danger">{state.message}</Notice>}
      <Countdown wait={state.wait} {...(waitWords && { words: waitWords })} />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" look={look} busy={state.busy} disabled={disabled || state.wait.isWaiting}>
          {submit}
        </Button>
        {onCancel && <Button onClick={onCancel}>{text.cancel}</Button>}
        {state.stale && onReload && <Button onClick={onReload}>{text.errors.reload}</Button>}
      </div>
    </>
  )
}
