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

/** Whether two series would give the same numbers, however they pad them: invoices and credit notes are told apart by theirs. */
export function givesTheSame(pattern: string, other: string): boolean {
  const unpadded = (each: string) => each.trim().replace(/\{SEQ:\d\}/, '{SEQ}')
  return unpadded(pattern) === unpadded(other)
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
