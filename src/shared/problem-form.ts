// The one wire form of an error (RFC 9457, HOUSE.md "Errors"), and what of it a device says itself: the worker knows no other code by name.
import type { ProblemCode } from './problem.ts'

export type Catalogue = Readonly<Record<string, readonly [status: number, title: string]>>

/** Code -> status and the title a person may read. Switch on the code, never on text. */
export const deviceCatalogue = {
  invalid_request: [400, 'The request cannot be understood'],
  invalid_token: [401, 'Sign in to continue'],
  not_found: [404, 'Not found'],
  id_taken: [409, 'This was saved already, with other content'],
  invalid_transition: [409, 'Its present state does not allow this'],
  internal: [500, 'Something went wrong on our side'],
  undeliverable: [503, 'No connection to the server'],
  device_full: [507, 'This device has no room left'],
} as const satisfies Catalogue

export type DeviceProblemCode = keyof typeof deviceCatalogue

/** One field that needs attention; `pointer` is an RFC 6901 JSON pointer into the request body (or `/query/limit`). */
export interface FieldError {
  pointer: string
  detail: string
}

/** The body of an `application/problem+json` answer. */
export interface Problem {
  type: string
  title: string
  status: number
  code: ProblemCode
  detail?: string
  /** The request's id, to find it in the server's log. */
  instance?: string
  errors?: FieldError[]
  /** The session a refusal is about (SESSION.md "Refused or undeliverable"). */
  sid?: string
}

export type ProblemExtras = Pick<Problem, 'detail' | 'instance' | 'errors' | 'sid'>

export const problemMediaType = 'application/problem+json'

/** A problem by its code in a catalogue. */
export function problemIn<Code extends ProblemCode>(
  catalogue: Readonly<Record<Code, readonly [number, string]>>,
  code: Code,
  extras: ProblemExtras = {},
): Problem {
  const [status, title] = catalogue[code]
  return { type: typeOf(code), title, status, code, ...extras }
}

/**
 * Reads a parsed answer body as a problem; null when it is not one of ours. Its code may be one that a later build's server knows: what it says can be
 * shown all the same.
 */
export function asProblem(body: unknown): Problem | null {
  const { type, code, status } = (body ?? {}) as Record<string, unknown>
  return typeof status === 'number' && typeof code === 'string' && type === typeOf(code) ? (body as Problem) : null
}

const typeOf = (code: string): string => `urn:docket:problem:${code}`
