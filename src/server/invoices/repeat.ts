// Writes the recurring invoices that are due, issues and sends (send-repeated.ts) what is to be: each in a transaction of its own that also notes the next one, so that a job that dies begins after the last.
import { invoiceEdit } from '#shared/contract/invoices.ts'
import type { Organization } from '#shared/contract/organizations.ts'
import { addDays, todayIn } from '#shared/dates.ts'
import { uuidv7 } from '#shared/ids.ts'
import { may } from '#shared/permissions.ts'
import { ProblemError } from '#shared/problem.ts'
import { nextOccurrence, type RecurrenceInterval } from '#shared/recurrence.ts'
import { findCustomer } from '#server/rows/customer-row.ts'
import type { Database, Tx } from '#server/db/database.ts'
import type { RecurringInvoices } from '#server/db/tables.ts'
import { setDue } from '#server/jobs/due-work.ts'
import { findMembers } from '#server/rows/member-row.ts'
import { organizationForJob } from '#server/rows/organization-row.ts'
import { nextRevision } from '#server/rows/revision.ts'
import { findInvoice } from '#server/rows/whole-invoice.ts'
import { completeDraft } from './draft.ts'
import { issueInvoice } from './issue.ts'
import { tell, type Place } from './recurring-place.ts'
import { noteNext } from './recurring-store.ts'
import { noteSending, noteUnissued, sendOne } from './send-repeated.ts'
import { insertDraft } from './store.ts'

interface Surroundings {
  apiPublicUrl: string
  mailQueued: () => void
}

/** The job. */
export function repeatInvoices({ apiPublicUrl, mailQueued }: Surroundings) {
  return async (db: Database, organizationId: string, nowMs: number): Promise<void> => {
    const now = new Date(nowMs).toISOString()
    const inside: Inside = (work) =>
      db.asApp({ organizationIds: [organizationId] }, async (tx) => {
        const organization = await organizationForJob(tx, organizationId)
        // Closed: there is nothing to do any more.
        if (!organization) await setDue(tx, organizationId, 'recurring', null)
        if (!organization) return null
        return work({ tx, organization, today: todayIn(organization.timeZone, nowMs), now })
      })
    // First what a job that died had written and not issued.
    do await issueAll(inside)
    while (await inside(writeOne))
    let sent = await inside((place) => sendOne(place, apiPublicUrl))
    for (; sent === 'sent' || sent === 'unsent'; sent = await inside((place) => sendOne(place, apiPublicUrl)))
      if (sent === 'sent') mailQueued()
    await inside(({ tx, organization }) => noteNext(tx, organizationId, organization.timeZone, now))
  }
}

type Inside = <T>(work: (place: Place) => Promise<T>) => Promise<T | null>

/** The note locks the row before anything else: of two jobs the second finds it issued. */
async function issueAll(inside: Inside): Promise<void> {
  for (let waiting = await inside(nextToIssue); waiting; waiting = await inside(nextToIssue)) {
    const next = waiting
    try {
      await inside(async (place) => (await noteIssued(place, next, null)) && issueNow(place, next))
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error
      const problem = `It could not be issued and waits as a draft: ${whyNot(error)}`
      await inside(async (place) => {
        if (!(await noteIssued(place, next, problem))) return false
        const ids = { organizationId: place.organization.id, invoiceId: next.invoiceId, recurringId: next.id }
        await noteUnissued(place.tx, ids, problem)
        return true
      })
    }
  }
}

/** False when none is due. The row is locked first: of two jobs the second finds it done. What is still to be issued holds its rule back: another would take its place. */
async function writeOne(place: Place): Promise<boolean> {
  const { tx, organization, today, now } = place
  const organizationId = organization.id
  const due = await tx
    .selectFrom('recurringInvoices')
    .selectAll()
    .where('organizationId', '=', organizationId)
    .where('deletedAt', 'is', null)
    .where('paused', '=', false)
    .where('nextOn', '<=', today)
    .where('issuingInvoiceId', 'is', null)
    .orderBy('nextOn')
    .orderBy('id')
    .limit(1)
    .forUpdate()
    .executeTakeFirst()
  if (!due) return false
  const made = await draftOf(tx, organization, due)
  const id = uuidv7()
  if (typeof made !== 'string') {
    await insertDraft(tx, organizationId, id, made, await nextRevision(tx, organizationId), now)
    await tell(place, 'createInvoice', null, id)
  }
  const problem = typeof made === 'string' ? made : null
  const rule = { ...due, interval: due.interval as RecurrenceInterval }
  await tx
    .updateTable('recurringInvoices')
    .set(
      problem === null
        ? {
            nextOn: nextOccurrence(rule, addDays(due.nextOn!, 1)),
            lastOn: due.nextOn,
            lastInvoiceId: id,
            issuingInvoiceId: due.action === 'draft' ? null : id,
            lastProblem: null,
          }
        : // It would not be written the next time either: a person looks at it first, and then this one is still to be written.
          { paused: true, lastProblem: problem },
    )
    .where('organizationId', '=', organizationId)
    .where('id', '=', due.id)
    .execute()
  return true
}

/** The draft, or in words why there can be none. */
async function draftOf(
  tx: Tx,
  organization: Organization,
  {
    customerId,
    invoice,
    currency,
    supplyOn,
    nextOn,
  }: Pick<RecurringInvoices, 'customerId' | 'currency' | 'supplyOn' | 'nextOn'> & { invoice: unknown },
) {
  const customer = await findCustomer(tx, organization.id, customerId)
  if (!customer) return 'The customer was deleted.'
  const kept = invoiceEdit.safeParse(invoice)
  // Kept by an earlier build, and not what this one takes: it stops here and holds up no other.
  if (!kept.success) return `What it says cannot be used any more: ${kept.error.issues[0]!.message}`
  try {
    // Prices stay in the currency they were saved in, whatever the organization's has become.
    // Several may be written at once that are of several months: each is of its own day.
    const supplyDate = supplyOn === 'day' ? nextOn : null
    return completeDraft({ ...kept.data, currency, supplyDate }, organization, customer)
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error
    return whyNot(error)
  }
}

/** All that is wrong at once, or it would be mended field by field, from one day to the next. What is wrong in several lines is said once. */
function whyNot({ problem: { errors = [] }, message }: ProblemError): string {
  return [...new Set(errors.map(({ detail }) => detail))].join(' · ') || message
}

/** One that was written and is still to be issued; null when none is. */
async function nextToIssue({ tx, organization }: Place) {
  const found = await tx
    .selectFrom('recurringInvoices')
    .select(['id', 'issuingInvoiceId as invoiceId', 'action', 'createdBy'])
    .where('organizationId', '=', organization.id)
    .where('issuingInvoiceId', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  return found as (Pick<typeof found & object, 'id' | 'action' | 'createdBy'> & { invoiceId: string }) | undefined
}

type Waiting = NonNullable<Awaited<ReturnType<typeof nextToIssue>>>

/** A draft that was changed, issued or deleted by somebody meanwhile is theirs. */
async function issueNow(place: Place, { id: recurringId, invoiceId, action, createdBy }: Waiting): Promise<void> {
  const { tx, organization, today, now } = place
  const draft = await findInvoice(tx, organization.id, invoiceId, today)
  if (draft?.status !== 'draft' || draft.version !== 1) return
  // The rule does no more than they may themselves by now.
  const [maker] = await findMembers(tx, organization.id, [createdBy])
  if (!maker || !may({ ...organization, role: maker.role }, 'invoice.issue'))
    throw new ProblemError('forbidden', { detail: 'Whoever set this up may not issue invoices any more.' })
  const customer = draft.customerId === null ? null : await findCustomer(tx, organization.id, draft.customerId)
  await issueInvoice(tx, { draft, organization, customer, version: 1, today, userId: createdBy, now })
  if (action === 'send') await noteSending(tx, { organizationId: organization.id, invoiceId, recurringId })
  await tell(place, 'issueInvoice', draft, invoiceId)
}

/** It is issued, or stays a draft for the reason that is named; false when another job was faster. */
async function noteIssued(
  { tx, organization }: Place,
  { id, invoiceId }: Waiting,
  lastProblem: string | null,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('recurringInvoices')
    .set({ issuingInvoiceId: null, lastProblem })
    .where('organizationId', '=', organization.id)
    .where('id', '=', id)
    .where('issuingInvoiceId', '=', invoiceId)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}
