// Asking somebody to join, by an organization's owner or admins; the answer to it is in ./own.ts.
import { invitation, invitationList, newInvitation } from '#shared/contract/members.ts'
import { emailKey } from '#shared/account-rules.ts'
import { mayGive, type Role } from '#shared/permissions.ts'
import { ProblemError } from '#shared/problem.ts'
import type { Answer, TenantCall } from '#server/context.ts'
import { asAuthWithin } from '#server/db/database.ts'
import type { Invitations } from '#server/db/tables.ts'
import { tenantEndpoint, type Route } from '#server/http/endpoint.ts'
import { endInvitation, invitationFromRow, withdrawMails } from '#server/rows/invitation-row.ts'
import { ownInvitationRoutes } from './own.ts'
import {
  findInvitation,
  insertInvitation,
  listInvitations,
  mailLink,
  mailStates,
  memberWith,
  peopleAndPlace,
  renewInvitation,
} from './store.ts'

type AnyTenantCall = TenantCall<unknown, unknown>

export const invitationRoutes: Route[] = [
  tenantEndpoint(
    'listInvitations',
    { summary: 'Who was invited', answers: { 200: invitationList } },
    async ({ tx, organizationId, now }) => {
      const rows = await asAuthWithin(tx, () => listInvitations(tx, organizationId))
      const mails = await mailStates(tx, organizationId, rows)
      return { status: 200, body: { data: rows.map((each) => invitationFromRow(each, mails.get(each.id)!, now)) } }
    },
  ),

  tenantEndpoint(
    'createInvitation',
    { summary: 'Invite somebody by mail', body: newInvitation, answers: { 201: invitation } },
    async (call) => {
      const { tx, organizationId, body, now, standing } = call
      refuseAbove(mayGive(standing, body.role))
      if (await memberWith(tx, organizationId, emailKey(body.email)))
        throw new ProblemError('already_member', {
          errors: [{ pointer: '/email', detail: 'This person is a member already' }],
        })
      const names = await peopleAndPlace(tx, call)
      const made = await asAuthWithin(tx, () => insertInvitation(tx, call, { ...body, ...names }))
      // It takes back the one in its place, which nobody does to a role above their own either.
      if (made.replaced !== null) refuseAbove(mayGive(standing, made.replaced))
      await mailLink(call, made)
      call.services.mailQueued()
      return { status: 201, body: invitationFromRow(made.row, 'waiting', now) }
    },
  ),

  tenantEndpoint(
    'resendInvitation',
    { summary: 'Mail an invitation again, with a new link', answers: { 200: invitation } },
    async (call) => {
      const { tx, now } = call
      const names = await peopleAndPlace(tx, call)
      const renewed = await asAuthWithin(tx, async () => renewInvitation(tx, call, await openOne(call), names))
      await mailLink(call, renewed)
      call.services.mailQueued()
      return { status: 200, body: invitationFromRow(renewed.row, 'waiting', now) }
    },
  ),

  tenantEndpoint(
    'revokeInvitation',
    { summary: 'Take an invitation back', answers: { 204: null } },
    async (call): Promise<Answer> => {
      const open = await asAuthWithin(call.tx, async () => {
        const found = await openOne(call)
        await endInvitation(call.tx, found, 'revoked', call.now)
        return found
      })
      await withdrawMails(call.tx, call.organizationId, [open], call.now)
      return { status: 204 }
    },
  ),

  ...ownInvitationRoutes,
]

/** The one that the path names, held until the commit: whoever accepts it meanwhile waits, and finds it as it is then. */
async function openOne(call: AnyTenantCall): Promise<Invitations> {
  const found = await findInvitation(call.tx, call.organizationId, call.params['invitationId']!.toLowerCase())
  if (!found) throw new ProblemError('not_found')
  refuseAbove(mayGive(call.standing, found.role as Role))
  if (found.status !== 'pending')
    throw new ProblemError('invalid_transition', { detail: `This invitation was ${found.status}.` })
  return found
}

function refuseAbove(isAllowed: boolean): void {
  if (!isAllowed) throw new ProblemError('forbidden', { detail: 'Nobody gives a role above their own.' })
}
