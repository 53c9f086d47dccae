// Credit notes: drafts made from what an invoice has left, and taken off it when they are issued. Who calls holds the organization's counter row.
import type { Customer } from '#shared/contract/customers.ts'
import type { Invoice } from '#shared/contract/invoices.ts'
import { creditContent, creditErrors } from '#shared/credit-note.ts'
import { canCredit, sumsOf } from '#shared/invoice-balance.ts'
import { invoiceAmounts } from '#shared/invoice-totals.ts'
import { minorUnitsOf } from '#shared/money.ts'
import { ProblemError } from '#shared/problem.ts'
import type { Tx } from '#server/db/database.ts'
import { findInvoice, findInvoices } from '#server/rows/whole-invoice.ts'
import type { Draft } from './draft.ts'

/** With everything that is still creditable, to its customer of today: as every draft it goes by the name that they have now, not by that of the invoice. */
export async function draftOfCredit(
  tx: Tx,
  invoice: Invoice,
  customer: Customer | null,
  today: string,
): Promise<Draft> {
  const content = creditContent(invoice, await notesOf(tx, invoice, today))
  return { content, amounts: invoiceAmounts(content), customerName: customer?.name ?? null }
}

/** Takes it off its invoice, whose revision moves and whose version does not (decision 022); 422 for what goes beyond what is left. */
export async function creditInvoice(
  tx: Tx,
  { note, revision, today, now }: { note: Invoice; revision: bigint; today: string; now: string },
): Promise<void> {
  const { organizationId, creditedInvoice } = note
  const invoice = await findInvoice(tx, organizationId, creditedInvoice!.id, today)
  if (!invoice || !canCredit(sumsOf(invoice)))
    throw new ProblemError('invalid_transition', {
      detail: 'Nothing of its invoice can be credited any more: delete this draft.',
    })
  const errors = creditErrors(invoice, await notesOf(tx, invoice, today), note)
  if (errors.length > 0) throw new ProblemError('validation_failed', { errors })
  await tx
    .updateTable('invoices')
    .set((eb) => ({ creditedAmount: eb('creditedAmount', '+', minorUnitsOf(note.gross)), revision, updatedAt: now }))
    .where('organizationId', '=', organizationId)
    .where('id', '=', invoice.id)
    .execute()
}

/** The credit notes that were issued for it. */
function notesOf(tx: Tx, { organizationId, creditNotes }: Invoice, today: string): Promise<Invoice[]> {
  return findInvoices(
    tx,
    organizationId,
    creditNotes.map(({ id }) => id),
    today,
  )
}
