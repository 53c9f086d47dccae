// An invitation's row: kept by the role of accounts, because whoever is invited is nobody in the organization yet (STACK.md "Roles and walls").
import type { Invitation } from '#shared/contract/members.ts'
import { mayInvite, roles, type Role } from '#shared/permissions.ts'
import { asAuthWithin, type Tx } from '#server/db/database.ts'
import type { Invitations } from '#server/db/tables.ts'

/** Of the mails that ask somebody. */
export const invitationKind = 'invitation'

/** One that nobody answered in time is expired: derived, never stored. */
export function statusAt({ status, expiresAt }: Invitations, now: string): Invitation['status'] {
  return status === 'pending' && expiresAt <= now ? 'expired' : (status as Invitation['status'])
}

export function invitationFromRow(row: Invitations, mail: Invitation['mail'], now: string): Invitation {
  const { id, organizationId, email, inviterName: invitedBy, createdAt, sentAt, expiresAt } = row
  return {
    id,
    organizationId,
    email,
    role: row.role as Role,
    status: statusAt(row, now),
    invitedBy,
    createdAt,
    sentAt,
    mail,
    expiresAt,
  }
}

/** What the activity says of one. */
export type InvitedRow = Pick<Invitations, 'id' | 'email' | 'role'>

/** Within a transaction of docket_app. */
export function findInvitationRow(tx: Tx, organizationId: string, id: string): Promise<InvitedRow | undefined> {
  return asAuthWithin(tx, () =>
    tx
      .selectFrom('invitations')
      .select(['id', 'email', 'role'])
      .where('organizationId', '=', organizationId)
      .where('id', '=', id)
      .executeTakeFirst(),
  )
}

/** How it ended; the token opens nothing from then on. */
export async function endInvitation(
  tx: Tx,
  { organizationId, id }: Pick<Invitations, 'organizationId' | 'id'>,
  status: 'accepted' | 'declined' | 'revoked',
  now: string,
): Promise<void> {
  await tx
    .updateTable('invitations')
    .set({ status, endedAt: now })
    .where('organizationId', '=', organizationId)
    .where('id', '=', id)
    .execute()
}

/**
 * The open ones of somebody who is `role` from now on, or gone, to what they may ask nobody to be any more; within a transaction of docket_app
 * that holds the organization's revision.
 */
export async function revokeBeyond(
  tx: Tx,
  organizationId: string,
  userId: string,
  role: Role | null,
  now: string,
): Promise<void> {
  const beyond = roles.filter((each) => role === null || !mayInvite({ role }, each))
  if (beyond.length === 0) return
  const revoked = await asAuthWithin(tx, () =>
    tx
      .updateTable('invitations')
      .set({ status: 'revoked', endedAt: now })
      .where('organizationId', '=', organizationId)
      .where('invitedBy', '=', userId)
      .where('status', '=', 'pending')
      .where('role', 'in', beyond)
      .returning('email')
      .execute(),
  )
  await withdrawMails(tx, organizationId, revoked, now)
}

/** All that are open, within a transaction of docket_app: the organization closes. */
export async function revokeInvitations(tx: Tx, organizationId: string, now: string): Promise<void> {
  const revoked = await asAuthWithin(tx, () =>
    tx
      .updateTable('invitations')
      .set({ status: 'revoked', endedAt: now })
      .where('organizationId', '=', organizationId)
      .where('status', '=', 'pending')
      .returning('email')
      .execute(),
  )
  await withdrawMails(tx, organizationId, revoked, now)
}

/** As docket_app: what was not delivered by now has a link that opens nothing any more. */
export async function withdrawMails(
  tx: Tx,
  organizationId: string,
  to: readonly Pick<Invitations, 'email'>[],
  now: string,
): Promise<void> {
  if (to.length === 0) return
  const recipients = to.map(({ email }) => email.toLowerCase())
  await tx
    .updateTable('mails')
    .set({ endedAt: now, endedAs: 'withdrawn', bodyText: '', bodyHtml: '' })
    .where('organizationId', '=', organizationId)
    .where('kind', '=', invitationKind)
    .where((eb) => eb(eb.fn('lower', ['recipient']), 'in', recipients))
    .where('sentAt', 'is', null)
    .where('endedAt', 'is', null)
    .execute()
}
