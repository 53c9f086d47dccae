// Who may do what in an organization (DOMAIN.md's table): the server refuses by it and the page hides by it.

export const roles = ['owner', 'admin', 'accountant', 'member', 'viewer'] as const
export type Role = (typeof roles)[number]

const everyone: readonly Role[] = roles
const writers: readonly Role[] = ['owner', 'admin', 'accountant', 'member']
const managers: readonly Role[] = ['owner', 'admin']
const owners: readonly Role[] = ['owner']

/** Permission -> the roles that have it. Endpoints name one each (endpoints.ts). */
const granted = {
  'organization.read': everyone,
  'organization.edit': managers,
  'organization.delete': owners,
  'customer.read': everyone,
  'customer.write': writers,
  'item.read': everyone,
  'item.write': writers,
  'invoice.read': everyone,
  'invoice.draft': writers,
  'invoice.issue': writers,
} as const

export type Permission = keyof typeof granted

export function may(role: Role, permission: Permission): boolean {
  return granted[permission].includes(role)
}
