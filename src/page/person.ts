/** Whose screen this is, as the page believes; calls name them, so that nobody else's token does what they asked (worker/gateway.ts). */
let shown: string | null = null

export function shownPerson(): string | null {
  return shown
}

export function showPerson(userId: string | null): void {
  shown = userId
}

/** Of everything on this device that goes with the person at sign-out; then comes whose it is (query-client.ts). */
export const keyPrefix = 'docket.paint.'

/** Of what somebody typed and did not save. */
export function keptPrefix(person = shownPerson()): string {
  return `${keyPrefix}${person}.draft.`
}
