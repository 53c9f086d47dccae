// Who is calling: the Bearer's signature, then the session's and the user's own rows, looked at anew every second (SESSION.md: revocation bites within 1 s).
import { ProblemError } from '#shared/problem.ts'
import type { Caller } from '#server/context.ts'
import type { Database } from '#server/db/database.ts'
import type { Tokens } from '#server/http/tokens.ts'
import { confirmGeneration, endOf, statusOf } from './sessions.ts'

/** Half of the second within which an ended session must be over everywhere: the call itself takes time as well. */
const trustedForMs = 500
const callersKept = 10_000

interface Known {
  caller: Caller
  readAtMs: number
}

export interface CallerCache {
  /** The caller of a request with this Authorization header. Throws a 401 that names the session when it is over. */
  identify(authorization: string, now: string): Promise<Caller>
  /** Forgets what was read of a session that has just changed here. */
  forget(sessionId: string): void
}

export function createCallerCache(db: Database, tokens: Tokens): CallerCache {
  const known = new Map<string, Known>()

  async function read(sessionId: string, generation: number, now: string): Promise<Known> {
    const { session, user } = await db.asAuth(async (tx) => {
      const found = await tx.selectFrom('sessions').selectAll().where('id', '=', sessionId).executeTakeFirst()
      if (!found) throw new ProblemError('invalid_token', { sid: sessionId })
      const owner = await tx.selectFrom('users').selectAll().where('id', '=', found.userId).executeTakeFirstOrThrow()
      await confirmGeneration(tx, found, generation)
      return { session: found, user: owner }
    })
    const end = endOf(session, user, now)
    if (end) throw new ProblemError(end, { sid: sessionId })
    const caller = { userId: user.id, sessionId, status: statusOf(user), generation }
    return { caller, readAtMs: Date.parse(now) }
  }

  return {
    async identify(authorization, now) {
      const token = /^Bearer ([\w.-]+)$/i.exec(authorization)?.[1]
      const nowMs = Date.parse(now)
      const claims = token === undefined ? null : await tokens.verifyAccess(token, nowMs)
      if (!claims) throw new ProblemError('invalid_token')
      const { sid, gen } = claims
      const cached = known.get(sid)
      if (cached && cached.caller.generation >= gen && Math.abs(nowMs - cached.readAtMs) < trustedForMs)
        return cached.caller
      const fresh = await read(sid, gen, now)
      if (known.size >= callersKept) known.delete(known.keys().next().value!)
      known.set(sid, fresh)
      return fresh.caller
    },
    forget: (sessionId) => void known.delete(sessionId),
  }
}
