// Who belongs to an organization, and who was asked to.
import * as z from 'zod'
import { roles } from '#shared/permissions.ts'
import { emailAddress } from './auth.ts'
import { id, instant, oneOf, rowFields } from './common.ts'
import { mailState } from './mail-state.ts'

const role = oneOf(roles)

/** `id` is the person's, the same in every organization; `createdAt` is since when they belong to this one. */
export const member = z
  .object({ id, organizationId: id, name: z.string(), email: z.string(), role, ...rowFields })
  .meta({ id: 'Member' })
export type Member = z.infer<typeof member>

/** An organization's people are few: the list is not paged. */
export const memberList = z.object({ data: z.array(member) }).meta({ id: 'MemberList' })
export type MemberList = z.infer<typeof memberList>

export const memberEdit = z.object({ role }).meta({ id: 'MemberEdit' })

/** To whom the organization passes; whoever gives it stays as an admin. */
export const transfer = z.object({ userId: id }).meta({ id: 'Transfer' })

const invitationStatuses = ['pending', 'accepted', 'declined', 'revoked', 'expired'] as const
const status = oneOf(invitationStatuses)

export const newInvitation = z.object({ email: emailAddress, role }).meta({ id: 'NewInvitation' })
export type NewInvitation = z.infer<typeof newInvitation>

export const invitation = z
  .object({
    id,
    organizationId: id,
    email: z.string(),
    role,
    status,
    invitedBy: z.string(),
    createdAt: instant,
    /** When the mail was last asked for. */
    sentAt: instant,
    /** What became of that mail. */
    mail: mailState,
    expiresAt: instant,
  })
  .meta({ id: 'Invitation' })
export type Invitation = z.infer<typeof invitation>

/** The newest 200. */
export const invitationList = z.object({ data: z.array(invitation) }).meta({ id: 'InvitationList' })
export type InvitationList = z.infer<typeof invitationList>

/** As the person who is invited sees it: nothing of the organization but its name. */
export const ownInvitation = z
  .object({
    id,
    organizationName: z.string(),
    email: z.string(),
    role,
    status,
    invitedBy: z.string(),
    expiresAt: instant,
  })
  .meta({ id: 'OwnInvitation' })
export type OwnInvitation = z.infer<typeof ownInvitation>

export const ownInvitationList = z.object({ data: z.array(ownInvitation) }).meta({ id: 'OwnInvitationList' })
export type OwnInvitationList = z.infer<typeof ownInvitationList>

export const invitationToken = z
  .object({ token: z.string('No invitation token').min(1, 'No invitation token').max(500) })
  .meta({ id: 'InvitationToken' })

export const joined = z.object({ organizationId: id, role }).meta({ id: 'Joined' })
