// Lists and writes of customers; the mapping is in server/customer-row.ts.
import type { Customer, CustomerEdit, CustomerQuery, NewCustomer } from '#shared/contract/customers.ts'
import { customerKeys } from '#shared/customer-keys.ts'
import type { Tx } from '#server/db/database.ts'
import { customerFromRow } from '#server/rows/customer-row.ts'
import { toPage } from '#server/http/paging.ts'
import { freshRow, listRows } from '#server/rows/versioned-rows.ts'

export async function listCustomers(tx: Tx, organizationId: string, asked: CustomerQuery) {
  const { rows, column } = await listRows(tx, 'customers', organizationId, asked)
  return toPage(rows, asked, (row) => ({ key: row[column], id: row.id }), customerFromRow)
}

/** Null when its id is taken, also by one that was deleted: an id is used once. */
export async function insertCustomer(
  tx: Tx,
  organizationId: string,
  customer: NewCustomer,
  revision: bigint,
  now: string,
): Promise<Customer | null> {
  const made = await tx
    .insertInto('customers')
    .values({ organizationId, id: customer.id, ...toColumns(customer), ...freshRow(revision, now) })
    .onConflict((conflict) => conflict.columns(['organizationId', 'id']).doNothing())
    .returningAll()
    .executeTakeFirst()
  return made ? customerFromRow(made) : null
}

/** Of invoices or of quotes. */
export async function hasDrafts(tx: Tx, organizationId: string, customerId: string): Promise<boolean> {
  for (const table of ['invoices', 'quotes'] as const) {
    const row = await tx
      .selectFrom(table)
      .select('id')
      .where('organizationId', '=', organizationId)
      .where('customerId', '=', customerId)
      .where('status', '=', 'draft')
      .where('deletedAt', 'is', null)
      .limit(1)
      .executeTakeFirst()
    if (row) return true
  }
  return false
}

/** One that has come to its end names nobody any more. */
export async function isRepeated(tx: Tx, organizationId: string, customerId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('recurringInvoices')
    .select('id')
    .where('organizationId', '=', organizationId)
    .where('customerId', '=', customerId)
    .where('nextOn', 'is not', null)
    .where('deletedAt', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export function toColumns(customer: CustomerEdit & { id?: string }) {
  const { id: _, address, endpoint, ...plain } = customer
  return {
    ...plain,
    address: JSON.stringify(address),
    endpoint: endpoint && JSON.stringify(endpoint),
    ...customerKeys(customer),
  }
}
