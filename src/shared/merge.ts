// Two changes of one row, brought together (OFFLINE.md "Conflict"): by top-level field, the same on the worker and on the screen.

import { formatDecimal, parseDecimal } from './decimal.ts'
import type { Exchange } from './exchange.ts'

type Row = Readonly<Record<string, unknown>>

export interface Merge {
  /** What to send: the fields of `mine`; those in question as they stand in `mine`. */
  merged: Record<string, unknown>
  /** Fields that both sides changed, and not to the same. */
  inQuestion: string[]
}

/** What a row says of itself: nobody edits it, and the server's is the newer. */
const rowFields: readonly string[] = ['id', 'organizationId', 'version', 'revision', 'createdAt', 'updatedAt', 'unsent']
/** Left out of a save these are the customer's, not as they were (draft-body.ts). */
const saidByAbsence: readonly string[] = ['buyerReference', 'language', 'termsDays']
/** Reckoned from the other fields: what was so before the merge is no longer true. */
const reckoned: readonly string[] = ['totals']
/** Fields of several that stand in a form for themselves. Corrected on both sides they may be an address that nobody wrote; filled in on both they are one. */
const ofParts: readonly string[] = ['address', 'contact']
/** Wherever in a row: what was sent may be written longer than the row has it (`12.50`, `12.5`). */
const decimals: readonly string[] = ['quantity', 'unitPrice', 'baseQuantity', 'rate', 'percent', 'amount']

/** `mine`: what was saved, as it was sent; `base`: the row it was made on, null when that is not known; `theirs`: the row as it is now. */
export function merge(base: Row | null, mine: Row, theirs: Row): Merge {
  const merged: Record<string, unknown> = {}
  const inQuestion: string[] = []
  for (const [field, value] of Object.entries(mine)) {
    if (reckoned.includes(field)) continue
    if (!isChanged(base, mine, field)) {
      merged[field] = field in theirs ? theirs[field] : value
      continue
    }
    const whole = ofParts.includes(field) ? filledIn(base?.[field], value, theirs[field]) : null
    merged[field] = whole ?? value
    if (whole) continue
    const isTheirs =
      base === null || !(isSame(theirs[field], base[field], field) || isDropped(field, base, mine, theirs))
    if (isTheirs && !isSame(value, theirs[field], field)) inQuestion.push(field)
  }
  for (const field of base ? saidByAbsence : []) {
    if (field in mine || isSame(theirs[field], base![field])) continue
    if (isBlank(base![field])) merged[field] = theirs[field]
    else inQuestion.push(field)
  }
  return { merged, inQuestion }
}

/** What both sides wrote where nothing stood, together; null where either changed something else, or both the same part to other words. */
function filledIn(base: unknown, mine: unknown, theirs: unknown): Row | null {
  if (!isObject(base) || !isObject(mine) || !isObject(theirs)) return null
  const added = Object.entries(mine).filter(([part, value]) => !isSame(value, base[part]))
  const isAddition = ([part]: [string, unknown]) => isBlank(base[part])
  const others = Object.entries(theirs).filter(([part, value]) => !isSame(value, base[part]))
  const isApart = added.every(([part, value]) => isBlank(theirs[part]) || isSame(value, theirs[part]))
  return isApart && [...added, ...others].every(isAddition) ? { ...theirs, ...Object.fromEntries(added) } : null
}

function isObject(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The fields that `mine`, as it was sent, changes of the row it was made on. */
export function changedFields(base: Row, mine: Row): string[] {
  return Object.keys(mine).filter((field) => !reckoned.includes(field) && isChanged(base, mine, field))
}

function isChanged(base: Row | null, mine: Row, field: string): boolean {
  return !rowFields.includes(field) && (base === null || !isSame(mine[field], base[field], field))
}

/** What was issued is changed no more: there is nothing to bring together with it. */
export function takesChanges({ status }: Row): boolean {
  return status === undefined || status === 'draft'
}

/** A rate into what was the organization's currency before, which the server let go of: mine is one into the new one, and nobody said otherwise. */
function isDropped(field: string, base: Row, mine: Row, theirs: Row): boolean {
  if (field !== 'exchange' || isBlank(mine[field]) || isBlank(base[field])) return false
  return isBlank(theirs[field]) && (mine[field] as Exchange).to !== (base[field] as Exchange).to
}

/**
 * What was sent may leave out what the server adds to a row; an empty text is what the contract makes null of. A discount without its `percent` is a fixed one:
 * that the server never adds.
 */
function isSame(sent: unknown, row: unknown, field = ''): boolean {
  if (isBlank(sent) || isBlank(row)) return isBlank(sent) && isBlank(row)
  if (Array.isArray(sent) && Array.isArray(row))
    return sent.length === row.length && sent.every((each, index) => isSame(each, row[index]))
  if (typeof sent !== 'object' || typeof row !== 'object')
    return sent === row || (decimals.includes(field) && shortest(sent) === shortest(row))
  return [...Object.keys(sent as object), 'percent'].every((key) => isSame((sent as Row)[key], (row as Row)[key], key))
}

/** What is no number stays as it was typed: the server says so. */
function shortest(sent: unknown): string {
  const parsed = parseDecimal(String(sent), { integerDigits: 30, decimalPlaces: 12, negative: true })
  return parsed.ok ? formatDecimal(parsed.value) : String(sent)
}

/** None of its own: null, absent, an empty text, or an object of nothing but those. An empty list is a list. */
function isBlank(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return true
  return typeof value === 'object' && !Array.isArray(value) && Object.values(value).every(isBlank)
}
