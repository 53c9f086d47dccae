// Lists of invoices: filter, search, every sort, keyset paging.
import type { InvoicePage, InvoiceQuery, InvoiceSort } from '#shared/contract/invoices.ts'
import { paymentStatuses, type PaymentStatus } from '#shared/invoice-balance.ts'
import type { Tx } from '#server/db/database.ts'
import { hasPaymentStatus, overdue, summaryFromRow, toGiveBack } from '#server/rows/invoice-row.ts'
import { pageStart, toPage } from '#server/http/paging.ts'
import { searched } from '#server/rows/search.ts'

const columns = {
  issueDate: 'issueKey',
  number: 'numberKey',
  customer: 'customerKey',
  gross: 'grossAmount',
  dueDate: 'dueKey',
  updatedAt: 'updatedAt',
} as const

/** `todays`: of the organizations that are asked about, today in the zone of each. */
export async function listInvoices(
  tx: Tx,
  todays: ReadonlyMap<string, string>,
  asked: InvoiceQuery,
): Promise<InvoicePage> {
  const descending = asked.sort.startsWith('-')
  const direction = descending ? 'desc' : 'asc'
  const column = columnOf(asked.sort)
  const start = pageStart(asked, column === 'grossAmount' ? 'amount' : column === 'updatedAt' ? 'instant' : 'text')
  let query = tx
    .selectFrom('invoices')
    .selectAll()
    .where('organizationId', 'in', [...todays.keys()])
    .where('deletedAt', 'is', null)
    .orderBy(column, direction)
    .orderBy('id', direction)
    .limit(asked.limit + 1)
  if (asked.status === 'overdue') {
    const byDay = [...Map.groupBy(todays, ([, today]) => today)]
    query = query.where((eb) =>
      eb.or(
        byDay.map(([today, those]) =>
          eb.and([
            eb(
              'organizationId',
              'in',
              those.map(([id]) => id),
            ),
            overdue(today),
          ]),
        ),
      ),
    )
  } else if (asked.status === 'to-give-back') {
    query = query.where(toGiveBack)
  } else if (isPaymentStatus(asked.status)) {
    query = query.where(hasPaymentStatus(asked.status))
  } else if (asked.status) {
    query = query.where('status', '=', asked.status)
  }
  if (asked.customerId) query = query.where('customerId', '=', asked.customerId)
  if (asked.q) query = query.where((eb) => searched(eb, 'searchKey', asked.q!))
  if (start) {
    const { key, id } = start
    query = query.where((eb) => eb(eb.refTuple(column, 'id'), descending ? '<' : '>', eb.tuple(key as never, id)))
  }
  return toPage(
    await query.execute(),
    asked,
    (row) => ({ key: String(row[column]), id: row.id }),
    (row) => summaryFromRow(row, todays.get(row.organizationId)!),
  )
}

function isPaymentStatus(filter: InvoiceQuery['status']): filter is PaymentStatus {
  return (paymentStatuses as readonly (string | undefined)[]).includes(filter)
}

function columnOf(sort: InvoiceSort): (typeof columns)[keyof typeof columns] {
  return columns[sort.replace('-', '') as keyof typeof columns]
}
