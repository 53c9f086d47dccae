import { isDeepStrictEqual } from 'node:util'

/** Whether a stored entity says all that a repeated create says: then the repeat is answered like the first (OFFLINE.md "Server side"). */
export function saysTheSame(asked: object, stored: object): boolean {
  const known = stored as Record<string, unknown>
  return Object.entries(asked).every(([name, value]) => value === undefined || isDeepStrictEqual(value, known[name]))
}
