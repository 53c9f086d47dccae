import type { FormState } from './form.ts'
import { text } from './text.ts'
import { Button } from './ui/button.tsx'
import { Notice } from './ui/screen.tsx'

/** Every form ends the same: what concerns the whole of it, the button that sends it, and the way out when somebody else was faster. */
export function FormEnd({
  state,
  submit,
  onReload,
}: {
  state: FormState
  submit: string
  onReload?: (() => void) | undefined
}) {
  return (
    <>
      {state.message && <Notice tone="danger">{state.message}</Notice>}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" look="primary" busy={state.busy}>
          {submit}
        </Button>
        {state.stale && onReload && <Button onClick={onReload}>{text.errors.reload}</Button>}
      </div>
    </>
  )
}
