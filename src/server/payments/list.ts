// Lists of payments: filter, search, by date, keyset paging.
import type { PaymentPage, PaymentQuery } from '#shared/contract/payments.ts'
import type { Tx } from '#server/db/database.ts'
import { pageStart, toPage } from '#server/http/paging.ts'
import { selectPayments, withAllocations } from '#server/rows/payment-row.ts'
import { searched } from '#server/rows/search.ts'

export async function listPayments(tx: Tx, organizationId: string, asked: PaymentQuery): Promise<PaymentPage> {
  const direction = asked.sort === 'date' ? 'asc' : 'desc'
  const start = pageStart(asked, 'text')
  let query = selectPayments(tx, organizationId)
    .orderBy('payments.dateKey', direction)
    .orderBy('payments.id', direction)
    .limit(asked.limit + 1)
  if (asked.customerId) query = query.where('payments.customerId', '=', asked.customerId)
  if (asked.invoiceId)
    query = query.where('payments.id', 'in', (eb) =>
      eb
        .selectFrom('paymentAllocations')
        .select('paymentId')
        .where('paymentAllocations.organizationId', '=', organizationId)
        .where('invoiceId', '=', asked.invoiceId!),
    )
  if (asked.q) query = query.where((eb) => searched(eb, 'payments.searchKey', asked.q!))
  if (start) {
    const after = direction === 'desc' ? '<' : '>'
    query = query.where((eb) =>
      eb(eb.refTuple('payments.dateKey', 'payments.id'), after, eb.tuple(start.key as string, start.id)),
    )
  }
  const rows = await query.execute()
  const shown = await withAllocations(tx, organizationId, rows)
  return toPage(
    shown,
    asked,
    ({ date, id }) => ({ key: date, id }),
    (row) => row,
  )
}
