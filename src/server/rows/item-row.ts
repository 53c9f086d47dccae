// An item's row and the one mapping to the contract: for its own resource and for the changes feed.
import type { Item } from '#shared/contract/items.ts'
import { plainDecimal } from '#shared/decimal.ts'
import type { Tx } from '#server/db/database.ts'
import { findRow, type RowOf } from './versioned-rows.ts'

export async function findItem(tx: Tx, organizationId: string, id: string): Promise<Item | null> {
  const row = await findRow(tx, 'items', organizationId, id)
  return row && itemFromRow(row)
}

export function itemFromRow({ nameKey: _, searchKey: __, deletedAt: ___, revision, ...row }: RowOf<'items'>): Item {
  return { ...(row as Omit<Item, 'revision'>), unitPrice: plainDecimal(row.unitPrice), revision: Number(revision) }
}
