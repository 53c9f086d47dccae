// What the calls of this room share: the proof of a device, a password checked within its limits, a session begun.
import { emailKey } from '#shared/account-rules.ts'
import { ProblemError } from '#shared/problem.ts'
import type { TokenPair } from '#shared/contract/auth.ts'
import type { Call } from '#server/context.ts'
import type { Tx } from '#server/db/database.ts'
import type { Users } from '#server/db/tables.ts'
import { giveBack, hashed, takeTurn } from '#server/http/limits.ts'
import { queueMail, type Mail } from '#server/mail/queue.ts'
import { fieldProblem } from '#server/http/problems.ts'
import type { Proofs } from '#server/http/proof.ts'
import type { Tokens } from '#server/http/tokens.ts'
import type { CallerCache } from './callers.ts'
import { passwordMatches } from './passwords.ts'
import { endOf, startSession, statusOf } from './sessions.ts'

export interface AuthParts {
  tokens: Tokens
  proofs: Proofs
  callers: CallerCache
}

export type AnyCall = Call<unknown, unknown>

/** The device key that proved itself with this request; null for a client without one. */
export function prove({ proofs }: AuthParts, call: AnyCall): Promise<string | null> {
  return proofs.check(call.request, Date.parse(call.now))
}

/**
 * A session for a user as they were when they proved who they are. A password that was changed since, or an account closed, ends what was
 * begun before: whoever changes it waits for this transaction or is waited for here.
 */
export async function signIn(
  { tokens }: AuthParts,
  call: AnyCall,
  tx: Tx,
  user: Users,
  deviceKey: string | null,
): Promise<TokenPair> {
  const { passwordHash, disabledAt } = await lockUser(tx, user.id)
  if (passwordHash !== user.passwordHash || disabledAt !== null) throw new ProblemError('invalid_credentials')
  const userAgent = call.request.headers.get('user-agent') ?? ''
  return startSession(tx, tokens, user, { deviceKey, userAgent }, call.now)
}

export function findUser(tx: Tx, email: string): Promise<Users | undefined> {
  return tx.selectFrom('users').selectAll().where('emailKey', '=', emailKey(email)).executeTakeFirst()
}

/** Whatever is decided by this row holds until the commit. */
export function lockUser(tx: Tx, userId: string): Promise<Users> {
  return tx.selectFrom('users').selectAll().where('id', '=', userId).forUpdate().executeTakeFirstOrThrow()
}

/** Behind the lock: the user is still who proved to be them before it. Else as if the password had been wrong. */
export async function stillConfirmed(tx: Tx, user: Users, pointer: string): Promise<Users> {
  const current = await lockUser(tx, user.id)
  if (current.passwordHash !== user.passwordHash || current.disabledAt !== null) throw notYours(pointer)
  return current
}

function notYours(pointer: string): ProblemError {
  return fieldProblem(pointer, 'This is not your password')
}

/** The signed-in person's own row. */
export function ownUser(tx: Tx, call: AnyCall): Promise<Users> {
  return tx.selectFrom('users').selectAll().where('id', '=', call.caller!.userId).executeTakeFirstOrThrow()
}

/** The signed-in person's row, locked, for what outlives the session: another process may have ended that a moment ago. */
export async function lockCaller(tx: Tx, call: AnyCall): Promise<Users> {
  const { userId, sessionId } = call.caller!
  const user = await lockUser(tx, userId)
  const session = await tx.selectFrom('sessions').selectAll().where('id', '=', sessionId).executeTakeFirstOrThrow()
  const end = endOf(session, user, call.now)
  if (end) throw new ProblemError(end, { sid: sessionId })
  return user
}

/**
 * Tells a person by mail what happened to their account, in case it was not them. An address that nobody has shown to be theirs may be a
 * stranger's: nothing is sent there.
 */
export async function tellOwner(
  tx: Tx,
  user: Users,
  kind: string,
  notice: Pick<Mail, 'subject' | 'text' | 'html'>,
  now: string,
): Promise<void> {
  if (statusOf(user) === 'ACTIVE') await queueMail(tx, { to: user.email, kind, ...notice }, now)
}

/**
 * The account of this email if one of the passwords is its own. Counts a try before the slow work and takes it back when it was right:
 * parallel guesses are counted too. Never inside a transaction.
 */
export async function checkPassword(call: AnyCall, email: string, password: string): Promise<Users | null> {
  return check(call, `sign-in account ${hashed(emailKey(email))}`, email, [password])
}

/** Every password is a guess of its own. */
async function check(call: AnyCall, bucket: string, email: string, passwords: string[]): Promise<Users | null> {
  const { db, limits } = call.services
  const { turns, user } = await db.asAuth(async (tx) => {
    const turns: string[] = []
    for (const _ of passwords) turns.push(await takeTurn(tx, bucket, limits.signInPerAccount, call.now))
    turns.push(await takeTurn(tx, `sign-in address ${call.address}`, limits.signInPerAddress, call.now))
    return { turns, user: await findUser(tx, email) }
  })
  let matches = false
  for (const password of passwords) matches ||= await passwordMatches(user?.passwordHash ?? null, password)
  if (!matches || !user || user.disabledAt !== null) return null
  await db.asAuth((tx) => giveBack(tx, turns))
  return user
}

/**
 * Whoever changes what opens the account proves to be the person, not only somebody at their unlocked device. Counted apart from signing in:
 * a stranger's guesses elsewhere must not keep the owner from changing the password.
 */
export async function confirmOwnPassword(
  call: AnyCall,
  pointer: string,
  ...passwords: [string, ...string[]]
): Promise<Users> {
  const { email } = await call.services.db.asAuth((tx) => ownUser(tx, call))
  const user = await check(call, `own password ${call.caller!.userId}`, email, passwords)
  // The email may have passed to somebody else since it was read.
  if (!user || user.id !== call.caller!.userId) throw notYours(pointer)
  return user
}
