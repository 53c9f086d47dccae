// The calls of the API that the worker knows by name: it exchanges tokens with them, answers them from the copy, or keeps them in the outbox.
// Every other call (endpoints.ts) it only passes on.
import type { Endpoint } from './endpoint.ts'

/** Who may call is for the server to say: endpoints.ts. */
type DeviceEndpoint = Omit<Endpoint, 'permission'>

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
  deleteAccount: { method: 'POST', path: '/account/delete', auth: 'session' },

  listOrganizations: { method: 'GET', path: '/organizations', auth: 'verified' },
  createOrganization: { method: 'POST', path: '/organizations', auth: 'verified', queued: 'organization' },
  getOrganization: {
    method: 'GET',
    path: '/organizations/{organizationId}',
    auth: 'verified',
  },
  saveOrganization: {
    method: 'PUT',
    path: '/organizations/{organizationId}',
    auth: 'verified',
    ifMatch: true,
    queued: 'organization',
  },
  deleteOrganization: {
    method: 'DELETE',
    path: '/organizations/{organizationId}',
    auth: 'verified',
    ifMatch: true,
    queued: 'organization',
  },
  getDashboard: {
    method: 'GET',
    path: '/organizations/{organizationId}/dashboard',
    auth: 'verified',
  },

  listChanges: {
    method: 'GET',
    path: '/organizations/{organizationId}/changes',
    auth: 'verified',
  },

  listMembers: {
    method: 'GET',
    path: '/organizations/{organizationId}/members',
    auth: 'verified',
  },
  getMember: {
    method: 'GET',
    path: '/organizations/{organizationId}/members/{userId}',
    auth: 'verified',
  },

  listCustomers: {
    method: 'GET',
    path: '/organizations/{organizationId}/customers',
    auth: 'verified',
  },
  createCustomer: {
    method: 'POST',
    path: '/organizations/{organizationId}/customers',
    auth: 'verified',
    queued: 'customer',
  },
  getCustomer: {
    method: 'GET',
    path: '/organizations/{organizationId}/customers/{customerId}',
    auth: 'verified',
  },
  saveCustomer: {
    method: 'PUT',
    path: '/organizations/{organizationId}/customers/{customerId}',
    auth: 'verified',
    ifMatch: true,
    queued: 'customer',
  },
  deleteCustomer: {
    method: 'DELETE',
    path: '/organizations/{organizationId}/customers/{customerId}',
    auth: 'verified',
    ifMatch: true,
    queued: 'customer',
  },

  listItems: {
    method: 'GET',
    path: '/organizations/{organizationId}/items',
    auth: 'verified',
  },
  createItem: {
    method: 'POST',
    path: '/organizations/{organizationId}/items',
    auth: 'verified',
    queued: 'item',
  },
  getItem: {
    method: 'GET',
    path: '/organizations/{organizationId}/items/{itemId}',
    auth: 'verified',
  },
  saveItem: {
    method: 'PUT',
    path: '/organizations/{organizationId}/items/{itemId}',
    auth: 'verified',
    ifMatch: true,
    queued: 'item',
  },
  deleteItem: {
    method: 'DELETE',
    path: '/organizations/{organizationId}/items/{itemId}',
    auth: 'verified',
    ifMatch: true,
    queued: 'item',
  },

  listInvoices: {
    method: 'GET',
    path: '/organizations/{organizationId}/invoices',
    auth: 'verified',
  },
  createInvoice: {
    method: 'POST',
    path: '/organizations/{organizationId}/invoices',
    auth: 'verified',
    queued: 'invoice',
  },
  getInvoice: {
    method: 'GET',
    path: '/organizations/{organizationId}/invoices/{invoiceId}',
    auth: 'verified',
  },
  saveInvoice: {
    method: 'PUT',
    path: '/organizations/{organizationId}/invoices/{invoiceId}',
    auth: 'verified',
    ifMatch: true,
    queued: 'invoice',
  },
  deleteInvoice: {
    method: 'DELETE',
    path: '/organizations/{organizationId}/invoices/{invoiceId}',
    auth: 'verified',
    ifMatch: true,
    queued: 'invoice',
  },
  issueInvoice: {
    method: 'POST',
    path: '/organizations/{organizationId}/invoices/{invoiceId}/issue',
    auth: 'verified',
    ifMatch: true,
    queued: 'invoice',
  },

  voidInvoice: {
    method: 'POST',
    path: '/organizations/{organizationId}/invoices/{invoiceId}/void',
    auth: 'verified',
    ifMatch: true,
    queued: 'invoice',
  },
  markUncollectible: {
    method: 'POST',
    path: '/organizations/{organizationId}/invoices/{invoiceId}/uncollectible',
    auth: 'verified',
    ifMatch: true,
    queued: 'invoice',
  },
  sendInvoice: {
    method: 'POST',
    path: '/organizations/{organizationId}/invoices/{invoiceId}/send',
    auth: 'verified',
    ifMatch: true,
    queued: 'invoice',
  },
  createCreditNote: {
    method: 'POST',
    path: '/organizations/{organizationId}/invoices/{invoiceId}/credit-notes',
    auth: 'verified',
    queued: 'invoice',
  },

  listPayments: {
    method: 'GET',
    path: '/organizations/{organizationId}/payments',
    auth: 'verified',
  },
  getPayment: {
    method: 'GET',
    path: '/organizations/{organizationId}/payments/{paymentId}',
    auth: 'verified',
  },
  recordPayment: {
    method: 'POST',
    path: '/organizations/{organizationId}/payments',
    auth: 'verified',
    queued: 'invoice',
  },
  reversePayment: {
    method: 'POST',
    path: '/organizations/{organizationId}/payments/{paymentId}/reverse',
    auth: 'verified',
    ifMatch: true,
    queued: 'invoice',
  },
} as const satisfies Record<string, DeviceEndpoint>

export type DeviceEndpointName = keyof typeof rows

/** The table; each row by its general shape. */
export const deviceEndpoints: Readonly<Record<DeviceEndpointName, DeviceEndpoint>> = rows

/** The parameters that a path fills an endpoint's braces with; ids as the server knows them. */
export function paramsOf(name: DeviceEndpointName, pathname: string): Record<string, string> {
  const pattern = deviceEndpoints[name].path.split('/')
  const parts = pathname.split('/').slice(-pattern.length + 1)
  return Object.fromEntries(
    pattern.slice(1).flatMap((part, index) => {
      const key = /^\{(\w+)\}$/.exec(part)?.[1]
      return key ? [[key, decodeURIComponent(parts[index] ?? '').toLowerCase()]] : []
    }),
  )
}
