// Where the palette leads: every screen that needs nothing more than an organization, as far as one's role goes.
import type { UseNavigateResult } from '@tanstack/react-router'
import type { Organization } from '#shared/contract/organizations.ts'
import { may, type Permission } from '#shared/permissions.ts'
import { text } from '#page/words/app-text.ts'

export interface Place {
  id: string
  label: string
  detail?: string
  /** Other words that people look for it by. */
  also?: string
  open: (go: UseNavigateResult<string>) => Promise<void>
}

interface Known extends Omit<Place, 'id'> {
  /** Everybody's else. */
  permission?: Permission
}

/** Who has no organization yet may begin one. */
export function places(organization: Organization | null): Place[] {
  const all = { ...(organization && placesOf(organization.id)), ...ownPlaces() }
  return Object.entries<Known>(all)
    .filter(([, { permission }]) => !permission || (organization && may(organization, permission)))
    .map(([id, { permission: _, ...place }]) => ({ id, ...place }))
}

function placesOf(organizationId: string) {
  const { also } = text.places
  const params = { organizationId }
  return {
    'new-invoice': {
      label: text.invoices.new,
      detail: 'N',
      permission: 'invoice.draft',
      open: (go) => go({ to: '/invoices/new' }),
    },
    'new-quote': { label: text.quotes.new, permission: 'invoice.draft', open: (go) => go({ to: '/quotes/new' }) },
    'new-customer': {
      label: text.customers.new,
      permission: 'customer.write',
      open: (go) => go({ to: '/customers/new' }),
    },
    'new-item': { label: text.items.new, permission: 'item.write', open: (go) => go({ to: '/items/new' }) },
    'new-payment': {
      label: text.paymentForm.title,
      permission: 'payment.write',
      open: (go) => go({ to: '/organization/$organizationId/payments/new', params }),
    },
    invoices: { label: text.frame.invoices, open: (go) => go({ to: '/invoices' }) },
    quotes: { label: text.quotes.title, open: (go) => go({ to: '/quotes' }) },
    payments: {
      label: text.payments.title,
      open: (go) => go({ to: '/organization/$organizationId/payments', params }),
    },
    customers: { label: text.frame.customers, open: (go) => go({ to: '/customers' }) },
    items: { label: text.frame.items, open: (go) => go({ to: '/items' }) },
    recurring: {
      label: text.recurring.title,
      open: (go) => go({ to: '/organization/$organizationId/recurring', params }),
    },
    reminders: {
      label: text.reminders.title,
      open: (go) => go({ to: '/organization/$organizationId/reminders', params }),
    },
    organization: {
      label: text.frame.organization,
      open: (go) => go({ to: '/organization/$organizationId', params }),
    },
    settings: {
      label: text.frame.settings,
      also: also.settings,
      open: (go) => go({ to: '/organization/$organizationId/settings', params }),
    },
    members: {
      label: text.members.title,
      also: also.members,
      open: (go) => go({ to: '/organization/$organizationId/members', params }),
    },
    activity: {
      label: text.activity.title,
      also: also.activity,
      permission: 'activity.read',
      open: (go) => go({ to: '/organization/$organizationId/activity', params }),
    },
    data: {
      label: text.exports.title,
      also: also.data,
      open: (go) => go({ to: '/organization/$organizationId/data', params }),
    },
    'import-customers': {
      label: text.imports.titles.customers,
      permission: 'customer.write',
      open: (go) => go({ to: '/organization/$organizationId/import/$kind', params: { ...params, kind: 'customers' } }),
    },
    'import-items': {
      label: text.imports.titles.items,
      permission: 'item.write',
      open: (go) => go({ to: '/organization/$organizationId/import/$kind', params: { ...params, kind: 'items' } }),
    },
    'import-invoices': {
      label: text.imports.titles.invoices,
      permission: 'invoice.draft',
      open: (go) => go({ to: '/organization/$organizationId/import/$kind', params: { ...params, kind: 'invoices' } }),
    },
    failures: {
      label: text.failures.title,
      also: also.failures,
      permission: 'failure.manage',
      open: (go) => go({ to: '/organization/$organizationId/failures', params }),
    },
    numbers: {
      label: text.numbers.title,
      permission: 'series.read',
      open: (go) => go({ to: '/organization/$organizationId/numbers', params }),
    },
  } satisfies Record<string, Known>
}

function ownPlaces() {
  return {
    dashboard: { label: text.nav.dashboard, open: (go) => go({ to: '/dashboard' }) },
    organizations: { label: text.frame.organizations, open: (go) => go({ to: '/dashboard/organizations' }) },
    'new-organization': {
      label: text.organizations.new,
      open: (go) => go({ to: '/dashboard/organizations/new' }),
    },
    unsent: { label: text.unsent.title, open: (go) => go({ to: '/unsent' }) },
    account: { label: text.account.title, open: (go) => go({ to: '/account' }) },
  } satisfies Record<string, Known>
}
