// A customer's row and the one mapping to the contract: for its own resource and for the invoice that freezes it.
import type { Customer } from '#shared/contract/customers.ts'
import type { Tx } from '#server/db/database.ts'
import { findRow, type RowOf } from './versioned-rows.ts'

export async function findCustomer(tx: Tx, organizationId: string, id: string): Promise<Customer | null> {
  const row = await findRow(tx, 'customers', organizationId, id)
  return row && customerFromRow(row)
}

/** Also one that was deleted: what corrects an invoice goes to whom that was for. */
export async function findFormerCustomer(tx: Tx, organizationId: string, id: string): Promise<Customer | null> {
  const row = await tx
    .selectFrom('customers')
    .selectAll()
    .where('organizationId', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row ? customerFromRow(row) : null
}

export function customerFromRow({
  nameKey: _,
  searchKey: __,
  deletedAt: ___,
  revision,
  ...row
}: RowOf<'customers'>): Customer {
  return { ...(row as Omit<Customer, 'revision'>), revision: Number(revision) }
}
