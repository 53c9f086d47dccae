// Which row here a row of a file is about: a second import of the same file finds what the first one made. The page tells doubles in a file by it too.
import { searchKey } from './search-key.ts'

/** What rows are known by, from the strongest: a row that says otherwise by a stronger one is another. Null: it says nothing. */
export type MatchKeys = readonly (string | null)[]

/** Of a customer: id, VAT number, email, name. Values as a file may hold them, so anything. */
export function customerMatchKeys({ id, vatNumber, email, name }: Readonly<Record<string, unknown>>): MatchKeys {
  return [
    plain(id),
    textOf(vatNumber)
      .replace(/[^\p{L}\p{N}]/gu, '')
      .toUpperCase() || null,
    plain(email),
    key(name),
  ]
}

/** Of an item: id, its number, name. */
export function itemMatchKeys({ id, sku, name }: Readonly<Record<string, unknown>>): MatchKeys {
  return [plain(id), plain(sku), key(name)]
}

/**
 * The rows that `keys` are about, by the strongest key that any shares: more than one cannot be told apart. A row that shares a key and says
 * otherwise by a stronger one is not meant; but for the first, which is an id: a file from elsewhere has ids that mean nothing here.
 */
export function matchesOf<Row>(keys: MatchKeys, rows: readonly { row: Row; keys: MatchKeys }[]): Row[] {
  for (const [level, value] of keys.entries()) {
    if (value === null) continue
    const found = rows.filter(
      ({ keys: others }) =>
        others[level] === value &&
        keys.every(
          (each, at) => at === 0 || at >= level || each === null || others[at] === null || each === others[at],
        ),
    )
    if (found.length > 0) {
      // Of several the one that agrees in most.
      const agreeing = (others: MatchKeys) => keys.filter((each, at) => each !== null && each === others[at]).length
      const most = Math.max(...found.map((each) => agreeing(each.keys)))
      return found.filter((each) => agreeing(each.keys) === most).map(({ row }) => row)
    }
  }
  return []
}

/** Without NUL, which no database looks for. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value.replaceAll('\0', '').trim() : ''
}

function plain(value: unknown): string | null {
  return textOf(value).toLowerCase() || null
}

function key(value: unknown): string | null {
  return searchKey(textOf(value)) || null
}
