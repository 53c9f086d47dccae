// Members and invitations. What changes them is the server's alone; after a change inside an organization the gateway brings the device up to date.
import { queryOptions, type QueryClient } from '@tanstack/react-query'
import type {
  Invitation,
  InvitationList,
  Member,
  MemberList,
  NewInvitation,
  OwnInvitation,
  OwnInvitationList,
} from '#shared/contract/members.ts'
import type { Organization } from '#shared/contract/organizations.ts'
import type { Role } from '#shared/permissions.ts'
import { call } from '#page/api.ts'
import { sync } from '#page/start/boot.ts'
import { organizationsQuery } from '#page/current-organization.ts'
import { paint } from '#page/query-client.ts'

export function membersQuery(organizationId: string) {
  return queryOptions({
    queryKey: ['members', organizationId],
    queryFn: ({ signal }) =>
      call<MemberList>('listMembers', { params: { organizationId }, signal }).then(({ data }) => data),
    ...paint,
  })
}

export function invitationsQuery(organizationId: string) {
  return queryOptions({
    queryKey: ['invitations', organizationId],
    queryFn: ({ signal }) =>
      call<InvitationList>('listInvitations', { params: { organizationId }, signal }).then(({ data }) => data),
  })
}

export const ownInvitationsQuery = queryOptions({
  queryKey: ['own-invitations'],
  queryFn: ({ signal }) => call<OwnInvitationList>('listOwnInvitations', { signal }).then(({ data }) => data),
})

export async function saveMember(queryClient: QueryClient, { id, organizationId, version }: Member, role: Role) {
  const params = { organizationId, userId: id }
  const saved = await call<Member>('saveMember', { params, ifMatch: version, body: { role } })
  queryClient.setQueryData(membersQuery(organizationId).queryKey, (before = []) =>
    before.map((each) => (each.id === saved.id ? saved : each)),
  )
}

export async function removeMember(queryClient: QueryClient, { id, organizationId, version }: Member): Promise<void> {
  await call('deleteMember', { params: { organizationId, userId: id }, ifMatch: version })
  queryClient.setQueryData(membersQuery(organizationId).queryKey, (before = []) =>
    before.filter((each) => each.id !== id),
  )
}

/** `leaveFirst` goes to a screen that does without it: only then is it taken out of the list that screens stand on. */
export async function leaveOrganization(
  queryClient: QueryClient,
  { id, organizationId, version }: Member,
  leaveFirst: () => Promise<void>,
): Promise<void> {
  await call('deleteMember', { params: { organizationId, userId: id }, ifMatch: version })
  await leaveFirst()
  queryClient.setQueryData(organizationsQuery.queryKey, (before = []) =>
    before.filter((each) => each.id !== organizationId),
  )
}

export async function transferOrganization(queryClient: QueryClient, { id, version }: Organization, userId: string) {
  const saved = await call<Organization>('transferOrganization', {
    params: { organizationId: id },
    ifMatch: version,
    body: { userId },
  })
  queryClient.setQueryData(organizationsQuery.queryKey, (before = []) =>
    before.map((each) => (each.id === id ? saved : each)),
  )
}

export async function invite(queryClient: QueryClient, organizationId: string, body: NewInvitation): Promise<void> {
  await call<Invitation>('createInvitation', { params: { organizationId }, body })
  await queryClient.invalidateQueries({ queryKey: invitationsQuery(organizationId).queryKey })
}

export async function resendInvitation(queryClient: QueryClient, { id, organizationId }: Invitation): Promise<void> {
  await call<Invitation>('resendInvitation', { params: { organizationId, invitationId: id } })
  await queryClient.invalidateQueries({ queryKey: invitationsQuery(organizationId).queryKey })
}

export async function revokeInvitation(queryClient: QueryClient, { id, organizationId }: Invitation): Promise<void> {
  await call('revokeInvitation', { params: { organizationId, invitationId: id } })
  await queryClient.invalidateQueries({ queryKey: invitationsQuery(organizationId).queryKey })
}

/** What a mailed link is about; also for who is not signed in. */
export function findInvitation(token: string): Promise<OwnInvitation> {
  return call('findInvitation', { body: { token } })
}

export async function answerInvitation(
  queryClient: QueryClient,
  { id }: OwnInvitation,
  answer: 'accept' | 'decline',
): Promise<void> {
  await call(answer === 'accept' ? 'acceptInvitation' : 'declineInvitation', { params: { invitationId: id } })
  queryClient.setQueryData(ownInvitationsQuery.queryKey, (before = []) => before.filter((each) => each.id !== id))
  sync()
}
