// Keyset paging: a page begins after the last row of the one before it, whatever was inserted meanwhile.
import { readCursor, writeCursor } from '#shared/cursor.ts'
import { fieldProblem } from './problems.ts'

export interface PageAsked {
  limit: number
  cursor?: string | undefined
}

/** Where the page begins; null at the start. */
export function pageStart({ cursor }: PageAsked): { key: string; id: string } | null {
  if (cursor === undefined) return null
  const read = readCursor(decode(cursor))
  if (!read) throw badCursor()
  return read
}

export function badCursor() {
  return fieldProblem('/query/cursor', 'This page mark is not one of ours')
}

/** `rows` holds one more than the limit when there is a next page. */
export function toPage<Row, Wire>(
  rows: readonly Row[],
  asked: PageAsked,
  keyOf: (row: Row) => { key: string; id: string },
  encode: (row: Row) => Wire,
): { data: Wire[]; page: { nextCursor: string | null; limit: number } } {
  const shown = rows.slice(0, asked.limit)
  const last = shown.at(-1)
  const nextCursor =
    rows.length > asked.limit && last ? Buffer.from(writeCursor(keyOf(last))).toString('base64url') : null
  return { data: shown.map(encode), page: { nextCursor, limit: asked.limit } }
}

function decode(cursor: string): string {
  return Buffer.from(cursor, 'base64url').toString('utf8')
}
