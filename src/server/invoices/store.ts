// Drafts as they are written; reading whole invoices is in server/whole-invoice.ts.
import { invoiceKeys, invoiceSearchKey } from '#shared/invoice-keys.ts'
import type { InvoiceStatus } from '#shared/invoice-state.ts'
import { toMoney } from '#shared/money.ts'
import type { Tx } from '#server/db/database.ts'
import type { Draft } from './draft.ts'

export async function invoiceIdExists(tx: Tx, organizationId: string, id: string): Promise<boolean> {
  const row = await tx
    .selectFrom('invoices')
    .select('id')
    .where('organizationId', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row !== undefined
}

/** False when its id is taken, also by one that was deleted: an id is used once. */
export async function insertDraft(
  tx: Tx,
  organizationId: string,
  id: string,
  draft: Draft,
  revision: bigint,
  now: string,
  { creditedInvoiceId = null, quoteId = null }: { creditedInvoiceId?: string | null; quoteId?: string | null } = {},
): Promise<boolean> {
  const type = creditedInvoiceId === null ? '380' : '381'
  const unpaid = { paidAmount: 0n, creditedAmount: 0n, creditedInvoiceId, quoteId }
  const row = {
    organizationId,
    id,
    type,
    status: 'draft',
    number: null,
    issueDate: null,
    issuedAt: null,
    sentAt: null,
    viewedAt: null,
  }
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('invoices')
    .values({
      ...row,
      ...unpaid,
      ...draftColumns(draft),
      version: 1,
      revision,
      createdAt: now,
      updatedAt: now,
      deletedAt: null,
    })
    .onConflict((conflict) => conflict.columns(['organizationId', 'id']).doNothing())
    .executeTakeFirstOrThrow()
  if (numInsertedOrUpdatedRows === 0n) return false
  await insertLines(tx, organizationId, id, draft)
  return true
}

/** False when the draft's version is no longer `version`, or it is a draft no more. */
export async function updateDraft(
  tx: Tx,
  organizationId: string,
  id: string,
  change: Draft | 'delete',
  version: number,
  revision: bigint,
  now: string,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('invoices')
    .set({
      ...(change === 'delete' ? { deletedAt: now } : draftColumns(change)),
      version: version + 1,
      revision,
      updatedAt: now,
    })
    .where('organizationId', '=', organizationId)
    .where('id', '=', id)
    .where('version', '=', version)
    .where('status', '=', 'draft')
    .where('deletedAt', 'is', null)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) return false
  await tx.deleteFrom('invoiceLines').where('organizationId', '=', organizationId).where('invoiceId', '=', id).execute()
  if (change !== 'delete') await insertLines(tx, organizationId, id, change)
  return true
}

/** Of what is issued; who calls holds the organization's counter row and has looked at the invoice since. */
export async function updateStatus(
  tx: Tx,
  organizationId: string,
  id: string,
  status: InvoiceStatus,
  revision: bigint,
  now: string,
): Promise<void> {
  await tx
    .updateTable('invoices')
    .set((eb) => ({ status, version: eb('version', '+', 1), revision, updatedAt: now }))
    .where('organizationId', '=', organizationId)
    .where('id', '=', id)
    .execute()
}

async function insertLines(
  tx: Tx,
  organizationId: string,
  invoiceId: string,
  { content, amounts }: Draft,
): Promise<void> {
  if (content.lines.length === 0) return
  await tx
    .insertInto('invoiceLines')
    .values(
      content.lines.map((line, position) => ({
        organizationId,
        invoiceId,
        position,
        ...line,
        allowances: JSON.stringify(line.allowances),
        charges: JSON.stringify(line.charges),
        vat: JSON.stringify(line.vat),
        netAmount: amounts.lines[position]!.net,
      })),
    )
    .execute()
}

function draftColumns({ content, amounts, customerName }: Draft) {
  const { lines, allowances, charges, exchange, ...plain } = content
  const listed = { number: null, issueDate: null, dueDate: content.dueDate, customerName }
  return {
    ...plain,
    exchangeRate: exchange?.rate ?? null,
    exchangeDate: exchange?.date ?? null,
    exchangeSource: exchange?.source ?? null,
    allowances: JSON.stringify(allowances),
    charges: JSON.stringify(charges),
    netAmount: amounts.totals.net,
    taxAmount: amounts.totals.tax,
    grossAmount: amounts.totals.gross,
    customerName,
    ...invoiceKeys(listed),
    searchKey: invoiceSearchKey({ ...content, ...listed, gross: toMoney(amounts.totals.gross, content.currency) }),
  }
}
