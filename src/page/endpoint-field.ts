import type { Organization } from '#shared/contract/organizations.ts'

export const blankEndpoint = { scheme: '', id: '' }

/** The two fields of an e-invoice address; both left empty is none. */
export function endpointFrom(typed: typeof blankEndpoint | undefined): Organization['endpoint'] {
  // What an earlier build kept of a form has no such fields.
  const { scheme, id } = typed ?? blankEndpoint
  return scheme.trim() === '' && id.trim() === '' ? null : { scheme, id }
}
