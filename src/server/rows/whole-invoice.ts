// Whole invoices: the one mapping between rows and contract, for their own resource and for the changes feed.
import { expressionBuilder, sql, type RawBuilder, type Selectable } from 'kysely'
import type { Invoice } from '#shared/contract/invoices.ts'
import type { Organization } from '#shared/contract/organizations.ts'
import { plainDecimal } from '#shared/decimal.ts'
import { accountingTaxOf } from '#shared/exchange.ts'
import { wireAmounts } from '#shared/invoice-content.ts'
import type { Language } from '#shared/language.ts'
import { toMoney } from '#shared/money.ts'
import type { Tx } from '#server/db/database.ts'
import type { InvoiceLines, Invoices, Tables } from '#server/db/tables.ts'
import { summaryFromRow } from './invoice-row.ts'
import { paymentsOfInvoices } from './payment-row.ts'
import { textBytes } from './weight.ts'

/** What may still change on an issued invoice, and so is not frozen with it. */
export const notFrozen = [
  'status',
  'paid',
  'credited',
  'payments',
  'creditNotes',
  'amountDue',
  'paymentStatus',
  'overdue',
  'sentAt',
  'viewedAt',
  'version',
  'revision',
  'createdAt',
  'updatedAt',
] as const satisfies (keyof Invoice)[]

/** What an issued invoice's documents are made as: the XML that is kept, and the one PDF, a hybrid or a plain one. */
export interface MadeAs {
  profile: Organization['eInvoiceProfile']
  pdfKind: 'pdf' | 'facturx'
  paperSize: Organization['paperSize']
}

/** What issuing froze: the whole invoice as it went out, and what its documents are made as, which is not answered and which an older build did not say. */
export type IssuedContent = Omit<Invoice, (typeof notFrozen)[number]> & { madeAs?: MadeAs }

/** The invoice with its lines; what is issued is answered from its frozen content alone. `today` is the organization's date. */
export async function findInvoice(tx: Tx, organizationId: string, id: string, today: string): Promise<Invoice | null> {
  return (await findInvoices(tx, organizationId, [id], today))[0] ?? null
}

/** Of a credit note the invoice that it corrects, else none. */
export async function correctedBy(
  tx: Tx,
  { organizationId, creditedInvoice }: Pick<Invoice, 'organizationId' | 'creditedInvoice'>,
  today: string,
): Promise<Invoice | null> {
  return creditedInvoice && findInvoice(tx, organizationId, creditedInvoice.id, today)
}

/** Those of these ids that are there, in no order. */
export async function findInvoices(
  tx: Tx,
  organizationId: string,
  ids: readonly string[],
  today: string,
): Promise<Invoice[]> {
  if (ids.length === 0) return []
  const rows = await tx
    .selectFrom('invoices')
    .leftJoin('issuedInvoices', (join) =>
      join
        .onRef('issuedInvoices.organizationId', '=', 'invoices.organizationId')
        .onRef('issuedInvoices.invoiceId', '=', 'invoices.id'),
    )
    .selectAll('invoices')
    .select(['issuedInvoices.content', draftLines().as('lines')])
    .where('invoices.organizationId', '=', organizationId)
    .where('invoices.id', 'in', ids)
    .where('invoices.deletedAt', 'is', null)
    .execute()
  const payments = await paymentsOfInvoices(
    tx,
    organizationId,
    rows.filter(({ content }) => content !== null).map(({ id }) => id),
  )
  const links = await linksOf(tx, organizationId, rows)
  return rows.map(({ content, lines, ...invoice }) => {
    const summary = {
      ...summaryFromRow(invoice, today),
      language: invoice.language as Language,
      payments: payments.get(invoice.id) ?? [],
      ...links(invoice),
    }
    // What it credits stands fast too, and is read from there: what an older build froze of it had no date.
    if (content !== null) {
      const { madeAs: _, ...frozen } = content as unknown as IssuedContent
      return { ...summary, ...beforeRates(invoice), ...frozen, creditedInvoice: summary.creditedInvoice }
    }
    return { ...summary, ...wholeDraft(invoice as Invoices, (lines ?? []).map(lineOf)) }
  })
}

/** Of what was issued before there were exchange rates. */
function beforeRates({ accountingCurrency }: Pick<Invoices, 'accountingCurrency'>) {
  return { exchange: null, accountingCurrency, accountingTax: null }
}

/** Bytes of text that each of these holds: a draft's lines and an issued invoice's frozen content are nearly all of it. */
export async function weighInvoices(
  tx: Tx,
  organizationId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const issued = await tx
    .selectFrom('issuedInvoices')
    .select(['invoiceId', textBytes('content').as('bytes')])
    .where('organizationId', '=', organizationId)
    .where('invoiceId', 'in', ids)
    .execute()
  const frozen = new Set(issued.map(({ invoiceId }) => invoiceId))
  const drafts = ids.filter((id) => !frozen.has(id))
  const ofDrafts =
    drafts.length === 0
      ? []
      : await tx
          .selectFrom('invoiceLines')
          .select(['invoiceId', sql<number>`cast(sum(${textBytes('invoiceLines')}) as double precision)`.as('bytes')])
          .where('organizationId', '=', organizationId)
          .where('invoiceId', 'in', drafts)
          .groupBy('invoiceId')
          .execute()
  return new Map([...issued, ...ofDrafts].map(({ invoiceId, bytes }) => [invoiceId, bytes]))
}

/** What a credit note credits, the credit notes that were issued for an invoice, in the order of their numbers' making, and the quote it was made of. */
async function linksOf(
  tx: Tx,
  organizationId: string,
  rows: readonly {
    id: string
    type: string
    status: string
    creditedInvoiceId: string | null
    quoteId: string | null
  }[],
) {
  const credited = rows.flatMap(({ creditedInvoiceId }) => creditedInvoiceId ?? [])
  const issued = rows.filter(({ type, status }) => type === '380' && status !== 'draft').map(({ id }) => id)
  const linked = tx
    .selectFrom('invoices')
    .select(['id', 'number', 'issueDate', 'currency', 'grossAmount', 'creditedInvoiceId'])
    .where('organizationId', '=', organizationId)
  const originals = credited.length === 0 ? [] : await linked.where('id', 'in', credited).execute()
  const notes =
    issued.length === 0
      ? []
      : await linked
          .where('creditedInvoiceId', 'in', issued)
          .where('status', '=', 'issued')
          .orderBy('issuedAt')
          .orderBy('id')
          .execute()
  const quoteIds = rows.flatMap(({ quoteId }) => quoteId ?? [])
  const quotes =
    quoteIds.length === 0
      ? []
      : await tx
          .selectFrom('quotes')
          .select(['id', 'number'])
          .where('organizationId', '=', organizationId)
          .where('id', 'in', quoteIds)
          .execute()
  const notesById = Map.groupBy(notes, ({ creditedInvoiceId }) => creditedInvoiceId)
  return ({
    id,
    creditedInvoiceId,
    quoteId,
  }: (typeof rows)[number]): Pick<Invoice, 'creditedInvoice' | 'creditNotes' | 'quote'> => {
    const original = originals.find((row) => row.id === creditedInvoiceId)
    const quote = quotes.find((row) => row.id === quoteId)
    return {
      quote: quote ? { id: quote.id, number: quote.number ?? '' } : null,
      creditedInvoice: original ? { id: original.id, number: original.number!, issueDate: original.issueDate! } : null,
      creditNotes: (notesById.get(id) ?? []).map((note) => ({
        id: note.id,
        number: note.number ?? '',
        gross: toMoney(note.grossAmount, note.currency),
      })),
    }
  }
}

type Line = Omit<Selectable<InvoiceLines>, 'organizationId' | 'invoiceId' | 'position' | 'netAmount'>

const part = (name: keyof Line) => sql.ref(`invoiceLines.${name}`)
/** A JSON number is read with fewer places than a decimal may have. */
const decimalPart = (name: keyof Line) => sql`cast(${part(name)} as text)`
const lineParts = Object.entries({
  id: part('id'),
  name: part('name'),
  description: part('description'),
  quantity: decimalPart('quantity'),
  unit: part('unit'),
  unitPrice: decimalPart('unitPrice'),
  baseQuantity: decimalPart('baseQuantity'),
  allowances: part('allowances'),
  charges: part('charges'),
  vat: part('vat'),
} satisfies Record<keyof Line, RawBuilder<unknown>>)

/** In the statement that reads the invoices, of drafts only. Each line is a list of its parts: with a name beside each, five hundred drafts took longer than by two statements. */
function draftLines() {
  const eb = expressionBuilder<Tables, 'invoices' | 'issuedInvoices'>()
  const line = sql<unknown[]>`json_build_array(${sql.join(lineParts.map(([, value]) => value))})`
  const lines = eb
    .selectFrom('invoiceLines')
    .select(({ fn }) => fn.jsonAgg(line).orderBy('invoiceLines.position').as('lines'))
    .whereRef('invoiceLines.organizationId', '=', 'invoices.organizationId')
    .whereRef('invoiceLines.invoiceId', '=', 'invoices.id')
  return eb.case().when('issuedInvoices.invoiceId', 'is', null).then(lines).end()
}

function lineOf(values: readonly unknown[]): Line {
  return Object.fromEntries(lineParts.map(([name], index) => [name, values[index]])) as unknown as Line
}

/** The parts of a draft that its summary does not have; amounts are computed, never trusted from storage. */
function wholeDraft(row: Invoices, lineRows: readonly Line[]) {
  const lines = lineRows.map((line) => ({
    ...(line as unknown as Omit<Invoice['lines'][number], 'net'>),
    quantity: plainDecimal(line.quantity),
    unitPrice: plainDecimal(line.unitPrice),
    baseQuantity: plainDecimal(line.baseQuantity),
  }))
  const parts = {
    currency: row.currency,
    taxMode: row.taxMode as Invoice['taxMode'],
    language: row.language as Language,
    lines,
    allowances: row.allowances as unknown as Invoice['allowances'],
    charges: row.charges as unknown as Invoice['charges'],
  }
  const amounts = wireAmounts(parts)
  const { exchangeRate: rate, exchangeDate: date, exchangeSource: source, accountingCurrency } = row
  const pair = { from: row.currency, to: accountingCurrency! }
  const exchange = rate === null ? null : { ...pair, rate: plainDecimal(rate), date: date!, source: source! }
  return {
    ...parts,
    ...amounts,
    exchange,
    accountingCurrency,
    accountingTax: accountingTaxOf(exchange, amounts.totals.tax),
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
