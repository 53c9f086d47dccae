// Reminders: what an organization's customers are reminded of and when, and the mails that an invoice went out with.
import * as z from 'zod'
import type { Language } from '#shared/language.ts'
import { mostReminderSteps, reminderPlaceholders, unknownPlaceholders } from '#shared/reminders.ts'
import { date, id, instant, line, longText, oneOf } from './common.ts'
import { mailState } from './mail-state.ts'

const known = reminderPlaceholders.map((name) => `{${name}}`).join(', ')

function withPlaceholders<Schema extends z.ZodType<string>>(schema: Schema) {
  return schema.superRefine((words, context) => {
    const [unknown] = unknownPlaceholders(words)
    if (unknown !== undefined)
      context.addIssue({ code: 'custom', message: `{${unknown}} stands for nothing. You can use ${known}` })
  })
}

const reminderWords = z
  .object({
    subject: withPlaceholders(line(200, 'Enter a subject')),
    message: withPlaceholders(longText(4000).refine((text) => text !== '', 'Write a few words')),
  })
  .meta({ id: 'ReminderWords' })
export type ReminderWords = z.infer<typeof reminderWords>

const reminderStep = z
  .object({
    id,
    /** After the due date; less than 0: before it. */
    days: z.int('Enter whole days such as 7').min(-60, 'At most 60 days before').max(365, 'At most 365 days after'),
    /** By the language of the invoice. Null: Docket's own words in that language. */
    words: z.object({ en: reminderWords.nullable(), de: reminderWords.nullable() } satisfies Record<
      Language,
      z.ZodType
    >),
  })
  .meta({ id: 'ReminderStep' })
export type ReminderStep = z.infer<typeof reminderStep>

const editable = {
  enabled: z.boolean(),
  steps: z.array(reminderStep).max(mostReminderSteps, `At most ${mostReminderSteps} reminders`),
}

export const reminderRulesEdit = z
  .object(editable)
  .superRefine(({ enabled, steps }, context) => {
    const issue = (path: (string | number)[], message: string) =>
      context.addIssue({ code: 'custom', path: ['steps', ...path], message })
    if (enabled && steps.length === 0) issue([], 'Add at least one reminder, or turn reminders off')
    for (const [index, { id: own, days }] of steps.entries()) {
      const earlier = steps.slice(0, index)
      if (earlier.some((step) => step.days === days)) issue([index, 'days'], 'Another reminder has this day already')
      if (earlier.some((step) => step.id === own)) issue([index, 'id'], 'This id stands twice')
    }
  })
  .meta({ id: 'ReminderRulesEdit' })
export type ReminderRulesEdit = z.infer<typeof reminderRulesEdit>

export const reminderRules = z
  .object({
    ...editable,
    /** 1 before anybody has saved them. */
    version: z.int(),
    updatedAt: instant.nullable(),
  })
  .meta({ id: 'ReminderRules' })
export type ReminderRules = z.infer<typeof reminderRules>

export const mailFailures = ['unreachable', 'unknown', 'sign-in', 'address', 'refused', 'documents', 'other'] as const

const invoiceMail = z
  .object({
    id,
    kind: oneOf(['invoice', 'reminder']),
    recipient: z.string(),
    /** When it was asked for. */
    at: instant,
    /** Null: nobody, a rule did. */
    sentBy: id.nullable(),
    /** Of a rule's reminder: so many days after the due date. */
    days: z.int().nullable(),
    /** An XML was attached to it. Null: too long ago to be known still. */
    hasXml: z.boolean().nullable(),
    state: mailState,
  })
  .meta({ id: 'InvoiceMail' })
export type InvoiceMail = z.infer<typeof invoiceMail>

/** The last one first; at most 100. */
export const invoiceMails = z
  .object({
    data: z.array(invoiceMail),
    /** In words why no XML goes out with it although the organization has an e-invoice profile; empty where one does, or nobody wants one. */
    withoutXml: z.array(z.string()),
    /** The customer has it, or may have it: a mail with it did not certainly fail, or it was seen by its link. */
    delivered: z.boolean(),
    reminders: z.object({
      /** Somebody took this invoice out of the rules. */
      paused: z.boolean(),
      /** The next one by the rules, if nothing is paid meanwhile. */
      next: z.object({ on: date, days: z.int() }).nullable(),
      /** Where it goes; null: nobody knows an address. */
      recipient: z.string().nullable(),
      /** Reminders that went out since it was due, by the rules or by hand, and were not lost: Docket's own words go by it. */
      sent: z.int(),
    }),
  })
  .meta({ id: 'InvoiceMails' })
export type InvoiceMails = z.infer<typeof invoiceMails>

export const reminderPause = z.object({ paused: z.boolean() }).meta({ id: 'ReminderPause' })
