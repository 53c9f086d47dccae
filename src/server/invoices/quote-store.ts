// Drafts of quotes as they are written, and lists of quotes; reading whole ones is in server/rows/quote-row.ts.
import type { QuotePage, QuoteQuery } from '#shared/contract/quotes.ts'
import { invoiceSearchKey } from '#shared/invoice-keys.ts'
import { toMoney } from '#shared/money.ts'
import type { Tx } from '#server/db/database.ts'
import { pageStart, toPage } from '#server/http/paging.ts'
import { quoteRows, quoteSummaryOf } from '#server/rows/quote-row.ts'
import { searched } from '#server/rows/search.ts'
import type { Draft } from './draft.ts'

interface Ids {
  organizationId: string
  id: string
}

/** What a person asked for, reckoned. */
export interface QuoteDraft {
  draft: Draft
  validUntil: string | null
}

/** False when there is one of this id already, deleted or not. */
export async function insertQuote(tx: Tx, ids: Ids, asked: QuoteDraft, now: string): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('quotes')
    .values({
      ...ids,
      status: 'draft',
      number: null,
      edition: 0,
      ...quoteColumns(asked, null),
      sentAt: null,
      viewedAt: null,
      invoiceId: null,
      version: 1,
      createdAt: now,
      updatedAt: now,
      deletedAt: null,
    })
    .onConflict((conflict) => conflict.columns(['organizationId', 'id']).doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

/** The next version with these columns; false when the row's version is no longer `version`. */
export async function changeQuote(
  tx: Tx,
  { organizationId, id }: Ids,
  version: number,
  columns: object,
  now: string,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('quotes')
    .set({ ...columns, version: version + 1, updatedAt: now })
    .where('organizationId', '=', organizationId)
    .where('id', '=', id)
    .where('version', '=', version)
    .where('deletedAt', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** The columns that what a person asked for fills. */
export function quoteColumns({ draft, validUntil }: QuoteDraft, number: string | null) {
  const { content, amounts, customerName } = draft
  const { dueDate: _, supplyDate: __, exchange: ___, accountingCurrency: ____, ...kept } = content
  return {
    validUntil,
    customerId: content.customerId,
    customerName,
    currency: content.currency,
    netAmount: amounts.totals.net,
    taxAmount: amounts.totals.tax,
    grossAmount: amounts.totals.gross,
    content: JSON.stringify(kept),
    searchKey: invoiceSearchKey({
      ...content,
      number,
      customerName,
      gross: toMoney(amounts.totals.gross, content.currency),
    }),
  }
}

/** The latest that was made first. */
export async function listQuotes(tx: Tx, organizationId: string, asked: QuoteQuery, today: string): Promise<QuotePage> {
  const start = pageStart(asked, 'text')
  let query = quoteRows(tx, organizationId)
    .orderBy('quotes.id', 'desc')
    .limit(asked.limit + 1)
  if (asked.status === 'expired')
    query = query.where('quotes.status', '=', 'sent').where('quotes.validUntil', '<', today)
  else if (asked.status === 'sent')
    query = query
      .where('quotes.status', '=', 'sent')
      .where((eb) => eb.or([eb('quotes.validUntil', 'is', null), eb('quotes.validUntil', '>=', today)]))
  else if (asked.status) query = query.where('quotes.status', '=', asked.status)
  if (asked.customerId) query = query.where('quotes.customerId', '=', asked.customerId)
  if (asked.invoiced) query = query.where('invoices.id', asked.invoiced === 'yes' ? 'is not' : 'is', null)
  if (asked.q) query = query.where((eb) => searched(eb, 'quotes.searchKey', asked.q!))
  if (start) query = query.where('quotes.id', '<', start.id)
  return toPage(
    await query.execute(),
    asked,
    ({ id }) => ({ key: '', id }),
    (row) => quoteSummaryOf(row, today),
  )
}
