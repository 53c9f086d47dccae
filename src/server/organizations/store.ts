// Organizations as rows, and the one mapping between row and contract.
import type { NewOrganization, Organization, OrganizationEdit } from '#shared/contract/organizations.ts'
import type { NumberReset } from '#shared/invoice-number.ts'
import type { Role } from '#shared/permissions.ts'
import type { Tx } from '#server/db/database.ts'
import type { NumberSeries, Organizations } from '#server/db/tables.ts'

export const invoiceSeries = 'invoice'

type Row = Omit<Organizations, 'address' | 'endpoint' | 'contact' | 'bank' | 'defaults'> &
  Pick<NumberSeries, 'pattern'> & { reset: string; role: string } & Record<'address' | 'endpoint' | 'contact' | 'bank' | 'defaults', unknown>

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
  const rows = await query.orderBy('organizations.name').orderBy('organizations.id').limit(200).execute()
  return rows.map(fromRow)
}

export async function insertOrganization(tx: Tx, organization: NewOrganization, now: string): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('organizations')
    .values({ id: organization.id, ...toColumns(organization), version: 1, revision: 1n, createdAt: now, updatedAt: now, deletedAt: null })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

/** What every organization has from its first moment: an owner, an invoice series and a revision. */
export async function insertFoundations(
  tx: Tx,
  { id: organizationId, numbering }: NewOrganization,
  userId: string,
  seriesId: string,
  now: string,
): Promise<void> {
  await tx.insertInto('memberships').values({ organizationId, userId, role: 'owner', createdAt: now }).execute()
  await tx
    .insertInto('numberSeries')
    .values({ organizationId, id: seriesId, kind: invoiceSeries, pattern: numbering.pattern, reset: numbering.reset })
    .execute()
  await tx.insertInto('organizationRevisions').values({ organizationId, revision: 1n }).execute()
}

/** False when the row's version is no longer `version`. */
export async function updateOrganization(
  tx: Tx,
  organizationId: string,
  edit: OrganizationEdit,
  version: number,
  revision: bigint,
  now: string,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('organizations')
    .set({ ...toColumns(edit), version: version + 1, revision, updatedAt: now })
    .where('id', '=', organizationId)
    .where('version', '=', version)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

export async function updateSeries(tx: Tx, organizationId: string, { numbering }: OrganizationEdit): Promise<void> {
  await tx
    .updateTable('numberSeries')
    .set({ pattern: numbering.pattern, reset: numbering.reset })
    .where('organizationId', '=', organizationId)
    .where('kind', '=', invoiceSeries)
    .execute()
}

function toColumns({ numbering: _, ...edit }: OrganizationEdit & { id?: string }) {
  const { id: __, address, endpoint, contact, bank, defaults, ...plain } = edit
  return {
    ...plain,
    address: JSON.stringify(address),
    endpoint: endpoint && JSON.stringify(endpoint),
    contact: JSON.stringify(contact),
    bank: JSON.stringify(bank),
    defaults: JSON.stringify(defaults),
  }
}

function fromRow({ deletedAt: _, pattern, reset, role, revision, ...row }: Row): Organization {
  return {
    ...(row as Omit<Organization, 'role' | 'revision' | 'numbering'>),
    numbering: { pattern, reset: reset as NumberReset },
    role: role as Role,
    revision: Number(revision),
  }
}
