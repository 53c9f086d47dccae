// Reads and writes of invitations; but for the three that say so within docket_auth.
import { uuidv7 } from '#shared/ids.ts'
import { emailKey } from '#shared/account-rules.ts'
import type { Invitation, NewInvitation } from '#shared/contract/members.ts'
import type { TenantCall } from '#server/context.ts'
import type { Tx } from '#server/db/database.ts'
import type { Invitations } from '#server/db/tables.ts'
import { invitationKind, withdrawMails } from '#server/rows/invitation-row.ts'
import { hashed, takeTurn } from '#server/http/limits.ts'
import type { Role } from '#shared/permissions.ts'
import { readerOf } from '#server/http/request.ts'
import { queueMail } from '#server/mail/queue.ts'
import { mailStateOf } from '#server/mail/state.ts'
import { invitationMail } from '#server/mail/templates.ts'
import { randomToken, tokenHash } from '#server/http/tokens.ts'

type AnyTenantCall = TenantCall<unknown, unknown>

/** Who invites, and what the mail says of it. */
export interface Names {
  invitedBy: string
  inviterName: string
  organizationName: string
}

/** With the secret that opens it, which is nowhere but in the mail. */
interface Linked {
  row: Invitations
  token: string
}

/** With the role that the one in its place gave; null where there was none. */
interface Made extends Linked {
  replaced: Role | null
}

const goodForMs = 7 * 24 * 60 * 60_000
const mostShown = 200

/** As docket_app. */
export async function memberWith(tx: Tx, organizationId: string, key: string): Promise<boolean> {
  const found = await tx
    .selectFrom('members')
    .select('id')
    .where('organizationId', '=', organizationId)
    .where('emailKey', '=', key)
    .where('deletedAt', 'is', null)
    .executeTakeFirst()
  return found !== undefined
}

/** As docket_app. */
export async function peopleAndPlace(tx: Tx, { organizationId, caller }: AnyTenantCall): Promise<Names> {
  const { name: organizationName } = await tx
    .selectFrom('organizations')
    .select('name')
    .where('id', '=', organizationId)
    .executeTakeFirstOrThrow()
  const inviter = await tx
    .selectFrom('members')
    .select('name')
    .where('organizationId', '=', organizationId)
    .where('id', '=', caller.userId)
    .executeTakeFirst()
  return { organizationName, invitedBy: caller.userId, inviterName: inviter?.name ?? '' }
}

export function listInvitations(tx: Tx, organizationId: string): Promise<Invitations[]> {
  return tx
    .selectFrom('invitations')
    .selectAll()
    .where('organizationId', '=', organizationId)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(mostShown)
    .execute()
}

/** Held until the commit. */
export function findInvitation(tx: Tx, organizationId: string, id: string): Promise<Invitations | undefined> {
  return tx
    .selectFrom('invitations')
    .selectAll()
    .where('organizationId', '=', organizationId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

/** In the place of an earlier one to this address, whose link is no longer good. */
export async function insertInvitation(
  tx: Tx,
  call: AnyTenantCall,
  { email, role, ...names }: NewInvitation & Names,
): Promise<Made> {
  const { organizationId, now } = call
  const key = emailKey(email)
  // Whoever else invites the same address waits here for its turn.
  await countMail(tx, call, key)
  const before = await tx
    .updateTable('invitations')
    .set({ status: 'revoked', endedAt: now })
    .where('organizationId', '=', organizationId)
    .where('emailKey', '=', key)
    .where('status', '=', 'pending')
    .returning('role')
    .executeTakeFirst()
  const token = randomToken('i')
  const fresh = { id: uuidv7(Date.parse(now)), organizationId, email, emailKey: key, role, status: 'pending' }
  const row = { ...fresh, ...names, ...linkOf(token, now), createdAt: now, endedAt: null }
  await tx.insertInto('invitations').values(row).execute()
  return { row, token, replaced: (before?.role as Role | undefined) ?? null }
}

/** A new link; the one before is no longer good. */
export async function renewInvitation(tx: Tx, call: AnyTenantCall, before: Invitations, names: Names): Promise<Linked> {
  await countMail(tx, call, before.emailKey)
  const token = randomToken('i')
  const change = { ...names, ...linkOf(token, call.now) }
  await tx
    .updateTable('invitations')
    .set(change)
    .where('organizationId', '=', before.organizationId)
    .where('id', '=', before.id)
    .execute()
  return { row: { ...before, ...change }, token }
}

function linkOf(token: string, now: string) {
  return { tokenHash: tokenHash(token), sentAt: now, expiresAt: new Date(Date.parse(now) + goodForMs).toISOString() }
}

async function countMail(tx: Tx, { services, caller, now }: AnyTenantCall, key: string): Promise<void> {
  const { invitePerPerson, invitePerRecipient } = services.limits
  await takeTurn(tx, `invite ${caller.userId}`, invitePerPerson, now)
  await takeTurn(tx, `invited ${hashed(key)}`, invitePerRecipient, now)
}

/** As docket_app: what became of the mail that was last asked for, by the invitation's id; of old ones nothing is known. */
export async function mailStates(
  tx: Tx,
  organizationId: string,
  invitations: readonly Invitations[],
): Promise<Map<string, Invitation['mail']>> {
  const mails = await tx
    .selectFrom('mails')
    .select(['recipient', 'createdAt', 'sentAt', 'givenUpAt', 'endedAt', 'failure'])
    .where('organizationId', '=', organizationId)
    .where('kind', '=', invitationKind)
    .execute()
  const byMail = new Map(mails.map((mail) => [`${mail.recipient} ${mail.createdAt}`, mailStateOf(mail)]))
  return new Map(invitations.map(({ id, email, sentAt }) => [id, byMail.get(`${email} ${sentAt}`) ?? null]))
}

/** As docket_app: the mail is the organization's, so that it is told when it does not get through. */
export async function mailLink(call: AnyTenantCall, { row, token }: Linked): Promise<void> {
  const { tx, organizationId, services, now } = call
  const link = `${services.publicUrl}/invitation?invitationToken=${token}`
  const { inviterName: inviter, organizationName: organization } = row
  const mail = invitationMail(readerOf(call), { inviter, organization, role: row.role as Role }, link)
  await withdrawMails(tx, organizationId, [row], now)
  await queueMail(tx, { to: row.email, kind: invitationKind, organizationId, ...mail }, now)
}
