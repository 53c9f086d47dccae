// Sessions and their refresh tokens (SESSION.md "Refresh"): bound to a device key, or unbound with rotation.
import { uuidv7 } from '#shared/ids.ts'
import { decodeJwt, type UserStatus } from '#shared/jwt.ts'
import { ProblemError, type ProblemCode } from '#shared/problem.ts'
import type { TokenPair } from '#shared/contract/auth.ts'
import type { Tx } from '#server/db/database.ts'
import type { Sessions, Users } from '#server/db/tables.ts'
import { randomToken, tokenHash, type Tokens } from '#server/http/tokens.ts'

const day = 24 * 60 * 60_000
const boundIdleMs = 90 * day
const unboundIdleMs = 14 * day
const longestMs = 365 * day
/** A bound token is replaced past this age; until then a repeat of the same call gets the same token. */
const boundTokenAgeMs = 0.7 * boundIdleMs

export function statusOf(user: Pick<Users, 'emailVerifiedAt'>): UserStatus {
  return user.emailVerifiedAt === null ? 'WAITING_FOR_EMAIL_VERIFICATION' : 'ACTIVE'
}

/** A new session of this user on this device, with its first pair. `deviceKey` is null for a client without a proof. */
export async function startSession(
  tx: Tx,
  tokens: Tokens,
  user: Users,
  device: { deviceKey: string | null; userAgent: string },
  now: string,
): Promise<TokenPair> {
  const nowMs = Date.parse(now)
  const session = {
    id: uuidv7(nowMs),
    userId: user.id,
    deviceKey: device.deviceKey,
    userAgent: device.userAgent.slice(0, 500),
    createdAt: now,
    lastSeenAt: now,
    idleExpiresAt: new Date(nowMs + idleMs(device.deviceKey)).toISOString(),
    endsAt: new Date(nowMs + longestMs).toISOString(),
    lastGeneration: 1,
    confirmedGeneration: 1,
    revokedAt: null,
    revokeReason: null,
    refusedAt: null,
  }
  await tx.insertInto('sessions').values(session).execute()
  const refreshToken = await mint(tx, session.id, 1, 1, now)
  return { accessToken: await accessToken(tokens, user, session.id, 1, nowMs), refreshToken }
}

/** A new access token for a session that goes on. */
export function accessToken(
  tokens: Tokens,
  user: Users,
  sessionId: string,
  generation: number,
  nowMs: number,
): Promise<string> {
  return tokens.signAccess({ userId: user.id, sessionId, status: statusOf(user), generation }, nowMs)
}

/**
 * Renews a session, or answers with one of the closed list of refusals, each naming the session. A bound session wants the proof of its
 * own key (`invalid_dpop_proof`: nothing minted, the session stays, the event is shown among the devices).
 */
export async function refresh(
  tx: Tx,
  tokens: Tokens,
  sent: TokenPair,
  deviceKey: string | null,
  now: string,
): Promise<TokenPair | Refusal> {
  const nowMs = Date.parse(now)
  const token = await tx
    .selectFrom('refreshTokens')
    .selectAll()
    .where('tokenHash', '=', tokenHash(sent.refreshToken))
    .executeTakeFirst()
  if (!token) return refused('invalid_token', sessionNamedBy(sent.accessToken))
  const session = await tx
    .selectFrom('sessions')
    .selectAll()
    .where('id', '=', token.sessionId)
    .forUpdate()
    .executeTakeFirstOrThrow()
  const user = await tx.selectFrom('users').selectAll().where('id', '=', session.userId).executeTakeFirstOrThrow()
  const end = endOf(session, user, now)
  if (end) return refused(end, session.id)
  const isBound = session.deviceKey !== null
  if (isBound && session.deviceKey !== deviceKey) {
    await noteRefused(tx, session.id, now)
    return refused('invalid_dpop_proof', undefined)
  }

  // Good: the confirmed token itself, or one made from it whose arrival this very use confirms.
  const isNext =
    token.generation > session.confirmedGeneration && token.parentGeneration === session.confirmedGeneration
  if (token.generation !== session.confirmedGeneration && !isNext) {
    // With its own key's proof an old token is the device itself, late: a request that a slow network delivered after its repeat. It gets
    // nothing, and the session goes on; whoever else has the token has no proof.
    if (isBound) return refused('invalid_token', session.id)
    await revoke(tx, session.id, 'reuse_detected', now)
    return refused('reuse_detected', session.id)
  }
  const rotates = !isBound || nowMs - Date.parse(token.createdAt) > boundTokenAgeMs
  const generation = rotates ? session.lastGeneration + 1 : token.generation
  await tx
    .updateTable('sessions')
    .set({
      confirmedGeneration: token.generation,
      lastGeneration: Math.max(session.lastGeneration, generation),
      lastSeenAt: now,
      idleExpiresAt: new Date(nowMs + idleMs(session.deviceKey)).toISOString(),
    })
    .where('id', '=', session.id)
    .execute()
  return {
    accessToken: await accessToken(tokens, user, session.id, generation, nowMs),
    refreshToken: rotates ? await mint(tx, session.id, generation, token.generation, now) : sent.refreshToken,
  }
}

/** A refusal is an answer, not an error: what it wrote down (a revoked session, a wrong key) must be committed. */
export interface Refusal {
  refusal: ProblemError
}

function refused(code: ProblemCode, sid: string | undefined): Refusal {
  return { refusal: new ProblemError(code, sid === undefined ? {} : { sid }) }
}

/** Why a session is over; null while it lives. */
export function endOf(session: Sessions, user: Pick<Users, 'disabledAt'>, now: string): ProblemCode | null {
  if (user.disabledAt !== null) return 'user_disabled'
  if (session.revokedAt !== null)
    return session.revokeReason === 'reuse_detected' ? 'reuse_detected' : 'session_revoked'
  return session.idleExpiresAt <= now || session.endsAt <= now ? 'session_expired' : null
}

/** An access token of a later generation proves that its pair arrived: older refresh tokens are reuse from now on. */
export async function confirmGeneration(tx: Tx, session: Sessions, generation: number): Promise<void> {
  if (generation <= session.confirmedGeneration) return
  const token = await tx
    .selectFrom('refreshTokens')
    .select('parentGeneration')
    .where('sessionId', '=', session.id)
    .where('generation', '=', generation)
    .executeTakeFirst()
  if (token?.parentGeneration !== session.confirmedGeneration) return
  await tx
    .updateTable('sessions')
    .set({ confirmedGeneration: generation })
    .where('id', '=', session.id)
    .where('confirmedGeneration', '=', session.confirmedGeneration)
    .execute()
}

/** Somebody has its token and not its key: shown among the devices. */
export async function noteRefused(tx: Tx, sessionId: string, now: string): Promise<void> {
  await tx.updateTable('sessions').set({ refusedAt: now }).where('id', '=', sessionId).execute()
}

export async function revoke(tx: Tx, sessionId: string, reason: string, now: string): Promise<void> {
  await tx
    .updateTable('sessions')
    .set({ revokedAt: now, revokeReason: reason })
    .where('id', '=', sessionId)
    .where('revokedAt', 'is', null)
    .execute()
}

/** Ends every session of a user that lives, but for one, or those of one device; answers their ids. */
export async function revokeAll(
  tx: Tx,
  userId: string,
  { reason, except, deviceKey }: { reason: string; except: string | null; deviceKey?: string | null },
  now: string,
): Promise<string[]> {
  let query = tx
    .updateTable('sessions')
    .set({ revokedAt: now, revokeReason: reason })
    .where('userId', '=', userId)
    .where('revokedAt', 'is', null)
  if (except !== null) query = query.where('id', '!=', except)
  if (deviceKey) query = query.where('deviceKey', '=', deviceKey)
  return (await query.returning('id').execute()).map(({ id }) => id)
}

async function mint(
  tx: Tx,
  sessionId: string,
  generation: number,
  parentGeneration: number,
  now: string,
): Promise<string> {
  const token = randomToken('r')
  await tx
    .insertInto('refreshTokens')
    .values({ tokenHash: tokenHash(token), sessionId, generation, parentGeneration, createdAt: now })
    .execute()
  return token
}

function idleMs(deviceKey: string | null): number {
  return deviceKey === null ? unboundIdleMs : boundIdleMs
}

/** The session that a token we cannot check any more says it is of: a lost database must be able to end its ghosts. */
function sessionNamedBy(token: string): string | undefined {
  const decoded = decodeJwt(token)
  return decoded.ok && typeof decoded.value.sid === 'string' ? decoded.value.sid : undefined
}
