// What imports of every kind have in common: rows of a file laid over what is here, judged by the contract, and what becomes of each.
import { isDeepStrictEqual } from 'node:util'
import type { ZodType } from 'zod'
import type { ImportedOutcome, ImportedRow, rowImport } from '#shared/contract/import.ts'
import type { Organization } from '#shared/contract/organizations.ts'
import type { FieldError } from '#shared/problem-form.ts'
import type { Money } from '#shared/money.ts'
import { usualVat } from '#shared/vat.ts'
import type { infer as Infer } from 'zod'
import { changesBetween, recordActivity } from './activity-log.ts'
import type { TenantCall } from '#server/context.ts'
import { fieldErrors } from '#server/http/problems.ts'

export type ImportCall = TenantCall<Infer<typeof rowImport>, unknown>
type Values = Readonly<Record<string, unknown>>

export function bad({ row }: ImportedRow, errors: readonly FieldError[], id: string | null = null): ImportedOutcome {
  return { row, outcome: 'bad', id, was: null, gross: null, errors: [...errors] }
}

export function outcome(
  { row }: ImportedRow,
  what: 'new' | 'changed' | 'same',
  id: string | null,
  { was = null, gross = null }: { was?: string | null; gross?: Money | null } = {},
): ImportedOutcome {
  return { row, outcome: what, id, was, gross, errors: [] }
}

/** One field that is wrong for a reason the contract does not know. */
export function badField(row: ImportedRow, pointer: string, detail: string): ImportedOutcome {
  return bad(row, [{ pointer, detail }])
}

/** What the file says laid over what is there; parts such as an address field by field. */
export function over(base: Values, values: Values): Record<string, unknown> {
  const laid: Record<string, unknown> = { ...base }
  for (const [name, value] of Object.entries(values)) {
    const below = base[name]
    laid[name] = isPart(value) && isPart(below) ? { ...below, ...value } : value
  }
  return laid
}

function isPart(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** By the schema that a change of such a row has to keep; what is stored has the same form. */
export function judge<Edit>(
  schema: ZodType<Edit>,
  values: Values,
): { ok: true; edit: Edit } | { ok: false; errors: FieldError[] } {
  const parsed = schema.safeParse(values)
  return parsed.success ? { ok: true, edit: parsed.data } : { ok: false, errors: fieldErrors(parsed.error.issues) }
}

export function saysNothingNew<Edit>(schema: ZodType<Edit>, edit: Edit, stored: object): boolean {
  const known = schema.safeParse(stored)
  return known.success && isDeepStrictEqual(known.data, edit)
}

/** A rate alone says its category as well: none at all is zero rated, unless what it is laid over is not taxed either. */
export function vatOver(organization: Organization, base: Values | undefined, given: unknown): Values {
  const usual = usualVat(organization, organization.defaults.vatRate ?? '0')
  const own = usual.category
  const values = isPart(given) ? given : {}
  const laid: Record<string, unknown> = { ...usual, ...base, ...values }
  const { rate } = values
  const kept = base?.['category'] ?? own
  if (typeof rate === 'string' && values['category'] === undefined) {
    const isNone = /^0*(\.0*)?$/.test(rate)
    laid['category'] = isNone ? (kept === 'S' ? 'Z' : kept) : 'S'
  }
  // Why there is none is said of a category: of another one it would be untrue.
  return laid['category'] === kept || values['reason'] !== undefined ? laid : { ...laid, reason: null }
}

/** Written down as if the row had been made or saved by itself. */
export async function noteRow(
  { tx, organizationId, caller, now }: ImportCall,
  action: string,
  kind: string,
  before: (Values & { id: string }) | null,
  after: Values & { id: string },
): Promise<void> {
  const { label, changes } = changesBetween(kind, before, after)
  const place = { tx, organizationId, userId: caller.userId, now }
  if (changes.length > 0) await recordActivity(place, action, { kind, id: after.id }, label, changes)
}
