// What a call of the API is, and the road it takes. The calls themselves: endpoints.ts.
import type { Permission } from './permissions.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

export interface Endpoint {
  method: Method
  /** Below `/api/v1`; parameters in braces. */
  path: string
  /**
   * Who may call: `public` carries no Bearer, `optional` may, `session` needs one, `verified` needs one of a person whose email is verified.
   */
  auth: 'public' | 'optional' | 'session' | 'verified'
  /** Carries a DPoP proof of the device key; the tokens it may answer with only the gateway sees (SESSION.md). */
  proof?: true
  /** Needed in the organization that the path names. */
  permission?: Permission
  /** Wants If-Match (428 without): it changes a row that somebody else may have changed. */
  ifMatch?: true
  /** Offline it waits on the device until it can be sent (OFFLINE.md "Writing: the outbox"): what it changes. */
  queued?: AggregateKind
}

/** What is saved and versioned as one. */
export type AggregateKind = 'organization' | 'customer' | 'item' | 'invoice'

export const apiPath = '/api/v1'

/** Page -> gateway, and no further: the user whose screen makes the call. */
export const personHeader = 'x-docket-person'

/** Origin of the API: the build constant `VITE_API_BASE_URL`, or the page's own. */
export function apiOriginOf(configured: string | undefined, own: string): string {
  return configured?.replace(/\/+$/, '') || own
}

/** The page asks the gateway, never the server: answered on the device with a {@link import('./session.ts').Session}. */
export const sessionPath = '/auth/session'

/** Path below the origin with its parameters filled in: `/api/v1/organizations/0190…/invoices`. Throws when one is missing. */
export function pathOf({ method, path }: Endpoint, params: Readonly<Record<string, string>> = {}): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, key: string) => {
    const value = params[key]
    if (value === undefined) throw new TypeError(`${method} ${path} needs ${key}`)
    return encodeURIComponent(value)
  })
  return apiPath + filled
}

/** The endpoint of a table that a request is for, by method and path (with or without query); null when it is none of its. */
export function matchIn<Name extends string>(
  table: Readonly<Record<Name, Endpoint>>,
  method: string,
  pathname: string,
): Name | null {
  if (!pathname.startsWith(`${apiPath}/`)) return null
  const segments = pathname.slice(apiPath.length + 1).split('/')
  for (const [name, endpoint] of Object.entries<Endpoint>(table)) {
    if (endpoint.method !== method) continue
    const pattern = endpoint.path.slice(1).split('/')
    if (pattern.length !== segments.length) continue
    if (pattern.every((part, index) => part.startsWith('{') || part === segments[index])) return name as Name
  }
  return null
}
