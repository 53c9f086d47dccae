import type { Permission } from '#shared/permissions.ts'
import type { ImportKind } from './fields.ts'

export const importPermissions: Readonly<Record<ImportKind, Permission>> = {
  customers: 'customer.write',
  items: 'item.write',
  invoices: 'invoice.draft',
}
