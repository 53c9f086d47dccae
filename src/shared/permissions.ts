// Who may do what in an organization (DOMAIN.md's table): the server refuses by it and the page hides by it.

/** From the one that may most to the one that may least. */
export const roles = ['owner', 'admin', 'accountant', 'member', 'viewer'] as const
export type Role = (typeof roles)[number]

const everyone: readonly Role[] = roles
const writers: readonly Role[] = ['owner', 'admin', 'accountant', 'member']
const accountants: readonly Role[] = ['owner', 'admin', 'accountant']
const managers: readonly Role[] = ['owner', 'admin']
const owners: readonly Role[] = ['owner']

/** Permission -> the roles that have it. Endpoints name one each (endpoints.ts). */
const granted = {
  'organization.read': everyone,
  'organization.edit': managers,
  'organization.transfer': owners,
  'organization.delete': owners,
  'organization.export': accountants,
  'series.read': accountants,
  'member.read': everyone,
  'member.manage': managers,
  'activity.read': accountants,
  'failure.manage': managers,
  'customer.read': everyone,
  'customer.write': writers,
  'item.read': everyone,
  'item.write': writers,
  'invoice.read': everyone,
  'invoice.draft': writers,
  'invoice.issue': writers,
  'invoice.send': writers,
  'invoice.remind': writers,
  'invoice.uncollectible': accountants,
  'invoice.void': managers,
  'payment.read': everyone,
  'payment.write': accountants,
  'creditNote.write': accountants,
} as const

export type Permission = keyof typeof granted

/** What a member may no longer do once the organization says that members do not issue. */
const ifMembersMayIssue: readonly Permission[] = ['invoice.issue', 'invoice.send', 'invoice.remind']

/** How somebody stands in an organization; the contract's organization is one. */
export interface Standing {
  role: Role
  membersMayIssue?: boolean
}

export function may({ role, membersMayIssue = true }: Standing, permission: Permission): boolean {
  if (role === 'member' && !membersMayIssue && ifMembersMayIssue.includes(permission)) return false
  return granted[permission].includes(role)
}

/** Who drafts and issues invoices may not do so with credit notes (381), unless they may write those. */
export function mayWrite(standing: Standing, { type }: { type: string }): boolean {
  return type !== '381' || may(standing, 'creditNote.write')
}

/** A recurring invoice that only writes drafts is theirs who draft; one that issues, or mails as well, theirs who issue. */
export function mayRepeat(standing: Standing, { action }: { action: string }): boolean {
  return may(standing, action === 'draft' ? 'invoice.draft' : 'invoice.issue')
}

/** Whether somebody who stands so may ask others to join as that. */
export function mayInvite(standing: Standing, as: Role): boolean {
  return may(standing, 'member.manage') && mayGive(standing, as)
}

/** Nobody gives or takes a role above their own. */
export function mayGive({ role }: Standing, given: Role): boolean {
  return roles.indexOf(given) >= roles.indexOf(role)
}
