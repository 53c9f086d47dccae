// What is written of organizations; reading is in server/organization-row.ts.
import type { NewOrganization, OrganizationEdit } from '#shared/contract/organizations.ts'
import { uuidv7 } from '#shared/ids.ts'
import type { Person, Tx } from '#server/db/database.ts'
import { addMember } from '#server/rows/member-row.ts'
import { creditNoteSeries, invoiceSeries, laterSeries, quoteSeries } from '#server/rows/organization-row.ts'

export async function insertOrganization(tx: Tx, organization: NewOrganization, now: string): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('organizations')
    .values({
      id: organization.id,
      ...toColumns(organization),
      membersMayIssue: organization.membersMayIssue,
      eInvoiceProfile: organization.eInvoiceProfile,
      paperSize: organization.paperSize,
      logo: null,
      version: 1,
      revision: 1n,
      createdAt: now,
      updatedAt: now,
      deletedAt: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

/** What every organization has from its first moment: an owner, an invoice series and a revision. */
export async function insertFoundations(
  tx: Tx,
  { id: organizationId, numbering, creditNoteNumbering, quoteNumbering }: NewOrganization,
  owner: Person,
  seriesId: string,
  now: string,
): Promise<void> {
  await addMember(tx, organizationId, owner, 'owner', 1n, now)
  await tx
    .insertInto('numberSeries')
    .values({ organizationId, id: seriesId, kind: invoiceSeries, pattern: numbering.pattern, reset: numbering.reset })
    .execute()
  await chooseSeries(tx, organizationId, creditNoteSeries, creditNoteNumbering)
  await chooseSeries(tx, organizationId, quoteSeries, quoteNumbering)
  await tx.insertInto('organizationRevisions').values({ organizationId, revision: 1n, epoch: '' }).execute()
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

/** Closed at once for everybody; erased after its time by purge.ts. False when the row's version is no longer `version`. */
export async function closeOrganization(
  tx: Tx,
  organizationId: string,
  version: number,
  revision: bigint,
  now: string,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('organizations')
    .set({ deletedAt: now, version: version + 1, revision, updatedAt: now })
    .where('id', '=', organizationId)
    .where('version', '=', version)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

export async function updateSeries(tx: Tx, organizationId: string, edit: OrganizationEdit): Promise<void> {
  const { numbering, creditNoteNumbering, quoteNumbering } = edit
  await tx
    .updateTable('numberSeries')
    .set({ pattern: numbering.pattern, reset: numbering.reset })
    .where('organizationId', '=', organizationId)
    .where('kind', '=', invoiceSeries)
    .execute()
  // What an older build leaves out stays as it is.
  if (creditNoteNumbering) await chooseSeries(tx, organizationId, creditNoteSeries, creditNoteNumbering)
  if (quoteNumbering) await chooseSeries(tx, organizationId, quoteSeries, quoteNumbering)
}

type Edited = OrganizationEdit & { id?: string }

/** Until it says anything else than what it is by default, the first document of its kind makes it. */
async function chooseSeries(
  tx: Tx,
  organizationId: string,
  kind: keyof typeof laterSeries,
  { pattern, reset }: OrganizationEdit['numbering'],
): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('numberSeries')
    .set({ pattern, reset })
    .where('organizationId', '=', organizationId)
    .where('kind', '=', kind)
    .executeTakeFirstOrThrow()
  const { pattern: first, reset: firstReset } = laterSeries[kind]
  if (numUpdatedRows > 0n || (pattern === first && reset === firstReset)) return
  // The first document may go out meanwhile, and make it.
  await tx
    .insertInto('numberSeries')
    .values({ organizationId, id: uuidv7(), kind, pattern, reset })
    .onConflict((conflict) => conflict.columns(['organizationId', 'kind']).doUpdateSet({ pattern, reset }))
    .execute()
}

function toColumns({ numbering: _, creditNoteNumbering: __, quoteNumbering: ___, ...edit }: Edited) {
  const { id: ____, address, endpoint, contact, bank, defaults, ...plain } = edit
  return {
    ...plain,
    address: JSON.stringify(address),
    endpoint: endpoint && JSON.stringify(endpoint),
    contact: JSON.stringify(contact),
    bank: JSON.stringify(bank),
    defaults: JSON.stringify(defaults),
  }
}
