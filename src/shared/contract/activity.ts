// Who did what in an organization: what changed, as it was before and after.
import * as z from 'zod'
import { id, instant, page, pageQuery } from './common.ts'

export const activity = z
  .object({
    id,
    at: instant,
    /** Null: a job, by what somebody had arranged. */
    userId: id.nullable(),
    /** As the organization knows them, also after they left; empty for somebody it never showed. */
    userName: z.string(),
    /** The name of the call, such as `saveCustomer`. */
    action: z.string(),
    /** What it was about, such as `customer`, and what that was called then. */
    kind: z.string(),
    subjectId: id,
    label: z.string(),
    changes: z.array(z.object({ field: z.string(), before: z.unknown(), after: z.unknown() })),
  })
  .meta({ id: 'Activity' })
export type Activity = z.infer<typeof activity>

/** Newest first. */
export const activityQuery = pageQuery.omit({ q: true }).extend({
  kind: z
    .string()
    .regex(/^[a-z-]{1,40}$/)
    .optional(),
  userId: id.optional(),
  subjectId: id.optional(),
})
export type ActivityQuery = z.infer<typeof activityQuery>

export const activityPage = page(activity).meta({ id: 'ActivityPage' })
export type ActivityPage = z.infer<typeof activityPage>
