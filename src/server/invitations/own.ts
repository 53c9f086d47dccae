// What the invited person does: sees who asks, and answers. Only a signed-in person whose verified email is the one that was invited.
import {
  invitationToken,
  joined,
  ownInvitation,
  ownInvitationList,
  type OwnInvitation,
} from '#shared/contract/members.ts'
import { isUuid } from '#shared/ids.ts'
import { mayInvite, type Role } from '#shared/permissions.ts'
import { ProblemError } from '#shared/problem.ts'
import { recordActivity } from '#server/rows/activity-log.ts'
import type { Answer, Call } from '#server/context.ts'
import { asAuthWithin, holdAccount, type Person, type Tx } from '#server/db/database.ts'
import type { Invitations } from '#server/db/tables.ts'
import { endpoint, onceForCaller, type Route } from '#server/http/endpoint.ts'
import { endInvitation, statusAt, withdrawMails } from '#server/rows/invitation-row.ts'
import { addMember, findMembers } from '#server/rows/member-row.ts'
import { nextRevision } from '#server/rows/revision.ts'
import { tokenHash } from '#server/http/tokens.ts'
import { findInvitation } from './store.ts'

type AnyCall = Call<unknown, unknown>

const mostShown = 200

export const ownInvitationRoutes: Route[] = [
  endpoint(
    'listOwnInvitations',
    { summary: 'Invitations that wait for my answer', answers: { 200: ownInvitationList } },
    async (call) => {
      const { userId } = call.caller!
      const rows = await call.services.db.asAuth((tx) =>
        tx
          .selectFrom('invitations')
          .innerJoin('users', 'users.emailKey', 'invitations.emailKey')
          .selectAll('invitations')
          .where('users.id', '=', userId)
          .where('status', '=', 'pending')
          .where('expiresAt', '>', call.now)
          .orderBy('invitations.createdAt', 'desc')
          .limit(mostShown)
          .execute(),
      )
      return { status: 200, body: { data: rows.map((each) => toOwn(each, call.now)) } }
    },
  ),

  endpoint(
    'findInvitation',
    { summary: 'The invitation of a mailed link', body: invitationToken, answers: { 200: ownInvitation } },
    async (call) => {
      const found = await call.services.db.asAuth((tx) =>
        tx.selectFrom('invitations').selectAll().where('tokenHash', '=', tokenHash(call.body.token)).executeTakeFirst(),
      )
      if (!found) throw new ProblemError('link_expired')
      return { status: 200, body: toOwn(found, call.now) }
    },
  ),

  endpoint('acceptInvitation', { summary: 'Join', answers: { 200: joined } }, (call) =>
    answer(call, async (tx, row, person) => {
      const { organizationId } = row
      const revision = await nextRevision(tx, organizationId)
      const open = await tx
        .selectFrom('organizations')
        .select('id')
        .where('id', '=', organizationId)
        .where('deletedAt', 'is', null)
        .executeTakeFirst()
      if (!open) throw new ProblemError('link_expired')
      let [own] = await findMembers(tx, organizationId, [person.id])
      if (!own) {
        if (statusAt(row, call.now) !== 'pending' || !(await isStillGiven(tx, row)))
          throw new ProblemError('link_expired')
        await addMember(tx, organizationId, person, row.role as Role, revision, call.now)
        const place = { tx, organizationId, userId: person.id, now: call.now }
        const joined = [{ field: 'role', before: null, after: row.role }]
        await recordActivity(place, 'acceptInvitation', { kind: 'member', id: person.id }, person.name, joined)
        ;[own] = await findMembers(tx, organizationId, [person.id])
      }
      if (row.status === 'pending') await end(tx, row, 'accepted', call.now)
      return { status: 200, body: { organizationId, role: own!.role } }
    }),
  ),

  endpoint('declineInvitation', { summary: 'Say no to an invitation', answers: { 204: null } }, (call) =>
    answer(call, async (tx, row, person) => {
      const status = statusAt(row, call.now)
      if (status === 'declined') return { status: 204 }
      if (status !== 'pending') throw new ProblemError('link_expired')
      await end(tx, row, 'declined', call.now)
      const place = { tx, organizationId: row.organizationId, userId: person.id, now: call.now }
      const declined = [{ field: 'status', before: 'pending', after: 'declined' }]
      await recordActivity(place, 'declineInvitation', { kind: 'invitation', id: row.id }, row.email, declined)
      return { status: 204 }
    }),
  ),
]

/** Answered in the app: a mail that has not got through by now is not wanted any more. */
async function end(tx: Tx, row: Invitations, status: 'accepted' | 'declined', now: string): Promise<void> {
  await asAuthWithin(tx, () => endInvitation(tx, row, status, now))
  await withdrawMails(tx, row.organizationId, [row], now)
}

/** Once per Idempotency-Key, with the invitation and the person's account held. One of another address is a missing one. */
async function answer(
  call: AnyCall,
  work: (tx: Tx, row: Invitations, person: Person) => Promise<Answer>,
): Promise<Answer> {
  const { userId, sessionId } = call.caller!
  const id = call.params['invitationId']!.toLowerCase()
  if (!isUuid(id)) throw new ProblemError('not_found')
  // Which organization it is of, for the wall to let it in; what it says is read again below.
  const found = await call.services.db.asAuth((tx) =>
    tx
      .selectFrom('invitations')
      .innerJoin('users', 'users.emailKey', 'invitations.emailKey')
      .select('organizationId')
      .where('invitations.id', '=', id)
      .where('users.id', '=', userId)
      .executeTakeFirst(),
  )
  if (!found) throw new ProblemError('not_found')
  return onceForCaller(call, found.organizationId, async (tx) => {
    const person = await holdAccount(tx, userId)
    if (!person) throw new ProblemError('user_disabled', { sid: sessionId })
    const row = await asAuthWithin(tx, () => findInvitation(tx, found.organizationId, id))
    if (row?.emailKey !== person.emailKey) throw new ProblemError('not_found')
    return work(tx, row, person)
  })
}

/** Whoever asked may ask for it still: how they stand now counts, and the caller holds the organization's revision. */
async function isStillGiven(tx: Tx, { organizationId, invitedBy, role }: Invitations): Promise<boolean> {
  const [inviter] = invitedBy === null ? [] : await findMembers(tx, organizationId, [invitedBy])
  return inviter !== undefined && mayInvite(inviter, role as Role)
}

function toOwn(row: Invitations, now: string): OwnInvitation {
  const { id, organizationName, email, inviterName: invitedBy, expiresAt } = row
  return { id, organizationName, email, role: row.role as Role, status: statusAt(row, now), invitedBy, expiresAt }
}
