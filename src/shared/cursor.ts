import { isUuid } from './ids.ts'

/** The place in a list after which the next page begins: the last row's sort key and id. */
export interface Cursor {
  key: string
  id: string
}

export function writeCursor({ key, id }: Cursor): string {
  return JSON.stringify([key, id])
}

export function readCursor(text: string): Cursor | null {
  try {
    const parsed: unknown = JSON.parse(text)
    if (!Array.isArray(parsed) || parsed.length !== 2) return null
    const [key, id] = parsed as unknown[]
    return typeof key === 'string' && typeof id === 'string' && !key.includes('\0') && isUuid(id) ? { key, id } : null
  } catch {
    return null
  }
}
