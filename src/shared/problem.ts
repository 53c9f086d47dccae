// The closed list of the codes that an error may have (HOUSE.md "Errors"), and the error that code with I/O throws.
import { deviceCatalogue, problemIn, type Problem, type ProblemExtras } from './problem-form.ts'

/** Code -> status and the title a person may read. Switch on the code, never on text. */
const catalogue = {
  ...deviceCatalogue,
  invalid_json: [400, 'The request is not valid JSON'],
  invalid_idempotency_key: [400, 'The idempotency key is not valid'],
  use_dpop_nonce: [400, 'A fresh proof is needed'],
  invalid_dpop_proof: [400, 'The device proof is not valid'],
  invalid_credentials: [401, 'Email or password is wrong'],
  session_revoked: [401, 'This session was ended'],
  session_expired: [401, 'This session has expired'],
  reuse_detected: [401, 'This session was ended because an old token was used'],
  user_disabled: [401, 'This account is disabled'],
  email_not_verified: [403, 'Verify your email first'],
  forbidden: [403, 'Your role does not allow this'],
  method_not_allowed: [405, 'This address does not know that method'],
  email_taken: [409, 'This email already has an account'],
  other_account: [409, 'This link belongs to another account'],
  already_member: [409, 'This person is a member already'],
  sole_owner: [409, 'You are the only owner of an organization'],
  in_use: [409, 'This is still in use'],
  changes_lost: [410, 'The server was put back to an older state'],
  link_expired: [410, 'This link is no longer valid'],
  stale: [412, 'This was changed meanwhile'],
  body_too_large: [413, 'The request is too large'],
  unsupported_media_type: [415, 'Send JSON'],
  validation_failed: [422, 'Some fields need attention'],
  idempotency_key_reused: [422, 'This idempotency key was used for another request'],
  if_match_required: [428, 'The version being changed must be named'],
  too_many_requests: [429, 'Too many tries'],
  unavailable: [503, 'The server cannot answer right now'],
} as const satisfies Record<string, readonly [number, string]>

export type ProblemCode = keyof typeof catalogue

export const problemCodes = Object.keys(catalogue) as [ProblemCode, ...ProblemCode[]]

export function problem(code: ProblemCode, extras: ProblemExtras = {}): Problem {
  return problemIn(catalogue, code, extras)
}

/** The only error class of Docket's own: what code that does I/O throws. Anything else thrown is a bug. */
export class ProblemError extends Error {
  readonly problem: Problem
  /** Headers the answer must carry besides, such as Retry-After. */
  readonly headers: Readonly<Record<string, string>>

  constructor(code: ProblemCode, extras: ProblemExtras = {}, headers: Record<string, string> = {}) {
    super(extras.detail ?? catalogue[code][1])
    this.name = 'ProblemError'
    this.problem = problem(code, extras)
    this.headers = headers
  }

  get code(): ProblemCode {
    return this.problem.code
  }

  /** How long to wait before the next try is heard; null when nobody said. */
  get retryAfterSeconds(): number | null {
    const seconds = Number(this.headers['retry-after'] ?? '')
    return Number.isFinite(seconds) && seconds > 0 ? seconds : null
  }
}
