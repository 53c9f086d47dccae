// Reading access tokens without checking their signature: what the worker may conclude from one (seed section 5). The server verifies with jose.
import { fail, ok, type Result } from './result.ts'

export const userStatuses = ['WAITING_FOR_EMAIL_VERIFICATION', 'ACTIVE'] as const
export type UserStatus = (typeof userStatuses)[number]

/** Claims of our access tokens. `exp` and `iat` in seconds since 1970; all optional because this is only decoded, not trusted. */
export interface AccessTokenClaims {
  sub?: string
  exp?: number
  iat?: number
  status?: UserStatus
  sid?: string
  gen?: number
}

/** A token counts as expired this long before its `exp` (seed section 9). */
const expiryMarginSeconds = 15

/** Three dot-separated parts and a non-empty payload that decodes and parses as an object; else the error `Invalid JWT`. */
export function decodeJwt(token: string): Result<AccessTokenClaims> {
  const parts = token.split('.')
  if (parts.length !== 3 || !parts[1]) return fail('Invalid JWT')
  try {
    const bytes = Uint8Array.from(atob(parts[1].replaceAll('-', '+').replaceAll('_', '/')), (char) =>
      char.charCodeAt(0),
    )
    const payload: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    if (typeof payload !== 'object' || payload === null || Array.isArray(payload)) return fail('Invalid JWT')
    return ok(payload as AccessTokenClaims)
  } catch {
    return fail('Invalid JWT')
  }
}

/** True when `nowSeconds` is within 15 seconds of `exp` or past it, or when `exp` is missing (seed section 5). */
export function isExpired(claims: AccessTokenClaims, nowSeconds: number): boolean {
  return typeof claims.exp !== 'number' || nowSeconds + expiryMarginSeconds >= claims.exp
}
