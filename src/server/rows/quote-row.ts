// A quote's rows and the one mapping to its contract: for its own resource, its public page, its PDF and the activity.
import type { Quote, QuoteSummary } from '#shared/contract/quotes.ts'
import { wireAmounts, type DraftContent } from '#shared/invoice-content.ts'
import { toMoney } from '#shared/money.ts'
import { quoteStatusOn, type storedQuoteStatuses } from '#shared/quote-state.ts'
import type { Tx } from '#server/db/database.ts'

/** What a person may change of one, complete. */
export type QuoteContent = Omit<DraftContent, 'dueDate' | 'supplyDate' | 'exchange' | 'accountingCurrency'>

/** What sending freezes: the quote as it went out. */
export type SentContent = Pick<
  Quote,
  | 'number'
  | 'issueDate'
  | 'validUntil'
  | 'customerName'
  | 'gross'
  | 'language'
  | 'currency'
  | 'taxMode'
  | 'termsDays'
  | 'buyerReference'
  | 'orderReference'
  | 'notes'
  | 'lines'
  | 'allowances'
  | 'charges'
  | 'vat'
  | 'totals'
  | 'seller'
  | 'buyer'
>

/** Those of an organization that are there, each with what it was turned into. */
export const quoteRows = (tx: Tx, organizationId: string) =>
  tx
    .selectFrom('quotes')
    .leftJoin('invoices', (join) =>
      join
        .onRef('invoices.organizationId', '=', 'quotes.organizationId')
        .onRef('invoices.id', '=', 'quotes.invoiceId')
        // A draft that was deleted is none, nor is an invoice that is void: the quote may be turned into another.
        .on('invoices.deletedAt', 'is', null)
        .on('invoices.status', '!=', 'void'),
    )
    .selectAll('quotes')
    .select(['invoices.id as madeId', 'invoices.number as madeNumber'])
    .where('quotes.organizationId', '=', organizationId)
    .where('quotes.deletedAt', 'is', null)

type Row = Awaited<ReturnType<ReturnType<typeof quoteRows>['execute']>>[number]

/** `today` is the organization's date: that it has expired is derived, never stored. */
export function quoteSummaryOf(row: Row, today: string): QuoteSummary {
  return {
    id: row.id,
    organizationId: row.organizationId,
    status: quoteStatusOn(row.status as (typeof storedQuoteStatuses)[number], row.validUntil, today),
    number: row.number,
    edition: row.edition,
    validUntil: row.validUntil,
    currency: row.currency,
    customerId: row.customerId,
    customerName: row.customerName,
    net: toMoney(row.netAmount, row.currency),
    tax: toMoney(row.taxAmount, row.currency),
    gross: toMoney(row.grossAmount, row.currency),
    sentAt: row.sentAt,
    viewedAt: row.viewedAt,
    invoice: row.madeId === null ? null : { id: row.madeId, number: row.madeNumber },
    version: row.version,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  }
}

/** What is out is answered as it went out; a draft as it stands. */
export async function findQuote(tx: Tx, organizationId: string, id: string, today: string): Promise<Quote | null> {
  const row = await quoteRows(tx, organizationId).where('quotes.id', '=', id).executeTakeFirst()
  if (!row) return null
  const editions = await editionsOf(tx, organizationId, id)
  const summary = quoteSummaryOf(row, today)
  const history = editions.map(({ edition, sentAt, content, answer }) => ({
    edition,
    sentAt,
    gross: content.gross,
    answer,
  }))
  const [last] = editions
  if (last && row.status !== 'draft') return { ...summary, ...last.content, answer: last.answer, history }
  const { customerId: _, ...content } = row.content as unknown as QuoteContent
  const draft = { ...content, issueDate: null, seller: null, buyer: null, answer: null }
  return { ...summary, ...draft, ...wireAmounts(content), history }
}

/** What has gone out, the last first; with what was answered to each. */
export async function editionsOf(tx: Tx, organizationId: string, quoteId: string) {
  const rows = await tx
    .selectFrom('quoteEditions')
    .leftJoin('quoteAnswers', (join) =>
      join
        .onRef('quoteAnswers.organizationId', '=', 'quoteEditions.organizationId')
        .onRef('quoteAnswers.quoteId', '=', 'quoteEditions.quoteId')
        .onRef('quoteAnswers.edition', '=', 'quoteEditions.edition'),
    )
    .select(['quoteEditions.edition', 'quoteEditions.sentAt', 'quoteEditions.sentBy', 'quoteEditions.content'])
    .select(['quoteAnswers.answer', 'quoteAnswers.name', 'quoteAnswers.notedBy', 'quoteAnswers.answeredAt'])
    .where('quoteEditions.organizationId', '=', organizationId)
    .where('quoteEditions.quoteId', '=', quoteId)
    .orderBy('quoteEditions.edition', 'desc')
    .execute()
  return rows.map(({ edition, sentAt, sentBy, content, answer, name, notedBy, answeredAt }) => ({
    edition,
    sentAt,
    sentBy,
    content: content as unknown as SentContent,
    answer: answer === null ? null : ({ answer, name, at: answeredAt, notedBy } as NonNullable<Quote['answer']>),
  }))
}
