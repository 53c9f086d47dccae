// An organization's row and the one mapping to the contract: for its own resource and for whoever needs its defaults or its name on paper.
import type { Organization } from '#shared/contract/organizations.ts'
import { blankOrganization } from '#shared/blank-rows.ts'
import type { NumberReset } from '#shared/invoice-number.ts'
import type { Role, Standing } from '#shared/permissions.ts'
import { byName } from '#shared/search-key.ts'
import type { TenantCall } from '#server/context.ts'
import type { Tx } from '#server/db/database.ts'
import type { NumberSeries, Organizations } from '#server/db/tables.ts'

export const invoiceSeries = 'invoice'
export const creditNoteSeries = 'credit-note'
export const quoteSeries = 'quote'

/** These are there from their first document on, or from when somebody chose their pattern; until then they are so. */
export const laterSeries = {
  [creditNoteSeries]: blankOrganization.creditNoteNumbering,
  [quoteSeries]: blankOrganization.quoteNumbering,
} as const

type Row = Omit<Organizations, 'address' | 'endpoint' | 'contact' | 'bank' | 'defaults' | 'logo'> &
  Pick<NumberSeries, 'pattern' | 'reset'> & {
    creditPattern: string | null
    creditReset: string | null
    quotePattern: string | null
    quoteReset: string | null
    role: string
  } & Record<'address' | 'endpoint' | 'contact' | 'bank' | 'defaults' | 'logo', unknown>

type Where = Pick<TenantCall<unknown, unknown>, 'tx' | 'caller' | 'organizationId' | 'organization'>

/** What every call in an organization asks of it first: who the caller is there. */
interface Membership extends Required<Standing> {
  timeZone: string
  /** When it was closed. */
  deletedAt: string | null
  organization: Organization | null
}

/** Also in one that is closed; null where the user does not belong. `whole`: with the organization, as its caller sees it. */
export async function findMembership(
  tx: Tx,
  userId: string,
  organizationId: string,
  whole: boolean,
): Promise<Membership | null> {
  if (whole) {
    const found = await wholeRows(tx, userId).where('organizations.id', '=', organizationId).executeTakeFirst()
    return found ? { ...found, role: found.role as Role, organization: fromRow(found) } : null
  }
  const found = await tx
    .selectFrom('memberships')
    .innerJoin('organizations', 'organizations.id', 'memberships.organizationId')
    .select(['memberships.role', 'organizations.membersMayIssue', 'organizations.timeZone', 'organizations.deletedAt'])
    .where('memberships.organizationId', '=', organizationId)
    .where('memberships.userId', '=', userId)
    .executeTakeFirst()
  return found ? { ...found, role: found.role as Role, organization: null } : null
}

/** Ids of the organizations that a user belongs to; at most 200. */
export async function membershipsOf(tx: Tx, userId: string): Promise<string[]> {
  const rows = await tx
    .selectFrom('memberships')
    .select('organizationId')
    .where('userId', '=', userId)
    .orderBy('organizationId')
    .limit(200)
    .execute()
  return rows.map((row) => row.organizationId)
}

const wholeRows = (tx: Tx, userId: string) =>
  tx
    .selectFrom('organizations')
    .innerJoin('memberships', 'memberships.organizationId', 'organizations.id')
    .innerJoin('numberSeries', (join) =>
      join.onRef('numberSeries.organizationId', '=', 'organizations.id').on('numberSeries.kind', '=', invoiceSeries),
    )
    .leftJoin('numberSeries as creditSeries', (join) =>
      join.onRef('creditSeries.organizationId', '=', 'organizations.id').on('creditSeries.kind', '=', creditNoteSeries),
    )
    .leftJoin('numberSeries as quoteSeries', (join) =>
      join.onRef('quoteSeries.organizationId', '=', 'organizations.id').on('quoteSeries.kind', '=', quoteSeries),
    )
    .selectAll('organizations')
    .select(['memberships.role', 'numberSeries.pattern', 'numberSeries.reset'])
    .select(['creditSeries.pattern as creditPattern', 'creditSeries.reset as creditReset'])
    .select(['quoteSeries.pattern as quotePattern', 'quoteSeries.reset as quoteReset'])
    .where('memberships.userId', '=', userId)

/** The caller's organizations, by name; with `organizationId` that one alone. */
export async function findOrganizations(tx: Tx, userId: string, organizationId?: string): Promise<Organization[]> {
  let query = wholeRows(tx, userId).where('organizations.deletedAt', 'is', null)
  if (organizationId !== undefined) query = query.where('organizations.id', '=', organizationId)
  const rows = await query.orderBy('organizations.id').limit(200).execute()
  return rows.map(fromRow).toSorted(byName)
}

/** The one that a call is about, as its caller sees it; whoever calls there is a member. */
export async function organizationOf({ tx, caller, organizationId, organization }: Where): Promise<Organization> {
  return organization ?? (await findOrganizations(tx, caller.userId, organizationId))[0]!
}

/** As one of its owners sees it: a job is nobody. Null once it is closed. */
export async function organizationForJob(tx: Tx, organizationId: string): Promise<Organization | null> {
  const owner = await tx
    .selectFrom('memberships')
    .select('userId')
    .where('organizationId', '=', organizationId)
    .where('role', '=', 'owner')
    .executeTakeFirst()
  return (owner && (await findOrganizations(tx, owner.userId, organizationId))[0]) ?? null
}

function fromRow({ deletedAt: _, pattern, reset, role, revision, ...rest }: Row): Organization {
  const { creditPattern, creditReset, quotePattern, quoteReset, ...row } = rest
  return {
    ...(row as Omit<Organization, 'role' | 'revision' | 'numbering' | 'creditNoteNumbering' | 'quoteNumbering'>),
    numbering: { pattern, reset: reset as NumberReset },
    creditNoteNumbering: seriesOr(creditNoteSeries, creditPattern, creditReset),
    quoteNumbering: seriesOr(quoteSeries, quotePattern, quoteReset),
    role: role as Role,
    revision: Number(revision),
  }
}

function seriesOr(kind: keyof typeof laterSeries, pattern: string | null, reset: string | null) {
  return pattern === null ? laterSeries[kind] : { pattern, reset: reset as NumberReset }
}
