// The address of an account: verified by a mailed link, changed by a link at the old address and one at the new.
import { emailKey } from '#shared/account-rules.ts'
import { emailChange, emailChangeSent } from '#shared/contract/account.ts'
import { emailConfirmation, emailConfirmed, mailSent, verified, verifyQuery } from '#shared/contract/auth.ts'
import { ProblemError } from '#shared/problem.ts'
import { sqlState, uniqueViolation, type Tx } from '#server/db/database.ts'
import type { Users } from '#server/db/tables.ts'
import { endpoint, type Route } from '#server/http/endpoint.ts'
import { showPerson } from '#server/rows/member-row.ts'
import { readerOf } from '#server/http/request.ts'
import { queueMail } from '#server/mail/queue.ts'
import { emailChangedMail } from '#server/mail/templates.ts'
import {
  findLink,
  forgetLinks,
  mailEmailChange,
  mailVerification,
  takeMailTurn,
  takeMailTurnAgain,
  useLink,
  type Purpose,
} from './links.ts'
import {
  confirmOwnPassword,
  findUser,
  lockUser,
  ownUser,
  prove,
  signIn,
  stillConfirmed,
  type AuthParts,
} from './parts.ts'
import { accessToken, statusOf } from './sessions.ts'

const changeLinks = ['change-from', 'change-to'] as const satisfies Purpose[]

export function emailRoutes(parts: AuthParts): Route[] {
  const { tokens, callers } = parts
  return [
    endpoint(
      'verifyEmail',
      { summary: 'Verify an email', query: verifyQuery, answers: { 200: verified } },
      async (call) => {
        const deviceKey = await prove(parts, call)
        const { caller } = call
        const result = await call.services.db.asAuth(async (tx) => {
          const link = await findLink(tx, call.query.token, ['verify'], call.now)
          if (!link) throw new ProblemError('link_expired')
          const user = await lockUser(tx, link.userId)
          const isOwn = caller?.userId === link.userId
          // Looked at again behind the lock: of two at once one is first.
          const current = await findLink(tx, call.query.token, ['verify'], call.now)
          if (!current || link.email !== user.email) throw new ProblemError('link_expired')
          if (current.usedAt !== null && !isOwn) throw new ProblemError('link_expired')
          if (caller && !isOwn) throw new ProblemError('other_account')
          await useLink(tx, link, call.now)
          const nowVerified = { ...user, emailVerifiedAt: user.emailVerifiedAt ?? call.now, updatedAt: call.now }
          await changeUser(tx, user.id, {
            emailVerifiedAt: nowVerified.emailVerifiedAt,
            updatedAt: nowVerified.updatedAt,
          })
          if (!caller) return signIn(parts, call, tx, nowVerified, deviceKey)
          // Of the caller's own generation: a later one may belong to an answer that never arrived.
          const { sessionId, generation } = caller
          return { accessToken: await accessToken(tokens, nowVerified, sessionId, generation, Date.parse(call.now)) }
        })
        if (caller) callers.forget(caller.sessionId)
        return { status: 200, body: result }
      },
    ),

    endpoint(
      'sendVerificationMail',
      { summary: 'Send the verification mail again', answers: { 202: mailSent, 204: null } },
      async (call) => {
        const sentTo = await call.services.db.asAuth(async (tx) => {
          const user = await ownUser(tx, call)
          if (statusOf(user) === 'ACTIVE') return null
          if (await takeMailTurn(tx, call.services, user, call, 'verify', user.email))
            await mailVerification(tx, call.services, user, call)
          return user.email
        })
        if (sentTo === null) return { status: 204 }
        call.services.mailQueued()
        return { status: 202, body: { sentTo } }
      },
    ),

    endpoint(
      'changeEmail',
      { summary: 'Change the email', body: emailChange, answers: { 202: emailChangeSent } },
      async (call) => {
        const { email } = call.body
        const confirmed = await confirmOwnPassword(call, '/password', call.body.password)
        // Counted on its own, so that it stays counted when the address is taken: asking for addresses is limited like mailing them.
        const isFirst = await call.services.db.asAuth((tx) =>
          takeMailTurn(tx, call.services, confirmed, call, 'change-to', email),
        )
        const sentTo = await orTaken(
          call.services.db.asAuth(async (tx) => {
            // As they are now: the link of the registration may have been opened while the password was checked.
            const user = await stillConfirmed(tx, confirmed, '/password')
            // Sent twice: done already, unless the first one came to nothing.
            if (!isFirst && user.email === email) return [email]
            if (!isFirst && (await isUnderWay(tx, user, email))) return [user.email, email]
            const holder = await findUser(tx, email)
            if (holder && holder.id !== user.id) throw taken()
            if (!isFirst) await takeMailTurnAgain(tx, call.services, user, call.now)
            if (statusOf(user) === 'ACTIVE') {
              await mailEmailChange(tx, call.services, user, email, call)
              return [user.email, email]
            }
            // A typing mistake while registering: nobody has proved the old address to be theirs, so nobody is asked there.
            await forgetLinks(tx, user.id, ['verify', 'reset'])
            await changeUser(tx, user.id, { email, emailKey: emailKey(email), updatedAt: call.now })
            await mailVerification(tx, call.services, { ...user, email }, call)
            return [email]
          }),
        )
        call.services.mailQueued()
        return { status: 202, body: { sentTo } }
      },
    ),

    endpoint('cancelEmailChange', { summary: 'Take a change of email back', answers: { 204: null } }, async (call) => {
      await call.services.db.asAuth(async (tx) => {
        await lockUser(tx, call.caller!.userId)
        await forgetLinks(tx, call.caller!.userId, changeLinks)
      })
      return { status: 204 }
    }),

    endpoint(
      'confirmEmail',
      { summary: 'Confirm a change of email', body: emailConfirmation, answers: { 200: emailConfirmed } },
      async (call) => {
        const body = await orTaken(
          call.services.db.asAuth(async (tx) => {
            const link = await findLink(tx, call.body.token, changeLinks, call.now)
            if (!link) throw new ProblemError('link_expired')
            // Both links may be opened at once, or the change taken back meanwhile: behind the lock is what holds.
            const user = await lockUser(tx, link.userId)
            if (!(await findLink(tx, call.body.token, changeLinks, call.now))) throw new ProblemError('link_expired')
            await useLink(tx, link, call.now)
            const used = await tx
              .selectFrom('emailTokens')
              .select('purpose')
              .where('userId', '=', user.id)
              .where('changeId', '=', link.changeId)
              .where('usedAt', 'is not', null)
              .execute()
            if (used.length < changeLinks.length) return { status: 'waiting', email: link.email }
            // Opened once more after all was done.
            if (user.email === link.email) return { status: 'changed', email: link.email }
            const changed = { email: link.email, emailKey: emailKey(link.email), updatedAt: call.now }
            await changeUser(tx, user.id, { ...changed, emailVerifiedAt: await afterPasskeys(tx, user.id, call.now) })
            await showPerson(tx, { ...user, ...changed }, call.now)
            await forgetLinks(tx, user.id, ['verify', 'reset'])
            const notice = emailChangedMail(readerOf(call), user.name, link.email)
            await queueMail(tx, { to: user.email, kind: 'email-changed', ...notice }, call.now)
            return { status: 'changed', email: link.email }
          }),
        )
        call.services.mailQueued()
        return { status: 200, body }
      },
    ),
  ]
}

async function changeUser(tx: Tx, userId: string, change: Partial<Users>): Promise<void> {
  await tx.updateTable('users').set(change).where('id', '=', userId).execute()
}

/** Whether the links of this very change are out. */
async function isUnderWay(tx: Tx, user: Users, email: string): Promise<boolean> {
  const link = await tx
    .selectFrom('emailTokens')
    .select('tokenHash')
    .where('userId', '=', user.id)
    .where('purpose', 'in', changeLinks)
    .where('email', '=', email)
    .executeTakeFirst()
  return link !== undefined
}

function taken(): ProblemError {
  return new ProblemError('email_taken', {
    errors: [{ pointer: '/email', detail: 'This email already has an account' }],
  })
}

/** Somebody else may take the address between the question and the answer. */
function orTaken<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    throw sqlState(error) === uniqueViolation ? taken() : error
  })
}

/** Now, and not before any passkey that is there: clocks of processes differ, and a reset goes by which of the two was first. */
async function afterPasskeys(tx: Tx, userId: string, now: string): Promise<string> {
  const { newest } = await tx
    .selectFrom('passkeys')
    .select((eb) => eb.fn.max('createdAt').as('newest'))
    .where('userId', '=', userId)
    .executeTakeFirstOrThrow()
  return newest !== null && newest > now ? newest : now
}
