// Asked where somebody leaves: apart from what every form loads.
import { keptPrefix } from '#page/person.ts'

/** Whether this person has typed something on this device that is not saved. */
export function hasTyped(person: string): boolean {
  return Object.keys(localStorage).some((key) => key.startsWith(keptPrefix(person)))
}
