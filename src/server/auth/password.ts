// A password forgotten, reset by a mailed link, or changed: whoever else was signed in is no longer.
import { sql } from 'kysely'
import { emailKey } from '#shared/account-rules.ts'
import { passwordChange } from '#shared/contract/account.ts'
import { forgottenPassword, passwordReset, tokenPair } from '#shared/contract/auth.ts'
import { ProblemError } from '#shared/problem.ts'
import type { Answer } from '#server/context.ts'
import type { Tx } from '#server/db/database.ts'
import type { Users } from '#server/db/tables.ts'
import { endpoint, type Route } from '#server/http/endpoint.ts'
import { takeTurn } from '#server/http/limits.ts'
import { readerOf } from '#server/http/request.ts'
import { passkeyRemovedMail, passwordChangedMail } from '#server/mail/templates.ts'
import { findLink, forgetLinks, mailReset, takeForgottenTurn, takeMailTurn, useLink } from './links.ts'
import {
  checkPassword,
  confirmOwnPassword,
  findUser,
  lockUser,
  prove,
  signIn,
  stillConfirmed,
  tellOwner,
  type AnyCall,
  type AuthParts,
} from './parts.ts'
import { hashPassword } from './passwords.ts'
import { revokeAll } from './sessions.ts'

/** A killed worker may have sent the call twice (SESSION.md fact 1): until then the same password with the same link signs in. */
const repeatWithinMs = 10 * 60_000
/** A link is good for an hour: one that had to wait for longer than this is not sent. */
const longestMailWaitMs = 60_000

export function passwordRoutes(parts: AuthParts): Route[] {
  const { callers } = parts
  return [
    endpoint(
      'forgotPassword',
      { summary: 'Mail a link to set a new password', body: forgottenPassword, answers: { 204: null } },
      async (call) => {
        const { email } = call.body
        const { db, limits } = call.services
        await db.asAuth(async (tx) => {
          await takeTurn(tx, `forgot address ${call.address}`, limits.mailPerAddress, call.now)
          if (!(await takeForgottenTurn(tx, call.services, email, call))) return
          const found = await findUser(tx, email)
          const user = found && (await lockUser(tx, found.id))
          // The same answer for every address: whether it has an account, and has just had another mail, is told by mail alone.
          if (!user || user.disabledAt !== null || emailKey(user.email) !== emailKey(email)) return
          const waitMs = await mailWaitMs(tx, call, user)
          if (waitMs < Infinity) await mailReset(tx, call.services, user, call, waitMs)
        })
        call.services.mailQueued()
        return { status: 204 }
      },
    ),

    endpoint(
      'resetPassword',
      { summary: 'Set a new password by the mailed link', body: passwordReset, answers: { 200: tokenPair } },
      async (call) => {
        const { token, password } = call.body
        const { db, limits } = call.services
        const deviceKey = await prove(parts, call)
        const link = await db.asAuth(async (tx) => {
          await takeTurn(tx, `reset address ${call.address}`, limits.signInPerAddress, call.now)
          return findLink(tx, token, ['reset'], call.now)
        })
        if (!link) throw new ProblemError('link_expired')
        const repeat = async (usedAt: string): Promise<Answer> => {
          const isRepeat = Date.parse(call.now) - Date.parse(usedAt) < repeatWithinMs
          const user = isRepeat ? await checkPassword(call, link.email, password) : null
          if (!user) throw new ProblemError('link_expired')
          return { status: 200, body: await db.asAuth((tx) => signIn(parts, call, tx, user, deviceKey)) }
        }
        if (link.usedAt !== null) return repeat(link.usedAt)
        const passwordHash = await hashPassword(password)
        const outcome = await db.asAuth(async (tx) => {
          const user = await lockUser(tx, link.userId)
          const current = await findLink(tx, token, ['reset'], call.now)
          // A link mailed to another address proves nothing about this one.
          if (!current || user.disabledAt !== null || link.email !== user.email) throw new ProblemError('link_expired')
          // Sent twice at once: the other one was first.
          if (current.usedAt !== null) return { usedAt: current.usedAt }
          // Others that were asked for before are no longer good; this one stays for its own repeat.
          await forgetLinks(tx, user.id, ['reset', 'change-from', 'change-to'], link)
          await useLink(tx, link, call.now)
          // Who opens a link mailed to an address can read its mail: that is what verifying means.
          const emailVerifiedAt = user.emailVerifiedAt ?? call.now
          await setPassword(tx, user, { passwordHash, emailVerifiedAt }, call)
          // Whoever had the account under another address may have left a passkey, to come back with once the owner of this one is in: of those
          // from before this address was proved its owner was told nothing.
          const removed = await tx
            .deleteFrom('passkeys')
            .where('userId', '=', user.id)
            .where('createdAt', '<=', emailVerifiedAt)
            .returning('name')
            .execute()
          const notice = passkeyRemovedMail(readerOf(call), user.name, removed.map(({ name }) => name).join(', '))
          if (removed.length > 0) await tellOwner(tx, { ...user, emailVerifiedAt }, 'passkey-removed', notice, call.now)
          const ended = await revokeAll(tx, user.id, { reason: 'password_reset', except: null }, call.now)
          return { ended, pair: await signIn(parts, call, tx, { ...user, passwordHash, emailVerifiedAt }, deviceKey) }
        })
        if ('usedAt' in outcome) return repeat(outcome.usedAt)
        for (const sessionId of outcome.ended) callers.forget(sessionId)
        call.services.mailQueued()
        return { status: 200, body: outcome.pair }
      },
    ),

    endpoint(
      'changePassword',
      { summary: 'Change the password', body: passwordChange, answers: { 204: null } },
      async (call) => {
        const { currentPassword, password } = call.body
        // The new one is as good an answer: the call may have been sent twice.
        const user = await confirmOwnPassword(call, '/currentPassword', currentPassword, password)
        const passwordHash = await hashPassword(password)
        const ended = await call.services.db.asAuth(async (tx) => {
          await setPassword(tx, await stillConfirmed(tx, user, '/currentPassword'), { passwordHash }, call)
          // A change of email that is under way was begun by who knew the old one. A reset link stays: it is in the owner's mailbox, and whoever
          // has got hold of the password must not be able to take the way back from them.
          await forgetLinks(tx, user.id, ['change-from', 'change-to'])
          const except = call.caller!.sessionId
          return revokeAll(tx, user.id, { reason: 'password_changed', except }, call.now)
        })
        for (const sessionId of ended) callers.forget(sessionId)
        call.services.mailQueued()
        return { status: 204 }
      },
    ),
  ]
}

/**
 * How long until the account may be mailed again, counted as of then: the mail of its registration may be less than a minute old. Infinity
 * when that is too long, or it was mailed already.
 */
async function mailWaitMs(tx: Tx, call: AnyCall, user: Users): Promise<number> {
  let waitMs = 0
  while (waitMs <= longestMailWaitMs) {
    const then = { request: call.request, now: new Date(Date.parse(call.now) + waitMs).toISOString() }
    await sql`savepoint before_counting`.execute(tx)
    try {
      return (await takeMailTurn(tx, call.services, user, then, 'reset', user.email)) ? waitMs : Infinity
    } catch (error) {
      if (!(error instanceof ProblemError && error.code === 'too_many_requests')) throw error
      await sql`rollback to savepoint before_counting`.execute(tx)
      waitMs += Number(error.headers['retry-after']) * 1000
    }
  }
  return Infinity
}

/** Says so at the person's address, in case it was not them. */
async function setPassword(
  tx: Tx,
  user: Users,
  change: Pick<Users, 'passwordHash'> & Partial<Users>,
  call: AnyCall,
): Promise<void> {
  const { now } = call
  await tx
    .updateTable('users')
    .set({ ...change, updatedAt: now })
    .where('id', '=', user.id)
    .execute()
  await tellOwner(tx, { ...user, ...change }, 'password-changed', passwordChangedMail(readerOf(call), user.name), now)
}
