import { invoiceSending } from '#shared/contract/invoices.ts'
import {
  invoiceMails,
  reminderPause,
  reminderRules,
  reminderRulesEdit,
  type ReminderRules,
} from '#shared/contract/reminders.ts'
import { mayRemind } from '#shared/invoice-balance.ts'
import { languages } from '#shared/language.ts'
import { ProblemError } from '#shared/problem.ts'
import { recordActivity } from '#server/rows/activity-log.ts'
import { row, type TenantCall } from '#server/context.ts'
import { reminderRulesOf, type KeptRules } from '#server/rows/due-reminders.ts'
import { tenantEndpoint, type Route } from '#server/http/endpoint.ts'
import { mailInvoice } from '#server/outgoing/invoice-mail.ts'
import { refuseTooManyMails } from '#server/mail/limit.ts'
import { namedRow } from '#server/rows/named-row.ts'
import { organizationOf } from '#server/rows/organization-row.ts'
import { holdRevision } from '#server/rows/revision.ts'
import { findInvoice } from '#server/rows/whole-invoice.ts'
import { mailsOfInvoice, pauseReminders, refuseRepeated, saveRules } from './store.ts'

export const reminderRoutes: Route[] = [
  tenantEndpoint(
    'getReminderRules',
    { summary: 'What customers are reminded of, and when', answers: { 200: reminderRules } },
    async ({ tx, organizationId }) => row(shown(await reminderRulesOf(tx, organizationId))),
  ),

  tenantEndpoint(
    'saveReminderRules',
    { summary: 'Change what customers are reminded of', body: reminderRulesEdit, answers: { 200: reminderRules } },
    async (call) => {
      const { tx, organizationId, body, ifMatch } = call
      const before = await reminderRulesOf(tx, organizationId)
      const organization = await organizationOf(call)
      if (before.version !== ifMatch || !(await saveRules(call, before, body, organization.timeZone)))
        throw new ProblemError('stale')
      const after = await reminderRulesOf(tx, organizationId)
      const told = [{ field: 'reminders', before: inWords(before), after: inWords(after) }]
      await recordActivity(placeOf(call), 'saveReminderRules', self(organizationId), organization.name, told)
      return row(shown(after))
    },
  ),

  tenantEndpoint(
    'listInvoiceMails',
    { summary: 'The mails of an invoice, and when the next reminder goes out', answers: { 200: invoiceMails } },
    async (call) => ({ status: 200, body: await mailsOfInvoice(call, await existing(call)) }),
  ),

  tenantEndpoint(
    'remindInvoice',
    { summary: 'Remind the customer of an invoice now', body: invoiceSending, answers: { 200: invoiceMails } },
    async (call) => {
      const { tx, organizationId, body, caller, now, services } = call
      namedRow(call, 'invoice')
      // Whoever pays it meanwhile comes before or after, never between.
      await holdRevision(tx, organizationId)
      const invoice = await existing(call)
      if (!mayRemind(invoice)) throw new ProblemError('invalid_transition')
      await refuseRepeated(call, invoice.id, body.to)
      await refuseTooManyMails(tx, organizationId, now)
      await mailInvoice(tx, {
        organization: await organizationOf(call),
        invoice,
        kind: 'reminder',
        words: body,
        attachments: [{ invoiceId: invoice.id, kind: 'pdf' }],
        sentBy: caller.userId,
        linkedBy: caller.userId,
        apiPublicUrl: services.apiPublicUrl,
        now,
      })
      const told = [{ field: 'to', before: null, after: body.to }]
      await recordActivity(placeOf(call), 'remindInvoice', subject(invoice.id), invoice.number!, told)
      call.afterCommit(services.mailQueued)
      return { status: 200, body: await mailsOfInvoice(call, invoice) }
    },
  ),

  tenantEndpoint(
    'pauseReminders',
    {
      summary: 'Take an invoice out of the reminders, or back in',
      body: reminderPause,
      answers: { 200: invoiceMails },
    },
    async (call) => {
      const invoice = namedRow(call, 'invoice')
      if (invoice.status === 'draft' || invoice.type !== '380') throw new ProblemError('invalid_transition')
      const before = await mailsOfInvoice(call, invoice)
      const { paused } = call.body
      if (before.reminders.paused === paused) return { status: 200, body: before }
      await pauseReminders(call, invoice.id, paused)
      const told = [{ field: 'remindersPaused', before: !paused, after: paused }]
      await recordActivity(placeOf(call), 'pauseReminders', subject(invoice.id), invoice.number!, told)
      return { status: 200, body: await mailsOfInvoice(call, invoice) }
    },
  ),
]

type AnyCall = TenantCall<unknown, unknown>

const subject = (id: string) => ({ kind: 'invoice', id })
const self = (id: string) => ({ kind: 'organization', id })
const placeOf = ({ tx, organizationId, caller, now }: AnyCall) => ({ tx, organizationId, userId: caller.userId, now })

function shown({ enabled, steps, version, updatedAt }: KeptRules): ReminderRules {
  return { enabled, steps: steps.map(({ since: _, ...step }) => step), version, updatedAt }
}

/** For the activity. */
function inWords({ enabled, steps }: KeptRules) {
  if (!enabled) return null
  const lines = steps.map(({ days, words }) => {
    const subjects = languages.flatMap((language) => words[language]?.subject ?? [])
    return [`${days}:`, subjects.join(' / ')].filter(Boolean).join(' ')
  })
  return lines.join('\n')
}

async function existing({ tx, organizationId, params, today }: AnyCall) {
  const stored = await findInvoice(tx, organizationId, params['invoiceId']!, today)
  if (!stored) throw new ProblemError('not_found')
  return stored
}
