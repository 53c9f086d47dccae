// How much is read and answered at once: one row may be a few bytes, another megabytes.
import { sql, type RawBuilder } from 'kysely'

/** Of these, in their order, as many as weigh no more than that together, and one at least. */
export function asManyAs<Each>(
  items: readonly Each[],
  mostBytes: number,
  bytesOf: (each: Each) => number,
): readonly Each[] {
  let total = 0
  const most = items.findIndex((each, index) => (total += bytesOf(each)) > mostBytes && index > 0)
  return most === -1 ? items : items.slice(0, most)
}

/** Bytes of a column as text. Not of what the database packs it to: of text that repeats itself that is next to nothing. */
export function textBytes(column: string): RawBuilder<number> {
  return sql<number>`octet_length(cast(${sql.ref(column)} as text))`
}
