// Links that are mailed: a secret kept as its hash, good for a time, for one purpose (SESSION.md "Verifying an e-mail").
import { emailKey } from '#shared/account-rules.ts'
import { isUuid, uuidv7 } from '#shared/ids.ts'
import type { Services } from '#server/context.ts'
import type { Tx } from '#server/db/database.ts'
import type { EmailTokens, Users } from '#server/db/tables.ts'
import { eventId, hashed, takeTurn, type Limits } from '#server/http/limits.ts'
import { readerOf } from '#server/http/request.ts'
import { queueMail } from '#server/mail/queue.ts'
import { changeFromMail, changeToMail, resetMail, verificationMail } from '#server/mail/templates.ts'
import { randomToken, tokenHash } from '#server/http/tokens.ts'
import type { AnyCall } from './parts.ts'

/** Purpose -> a prefix of the token (the page's router parses values that look like numbers), where the link leads, how long it is good. */
const purposes = {
  verify: { prefix: 'v', place: '/verify-email?verificationToken=', hours: 24 },
  reset: { prefix: 'p', place: '/reset-password?resetToken=', hours: 1 },
  'change-from': { prefix: 'e', place: '/confirm-email?confirmToken=', hours: 24 },
  'change-to': { prefix: 'e', place: '/confirm-email?confirmToken=', hours: 24 },
} as const
export type Purpose = keyof typeof purposes

type LinkServices = Pick<Services, 'publicUrl' | 'limits'>

type MailCall = Pick<AnyCall, 'now' | 'request'>

/**
 * Counts a mail that somebody asked for: one a minute, five an hour for an account (429); the one of the registration counts as well. False
 * when it was counted before: the call names itself by its Idempotency-Key, and a killed worker may send it twice. The same key with another
 * purpose or address is another call.
 */
export function takeMailTurn(
  tx: Tx,
  { limits }: LinkServices,
  { id }: Pick<Users, 'id'>,
  call: MailCall,
  purpose: Purpose,
  email: string,
): Promise<boolean> {
  return countMail(tx, limits, `mail ${id}`, call.now, askedBy(call, purpose, email))
}

/** For a call that was counted before and is to mail all the same: what it did then has come to nothing. */
export async function takeMailTurnAgain(
  tx: Tx,
  { limits }: LinkServices,
  { id }: Pick<Users, 'id'>,
  now: string,
): Promise<void> {
  await countMail(tx, limits, `mail ${id}`, now)
}

/** The same for an address that may have no account: counted alike, so that the limit does not tell. */
export function takeForgottenTurn(tx: Tx, { limits }: LinkServices, email: string, call: MailCall): Promise<boolean> {
  return countMail(tx, limits, `forgot ${hashed(emailKey(email))}`, call.now, askedBy(call, 'reset', email))
}

function askedBy({ request }: MailCall, purpose: Purpose, email: string): string {
  const key = request.headers.get('idempotency-key') ?? ''
  return isUuid(key) ? eventId(`${key.toLowerCase()} ${purpose} ${emailKey(email)}`) : uuidv7()
}

async function countMail(tx: Tx, limits: Limits, bucket: string, now: string, id = uuidv7()): Promise<boolean> {
  if ((await takeTurn(tx, `${bucket} hour`, limits.mailPerHour, now, id)) === null) return false
  await takeTurn(tx, `${bucket} minute`, limits.mailPerMinute, now)
  return true
}

/**
 * The mail that proves an address is the person's own. Until then it may be a stranger's, and accounts are made and closed at will: counted
 * for the address as well.
 */
export async function mailVerification(tx: Tx, services: LinkServices, user: Users, call: MailCall): Promise<void> {
  const { now } = call
  await countMail(tx, services.limits, `verify ${hashed(emailKey(user.email))}`, now)
  const link = await makeLink(tx, services, 'verify', { userId: user.id, email: user.email, changeId: null }, now)
  await queueMail(
    tx,
    { to: user.email, kind: 'verify-email', ...verificationMail(readerOf(call), user.name, link) },
    now,
  )
}

/** Goes out after `waitMs`. */
export async function mailReset(
  tx: Tx,
  services: LinkServices,
  user: Users,
  call: MailCall,
  waitMs: number,
): Promise<void> {
  const { now } = call
  const link = await makeLink(tx, services, 'reset', { userId: user.id, email: user.email, changeId: null }, now)
  const mail = { to: user.email, kind: 'reset-password', ...resetMail(readerOf(call), user.name, link) }
  await queueMail(tx, mail, now, new Date(Date.parse(now) + waitMs).toISOString())
}

/** One link to each address: both must be opened. Links of an earlier change are no longer good. */
export async function mailEmailChange(
  tx: Tx,
  services: LinkServices,
  user: Users,
  email: string,
  call: MailCall,
): Promise<void> {
  const { now } = call
  const language = readerOf(call)
  await forgetLinks(tx, user.id, ['change-from', 'change-to'])
  const row = { userId: user.id, email, changeId: uuidv7(Date.parse(now)) }
  const fromLink = await makeLink(tx, services, 'change-from', row, now)
  await queueMail(
    tx,
    { to: user.email, kind: 'change-email', ...changeFromMail(language, user.name, email, fromLink) },
    now,
  )
  const toLink = await makeLink(tx, services, 'change-to', row, now)
  await queueMail(tx, { to: email, kind: 'change-email', ...changeToMail(language, user.name, toLink) }, now)
}

/** The row behind a mailed token, if it is for one of these purposes and still good. */
export async function findLink(
  tx: Tx,
  token: string,
  wanted: readonly Purpose[],
  now: string,
): Promise<EmailTokens | null> {
  const row = await tx
    .selectFrom('emailTokens')
    .selectAll()
    .where('tokenHash', '=', tokenHash(token))
    .where('purpose', 'in', wanted)
    .where('expiresAt', '>', now)
    .executeTakeFirst()
  return row ?? null
}

export async function useLink(tx: Tx, { tokenHash: hash }: EmailTokens, now: string): Promise<void> {
  await tx.updateTable('emailTokens').set({ usedAt: now }).where('tokenHash', '=', hash).execute()
}

/** All of these purposes, but for one link. */
export async function forgetLinks(
  tx: Tx,
  userId: string,
  which: readonly Purpose[],
  butFor?: EmailTokens,
): Promise<void> {
  let query = tx.deleteFrom('emailTokens').where('userId', '=', userId).where('purpose', 'in', which)
  if (butFor) query = query.where('tokenHash', '!=', butFor.tokenHash)
  await query.execute()
}

async function makeLink(
  tx: Tx,
  { publicUrl }: LinkServices,
  purpose: Purpose,
  row: Pick<EmailTokens, 'userId' | 'email' | 'changeId'>,
  now: string,
): Promise<string> {
  const { prefix, place, hours } = purposes[purpose]
  const token = randomToken(prefix)
  const expiresAt = new Date(Date.parse(now) + hours * 3_600_000).toISOString()
  await tx
    .insertInto('emailTokens')
    .values({ ...row, tokenHash: tokenHash(token), purpose, createdAt: now, expiresAt, usedAt: null })
    .execute()
  return publicUrl + place + token
}
