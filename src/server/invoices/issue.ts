// Issuing: takes the number and freezes everything in one transaction. What it writes down can never be changed again.
import { createHash } from 'node:crypto'
import type { Customer } from '#shared/contract/customers.ts'
import { buyerFields, sellerFields, type Invoice } from '#shared/contract/invoices.ts'
import type { Organization } from '#shared/contract/organizations.ts'
import { dueDateAt, missingToIssue } from '#shared/invoice-draft.ts'
import { exchangeErrors } from '#shared/exchange.ts'
import { issuedAs } from '#shared/e-invoice-profile.ts'
import { invoiceKeys, invoiceSearchKey } from '#shared/invoice-keys.ts'
import { canInvoice } from '#shared/invoice-state.ts'
import { ProblemError } from '#shared/problem.ts'
import type { Tx } from '#server/db/database.ts'
import { setDue } from '#server/jobs/due-work.ts'
import { keepXml } from '#server/outgoing/xml-of-record.ts'
import { creditNoteSeries, invoiceSeries } from '#server/rows/organization-row.ts'
import { fieldProblem } from '#server/http/problems.ts'
import { nextRevision } from '#server/rows/revision.ts'
import { correctedBy, notFrozen, type IssuedContent } from '#server/rows/whole-invoice.ts'
import { creditInvoice } from './credit.ts'
import { only } from './frozen.ts'
import { takeNumber } from './numbering.ts'

export interface Issuing {
  draft: Invoice
  organization: Organization
  customer: Customer | null
  version: number
  /** Today in the organization's zone: the issue date is the server's alone. */
  today: string
  userId: string
  now: string
}

export async function issueInvoice(tx: Tx, issuing: Issuing): Promise<void> {
  const { draft, organization, customer, version, today, now } = issuing
  const organizationId = organization.id
  if (!canInvoice('issue', draft.status)) throw new ProblemError('invalid_transition')
  if (draft.version !== version) throw new ProblemError('stale')
  const missing = missingToIssue(draft)
  if (missing.length > 0) throw new ProblemError('validation_failed', { errors: missing })
  if (!customer) throw fieldProblem('/customerId', 'This customer does not exist any more')
  const dueDate = dueDateAt(today, draft)
  // The organization's currency may have changed while the draft was written.
  const misplaced = draft.type === '380' ? exchangeErrors(draft, organization.currency) : []
  if (misplaced.length > 0) throw new ProblemError('validation_failed', { errors: misplaced })
  const corrected = await correctedBy(tx, draft, today)
  const { profile, errors } = issuedAs(organization.eInvoiceProfile, draft, organization, customer, corrected)
  if (errors.length > 0) throw new ProblemError('validation_failed', { errors })

  const taken = await takeNumber(tx, organizationId, draft.type === '381' ? creditNoteSeries : invoiceSeries, today)
  const issued = {
    number: taken.number,
    issueDate: today,
    dueDate,
    customerName: customer.name,
    // A credit note's is that of its invoice.
    accountingCurrency: draft.accountingCurrency ?? organization.currency,
  }
  const content: IssuedContent = {
    ...without(draft, notFrozen),
    ...issued,
    issuedAt: now,
    seller: only(organization, sellerFields),
    buyer: only(customer, buyerFields),
    madeAs: { profile, pdfKind: profile === 'facturx' ? 'facturx' : 'pdf', paperSize: organization.paperSize },
  }
  const revision = await nextRevision(tx, organizationId)
  if (draft.type === '381') await creditInvoice(tx, { note: draft, revision, today, now })
  // First what is frozen: the row may then say nothing else (migrations/0025-issued-stays.sql).
  const frozen = await tx
    .insertInto('issuedInvoices')
    .values({
      organizationId,
      invoiceId: draft.id,
      ...taken,
      issuedAt: now,
      issuedBy: issuing.userId,
      content: JSON.stringify(content),
      contentHash: contentHash(content),
    })
    .onConflict((conflict) => conflict.columns(['organizationId', 'invoiceId']).doNothing())
    .executeTakeFirstOrThrow()
  if (frozen.numInsertedOrUpdatedRows === 0n) throw new ProblemError('stale')
  const { numUpdatedRows } = await tx
    .updateTable('invoices')
    .set({
      status: 'issued',
      ...issued,
      ...invoiceKeys(issued),
      searchKey: invoiceSearchKey({ ...draft, ...issued }),
      issuedAt: now,
      version: version + 1,
      revision,
      updatedAt: now,
    })
    .where('organizationId', '=', organizationId)
    .where('id', '=', draft.id)
    .where('version', '=', version)
    .where('status', '=', 'draft')
    .where('deletedAt', 'is', null)
    .executeTakeFirstOrThrow()
  // Somebody issued or changed it while this one waited for the counter; the rollback gives the number back.
  if (numUpdatedRows === 0n) throw new ProblemError('stale')
  // That a rule could not issue it is settled.
  await tx
    .deleteFrom('recurringSendings')
    .where('organizationId', '=', organizationId)
    .where('invoiceId', '=', draft.id)
    .execute()
  if (profile !== 'none') await keepXml(tx, draft, content, profile, now)
  await setDue(tx, organizationId, 'documents', now)
}

/** SHA-256 over the content with sorted keys, so that it can be computed again from what the database gives back. */
function contentHash(content: unknown): string {
  return createHash('sha256').update(canonical(content)).digest('base64url')
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  )
}

/** The row but for the fields that are named. */
function without<Row extends object, Name extends keyof Row>(row: Row, names: readonly Name[]): Omit<Row, Name> {
  const left = new Set<PropertyKey>(names)
  return Object.fromEntries(Object.entries(row).filter(([name]) => !left.has(name))) as Omit<Row, Name>
}
