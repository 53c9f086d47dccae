// Everything an organization has, as one ZIP: asked for here, made by a job (make.ts), downloaded by whoever may.
import { ReadableStream } from 'node:stream/web'
import { exportList, newExport, organizationExport } from '#shared/contract/exports.ts'
import { may } from '#shared/permissions.ts'
import { ProblemError } from '#shared/problem.ts'
import type { TenantCall } from '#server/context.ts'
import type { Tx } from '#server/db/database.ts'
import { holdRevision } from '#server/rows/revision.ts'
import { setDue } from '#server/jobs/due-work.ts'
import { tenantEndpoint, type Route } from '#server/http/endpoint.ts'
import { findMembers } from '#server/rows/member-row.ts'
import { deleteExport, findExports, insertExport } from './store.ts'
import { zipOf } from './zip.ts'

/** One after the other is made: more than these wait for nothing. */
const mostUnfinished = 3
/** One takes seconds to minutes. */
const retryAfterSeconds = 60

export const exportRoutes: Route[] = [
  tenantEndpoint(
    'listExports',
    { summary: 'Exports of the whole organization', answers: { 200: exportList } },
    async ({ tx, organizationId }) => ({ status: 200, body: { data: await findExports(tx, organizationId) } }),
  ),

  tenantEndpoint(
    'createExport',
    {
      summary: 'Export the whole organization',
      body: newExport,
      answers: { 201: organizationExport, 200: organizationExport },
    },
    async ({ tx, organizationId, body, caller, services, now, afterCommit }) => {
      // The job that finds nothing to do looks under this lock, and so does another call that asks for the same.
      await holdRevision(tx, organizationId)
      const known = await findExports(tx, organizationId)
      const again = known.find(({ id }) => id === body.id)
      if (again) return { status: 200, body: again }
      if (known.filter(({ state }) => state !== 'ready').length >= mostUnfinished)
        throw new ProblemError(
          'too_many_requests',
          { detail: 'An export is being made already.' },
          { 'retry-after': String(retryAfterSeconds) },
        )
      await insertExport(tx, { organizationId, id: body.id, requestedBy: caller.userId }, now)
      await setDue(tx, organizationId, 'export', now)
      afterCommit(() => services.workDue('export', organizationId))
      const [made] = await findExports(tx, organizationId, body.id)
      return { status: 201, body: made }
    },
  ),

  tenantEndpoint('getExport', { summary: 'An export', answers: { 200: organizationExport } }, async (call) => ({
    status: 200,
    body: await existing(call),
  })),

  tenantEndpoint(
    'deleteExport',
    { summary: 'Delete an export, or stop making it', answers: { 204: null } },
    async ({ tx, organizationId, params }) => {
      if (!(await deleteExport(tx, organizationId, params['exportId']!))) throw new ProblemError('not_found')
      return { status: 204 }
    },
  ),

  tenantEndpoint(
    'getExportFile',
    { summary: 'An export as a ZIP', answers: {}, file: 'application/zip' },
    async (call) => {
      const { services, organizationId, caller } = call
      const { id: exportId, state, createdAt: madeAt } = await existing(call)
      if (state !== 'ready') throw new ProblemError('not_found', { detail: 'This export is not ready yet.' })
      const wanted = {
        db: services.db,
        scope: { userId: caller.userId, organizationIds: [organizationId] },
        organizationId,
        exportId,
        madeAt,
        confirm: (tx: Tx) => confirm(tx, organizationId, caller.userId, exportId),
      }
      const content = ReadableStream.from(zipOf(wanted))
      return { status: 200, file: { type: 'application/zip', name: `export-${madeAt.slice(0, 10)}.zip`, content } }
    },
  ),
]

async function existing({ tx, organizationId, params }: TenantCall<unknown, unknown>) {
  const [found] = await findExports(tx, organizationId, params['exportId']!)
  if (!found) throw new ProblemError('not_found')
  return found
}

/** A download takes a while: who is put out meanwhile gets no more of it, and of what is deleted meanwhile nobody gets a part that looks whole. */
async function confirm(tx: Tx, organizationId: string, userId: string, exportId: string): Promise<void> {
  const [member] = await findMembers(tx, organizationId, [userId])
  if (!member || !may(member, 'organization.export')) throw new ProblemError('not_found')
  const [found] = await findExports(tx, organizationId, exportId)
  if (found?.state !== 'ready') throw new ProblemError('not_found')
}
