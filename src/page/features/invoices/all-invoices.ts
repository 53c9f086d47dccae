import type { InvoicePage, InvoiceSummary } from '#shared/contract/invoices.ts'
import { call } from '#page/api.ts'
import type { InvoiceSearch } from './queries.ts'

const mostRowsAtOnce = 200

/** Every row that the list would show, scrolled to its end. */
export async function* allInvoices(
  organizationId: string,
  search: InvoiceSearch,
  signal: AbortSignal,
): AsyncGenerator<InvoiceSummary[]> {
  let cursor: string | undefined
  do {
    const { data, page } = await call<InvoicePage>('listInvoices', {
      params: { organizationId },
      query: { ...search, limit: mostRowsAtOnce, cursor },
      signal,
    })
    yield data
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
}
