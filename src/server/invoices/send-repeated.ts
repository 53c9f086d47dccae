// Sends what a recurring invoice issued, where its rule says so: each in a transaction of its own, in which it is asked once more whether it is still to go
// out, so that a job that dies sends the others and none of them twice.
import { firstWords } from '#documents/mail-words.ts'
import { may } from '#shared/permissions.ts'
import type { Tx } from '#server/db/database.ts'
import { mailsLeft } from '#server/mail/limit.ts'
import { findMembers } from '#server/rows/member-row.ts'
import { holdRevision } from '#server/rows/revision.ts'
import { findInvoice } from '#server/rows/whole-invoice.ts'
import { tell, type Place } from './recurring-place.ts'
import { mailAsSent } from './send.ts'

/** In the transaction that issues it: none is forgotten, whatever is killed after the commit. */
export async function noteSending(tx: Tx, ids: Ids): Promise<void> {
  await tx
    .insertInto('recurringSendings')
    .values({ ...ids, problem: null })
    .execute()
}

/** What was to be issued as well and could not be: a draft that somebody looks at. */
export async function noteUnissued(tx: Tx, ids: Ids, problem: string): Promise<void> {
  await tx
    .insertInto('recurringSendings')
    .values({ ...ids, problem })
    .execute()
}

/** False when none is left, `later` where the organization has sent what it may in an hour. The row is locked first: of two jobs the second finds it sent. */
export async function sendOne(place: Place, apiPublicUrl: string): Promise<'sent' | 'unsent' | 'later' | false> {
  const { tx, organization, today, now } = place
  const { id: organizationId } = organization
  const waiting = await tx
    .selectFrom('recurringSendings')
    .innerJoin('recurringInvoices', (join) =>
      join
        .onRef('recurringInvoices.organizationId', '=', 'recurringSendings.organizationId')
        .onRef('recurringInvoices.id', '=', 'recurringSendings.recurringId'),
    )
    .select(['recurringSendings.invoiceId', 'recurringSendings.recurringId', 'recurringInvoices.createdBy'])
    .where('recurringSendings.organizationId', '=', organizationId)
    .where('recurringSendings.problem', 'is', null)
    .orderBy('recurringSendings.invoiceId')
    .limit(1)
    .forUpdate('recurringSendings')
    .executeTakeFirst()
  if (!waiting) return false
  const { invoiceId, recurringId, createdBy } = waiting
  // Whoever sends, voids or changes it comes before, and is seen, or after.
  await holdRevision(tx, organizationId)
  const invoice = (await findInvoice(tx, organizationId, invoiceId, today))!
  const isOpen = invoice.status === 'issued' && invoice.sentAt === null
  if (isOpen && (await mailsLeft(tx, organizationId, now)) <= 0) return 'later'
  const words = firstWords(invoice, invoice.buyer, organization)
  const problem = isOpen ? await whyNot(place, createdBy, words.to) : null
  if (problem !== null) {
    await noteUnsent(tx, { organizationId, invoiceId, recurringId }, `It was issued and not sent: ${problem}`)
    return 'unsent'
  }
  await tx
    .deleteFrom('recurringSendings')
    .where('organizationId', '=', organizationId)
    .where('invoiceId', '=', invoiceId)
    .execute()
  if (!isOpen) return 'unsent'
  const by = { sentBy: null, linkedBy: createdBy, apiPublicUrl, now }
  await mailAsSent(tx, { ...by, organization, invoice, words, version: invoice.version })
  await tell(place, 'sendInvoice', invoice, invoiceId)
  return 'sent'
}

/** Words: why it cannot go out. The rule does no more than they may themselves by now who saved it. */
async function whyNot({ tx, organization }: Place, createdBy: string, to: string): Promise<string | null> {
  const [maker] = await findMembers(tx, organization.id, [createdBy])
  if (!maker || !may({ ...organization, role: maker.role }, 'invoice.send'))
    return 'Whoever set this up may not send invoices any more.'
  return to === '' ? 'The customer has no email address.' : null
}

type Ids = { organizationId: string; invoiceId: string; recurringId: string }

/** Left for somebody to see, at the invoice and at the rule. */
async function noteUnsent(tx: Tx, { organizationId, invoiceId, recurringId }: Ids, problem: string): Promise<void> {
  await tx
    .updateTable('recurringSendings')
    .set({ problem })
    .where('organizationId', '=', organizationId)
    .where('invoiceId', '=', invoiceId)
    .execute()
  await tx
    .updateTable('recurringInvoices')
    .set({ lastProblem: problem })
    .where('organizationId', '=', organizationId)
    .where('id', '=', recurringId)
    .execute()
}

/** Whoever saves or ends the rule has seen what it could not send. */
export async function forgetUnsent(tx: Tx, organizationId: string, recurringId: string): Promise<void> {
  await tx
    .deleteFrom('recurringSendings')
    .where('organizationId', '=', organizationId)
    .where('recurringId', '=', recurringId)
    .where('problem', 'is not', null)
    .execute()
}
