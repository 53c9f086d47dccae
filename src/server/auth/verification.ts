// The mail that proves an address is the person's own (SESSION.md "Verifying an e-mail").
import type { Services } from '#server/context.ts'
import type { Tx } from '#server/db/database.ts'
import type { Users } from '#server/db/tables.ts'
import { takeTurn } from '#server/limits.ts'
import { queueMail } from '#server/mail/queue.ts'
import { verificationMail } from '#server/mail/templates.ts'
import { randomToken, tokenHash } from '#server/tokens.ts'

const linkHours = 24

/** Writes token and mail into the transaction. Too many already: 429. The mail of the registration counts too. */
export async function queueVerificationMail(
  tx: Tx,
  { publicUrl, limits }: Pick<Services, 'publicUrl' | 'limits'>,
  user: Users,
  now: string,
): Promise<void> {
  await takeTurn(tx, `mail hour ${user.id}`, limits.mailPerHour, now)
  await takeTurn(tx, `mail minute ${user.id}`, limits.mailPerMinute, now)
  // A prefix, because the page's router parses values that look like numbers.
  const token = randomToken('v')
  const expiresAt = new Date(Date.parse(now) + linkHours * 3_600_000).toISOString()
  await tx
    .insertInto('emailTokens')
    .values({
      tokenHash: tokenHash(token),
      userId: user.id,
      purpose: 'verify',
      email: user.email,
      createdAt: now,
      expiresAt,
      usedAt: null,
    })
    .execute()
  const link = `${publicUrl}/verify-email?verificationToken=${token}`
  await queueMail(tx, { to: user.email, kind: 'verify-email', ...verificationMail(user.name, link) }, now)
}
