// The rows that an export holds, some at a time in the order of their ids, whatever is written meanwhile.
import type { ExportedKind, ExportedRows } from '#documents/tables/tables.ts'
import { customerFromRow } from '#server/rows/customer-row.ts'
import type { Tx } from '#server/db/database.ts'
import { itemFromRow } from '#server/rows/item-row.ts'
import { findPayments } from '#server/rows/payment-row.ts'
import { findRows } from '#server/rows/versioned-rows.ts'
import { findInvoices } from '#server/rows/whole-invoice.ts'

export interface Asked {
  tx: Tx
  organizationId: string
  /** The last row of those before; null at the start. */
  afterId: string | null
  /** Today in the organization's zone. */
  today: string
}

/** Kinds in the order in which they are written, and how many rows a step reads: an invoice weighs more than the others. */
export const rowsAtOnce = { customers: 200, items: 200, payments: 200, invoices: 100 } as const satisfies Record<
  ExportedKind,
  number
>

const readers: {
  readonly [Kind in ExportedKind]: (asked: Asked, ids: readonly string[]) => Promise<ExportedRows[Kind][]>
} = {
  customers: async ({ tx, organizationId }, ids) =>
    (await findRows(tx, 'customers', organizationId, ids)).map(customerFromRow),
  items: async ({ tx, organizationId }, ids) => (await findRows(tx, 'items', organizationId, ids)).map(itemFromRow),
  payments: ({ tx, organizationId }, ids) => findPayments(tx, organizationId, ids),
  invoices: ({ tx, organizationId, today }, ids) => findInvoices(tx, organizationId, ids, today),
}

export async function readRows<Kind extends ExportedKind>(kind: Kind, asked: Asked): Promise<ExportedRows[Kind][]> {
  const rows = await readers[kind](asked, await idsOf(kind, asked))
  return rows.toSorted((a, b) => (a.id < b.id ? -1 : 1))
}

async function idsOf(kind: ExportedKind, { tx, organizationId, afterId }: Asked): Promise<string[]> {
  // Of payments none is ever deleted; of the others a tombstone stays. Kysely knows one table at a time.
  let query = tx
    .selectFrom(kind as 'customers')
    .select('id')
    .where('organizationId', '=', organizationId)
  if (kind !== 'payments') query = query.where('deletedAt', 'is', null)
  if (afterId !== null) query = query.where('id', '>', afterId)
  const rows = await query.orderBy('id').limit(rowsAtOnce[kind]).execute()
  return rows.map(({ id }) => id)
}

export async function countRows(tx: Tx, organizationId: string): Promise<Record<ExportedKind | 'documents', number>> {
  const count = async (kind: ExportedKind) => {
    let query = tx
      .selectFrom(kind as 'customers')
      .select((eb) => eb.fn.countAll().as('count'))
      .where('organizationId', '=', organizationId)
    if (kind !== 'payments') query = query.where('deletedAt', 'is', null)
    return Number((await query.executeTakeFirstOrThrow()).count)
  }
  const { documents } = await tx
    .selectFrom('issuedInvoices')
    .select((eb) => eb.fn.countAll().as('documents'))
    .where('organizationId', '=', organizationId)
    .executeTakeFirstOrThrow()
  return {
    customers: await count('customers'),
    items: await count('items'),
    payments: await count('payments'),
    invoices: await count('invoices'),
    documents: Number(documents),
  }
}
