// Registering, signing in, renewing, verifying, signing out (seed section 7, SESSION.md).
import { createHash } from 'node:crypto'
import { emailKey } from '#shared/account-rules.ts'
import {
  account,
  credentials,
  logoutRequest,
  mailSent,
  refreshRequest,
  registration,
  tokenPair,
  verified,
  verifyQuery,
  type TokenPair,
} from '#shared/contract/auth.ts'
import { ProblemError } from '#shared/problem.ts'
import { uuidv7 } from '#shared/ids.ts'
import type { Answer, Call } from '#server/context.ts'
import { sqlState, uniqueViolation, type Tx } from '#server/db/database.ts'
import type { Users } from '#server/db/tables.ts'
import { endpoint, type Route } from '#server/endpoint.ts'
import { giveBack, takeTurn } from '#server/limits.ts'
import type { Proofs } from '#server/proof.ts'
import { tokenHash, type Tokens } from '#server/tokens.ts'
import type { CallerCache } from './callers.ts'
import { hashPassword, passwordMatches } from './passwords.ts'
import { accessToken, refresh, revoke, startSession, statusOf } from './sessions.ts'
import { queueVerificationMail } from './verification.ts'

interface AuthParts {
  tokens: Tokens
  proofs: Proofs
  callers: CallerCache
}

type AnyCall = Call<unknown, unknown>

export function authRoutes({ tokens, proofs, callers }: AuthParts): Route[] {
  const prove = (call: AnyCall) => proofs.check(call.request, Date.parse(call.now))

  async function signIn(call: AnyCall, tx: Tx, user: Users, deviceKey: string | null): Promise<TokenPair> {
    const userAgent = call.request.headers.get('user-agent') ?? ''
    return startSession(tx, tokens, user, { deviceKey, userAgent }, call.now)
  }

  /** Counts a try before the slow work and takes it back when the password was right: parallel guesses are counted too. */
  async function checkPassword(call: AnyCall, email: string, password: string): Promise<Users | null> {
    const { db, limits } = call.services
    const { turns, user } = await db.asAuth(async (tx) => ({
      turns: [
        await takeTurn(tx, `sign-in account ${short(emailKey(email))}`, limits.signInPerAccount, call.now),
        await takeTurn(tx, `sign-in address ${call.address}`, limits.signInPerAddress, call.now),
      ],
      user: await findUser(tx, email),
    }))
    const matches = await passwordMatches(user?.passwordHash ?? null, password)
    if (!matches || !user || user.disabledAt !== null) return null
    await db.asAuth((tx) => giveBack(tx, turns))
    return user
  }

  return [
    endpoint(
      'register',
      { summary: 'Create an account', body: registration, answers: { 201: tokenPair, 200: tokenPair } },
      async (call) => {
        const { name, email, password } = call.body
        const { db, limits } = call.services
        const deviceKey = await prove(call)
        await db.asAuth((tx) => takeTurn(tx, `register ${call.address}`, limits.registerPerAddress, call.now))
        // Registering again with the right password is signing in: the answer to the first call may have been lost.
        const again = async (): Promise<Answer> => {
          const user = await checkPassword(call, email, password)
          if (!user)
            throw new ProblemError('email_taken', {
              errors: [{ pointer: '/email', detail: 'This email already has an account' }],
            })
          return { status: 200, body: await db.asAuth((tx) => signIn(call, tx, user, deviceKey)) }
        }
        if (await db.asAuth((tx) => findUser(tx, email))) return again()
        const user: Users = {
          id: uuidv7(Date.parse(call.now)),
          name,
          email,
          emailKey: emailKey(email),
          passwordHash: await hashPassword(password),
          emailVerifiedAt: null,
          disabledAt: null,
          createdAt: call.now,
          updatedAt: call.now,
        }
        try {
          const pair = await db.asAuth(async (tx) => {
            await tx.insertInto('users').values(user).execute()
            await queueVerificationMail(tx, call.services, user, call.now)
            return signIn(call, tx, user, deviceKey)
          })
          call.services.mailQueued()
          return { status: 201, body: pair }
        } catch (error) {
          if (sqlState(error) === uniqueViolation) return again()
          throw error
        }
      },
    ),

    endpoint('login', { summary: 'Sign in', body: credentials, answers: { 200: tokenPair } }, async (call) => {
      const deviceKey = await prove(call)
      const user = await checkPassword(call, call.body.email, call.body.password)
      if (!user) throw new ProblemError('invalid_credentials')
      return { status: 200, body: await call.services.db.asAuth((tx) => signIn(call, tx, user, deviceKey)) }
    }),

    endpoint(
      'refreshToken',
      { summary: 'Renew the access token', body: refreshRequest, answers: { 200: tokenPair } },
      async (call) => {
        const deviceKey = await prove(call)
        const result = await call.services.db.asAuth(async (tx) => {
          const session = await tx
            .selectFrom('refreshTokens')
            .select('sessionId')
            .where('tokenHash', '=', tokenHash(call.body.refreshToken))
            .executeTakeFirst()
          const limit = call.services.limits.refreshPerSession
          if (session) await takeTurn(tx, `refresh ${session.sessionId} ${deviceKey ?? ''}`, limit, call.now)
          return refresh(tx, tokens, call.body, deviceKey, call.now)
        })
        if ('refusal' in result) throw result.refusal
        return { status: 200, body: result }
      },
    ),

    endpoint(
      'verifyEmail',
      { summary: 'Verify an email', query: verifyQuery, answers: { 200: verified } },
      async (call) => {
        const deviceKey = await prove(call)
        const { caller } = call
        const result = await call.services.db.asAuth(async (tx) => {
          const token = await tx
            .selectFrom('emailTokens')
            .selectAll()
            .where('tokenHash', '=', tokenHash(call.query.token))
            .where('purpose', '=', 'verify')
            .forUpdate()
            .executeTakeFirst()
          if (!token || token.expiresAt <= call.now) throw new ProblemError('link_expired')
          const isOwn = caller?.userId === token.userId
          if (token.usedAt !== null && !isOwn) throw new ProblemError('link_expired')
          if (caller && !isOwn) throw new ProblemError('other_account')
          const user = await tx
            .updateTable('users')
            .set((eb) => ({
              emailVerifiedAt: eb.fn.coalesce('emailVerifiedAt', eb.val(call.now)),
              updatedAt: call.now,
            }))
            .where('id', '=', token.userId)
            .returningAll()
            .executeTakeFirstOrThrow()
          await tx
            .updateTable('emailTokens')
            .set({ usedAt: call.now })
            .where('tokenHash', '=', token.tokenHash)
            .execute()
          if (!caller) return signIn(call, tx, user, deviceKey)
          const session = await tx
            .selectFrom('sessions')
            .select('lastGeneration')
            .where('id', '=', caller.sessionId)
            .executeTakeFirstOrThrow()
          const nowMs = Date.parse(call.now)
          return { accessToken: await accessToken(tokens, user, caller.sessionId, session.lastGeneration, nowMs) }
        })
        if (caller) callers.forget(caller.sessionId)
        return { status: 200, body: result }
      },
    ),

    endpoint(
      'sendVerificationMail',
      { summary: 'Send the verification mail again', answers: { 202: mailSent, 204: null } },
      async (call) => {
        const { db } = call.services
        const { userId } = call.caller!
        const sentTo = await db.asAuth(async (tx) => {
          const user = await tx.selectFrom('users').selectAll().where('id', '=', userId).executeTakeFirstOrThrow()
          if (statusOf(user) === 'ACTIVE') return null
          await queueVerificationMail(tx, call.services, user, call.now)
          return user.email
        })
        if (sentTo === null) return { status: 204 }
        call.services.mailQueued()
        return { status: 202, body: { sentTo } }
      },
    ),

    endpoint('logout', { summary: 'End this session', body: logoutRequest, answers: { 204: null } }, async (call) => {
      const { caller, body } = call
      await call.services.db.asAuth(async (tx) => {
        const token = body.refreshToken
          ? await tx
              .selectFrom('refreshTokens')
              .select('sessionId')
              .where('tokenHash', '=', tokenHash(body.refreshToken))
              .executeTakeFirst()
          : undefined
        for (const sessionId of new Set([caller?.sessionId, token?.sessionId])) {
          if (!sessionId) continue
          await revoke(tx, sessionId, 'signed_out', call.now)
          callers.forget(sessionId)
        }
      })
      return { status: 204 }
    }),

    endpoint('getAccount', { summary: 'The signed-in person', answers: { 200: account } }, async (call) => {
      const { userId } = call.caller!
      const user = await call.services.db.asAuth((tx) =>
        tx.selectFrom('users').selectAll().where('id', '=', userId).executeTakeFirstOrThrow(),
      )
      return { status: 200, body: { id: user.id, name: user.name, email: user.email, status: statusOf(user) } }
    }),
  ]
}

function findUser(tx: Tx, email: string): Promise<Users | undefined> {
  return tx.selectFrom('users').selectAll().where('emailKey', '=', emailKey(email)).executeTakeFirst()
}

/** Bounds the length of what a stranger typed before it becomes a key. */
function short(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}
