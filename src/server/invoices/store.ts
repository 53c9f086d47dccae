// Invoices as rows, and the one mapping of a whole invoice between row and contract.
import type { Invoice } from '#shared/contract/invoices.ts'
import { decimal, formatDecimal } from '#shared/decimal.ts'
import { invoiceKeys } from '#shared/invoice-keys.ts'
import { invoiceAmounts, wireTotals } from '#shared/invoice-totals.ts'
import { toMoney } from '#shared/money.ts'
import type { Tx } from '#server/db/database.ts'
import type { InvoiceLines, Invoices } from '#server/db/tables.ts'
import { summaryFromRow } from '#server/invoice-row.ts'
import type { Draft, DraftContent } from './draft.ts'

/** What may still change on an issued invoice, and so is not frozen with it. */
export const notFrozen = [
  'status',
  'amountDue',
  'paymentStatus',
  'overdue',
  'version',
  'revision',
  'createdAt',
  'updatedAt',
] as const satisfies (keyof Invoice)[]

/** What issuing froze: the whole invoice as it went out. */
export type IssuedContent = Omit<Invoice, (typeof notFrozen)[number]>

/** The invoice with its lines; what is issued is answered from its frozen content alone. `today` is the organization's date. */
export async function findInvoice(tx: Tx, organizationId: string, id: string, today: string): Promise<Invoice | null> {
  const row = await tx
    .selectFrom('invoices')
    .leftJoin('issuedInvoices', (join) =>
      join
        .onRef('issuedInvoices.organizationId', '=', 'invoices.organizationId')
        .onRef('issuedInvoices.invoiceId', '=', 'invoices.id'),
    )
    .selectAll('invoices')
    .select('issuedInvoices.content')
    .where('invoices.organizationId', '=', organizationId)
    .where('invoices.id', '=', id)
    .where('invoices.deletedAt', 'is', null)
    .executeTakeFirst()
  if (!row) return null
  const { content, ...invoice } = row
  const summary = summaryFromRow(invoice, today)
  if (content !== null) return { ...summary, ...(content as unknown as IssuedContent) }
  const lines = await tx
    .selectFrom('invoiceLines')
    .selectAll()
    .where('organizationId', '=', organizationId)
    .where('invoiceId', '=', id)
    .orderBy('position')
    .execute()
  return { ...summary, ...wholeDraft(invoice as Invoices, lines as InvoiceLines[]) }
}

export async function invoiceIdExists(tx: Tx, organizationId: string, id: string): Promise<boolean> {
  const row = await tx
    .selectFrom('invoices')
    .select('id')
    .where('organizationId', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row !== undefined
}

export async function insertDraft(
  tx: Tx,
  organizationId: string,
  id: string,
  draft: Draft,
  revision: bigint,
  now: string,
): Promise<void> {
  const row = { organizationId, id, type: '380', status: 'draft', number: null, issueDate: null, issuedAt: null }
  await tx
    .insertInto('invoices')
    .values({ ...row, ...draftColumns(draft), version: 1, revision, createdAt: now, updatedAt: now, deletedAt: null })
    .execute()
  await insertLines(tx, organizationId, id, draft)
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
  const { lines, allowances, charges, ...plain } = content
  const listed = { number: null, issueDate: null, dueDate: content.dueDate, customerName }
  return {
    ...plain,
    allowances: JSON.stringify(allowances),
    charges: JSON.stringify(charges),
    netAmount: amounts.totals.net,
    taxAmount: amounts.totals.tax,
    grossAmount: amounts.totals.gross,
    customerName,
    ...invoiceKeys(
      listed,
      lines.map((line) => line.name),
    ),
  }
}

/** The parts of a draft that its summary does not have; amounts are computed, never trusted from storage. */
function wholeDraft(row: Invoices, lineRows: readonly InvoiceLines[]) {
  const lines = lineRows.map(({ organizationId: _, invoiceId: __, position: ___, netAmount: ____, ...line }) => ({
    ...(line as unknown as DraftContent['lines'][number]),
    quantity: shortest(line.quantity),
    unitPrice: shortest(line.unitPrice),
    baseQuantity: shortest(line.baseQuantity),
  }))
  const parts = {
    currency: row.currency,
    taxMode: row.taxMode as Invoice['taxMode'],
    lines,
    allowances: row.allowances as unknown as Invoice['allowances'],
    charges: row.charges as unknown as Invoice['charges'],
  }
  return {
    ...parts,
    ...wireAmounts(parts),
    termsDays: row.termsDays,
    supplyDate: row.supplyDate,
    buyerReference: row.buyerReference,
    orderReference: row.orderReference,
    notes: row.notes,
    issuedAt: row.issuedAt,
    seller: null,
    buyer: null,
  }
}

/** Lines with their net, the VAT breakdown and the totals, as they leave on the wire. */
function wireAmounts(content: Pick<DraftContent, 'currency' | 'taxMode' | 'lines' | 'allowances' | 'charges'>) {
  const { currency } = content
  const amounts = invoiceAmounts(content)
  return {
    lines: content.lines.map((line, index) => ({ ...line, net: toMoney(amounts.lines[index]!.net, currency) })),
    vat: amounts.vat.map((group) => ({
      ...group,
      base: toMoney(group.base, currency),
      tax: toMoney(group.tax, currency),
    })),
    totals: wireTotals(amounts.totals, currency),
  }
}

/** PostgreSQL pads a numeric to its scale. */
function shortest(text: string): string {
  return formatDecimal(decimal(text))
}
