/** The answer of pure code that can fail: no exceptions for bad input (HOUSE.md "Errors"). `error` is plain words for a person. */
export type Result<T> = { ok: true; value: T } | { ok: false; error: string }

export function ok<T>(value: T): Result<T> {
  return { ok: true, value }
}

export function fail(error: string): { ok: false; error: string } {
  return { ok: false, error }
}
