import * as z from 'zod'
import { id, instant, oneOf } from './common.ts'

/** Everything an organization has, as one ZIP: asked for, made by a job, kept for a while. */
export const organizationExport = z
  .object({
    id,
    organizationId: id,
    state: oneOf(['waiting', 'running', 'ready']),
    /** Rows written, and how many there were when it began. */
    done: z.int(),
    total: z.int(),
    /** Bytes of the files in it, about what the ZIP weighs; null while it is made. */
    bytes: z.int().nullable(),
    /** How often making it went wrong; it is tried again. */
    failures: z.int(),
    requestedBy: id,
    createdAt: instant,
    finishedAt: instant.nullable(),
    /** When it is deleted. */
    expiresAt: instant.nullable(),
  })
  .meta({ id: 'Export' })
export type OrganizationExport = z.infer<typeof organizationExport>

export const newExport = z.object({ id }).meta({ id: 'NewExport' })

/** Newest first; few, because they go after a week. */
export const exportList = z.object({ data: z.array(organizationExport) }).meta({ id: 'ExportList' })
export type ExportList = z.infer<typeof exportList>
