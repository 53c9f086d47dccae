// Registering, signing in, renewing, signing out (seed section 7, SESSION.md).
import { emailKey } from '#shared/account-rules.ts'
import { credentials, logoutRequest, refreshRequest, registration, tokenPair } from '#shared/contract/auth.ts'
import { uuidv7 } from '#shared/ids.ts'
import { ProblemError } from '#shared/problem.ts'
import type { Answer } from '#server/context.ts'
import { sqlState, uniqueViolation } from '#server/db/database.ts'
import type { Users } from '#server/db/tables.ts'
import { endpoint, type Route } from '#server/http/endpoint.ts'
import { takeTurn } from '#server/http/limits.ts'
import { tokenHash } from '#server/http/tokens.ts'
import { mailVerification, takeMailTurn } from './links.ts'
import { checkPassword, findUser, prove, signIn, type AuthParts } from './parts.ts'
import { hashPassword } from './passwords.ts'
import { noteRefused, refresh, revoke } from './sessions.ts'

export function signInRoutes(parts: AuthParts): Route[] {
  const { tokens, callers } = parts
  return [
    endpoint(
      'register',
      { summary: 'Create an account', body: registration, answers: { 201: tokenPair, 200: tokenPair } },
      async (call) => {
        const { name, email, password } = call.body
        const { db, limits } = call.services
        const deviceKey = await prove(parts, call)
        await db.asAuth((tx) => takeTurn(tx, `register ${call.address}`, limits.registerPerAddress, call.now))
        // Registering again with the right password is signing in: the answer to the first call may have been lost.
        const again = async (): Promise<Answer> => {
          const user = await checkPassword(call, email, password)
          if (!user)
            throw new ProblemError('email_taken', {
              errors: [{ pointer: '/email', detail: 'This email already has an account' }],
            })
          return { status: 200, body: await db.asAuth((tx) => signIn(parts, call, tx, user, deviceKey)) }
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
          deletedAt: null,
          createdAt: call.now,
          updatedAt: call.now,
        }
        try {
          const pair = await db.asAuth(async (tx) => {
            await tx.insertInto('users').values(user).execute()
            await takeMailTurn(tx, call.services, user, call, 'verify', email)
            await mailVerification(tx, call.services, user, call)
            return signIn(parts, call, tx, user, deviceKey)
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
      const deviceKey = await prove(parts, call)
      const user = await checkPassword(call, call.body.email, call.body.password)
      if (!user) throw new ProblemError('invalid_credentials')
      return { status: 200, body: await call.services.db.asAuth((tx) => signIn(parts, call, tx, user, deviceKey)) }
    }),

    endpoint(
      'refreshToken',
      { summary: 'Renew the access token', body: refreshRequest, answers: { 200: tokenPair } },
      async (call) => {
        const deviceKey = await prove(parts, call)
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

    endpoint('logout', { summary: 'End this session', body: logoutRequest, answers: { 204: null } }, async (call) => {
      const { caller, body } = call
      const deviceKey = await prove(parts, call)
      await call.services.db.asAuth(async (tx) => {
        const named = body.refreshToken
          ? await tx
              .selectFrom('refreshTokens')
              .innerJoin('sessions', 'sessions.id', 'refreshTokens.sessionId')
              .select(['sessions.id', 'sessions.deviceKey'])
              .where('tokenHash', '=', tokenHash(body.refreshToken))
              .executeTakeFirst()
          : undefined
        // A copied token alone ends nothing either.
        if (named && named.deviceKey !== null && named.deviceKey !== deviceKey)
          await noteRefused(tx, named.id, call.now)
        const isProved = named && (named.deviceKey === null || named.deviceKey === deviceKey)
        for (const sessionId of new Set([caller?.sessionId, isProved ? named.id : undefined])) {
          if (!sessionId) continue
          await revoke(tx, sessionId, 'signed_out', call.now)
          callers.forget(sessionId)
        }
      })
      return { status: 204 }
    }),
  ]
}
