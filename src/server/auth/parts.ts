// What the calls of this room share: the proof of a device, a password checked within its limits, a session begun.
import { emailKey } from '#shared/account-rules.ts'
import type { TokenPair } from '#shared/contract/auth.ts'
import type { Call } from '#server/context.ts'
import type { Tx } from '#server/db/database.ts'
import type { Users } from '#server/db/tables.ts'
import { giveBack, hashed, takeTurn } from '#server/limits.ts'
import { fieldProblem } from '#server/problems.ts'
import type { Proofs } from '#server/proof.ts'
import type { Tokens } from '#server/tokens.ts'
import type { CallerCache } from './callers.ts'
import { passwordMatches } from './passwords.ts'
import { startSession } from './sessions.ts'

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

export function signIn(
  { tokens }: AuthParts,
  call: AnyCall,
  tx: Tx,
  user: Users,
  deviceKey: string | null,
): Promise<TokenPair> {
  const userAgent = call.request.headers.get('user-agent') ?? ''
  return startSession(tx, tokens, user, { deviceKey, userAgent }, call.now)
}

export function findUser(tx: Tx, email: string): Promise<Users | undefined> {
  return tx.selectFrom('users').selectAll().where('emailKey', '=', emailKey(email)).executeTakeFirst()
}

/** The signed-in person's own row. */
export function ownUser(tx: Tx, call: AnyCall): Promise<Users> {
  return tx.selectFrom('users').selectAll().where('id', '=', call.caller!.userId).executeTakeFirstOrThrow()
}

/**
 * The account of this email if one of the passwords is its own. Counts a try before the slow work and takes it back when it was right:
 * parallel guesses are counted too. Never inside a transaction.
 */
export async function checkPassword(
  call: AnyCall,
  email: string,
  ...passwords: [string, ...string[]]
): Promise<Users | null> {
  const { db, limits } = call.services
  const { turns, user } = await db.asAuth(async (tx) => ({
    turns: [
      await takeTurn(tx, `sign-in account ${hashed(emailKey(email))}`, limits.signInPerAccount, call.now),
      await takeTurn(tx, `sign-in address ${call.address}`, limits.signInPerAddress, call.now),
    ],
    user: await findUser(tx, email),
  }))
  let matches = false
  for (const password of passwords) matches ||= await passwordMatches(user?.passwordHash ?? null, password)
  if (!matches || !user || user.disabledAt !== null) return null
  await db.asAuth((tx) => giveBack(tx, turns))
  return user
}

/** Whoever changes what opens the account proves to be the person, not only somebody at their unlocked device. */
export async function confirmOwnPassword(
  call: AnyCall,
  pointer: string,
  ...passwords: [string, ...string[]]
): Promise<Users> {
  const { email } = await call.services.db.asAuth((tx) => ownUser(tx, call))
  const user = await checkPassword(call, email, ...passwords)
  if (!user) throw fieldProblem(pointer, 'This is not your password')
  return user
}
