// How lists of items are ordered and searched: the same keys on the server (COLLATE "C") and on the device (OFFLINE.md).
import { searchKey } from './search-key.ts'

/** Stored beside the row whenever one of its parts changes. */
export function itemKeys({
  name,
  sku,
  description,
}: {
  name: string
  sku: string | null
  description: string | null
}): {
  nameKey: string
  searchKey: string
} {
  return { nameKey: searchKey(name), searchKey: searchKey(name, sku, description).slice(0, 4000) }
}
