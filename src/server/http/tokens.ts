// Access tokens (JWT, ES256, 10 minutes) and opaque random tokens. Keys live in the database, because several processes share them.
import { createHash, randomBytes } from 'node:crypto'
import { exportJWK, generateKeyPair, importJWK, jwtVerify, SignJWT, type CryptoKey, type JWK } from 'jose'
import { sql } from 'kysely'
import { uuidv7 } from '#shared/ids.ts'
import type { AccessTokenClaims, UserStatus } from '#shared/jwt.ts'
import type { Database, Tx } from '#server/db/database.ts'

const algorithm = 'ES256'
const accessTokenSeconds = 10 * 60
const verifiedTokensKept = 10_000

interface TokenSubject {
  userId: string
  sessionId: string
  status: UserStatus
  generation: number
}

export interface Tokens {
  signAccess(subject: TokenSubject, nowMs: number): Promise<string>
  /** The claims of a token of ours that has not expired; null for anything else. */
  verifyAccess(token: string, nowMs: number): Promise<Required<AccessTokenClaims> | null>
}

interface SigningKey {
  id: string
  privateKey: CryptoKey
  publicKey: CryptoKey
}

/** Loads the signing keys, or makes the first one. */
export async function loadTokens(db: Database): Promise<Tokens> {
  const keys = await loadKeys(db)
  const signing = keys[0]!
  const byId = new Map(keys.map((key) => [key.id, key.publicKey]))
  // A signature is checked once; the token stays good until it expires, and the session is looked up on every call anyway.
  const verified = new Map<string, Required<AccessTokenClaims>>()
  return {
    signAccess: ({ userId, sessionId, status, generation }, nowMs) => {
      const issuedAt = Math.floor(nowMs / 1000)
      return new SignJWT({ status, sid: sessionId, gen: generation })
        .setProtectedHeader({ alg: algorithm, kid: signing.id, typ: 'JWT' })
        .setSubject(userId)
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + accessTokenSeconds)
        .sign(signing.privateKey)
    },
    async verifyAccess(token, nowMs) {
      const known = verified.get(token)
      if (known) return known.exp * 1000 > nowMs ? known : null
      try {
        const { payload } = await jwtVerify<AccessTokenClaims>(
          token,
          ({ kid }) => {
            const key = byId.get(kid ?? '')
            if (!key) throw new Error('unknown key')
            return key
          },
          {
            algorithms: [algorithm],
            currentDate: new Date(nowMs),
            requiredClaims: ['sub', 'exp', 'iat', 'status', 'sid', 'gen'],
          },
        )
        if (verified.size >= verifiedTokensKept) verified.delete(verified.keys().next().value!)
        const claims = payload as Required<AccessTokenClaims>
        verified.set(token, claims)
        return claims
      } catch {
        return null
      }
    },
  }
}

async function loadKeys(db: Database): Promise<SigningKey[]> {
  const rows = await db.asAuth(async (tx) => {
    // Processes that start at once come one after the other: the first makes the key, the others find it.
    await sql`select pg_advisory_xact_lock(hashtextextended('signing keys', 0))`.execute(tx)
    const stored = () => tx.selectFrom('signingKeys').selectAll().orderBy('createdAt').orderBy('id').execute()
    const known = await stored()
    if (known.length > 0) return known
    const pair = await generateKeyPair(algorithm, { extractable: true })
    const fresh = {
      id: uuidv7(),
      privateKey: JSON.stringify(await exportJWK(pair.privateKey)),
      publicKey: JSON.stringify(await exportJWK(pair.publicKey)),
      createdAt: new Date().toISOString(),
    }
    await tx.insertInto('signingKeys').values(fresh).execute()
    return stored()
  })
  return Promise.all(
    rows.map(async ({ id, privateKey, publicKey }) => ({
      id,
      privateKey: (await importJWK(privateKey as JWK, algorithm)) as CryptoKey,
      publicKey: (await importJWK(publicKey as JWK, algorithm)) as CryptoKey,
    })),
  )
}

/** A secret that all processes share, made on first use. */
export async function sharedSecret(db: Database, name: string): Promise<Buffer> {
  const read = (tx: Tx) => tx.selectFrom('secrets').select('value').where('name', '=', name).executeTakeFirst()
  const value = await db.asAuth(async (tx) => {
    const fresh = { name, value: randomBytes(32).toString('base64url') }
    const known = await read(tx)
    if (known) return known.value
    await tx
      .insertInto('secrets')
      .values(fresh)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    return (await read(tx))!.value
  })
  return Buffer.from(value, 'base64url')
}

/** 256 random bits as text, with a prefix that says what it opens. */
export function randomToken(prefix: string): string {
  return `${prefix}_${randomBytes(32).toString('base64url')}`
}

/** What is stored in a token's place. */
export function tokenHash(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}
