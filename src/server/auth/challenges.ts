// Challenges of passkeys: each answered once, or once more by the very same answer.
import { decodeClientDataJSON } from '@simplewebauthn/server/helpers'
import type { Tx } from '#server/db/database.ts'
import type { AnyCall } from './parts.ts'

const challengeMs = 5 * 60_000

export async function rememberChallenge(call: AnyCall, challenge: string, userId: string | null): Promise<void> {
  const expiresAt = new Date(Date.parse(call.now) + challengeMs).toISOString()
  await call.services.db.asAuth((tx) =>
    tx
      .insertInto('passkeyChallenges')
      .values({ challenge, userId, expiresAt, usedAt: null, answerHash: null })
      .execute(),
  )
}

/**
 * Whether the challenge was given to this person (null: to whoever signs in) and is answered for the first time, or once more by the very
 * same answer: a killed worker may have sent it twice (SESSION.md fact 1).
 */
export async function takeChallenge(
  call: AnyCall,
  challenge: string,
  userId: string | null,
  answerHash: string | null,
): Promise<'first' | 'again' | null> {
  return call.services.db.asAuth(async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('passkeyChallenges')
      .set({ usedAt: call.now, answerHash })
      .where('challenge', '=', challenge)
      .where('userId', userId === null ? 'is' : '=', userId)
      .where('expiresAt', '>', call.now)
      .where('usedAt', 'is', null)
      .executeTakeFirstOrThrow()
    if (numUpdatedRows === 1n) return 'first'
    if (answerHash === null) return null
    const again = await tx
      .selectFrom('passkeyChallenges')
      .select('challenge')
      .where('challenge', '=', challenge)
      .where('userId', userId === null ? 'is' : '=', userId)
      .where('expiresAt', '>', call.now)
      .where('answerHash', '=', answerHash)
      .executeTakeFirst()
    return again ? 'again' : null
  })
}

/** What this person has answered is not answered once more. */
export async function forgetAnswered(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('passkeyChallenges').where('userId', '=', userId).where('usedAt', 'is not', null).execute()
}

export async function isRemembered(tx: Tx, challenge: string): Promise<boolean> {
  const found = await tx
    .selectFrom('passkeyChallenges')
    .select('challenge')
    .where('challenge', '=', challenge)
    .execute()
  return found.length > 0
}

/** What the answer says it answers; the library checks that it is signed. */
export function challengeOf({ response }: { response?: { clientDataJSON?: unknown } }): string {
  try {
    const { challenge } = decodeClientDataJSON(String(response?.clientDataJSON))
    return /^[\w-]{1,200}$/.test(challenge) ? challenge : ''
  } catch {
    return ''
  }
}
