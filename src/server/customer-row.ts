// A customer's row and the one mapping to the contract: for its own resource and for the invoice that freezes it.
import type { Customer } from '#shared/contract/customers.ts'
import type { Tx } from './db/database.ts'
import type { Customers } from './db/tables.ts'

export async function findCustomer(tx: Tx, organizationId: string, id: string): Promise<Customer | null> {
  const row = await tx
    .selectFrom('customers')
    .selectAll()
    .where('organizationId', '=', organizationId)
    .where('id', '=', id)
    .where('deletedAt', 'is', null)
    .executeTakeFirst()
  return row ? customerFromRow(row) : null
}

type Row = {
  [Column in keyof Customers]: Customers[Column] extends string | number | bigint | null ? Customers[Column] : unknown
}

export function customerFromRow({ nameKey: _, searchKey: __, deletedAt: ___, revision, ...row }: Row): Customer {
  return { ...(row as Omit<Customer, 'revision'>), revision: Number(revision) }
}
