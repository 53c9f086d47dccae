/** Whose screen this is, as the page believes; calls name them, so that nobody else's token does what they asked (worker/gateway.ts). */
let shown: string | null = null

export function shownPerson(): string | null {
  return shown
}

export function showPerson(userId: string | null): void {
  shown = userId
}
