// Keyset paging: a page begins after the last row of the one before it, whatever was inserted meanwhile.
import { readCursor, writeCursor } from '#shared/cursor.ts'
import { isInstant } from '#shared/dates.ts'
import { fieldProblem } from './problems.ts'

export interface PageAsked {
  limit: number
  cursor?: string | undefined
}

/** What a sort column holds: keys come back from outside and are checked before the database sees them. */
export type KeyKind = 'text' | 'amount' | 'instant'

export interface PageStart {
  key: string | bigint
  id: string
}

/** Where the page begins; null at the start. A mark of another list, or of another sort of this one, is refused at `/query/cursor`. */
export function pageStart({ cursor }: PageAsked, kind: KeyKind): PageStart | null {
  if (cursor === undefined) return null
  const read = readCursor(decode(cursor))
  if (!read) throw badCursor()
  const { key, id } = read
  if (kind === 'instant' && !isInstant(key)) throw badCursor()
  if (kind !== 'amount') return { key, id }
  if (!/^-?\d{1,18}$/.test(key)) throw badCursor()
  return { key: BigInt(key), id }
}

function badCursor() {
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
