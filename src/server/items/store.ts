// Lists and writes of items; the mapping is in server/item-row.ts.
import type { Item, ItemEdit, ItemQuery, NewItem } from '#shared/contract/items.ts'
import { itemKeys } from '#shared/item-keys.ts'
import type { Tx } from '#server/db/database.ts'
import { itemFromRow } from '#server/rows/item-row.ts'
import { toPage } from '#server/http/paging.ts'
import { freshRow, listRows } from '#server/rows/versioned-rows.ts'

export async function listItems(tx: Tx, organizationId: string, asked: ItemQuery) {
  const { rows, column } = await listRows(tx, 'items', organizationId, asked)
  return toPage(rows, asked, (row) => ({ key: row[column], id: row.id }), itemFromRow)
}

/** Null when its id is taken, also by one that was deleted: an id is used once. */
export async function insertItem(
  tx: Tx,
  organizationId: string,
  item: NewItem,
  revision: bigint,
  now: string,
): Promise<Item | null> {
  const made = await tx
    .insertInto('items')
    .values({ organizationId, id: item.id, ...toColumns(item), ...freshRow(revision, now) })
    .onConflict((conflict) => conflict.columns(['organizationId', 'id']).doNothing())
    .returningAll()
    .executeTakeFirst()
  return made ? itemFromRow(made) : null
}

export function toColumns(item: ItemEdit & { id?: string }) {
  const { id: _, vat, ...plain } = item
  return { ...plain, vat: JSON.stringify(vat), ...itemKeys(item) }
}
