// Exports as rows: asked for, listed, deleted. What is written into them is in writing.ts.
import { sql } from 'kysely'
import type { OrganizationExport } from '#shared/contract/exports.ts'
import type { Tx } from '#server/db/database.ts'
import type { Exports } from '#server/db/tables.ts'

/** An organization's exports, newest first; with an id that one alone. */
export async function findExports(tx: Tx, organizationId: string, id?: string): Promise<OrganizationExport[]> {
  let query = tx
    .selectFrom('exports')
    .leftJoin('dueWork', (join) =>
      join.onRef('dueWork.organizationId', '=', 'exports.organizationId').on('dueWork.kind', '=', 'export'),
    )
    .selectAll('exports')
    .select([
      'dueWork.failures',
      sql<string | null>`(
        select sum(packed_size) from export_files
        where export_files.organization_id = exports.organization_id and export_id = exports.id)`.as('bytes'),
    ])
    .where('exports.organizationId', '=', organizationId)
  if (id !== undefined) query = query.where('exports.id', '=', id)
  const rows = await query.orderBy('exports.createdAt', 'desc').orderBy('exports.id', 'desc').limit(100).execute()
  return rows.map(({ stage: _, afterId: __, state, bytes, failures, ...row }) => ({
    ...row,
    state: state as OrganizationExport['state'],
    bytes: state === 'ready' ? Number(bytes ?? 0) : null,
    failures: state === 'ready' ? 0 : (failures ?? 0),
  }))
}

export async function insertExport(
  tx: Tx,
  asked: Pick<Exports, 'organizationId' | 'id' | 'requestedBy'>,
  now: string,
): Promise<void> {
  await tx
    .insertInto('exports')
    .values({
      ...asked,
      state: 'waiting',
      stage: null,
      afterId: null,
      done: 0,
      total: 0,
      createdAt: now,
      finishedAt: null,
      expiresAt: null,
    })
    .execute()
}

/** With everything in it. False: it was not there. */
export async function deleteExport(tx: Tx, organizationId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('exports')
    .where('organizationId', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}
