import { member, memberEdit, memberList, transfer } from '#shared/contract/members.ts'
import { organization } from '#shared/contract/organizations.ts'
import { may, mayGive } from '#shared/permissions.ts'
import { ProblemError } from '#shared/problem.ts'
import { byName } from '#shared/search-key.ts'
import { row } from '#server/context.ts'
import { tenantEndpoint, type Route } from '#server/http/endpoint.ts'
import { findMembers, removeMember } from '#server/rows/member-row.ts'
import { findOrganizations } from '#server/rows/organization-row.ts'
import { fieldProblem } from '#server/http/problems.ts'
import { aloneAsOwner, lockMembers, setRole } from './store.ts'

export const memberRoutes: Route[] = [
  tenantEndpoint(
    'listMembers',
    { summary: 'Who belongs to an organization', answers: { 200: memberList } },
    async ({ tx, organizationId }) => ({
      status: 200,
      body: { data: (await findMembers(tx, organizationId)).toSorted(byName) },
    }),
  ),

  tenantEndpoint(
    'getMember',
    { summary: 'A member', answers: { 200: member } },
    async ({ tx, organizationId, params }) => {
      const [stored] = await findMembers(tx, organizationId, [params['userId']!.toLowerCase()])
      if (!stored) throw new ProblemError('not_found')
      return row(stored)
    },
  ),

  tenantEndpoint(
    'saveMember',
    { summary: 'Change a member’s role', body: memberEdit, answers: { 200: member } },
    async (call) => {
      const { tx, organizationId, body, ifMatch, now } = call
      const { standing, target, revision } = await lockMembers(call, call.params['userId']!)
      if (!may(standing, 'member.manage')) throw new ProblemError('forbidden')
      if (!target) throw new ProblemError('not_found')
      if (target.version !== ifMatch) throw new ProblemError('stale')
      refuseAbove(mayGive(standing, target.role) && mayGive(standing, body.role))
      if (body.role !== 'owner' && (await aloneAsOwner(tx, organizationId, target.id))) throw soleOwner()
      await setRole(tx, organizationId, target.id, body.role, revision, now)
      const [stored] = await findMembers(tx, organizationId, [target.id])
      return row(stored!)
    },
  ),

  tenantEndpoint('deleteMember', { summary: 'Remove a member, or leave', answers: { 204: null } }, async (call) => {
    const { tx, organizationId, ifMatch, now, caller } = call
    const userId = call.params['userId']!.toLowerCase()
    const isOwn = userId === caller.userId
    if (!isOwn && !may(call.standing, 'member.manage')) throw new ProblemError('forbidden')
    const { standing, target, revision } = await lockMembers(call, userId)
    if (!isOwn && !may(standing, 'member.manage')) throw new ProblemError('forbidden')
    if (!target) throw new ProblemError('not_found')
    if (target.version !== ifMatch) throw new ProblemError('stale')
    refuseAbove(mayGive(standing, target.role))
    if (await aloneAsOwner(tx, organizationId, target.id)) throw soleOwner()
    await removeMember(tx, organizationId, target.id, revision, now)
    return { status: 204 }
  }),

  tenantEndpoint(
    'transferOrganization',
    { summary: 'Hand an organization over', body: transfer, answers: { 200: organization } },
    async (call) => {
      const { tx, organizationId, caller, now } = call
      const { standing, target, revision } = await lockMembers(call, call.body.userId)
      if (!may(standing, 'organization.transfer')) throw new ProblemError('forbidden')
      if (!target || target.id === caller.userId)
        throw fieldProblem('/userId', 'Choose another member of this organization')
      const [before] = await findOrganizations(tx, caller.userId, organizationId)
      if (before!.version !== call.ifMatch) throw new ProblemError('stale')
      await setRole(tx, organizationId, target.id, 'owner', revision, now)
      await setRole(tx, organizationId, caller.userId, 'admin', revision, now)
      const [stored] = await findOrganizations(tx, caller.userId, organizationId)
      return row(stored!)
    },
  ),
]

function refuseAbove(isAllowed: boolean): void {
  if (!isAllowed) throw new ProblemError('forbidden', { detail: 'Nobody gives or takes a role above their own.' })
}

function soleOwner(): ProblemError {
  return new ProblemError('sole_owner', { detail: 'Make somebody else an owner first, or delete the organization.' })
}
