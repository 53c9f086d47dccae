// Every call of the API, once: its name, road and rules. Schemas live in contract/, so that the worker stays small.
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

const rows = {
  register: { method: 'POST', path: '/auth/register', auth: 'public', proof: true },
  login: { method: 'POST', path: '/auth/login', auth: 'public', proof: true },
  refreshToken: { method: 'POST', path: '/auth/refresh-token', auth: 'public', proof: true },
  verifyEmail: { method: 'GET', path: '/auth/verify-email', auth: 'optional', proof: true },
  sendVerificationMail: { method: 'POST', path: '/auth/send-verification-mail', auth: 'session' },
  logout: { method: 'POST', path: '/auth/logout', auth: 'optional', proof: true },
  forgotPassword: { method: 'POST', path: '/auth/forgot-password', auth: 'public' },
  resetPassword: { method: 'POST', path: '/auth/reset-password', auth: 'public', proof: true },
  confirmEmail: { method: 'POST', path: '/auth/confirm-email', auth: 'public' },
  startPasskeyLogin: { method: 'POST', path: '/auth/passkey-options', auth: 'public' },
  passkeyLogin: { method: 'POST', path: '/auth/passkey', auth: 'public', proof: true },

  getAccount: { method: 'GET', path: '/account', auth: 'session' },
  saveAccount: { method: 'PUT', path: '/account', auth: 'session' },
  exportAccount: { method: 'GET', path: '/account/export', auth: 'session' },
  deleteAccount: { method: 'POST', path: '/account/delete', auth: 'session' },
  changePassword: { method: 'PUT', path: '/account/password', auth: 'session' },
  changeEmail: { method: 'POST', path: '/account/email', auth: 'session' },
  cancelEmailChange: { method: 'DELETE', path: '/account/email', auth: 'session' },
  listSessions: { method: 'GET', path: '/account/sessions', auth: 'session' },
  endSession: { method: 'DELETE', path: '/account/sessions/{sessionId}', auth: 'session' },
  endOtherSessions: { method: 'POST', path: '/account/sessions/end-others', auth: 'session' },
  listPasskeys: { method: 'GET', path: '/account/passkeys', auth: 'session' },
  startPasskey: { method: 'POST', path: '/account/passkey-options', auth: 'verified' },
  createPasskey: { method: 'POST', path: '/account/passkeys', auth: 'verified' },
  deletePasskey: { method: 'DELETE', path: '/account/passkeys/{passkeyId}', auth: 'session' },

  listOrganizations: { method: 'GET', path: '/organizations', auth: 'verified' },
  createOrganization: { method: 'POST', path: '/organizations', auth: 'verified', queued: 'organization' },
  getOrganization: {
    method: 'GET',
    path: '/organizations/{organizationId}',
    auth: 'verified',
    permission: 'organization.read',
  },
  saveOrganization: {
    method: 'PUT',
    path: '/organizations/{organizationId}',
    auth: 'verified',
    permission: 'organization.edit',
    ifMatch: true,
    queued: 'organization',
  },
  deleteOrganization: {
    method: 'DELETE',
    path: '/organizations/{organizationId}',
    auth: 'verified',
    permission: 'organization.delete',
    ifMatch: true,
  },
  getDashboard: {
    method: 'GET',
    path: '/organizations/{organizationId}/dashboard',
    auth: 'verified',
    permission: 'invoice.read',
  },

  listChanges: {
    method: 'GET',
    path: '/organizations/{organizationId}/changes',
    auth: 'verified',
    permission: 'organization.read',
  },

  listCustomers: {
    method: 'GET',
    path: '/organizations/{organizationId}/customers',
    auth: 'verified',
    permission: 'customer.read',
  },
  createCustomer: {
    method: 'POST',
    path: '/organizations/{organizationId}/customers',
    auth: 'verified',
    permission: 'customer.write',
    queued: 'customer',
  },
  getCustomer: {
    method: 'GET',
    path: '/organizations/{organizationId}/customers/{customerId}',
    auth: 'verified',
    permission: 'customer.read',
  },
  saveCustomer: {
    method: 'PUT',
    path: '/organizations/{organizationId}/customers/{customerId}',
    auth: 'verified',
    permission: 'customer.write',
    ifMatch: true,
    queued: 'customer',
  },
  deleteCustomer: {
    method: 'DELETE',
    path: '/organizations/{organizationId}/customers/{customerId}',
    auth: 'verified',
    permission: 'customer.write',
    ifMatch: true,
    queued: 'customer',
  },

  listItems: {
    method: 'GET',
    path: '/organizations/{organizationId}/items',
    auth: 'verified',
    permission: 'item.read',
  },
  createItem: {
    method: 'POST',
    path: '/organizations/{organizationId}/items',
    auth: 'verified',
    permission: 'item.write',
    queued: 'item',
  },
  getItem: {
    method: 'GET',
    path: '/organizations/{organizationId}/items/{itemId}',
    auth: 'verified',
    permission: 'item.read',
  },
  saveItem: {
    method: 'PUT',
    path: '/organizations/{organizationId}/items/{itemId}',
    auth: 'verified',
    permission: 'item.write',
    ifMatch: true,
    queued: 'item',
  },
  deleteItem: {
    method: 'DELETE',
    path: '/organizations/{organizationId}/items/{itemId}',
    auth: 'verified',
    permission: 'item.write',
    ifMatch: true,
    queued: 'item',
  },

  listInvoices: {
    method: 'GET',
    path: '/organizations/{organizationId}/invoices',
    auth: 'verified',
    permission: 'invoice.read',
  },
  createInvoice: {
    method: 'POST',
    path: '/organizations/{organizationId}/invoices',
    auth: 'verified',
    permission: 'invoice.draft',
    queued: 'invoice',
  },
  getInvoice: {
    method: 'GET',
    path: '/organizations/{organizationId}/invoices/{invoiceId}',
    auth: 'verified',
    permission: 'invoice.read',
  },
  saveInvoice: {
    method: 'PUT',
    path: '/organizations/{organizationId}/invoices/{invoiceId}',
    auth: 'verified',
    permission: 'invoice.draft',
    ifMatch: true,
    queued: 'invoice',
  },
  deleteInvoice: {
    method: 'DELETE',
    path: '/organizations/{organizationId}/invoices/{invoiceId}',
    auth: 'verified',
    permission: 'invoice.draft',
    ifMatch: true,
    queued: 'invoice',
  },
  issueInvoice: {
    method: 'POST',
    path: '/organizations/{organizationId}/invoices/{invoiceId}/issue',
    auth: 'verified',
    permission: 'invoice.issue',
    ifMatch: true,
    queued: 'invoice',
  },
} as const satisfies Record<string, Endpoint>

export type EndpointName = keyof typeof rows

/** The table; each row by its general shape. */
export const endpoints: Readonly<Record<EndpointName, Endpoint>> = rows

/** The page asks the gateway, never the server: answered on the device with a {@link import('./session.ts').Session}. */
export const sessionPath = '/auth/session'

/** Path below the origin with its parameters filled in: `/api/v1/organizations/0190…/invoices`. Throws when one is missing. */
export function endpointPath(name: EndpointName, params: Readonly<Record<string, string>> = {}): string {
  const filled = endpoints[name].path.replace(/\{(\w+)\}/g, (_, key: string) => {
    const value = params[key]
    if (value === undefined) throw new TypeError(`${name} needs ${key}`)
    return encodeURIComponent(value)
  })
  return apiPath + filled
}

/** The endpoint a request is for, by method and path (with or without query); null when it is none of ours. */
export function matchEndpoint(method: string, pathname: string): EndpointName | null {
  if (!pathname.startsWith(`${apiPath}/`)) return null
  const segments = pathname.slice(apiPath.length + 1).split('/')
  for (const [name, endpoint] of Object.entries(endpoints)) {
    if (endpoint.method !== method) continue
    const pattern = endpoint.path.slice(1).split('/')
    if (pattern.length !== segments.length) continue
    if (pattern.every((part, index) => part.startsWith('{') || part === segments[index])) return name as EndpointName
  }
  return null
}
