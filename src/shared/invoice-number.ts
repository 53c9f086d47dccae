// Invoice numbers from a series' pattern, such as `INV-{YYYY}-{SEQ:4}` (DOMAIN.md "Numbers").
import { fail, ok, type Result } from './result.ts'

export const numberResets = ['never', 'yearly', 'monthly'] as const
export type NumberReset = (typeof numberResets)[number]

export const defaultNumberPattern = 'INV-{YYYY}-{SEQ:4}'

/** Credit notes count for themselves; so until the organization says otherwise. */
export const creditNotePattern = 'CN-{YYYY}-{SEQ:4}'

/** Quotes too; unless told otherwise they go on through the years. */
export const quotePattern = 'Q-{SEQ:4}'

/** Most characters of a number, so that it fits every e-invoice format (DOMAIN.md). */
const longestNumber = 35

/** The counter's key: a new period starts counting at 1 again. */
export function numberPeriod(reset: NumberReset, issueDate: string): string {
  if (reset === 'never') return ''
  return reset === 'yearly' ? issueDate.slice(0, 4) : issueDate.slice(0, 7)
}

/** The number itself; more digits than the pattern pads to are kept, never cut. */
export function formatNumber(pattern: string, sequence: number, issueDate: string): string {
  const [year = '', month = ''] = issueDate.split('-')
  return pattern.replace(/\{(YYYY|YY|MM|SEQ(?::([1-9]))?)\}/g, (_, token: string, width?: string) => {
    if (token === 'YYYY') return year
    if (token === 'YY') return year.slice(2)
    if (token === 'MM') return month
    return String(sequence).padStart(Number(width ?? '1'), '0')
  })
}

/**
 * Whether two series could ever give the same number, in whatever year and however high they count: invoices and credit notes are told apart by theirs.
 * `INV-1` and `inv-1` are the same: a paper is a file named by its number, and Windows and macOS write the one over the other.
 */
export function givesTheSame(pattern: string, other: string): boolean {
  return placesOf(pattern).some((ours) => placesOf(other).some((theirs) => canMeet(ours, theirs)))
}

/** What may stand at a place of a number; `more`: as often as one likes, or not at all. */
interface Place {
  of: string
  more?: boolean
}

const digits = '0123456789'
const digit: Place = { of: digits }
const year: Place[] = [{ of: '2' }, digit, digit, digit]
const month: Place[] = [{ of: '01' }, digit]

/** The places of its numbers: as far as the counter is padded, and where it has grown beyond that. */
function placesOf(pattern: string): Place[][] {
  const parts = pattern.trim().split(/(\{(?:YYYY|YY|MM|SEQ(?::[1-9])?)\})/)
  return [false, true].map((isGrown) =>
    parts.flatMap((part): Place[] => {
      if (part === '{YYYY}') return year
      if (part === '{YY}') return year.slice(2)
      if (part === '{MM}') return month
      const width = /^\{SEQ:?(\d?)\}$/.exec(part)?.[1]
      if (width === undefined)
        return part
          .toLowerCase()
          .split('')
          .map((of) => ({ of }))
      const padded = Array<Place>(Number(width || '1')).fill(digit)
      return isGrown ? [{ of: digits.slice(1) }, ...padded, { of: digits, more: true }] : padded
    }),
  )
}

function canMeet(ours: readonly Place[], theirs: readonly Place[]): boolean {
  const seen = new Set<string>()
  const from = (i: number, j: number): boolean => {
    if (seen.has(`${i} ${j}`)) return false
    seen.add(`${i} ${j}`)
    const [our, their] = [ours[i], theirs[j]]
    if (!our && !their) return true
    if ((our?.more && from(i + 1, j)) || (their?.more && from(i, j + 1))) return true
    if (!our || !their || !our.of.split('').some((each) => their.of.includes(each))) return false
    return from(our.more ? i : i + 1, their.more ? j : j + 1)
  }
  return from(0, 0)
}

/** Accepts a pattern that has exactly one counter, names every period it restarts in, and makes numbers other systems accept. */
export function parseNumberPattern(pattern: string, reset: NumberReset): Result<string> {
  const counters = pattern.match(/\{SEQ(:[1-9])?\}/g) ?? []
  if (counters.length !== 1) return fail('Needs exactly one {SEQ} or {SEQ:4}')
  const year = /\{YY(YY)?\}/.test(pattern)
  if (reset !== 'never' && !year) return fail('Needs {YYYY} or {YY}, because counting starts again each year')
  if (reset === 'monthly' && !pattern.includes('{MM}'))
    return fail('Needs {MM}, because counting starts again each month')
  const sample = formatNumber(pattern, 999_999_999, '2026-12-31')
  if (!/^[A-Za-z0-9+_/-]+$/.test(sample))
    return fail('Only letters, digits and + _ / - besides {YYYY}, {YY}, {MM} and {SEQ}')
  return sample.length > longestNumber ? fail(`At most ${longestNumber} characters`) : ok(pattern)
}
