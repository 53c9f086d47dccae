import type { Organization } from '#shared/contract/organizations.ts'
import { useOrganizations } from './current-organization.ts'

/** The organization of a screen below `/organization/{id}`, whose frame has made sure that it is there. */
export function useOrganization(id: string): Organization {
  const { data } = useOrganizations()
  return data!.find((organization) => organization.id === id)!
}
