// What is exported of each kind of row, as files: the same where a list's rows are exported on the device and where the server exports everything.
import type { Customer } from '#shared/contract/customers.ts'
import type { Invoice } from '#shared/contract/invoices.ts'
import type { Item } from '#shared/contract/items.ts'
import type { Payment } from '#shared/contract/payments.ts'
import type { Quote } from '#shared/contract/quotes.ts'
import type { Recurring } from '#shared/contract/recurring.ts'
import {
  customerColumns,
  invoiceColumns,
  invoicePaymentColumns,
  itemColumns,
  lineColumns,
  partsOf,
  paymentColumns,
  quoteColumns,
  recurringColumns,
  vatColumns,
} from './columns.ts'
import { csvHead, csvLines, type Column } from './csv.ts'

export interface ExportedRows {
  customers: Customer
  items: Item
  invoices: Invoice
  payments: Payment
}
export type ExportedKind = keyof ExportedRows

/** A file that is written in pieces: what it begins with, what some rows add, what it ends with. */
export interface TableFile<Row> {
  name: string
  head: string
  /** `isFirst`: nothing was added before. */
  piece: (rows: readonly Row[], isFirst: boolean) => string
  end: string
}

function csv<Row, Line>(
  name: string,
  columns: readonly Column<Line>[],
  lines: (rows: readonly Row[]) => readonly Line[],
): TableFile<Row> {
  return { name, head: csvHead(columns), piece: (rows) => csvLines(columns, lines(rows)), end: '' }
}

/** The rows as the API shows them, in one array. */
export function json<Row>(name: string): TableFile<Row> {
  return {
    name,
    head: '[',
    piece: (rows, isFirst) =>
      rows.map((row, index) => `${isFirst && index === 0 ? '' : ','}\n${JSON.stringify(row)}`).join(''),
    end: '\n]\n',
  }
}

const same = <Row>(rows: readonly Row[]) => rows

/** Kind -> its tables; the first holds a line for each row. */
export const csvFiles: { readonly [Kind in ExportedKind]: readonly TableFile<ExportedRows[Kind]>[] } = {
  customers: [csv('customers.csv', customerColumns, same)],
  items: [csv('items.csv', itemColumns, same)],
  invoices: [
    csv('invoices.csv', invoiceColumns, same),
    csv('invoice-lines.csv', lineColumns, (rows: readonly Invoice[]) => partsOf(rows, ({ lines }) => lines)),
    csv('invoice-vat.csv', vatColumns, (rows: readonly Invoice[]) => partsOf(rows, ({ vat }) => vat)),
    csv('invoice-payments.csv', invoicePaymentColumns, (rows: readonly Invoice[]) =>
      partsOf(rows, ({ payments }) => payments),
    ),
  ],
  payments: [csv('payments.csv', paymentColumns, same)],
}

/** Of what the server alone has. */
export const quoteFiles: readonly TableFile<Quote>[] = [csv('quotes.csv', quoteColumns, same), json('quotes.json')]
export const recurringFiles: readonly TableFile<Recurring>[] = [
  csv('recurring-invoices.csv', recurringColumns, same),
  json('recurring-invoices.json'),
]

export const jsonFile: { readonly [Kind in ExportedKind]: TableFile<ExportedRows[Kind]> } = {
  customers: json('customers.json'),
  items: json('items.json'),
  invoices: json('invoices.json'),
  payments: json('payments.json'),
}
