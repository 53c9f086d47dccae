// What is typed in this tab and not saved: its open forms, and whether anything would be lost. Small, because the frame loads it.
import { keptPrefix } from '#page/person.ts'

/** The forms of this tab that keep what is typed (kept.ts). */
export const openForms = new Set<{ flush(): boolean; end(of: string): void }>()

/** At once what else is kept a moment later: before a form is drawn anew, or it is asked what would be lost. */
export function flushOpenForms(): void {
  for (const form of openForms) form.flush()
}

/** Whether this person has typed something on this device that is not saved. */
export function hasTyped(person: string): boolean {
  flushOpenForms()
  return Object.keys(localStorage).some((key) => key.startsWith(keptPrefix(person)))
}
