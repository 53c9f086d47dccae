// Every call of the API, once: its name, road and rules. Schemas live in contract/, so that the worker stays small; what the worker knows by name is
// in device-endpoints.ts, and a call that works online only belongs here.
import { deviceEndpoints, type DeviceEndpointName } from './device-endpoints.ts'
import type { Permission } from './permissions.ts'
import { matchIn, pathOf, type Endpoint } from './endpoint.ts'

const onlineRows = {
  getAccount: { method: 'GET', path: '/account', auth: 'session' },
  saveAccount: { method: 'PUT', path: '/account', auth: 'session' },
  exportAccount: { method: 'GET', path: '/account/export', auth: 'session' },
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
  listSeries: {
    method: 'GET',
    path: '/organizations/{organizationId}/series',
    auth: 'verified',
    permission: 'series.read',
  },
  saveLogo: {
    method: 'PUT',
    path: '/organizations/{organizationId}/logo',
    auth: 'verified',
    permission: 'organization.edit',
    ifMatch: true,
  },
  getLogo: {
    method: 'GET',
    path: '/organizations/{organizationId}/logo',
    auth: 'verified',
    permission: 'organization.read',
  },
  duplicateInvoice: {
    method: 'POST',
    path: '/organizations/{organizationId}/invoices/{invoiceId}/duplicate',
    auth: 'verified',
    permission: 'invoice.draft',
  },
  transferOrganization: {
    method: 'POST',
    path: '/organizations/{organizationId}/transfer',
    auth: 'verified',
    permission: 'organization.transfer',
    ifMatch: true,
  },
  saveMember: {
    method: 'PUT',
    path: '/organizations/{organizationId}/members/{userId}',
    auth: 'verified',
    permission: 'member.manage',
    ifMatch: true,
  },
  // Leaving is everybody's; whom else one may remove is for the handler to say.
  deleteMember: {
    method: 'DELETE',
    path: '/organizations/{organizationId}/members/{userId}',
    auth: 'verified',
    permission: 'member.read',
    ifMatch: true,
  },
  listInvitations: {
    method: 'GET',
    path: '/organizations/{organizationId}/invitations',
    auth: 'verified',
    permission: 'member.manage',
  },
  createInvitation: {
    method: 'POST',
    path: '/organizations/{organizationId}/invitations',
    auth: 'verified',
    permission: 'member.manage',
  },
  resendInvitation: {
    method: 'POST',
    path: '/organizations/{organizationId}/invitations/{invitationId}/resend',
    auth: 'verified',
    permission: 'member.manage',
  },
  revokeInvitation: {
    method: 'DELETE',
    path: '/organizations/{organizationId}/invitations/{invitationId}',
    auth: 'verified',
    permission: 'member.manage',
  },
  listActivity: {
    method: 'GET',
    path: '/organizations/{organizationId}/activity',
    auth: 'verified',
    permission: 'activity.read',
  },
  listOwnInvitations: { method: 'GET', path: '/invitations', auth: 'verified' },
  findInvitation: { method: 'POST', path: '/public/invitations', auth: 'public' },
  acceptInvitation: { method: 'POST', path: '/invitations/{invitationId}/accept', auth: 'verified' },
  declineInvitation: { method: 'POST', path: '/invitations/{invitationId}/decline', auth: 'verified' },
  createPublicLink: {
    method: 'POST',
    path: '/organizations/{organizationId}/invoices/{invoiceId}/public-links',
    auth: 'verified',
    permission: 'invoice.send',
  },
  revokePublicLinks: {
    method: 'DELETE',
    path: '/organizations/{organizationId}/invoices/{invoiceId}/public-links',
    auth: 'verified',
    permission: 'invoice.send',
  },
  getPublicInvoice: { method: 'GET', path: '/public/invoices/{token}', auth: 'public' },
  getPublicPdf: { method: 'GET', path: '/public/invoices/{token}/pdf', auth: 'public' },
  notePublicView: { method: 'POST', path: '/public/invoices/{token}/viewed', auth: 'public' },
  getInvoicePdf: {
    method: 'GET',
    path: '/organizations/{organizationId}/invoices/{invoiceId}/pdf',
    auth: 'verified',
    permission: 'invoice.read',
  },
  getInvoiceXml: {
    method: 'GET',
    path: '/organizations/{organizationId}/invoices/{invoiceId}/ubl.xml',
    auth: 'verified',
    permission: 'invoice.read',
  },
  listExports: {
    method: 'GET',
    path: '/organizations/{organizationId}/exports',
    auth: 'verified',
    permission: 'organization.export',
  },
  createExport: {
    method: 'POST',
    path: '/organizations/{organizationId}/exports',
    auth: 'verified',
    permission: 'organization.export',
  },
  getExport: {
    method: 'GET',
    path: '/organizations/{organizationId}/exports/{exportId}',
    auth: 'verified',
    permission: 'organization.export',
  },
  deleteExport: {
    method: 'DELETE',
    path: '/organizations/{organizationId}/exports/{exportId}',
    auth: 'verified',
    permission: 'organization.export',
  },
  getExportFile: {
    method: 'GET',
    path: '/organizations/{organizationId}/exports/{exportId}/file',
    auth: 'verified',
    permission: 'organization.export',
  },
  importCustomers: {
    method: 'POST',
    path: '/organizations/{organizationId}/customers/import',
    auth: 'verified',
    permission: 'customer.write',
  },
  importItems: {
    method: 'POST',
    path: '/organizations/{organizationId}/items/import',
    auth: 'verified',
    permission: 'item.write',
  },
  importInvoices: {
    method: 'POST',
    path: '/organizations/{organizationId}/invoices/import',
    auth: 'verified',
    permission: 'invoice.draft',
  },
  listRecurring: {
    method: 'GET',
    path: '/organizations/{organizationId}/recurring-invoices',
    auth: 'verified',
    permission: 'invoice.read',
  },
  createRecurring: {
    method: 'POST',
    path: '/organizations/{organizationId}/recurring-invoices',
    auth: 'verified',
    permission: 'invoice.draft',
  },
  getRecurring: {
    method: 'GET',
    path: '/organizations/{organizationId}/recurring-invoices/{recurringId}',
    auth: 'verified',
    permission: 'invoice.read',
  },
  saveRecurring: {
    method: 'PUT',
    path: '/organizations/{organizationId}/recurring-invoices/{recurringId}',
    auth: 'verified',
    permission: 'invoice.draft',
    ifMatch: true,
  },
  deleteRecurring: {
    method: 'DELETE',
    path: '/organizations/{organizationId}/recurring-invoices/{recurringId}',
    auth: 'verified',
    permission: 'invoice.draft',
    ifMatch: true,
  },
  getReminderRules: {
    method: 'GET',
    path: '/organizations/{organizationId}/reminders',
    auth: 'verified',
    permission: 'organization.read',
  },
  saveReminderRules: {
    method: 'PUT',
    path: '/organizations/{organizationId}/reminders',
    auth: 'verified',
    permission: 'organization.edit',
    ifMatch: true,
  },
  listInvoiceMails: {
    method: 'GET',
    path: '/organizations/{organizationId}/invoices/{invoiceId}/mails',
    auth: 'verified',
    permission: 'invoice.read',
  },
  remindInvoice: {
    method: 'POST',
    path: '/organizations/{organizationId}/invoices/{invoiceId}/remind',
    auth: 'verified',
    permission: 'invoice.remind',
  },
  pauseReminders: {
    method: 'PUT',
    path: '/organizations/{organizationId}/invoices/{invoiceId}/reminders',
    auth: 'verified',
    permission: 'invoice.remind',
  },
  listAllInvoices: { method: 'GET', path: '/invoices', auth: 'verified' },
  countFailures: { method: 'GET', path: '/failures', auth: 'verified' },
  listFailures: {
    method: 'GET',
    path: '/organizations/{organizationId}/failures',
    auth: 'verified',
    permission: 'failure.manage',
  },
  retryWork: {
    method: 'POST',
    path: '/organizations/{organizationId}/failures/retry',
    auth: 'verified',
    permission: 'failure.manage',
  },
  retryMail: {
    method: 'POST',
    path: '/organizations/{organizationId}/mails/{mailId}/retry',
    auth: 'verified',
    permission: 'failure.manage',
  },
  dismissMail: {
    method: 'DELETE',
    path: '/organizations/{organizationId}/mails/{mailId}',
    auth: 'verified',
    permission: 'failure.manage',
  },
  listQuotes: {
    method: 'GET',
    path: '/organizations/{organizationId}/quotes',
    auth: 'verified',
    permission: 'invoice.read',
  },
  createQuote: {
    method: 'POST',
    path: '/organizations/{organizationId}/quotes',
    auth: 'verified',
    permission: 'invoice.draft',
  },
  getQuote: {
    method: 'GET',
    path: '/organizations/{organizationId}/quotes/{quoteId}',
    auth: 'verified',
    permission: 'invoice.read',
  },
  saveQuote: {
    method: 'PUT',
    path: '/organizations/{organizationId}/quotes/{quoteId}',
    auth: 'verified',
    permission: 'invoice.draft',
    ifMatch: true,
  },
  deleteQuote: {
    method: 'DELETE',
    path: '/organizations/{organizationId}/quotes/{quoteId}',
    auth: 'verified',
    permission: 'invoice.draft',
    ifMatch: true,
  },
  issueQuote: {
    method: 'POST',
    path: '/organizations/{organizationId}/quotes/{quoteId}/issue',
    auth: 'verified',
    permission: 'invoice.send',
    ifMatch: true,
  },
  sendQuote: {
    method: 'POST',
    path: '/organizations/{organizationId}/quotes/{quoteId}/send',
    auth: 'verified',
    permission: 'invoice.send',
    ifMatch: true,
  },
  reviseQuote: {
    method: 'POST',
    path: '/organizations/{organizationId}/quotes/{quoteId}/revise',
    auth: 'verified',
    permission: 'invoice.send',
    ifMatch: true,
  },
  answerQuote: {
    method: 'POST',
    path: '/organizations/{organizationId}/quotes/{quoteId}/answer',
    auth: 'verified',
    permission: 'invoice.send',
    ifMatch: true,
  },
  createQuoteLink: {
    method: 'POST',
    path: '/organizations/{organizationId}/quotes/{quoteId}/public-links',
    auth: 'verified',
    permission: 'invoice.send',
  },
  revokeQuoteLinks: {
    method: 'DELETE',
    path: '/organizations/{organizationId}/quotes/{quoteId}/public-links',
    auth: 'verified',
    permission: 'invoice.send',
  },
  getQuotePdf: {
    method: 'GET',
    path: '/organizations/{organizationId}/quotes/{quoteId}/pdf',
    auth: 'verified',
    permission: 'invoice.read',
  },
  createInvoiceOfQuote: {
    method: 'POST',
    path: '/organizations/{organizationId}/quotes/{quoteId}/invoices',
    auth: 'verified',
    permission: 'invoice.draft',
    ifMatch: true,
  },
  getPublicQuote: { method: 'GET', path: '/public/quotes/{token}', auth: 'public' },
  getPublicQuotePdf: { method: 'GET', path: '/public/quotes/{token}/pdf', auth: 'public' },
  notePublicQuoteView: { method: 'POST', path: '/public/quotes/{token}/viewed', auth: 'public' },
  answerPublicQuote: { method: 'POST', path: '/public/quotes/{token}/answer', auth: 'public' },
} as const satisfies Record<string, Endpoint>

/** Of the calls that the worker knows; it asks nobody for permission. */
const devicePermissions: Partial<Record<DeviceEndpointName, Permission>> = {
  getOrganization: 'organization.read',
  saveOrganization: 'organization.edit',
  deleteOrganization: 'organization.delete',
  getDashboard: 'invoice.read',
  listChanges: 'organization.read',
  listMembers: 'member.read',
  getMember: 'member.read',
  listCustomers: 'customer.read',
  createCustomer: 'customer.write',
  getCustomer: 'customer.read',
  saveCustomer: 'customer.write',
  deleteCustomer: 'customer.write',
  listItems: 'item.read',
  createItem: 'item.write',
  getItem: 'item.read',
  saveItem: 'item.write',
  deleteItem: 'item.write',
  listInvoices: 'invoice.read',
  createInvoice: 'invoice.draft',
  getInvoice: 'invoice.read',
  saveInvoice: 'invoice.draft',
  deleteInvoice: 'invoice.draft',
  issueInvoice: 'invoice.issue',
  voidInvoice: 'invoice.void',
  markUncollectible: 'invoice.uncollectible',
  sendInvoice: 'invoice.send',
  createCreditNote: 'creditNote.write',
  listPayments: 'payment.read',
  getPayment: 'payment.read',
  recordPayment: 'payment.write',
  reversePayment: 'payment.write',
}

export type EndpointName = DeviceEndpointName | keyof typeof onlineRows

/** The table; each row by its general shape. */
export const endpoints: Readonly<Record<EndpointName, Endpoint>> = {
  ...(Object.fromEntries(
    Object.entries(deviceEndpoints).map(([name, endpoint]) => {
      const permission = devicePermissions[name as DeviceEndpointName]
      return [name, { ...endpoint, ...(permission && { permission }) }]
    }),
  ) as Record<DeviceEndpointName, Endpoint>),
  ...onlineRows,
}

/** Path below the origin with its parameters filled in: `/api/v1/organizations/0190…/invoices`. Throws when one is missing. */
export function endpointPath(name: EndpointName, params?: Readonly<Record<string, string>>): string {
  return pathOf(endpoints[name], params)
}

/** The endpoint a request is for, by method and path (with or without query); null when it is none of ours. */
export function matchEndpoint(method: string, pathname: string): EndpointName | null {
  return matchIn(endpoints, method, pathname)
}
