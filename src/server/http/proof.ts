// DPoP proofs of the device key (RFC 9449, SESSION.md "Refresh"): checked before any refresh token is looked at.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { calculateJwkThumbprint, EmbeddedJWK, jwtVerify } from 'jose'
import { ProblemError } from '#shared/problem.ts'
import type { Database } from '#server/db/database.ts'

const nonceStepMs = 5 * 60_000
/** A nonce is good in its step and the two after: every API answer brings a new one. */
const nonceSteps = 3

export interface Proofs {
  /** The nonce that answers carry now. */
  nonce(nowMs: number): string
  /**
   * The thumbprint of the key that made the request's proof; null when it has none. No current nonce, or a proof seen before: `use_dpop_nonce`.
   * Anything else wrong: `invalid_dpop_proof`. With a good nonce the proof's `iat` is ignored, because clocks lie.
   */
  check(request: Request, nowMs: number): Promise<string | null>
}

export function createProofs(db: Database, secret: Buffer, apiPublicUrl: string): Proofs {
  const nonceOf = (step: number) => {
    const text = step.toString(36)
    return `${text}.${createHmac('sha256', secret).update(text).digest('base64url').slice(0, 22)}`
  }
  const nonce = (nowMs: number) => nonceOf(Math.floor(nowMs / nonceStepMs))
  const isCurrent = (candidate: unknown, nowMs: number) =>
    typeof candidate === 'string' &&
    Array.from({ length: nonceSteps }, (_, age) => nonceOf(Math.floor(nowMs / nonceStepMs) - age)).some((known) =>
      sameText(known, candidate),
    )

  return {
    nonce,
    async check(request, nowMs) {
      const proof = request.headers.get('dpop')
      if (proof === null) return null
      const { payload, protectedHeader } = await jwtVerify(proof, EmbeddedJWK, {
        typ: 'dpop+jwt',
        algorithms: ['ES256'],
        // Only the nonce says how old a proof is.
        currentDate: new Date(0),
      }).catch(() => {
        throw new ProblemError('invalid_dpop_proof')
      })
      if (!isCurrent(payload.nonce, nowMs)) throw new ProblemError('use_dpop_nonce')
      const expected = new URL(new URL(request.url).pathname, apiPublicUrl)
      if (payload.htm !== request.method || !sameAddress(payload.htu, expected)) {
        throw new ProblemError('invalid_dpop_proof', { detail: `This server is ${expected.origin}.` })
      }
      if (typeof payload.jti !== 'string' || payload.jti.length > 200) throw new ProblemError('invalid_dpop_proof')
      const thumbprint = await calculateJwkThumbprint(protectedHeader.jwk!)
      await remember(db, `${thumbprint} ${payload.jti}`, nowMs)
      return thumbprint
    },
  }
}

/** A proof is good once. It need not be remembered for longer than its nonce is. */
async function remember(db: Database, proof: string, nowMs: number): Promise<void> {
  const proofHash = createHash('sha256').update(proof).digest('base64url')
  const expiresAt = new Date(nowMs + nonceSteps * nonceStepMs).toISOString()
  const { numInsertedOrUpdatedRows } = await db.asAuth((tx) =>
    tx
      .insertInto('proofsSeen')
      .values({ proofHash, expiresAt })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow(),
  )
  if (numInsertedOrUpdatedRows === 0n) throw new ProblemError('use_dpop_nonce')
}

/** Scheme, host, port and path; loopback names of one port count as one (SESSION.md). */
function sameAddress(htu: unknown, expected: URL): boolean {
  if (typeof htu !== 'string' || !URL.canParse(htu)) return false
  const named = new URL(htu)
  const sameHost =
    named.host === expected.host || (isLoopback(named) && isLoopback(expected) && named.port === expected.port)
  return named.protocol === expected.protocol && sameHost && named.pathname === expected.pathname
}

export function isLoopback({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname)
}

function sameText(left: string, right: string): boolean {
  const a = Buffer.from(left)
  const b = Buffer.from(right)
  return a.length === b.length && timingSafeEqual(a, b)
}
