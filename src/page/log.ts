// What the seed wants in the console (sections 2 and 8). Never a token: messages only.
/* oxlint-disable no-console */

export function logNote(message: string): void {
  console.log(message)
}

export function logError(message: string, error: unknown): void {
  console.error(message, error instanceof Error ? error.message : '')
}
