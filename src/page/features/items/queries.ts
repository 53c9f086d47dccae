import type { Item, ItemEditInput, NewItemInput } from '#shared/contract/items.ts'
import { rowQueries } from '#page/row-queries.ts'

export const {
  listQuery: itemsQuery,
  rowQuery: itemQuery,
  createRow: createItem,
  saveRow: saveItem,
  deleteRow: deleteItem,
} = rowQueries<Item, NewItemInput, ItemEditInput>({
  list: 'items',
  one: 'item',
  param: 'itemId',
  calls: { list: 'listItems', get: 'getItem', create: 'createItem', save: 'saveItem', delete: 'deleteItem' },
  shownIn: [],
})
