// A public screen is HTML before it is an app: what was typed and where the cursor stood are carried over (issue: "without losing what was typed").
import { useLayoutEffect, type RefObject } from 'react'

interface Prerendered {
  fields: Map<string, HTMLInputElement>
  focused: HTMLInputElement | null
}

let prerendered: Prerendered | null = null

/** Remembers the document's own inputs before the app takes their place. */
export function rememberPrerendered(): void {
  const inputs = [...document.querySelectorAll<HTMLInputElement>('#root form input[name]')]
  prerendered =
    inputs.length > 0 ? { fields: new Map(inputs.map((input) => [input.name, input])), focused: null } : null
  const active = document.activeElement
  if (prerendered && active instanceof HTMLInputElement) prerendered.focused = active
  if (prerendered) {
    document.querySelector('#root')!.addEventListener('focusin', (event) => {
      if (prerendered && event.target instanceof HTMLInputElement) prerendered.focused = event.target
    })
  }
}

/** Once, when the form is drawn for the first time: hands every typed value over, and the cursor. */
export function useTakeover(
  form: RefObject<HTMLFormElement | null>,
  take: (typed: Record<string, string>) => void,
): void {
  useLayoutEffect(() => {
    if (!prerendered || !form.current) return
    const { fields, focused } = prerendered
    prerendered = null
    // Read now, not when the app began to load: the old inputs were typed into until this very moment.
    take(
      Object.fromEntries(
        [...fields].filter(([, input]) => input.value !== '').map(([name, input]) => [name, input.value]),
      ),
    )
    const twin = focused && form.current.querySelector<HTMLInputElement>(`input[name="${focused.name}"]`)
    if (!twin) return
    twin.value = focused.value
    twin.focus()
    if (focused.type !== 'email') twin.setSelectionRange(focused.selectionStart, focused.selectionEnd)
    // oxlint-disable-next-line react/exhaustive-deps -- Once, at the takeover.
  }, [])
}
