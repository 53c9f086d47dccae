// An organization's row and the one mapping to the contract: for its own resource and for whoever needs its defaults or its name on paper.
import type { Organization } from '#shared/contract/organizations.ts'
import type { NumberReset } from '#shared/invoice-number.ts'
import type { Role } from '#shared/permissions.ts'
import { byName } from '#shared/search-key.ts'
import type { Tx } from './db/database.ts'
import type { NumberSeries, Organizations } from './db/tables.ts'

export const invoiceSeries = 'invoice'
export const creditNoteSeries = 'credit-note'

type Row = Omit<Organizations, 'address' | 'endpoint' | 'contact' | 'bank' | 'defaults'> &
  Pick<NumberSeries, 'pattern'> & { reset: string; role: string } & Record<
    'address' | 'endpoint' | 'contact' | 'bank' | 'defaults',
    unknown
  >

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

/** The caller's organizations, by name; with `organizationId` that one alone. */
export async function findOrganizations(tx: Tx, userId: string, organizationId?: string): Promise<Organization[]> {
  let query = tx
    .selectFrom('organizations')
    .innerJoin('memberships', 'memberships.organizationId', 'organizations.id')
    .innerJoin('numberSeries', (join) =>
      join.onRef('numberSeries.organizationId', '=', 'organizations.id').on('numberSeries.kind', '=', invoiceSeries),
    )
    .selectAll('organizations')
    .select(['memberships.role', 'numberSeries.pattern', 'numberSeries.reset'])
    .where('memberships.userId', '=', userId)
    .where('organizations.deletedAt', 'is', null)
  if (organizationId !== undefined) query = query.where('organizations.id', '=', organizationId)
  const rows = await query.orderBy('organizations.id').limit(200).execute()
  return rows.map(fromRow).toSorted(byName)
}

/** As one of its owners sees it: a job is nobody. Null once it is closed. */
export async function organizationOf(tx: Tx, organizationId: string): Promise<Organization | null> {
  const owner = await tx
    .selectFrom('memberships')
    .select('userId')
    .where('organizationId', '=', organizationId)
    .where('role', '=', 'owner')
    .executeTakeFirst()
  return (owner && (await findOrganizations(tx, owner.userId, organizationId))[0]) ?? null
}

function fromRow({ deletedAt: _, pattern, reset, role, revision, ...row }: Row): Organization {
  return {
    ...(row as Omit<Organization, 'role' | 'revision' | 'numbering'>),
    numbering: { pattern, reset: reset as NumberReset },
    role: role as Role,
    revision: Number(revision),
  }
}
