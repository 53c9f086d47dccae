// Links that somebody makes and takes back by hand. A link has no row that the activity could read: it is told with what it shows, and without what opens it.
import type { PublicLink } from '#shared/contract/invoices.ts'
import type { EndpointName } from '#shared/endpoints.ts'
import { ProblemError } from '#shared/problem.ts'
import type { TenantCall } from '#server/context.ts'
import { recordActivity } from '#server/rows/activity-log.ts'
import { insertPublicLink, revokePublicLinks, type Linked } from '#server/rows/public-links.ts'

interface Named extends Linked {
  number: string | null
}

type AnyCall = TenantCall<unknown, unknown>

export async function makeLink(
  call: AnyCall,
  action: EndpointName,
  linked: Named,
  tokenHash: string,
): Promise<PublicLink> {
  if (!(await insertPublicLink(call, call.caller.userId, linked, tokenHash))) throw new ProblemError('id_taken')
  await note(call, action, linked)
  return { createdAt: call.now }
}

export async function endLinks(call: AnyCall, action: EndpointName, linked: Named): Promise<void> {
  if (await revokePublicLinks(call, linked)) await note(call, action, linked)
}

function note({ caller, ...call }: AnyCall, action: EndpointName, { id, number }: Named): Promise<void> {
  return recordActivity({ ...call, userId: caller.userId }, action, { kind: 'public-link', id }, number ?? '', [])
}
