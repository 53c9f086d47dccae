// What did not work and nobody saw happen: mails that do not get through, reminders without an address, jobs that failed.
import * as z from 'zod'
import { date, id, instant, oneOf } from './common.ts'
import { mailFailures } from './reminders.ts'

const named = { invoiceId: id.nullable(), invoiceNumber: z.string().nullable() }

export const failedMail = z
  .object({
    id,
    kind: z.string().meta({ example: 'reminder' }),
    recipient: z.string(),
    subject: z.string(),
    ...named,
    createdAt: instant,
    tries: z.int(),
    failure: oneOf(mailFailures),
    /** What the other mail server answered, where it did. */
    answer: z.string().nullable(),
    /** Null: it is not tried again by itself. */
    nextTryAt: instant.nullable(),
  })
  .meta({ id: 'FailedMail' })
export type FailedMail = z.infer<typeof failedMail>

const unaddressed = z
  .object({
    invoiceId: id,
    invoiceNumber: z.string(),
    customerId: id.nullable(),
    customerName: z.string(),
    dueDate: date,
  })
  .meta({ id: 'UnaddressedReminder' })

/** What is done for an organization at its time, by the server alone. */
export const workKinds = ['recurring', 'reminders', 'documents', 'export'] as const

export const retriedWork = z.object({ job: oneOf(workKinds) }).meta({ id: 'RetriedWork' })

const failedWork = retriedWork
  .extend({
    failures: z.int(),
    failedAt: instant,
    lastError: z.string(),
    nextTryAt: instant,
  })
  .meta({ id: 'FailedWork' })
export type FailedWork = z.infer<typeof failedWork>

const stoppedRecurring = z
  .object({ recurringId: id, customerName: z.string(), problem: z.string(), ...named })
  .meta({ id: 'StoppedRecurring' })

/** At most 200 of each. */
export const failures = z
  .object({
    mails: z.array(failedMail),
    /** Reminders that are due and have nowhere to go. */
    unaddressed: z.array(unaddressed),
    /** Recurring invoices that stopped; by their invoices, a draft's without a number, those that could not be issued, or were issued and not sent. */
    recurring: z.array(stoppedRecurring),
    work: z.array(failedWork),
  })
  .meta({ id: 'Failures' })
export type Failures = z.infer<typeof failures>

/** Of one's organizations those where something failed, and where one may see to it. */
export const failureCounts = z
  .object({ data: z.array(z.object({ organizationId: id, count: z.int() })) })
  .meta({ id: 'FailureCounts' })
export type FailureCounts = z.infer<typeof failureCounts>
