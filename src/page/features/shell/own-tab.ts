import { keyPrefix } from '#page/person.ts'

/** A tab that was elsewhere when somebody left, and comes back to somebody else's session, still has what was typed in it. */
export function takeTab(person: string): void {
  const isAnothers = (key: string) => key.startsWith(keyPrefix) && !key.startsWith(keyPrefix + person)
  if (Object.keys(sessionStorage).some(isAnothers)) sessionStorage.clear()
}
