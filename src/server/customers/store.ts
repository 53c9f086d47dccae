// Lists and writes of customers; the mapping is in server/customer-row.ts.
import type { CustomerEdit, CustomerQuery, NewCustomer } from '#shared/contract/customers.ts'
import { customerKeys } from '#shared/customer-keys.ts'
import type { Tx } from '#server/db/database.ts'
import { customerFromRow } from '#server/customer-row.ts'
import { pageStart, toPage } from '#server/paging.ts'
import { searched } from '#server/search.ts'

export async function listCustomers(tx: Tx, organizationId: string, asked: CustomerQuery) {
  const descending = asked.sort.startsWith('-')
  const column = asked.sort === '-updatedAt' ? ('updatedAt' as const) : ('nameKey' as const)
  const direction = descending ? 'desc' : 'asc'
  const start = pageStart(asked, column === 'updatedAt' ? 'instant' : 'text')
  let query = tx
    .selectFrom('customers')
    .selectAll()
    .where('organizationId', '=', organizationId)
    .where('deletedAt', 'is', null)
    .orderBy(column, direction)
    .orderBy('id', direction)
    .limit(asked.limit + 1)
  if (asked.q) query = query.where((eb) => searched(eb, 'searchKey', asked.q!))
  if (start) {
    const after = descending ? '<' : '>'
    query = query.where((eb) => eb(eb.refTuple(column, 'id'), after, eb.tuple(start.key as string, start.id)))
  }
  return toPage(await query.execute(), asked, (row) => ({ key: row[column], id: row.id }), customerFromRow)
}

export async function insertCustomer(
  tx: Tx,
  organizationId: string,
  customer: NewCustomer,
  revision: bigint,
  now: string,
): Promise<void> {
  await tx
    .insertInto('customers')
    .values({
      organizationId,
      id: customer.id,
      ...toColumns(customer),
      version: 1,
      revision,
      createdAt: now,
      updatedAt: now,
      deletedAt: null,
    })
    .execute()
}

export async function customerIdExists(tx: Tx, organizationId: string, id: string): Promise<boolean> {
  const row = await tx
    .selectFrom('customers')
    .select('id')
    .where('organizationId', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row !== undefined
}

/** False when the row's version is no longer `version`. */
export async function updateCustomer(
  tx: Tx,
  organizationId: string,
  id: string,
  change: CustomerEdit | 'delete',
  version: number,
  revision: bigint,
  now: string,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('customers')
    .set({
      ...(change === 'delete' ? { deletedAt: now } : toColumns(change)),
      version: version + 1,
      revision,
      updatedAt: now,
    })
    .where('organizationId', '=', organizationId)
    .where('id', '=', id)
    .where('version', '=', version)
    .where('deletedAt', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

export async function hasDrafts(tx: Tx, organizationId: string, customerId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('invoices')
    .select('id')
    .where('organizationId', '=', organizationId)
    .where('customerId', '=', customerId)
    .where('status', '=', 'draft')
    .where('deletedAt', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

function toColumns(customer: CustomerEdit & { id?: string }) {
  const { id: _, address, endpoint, ...plain } = customer
  return {
    ...plain,
    address: JSON.stringify(address),
    endpoint: endpoint && JSON.stringify(endpoint),
    ...customerKeys(customer),
  }
}
