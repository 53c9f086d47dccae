import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { memo, useCallback } from 'react'
import type { InvoiceSummary } from '#shared/contract/invoices.ts'
import type { Organization } from '#shared/contract/organizations.ts'
import { formatDate, formatMoney } from '#page/format.ts'
import { Loaded } from '#page/loaded.tsx'
import { markOf } from '#page/saved.ts'
import { text } from '#page/text.ts'
import { VirtualList } from '#page/ui/list.tsx'
import { Empty } from '#page/ui/screen.tsx'
import { UnsentBadge } from '#page/unsent-badge.tsx'
import { InvoiceStatus } from './invoice-status.tsx'
import { invoicesQuery, type InvoiceSearch } from './queries.ts'

const t = text.invoices

interface Props {
  organization: Organization
  search?: Omit<InvoiceSearch, 'customerId'>
  customerId?: string
}

export function InvoiceList({ organization, search = {}, customerId }: Props) {
  const invoices = useInfiniteQuery(invoicesQuery(organization.id, { ...search, ...(customerId && { customerId }) }))
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = invoices
  const onEnd = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage()
  }, [hasNextPage, isFetchingNextPage, fetchNextPage])
  const searching = Boolean(search.q || search.status)
  return (
    <Loaded query={invoices}>
      {({ pages }) => {
        const rows = pages.flatMap((page) => page.data)
        if (rows.length === 0 && searching) return <p className="py-8 text-center text-muted">{t.noneFound}</p>
        if (rows.length === 0 && customerId) return <p className="py-4 text-muted">{text.customers.noInvoices}</p>
        if (rows.length === 0) return <Empty title={t.emptyTitle}>{t.empty}</Empty>
        return (
          <VirtualList label={t.title} rows={rows} keyOf={({ id }) => id} onEnd={hasNextPage ? onEnd : undefined}>
            {(invoice) => <InvoiceRow invoice={invoice} locale={organization.locale} />}
          </VirtualList>
        )
      }}
    </Loaded>
  )
}

/** Two lines on a phone, one row of columns on a desk. Drawn anew only when it is another: a list is drawn often. */
export const InvoiceRow = memo(function InvoiceRow({ invoice, locale }: { invoice: InvoiceSummary; locale: string }) {
  return (
    <Link
      to="/organization/$organizationId/invoices/$invoiceId"
      params={{ organizationId: invoice.organizationId, invoiceId: invoice.id }}
      className="grid min-h-18 grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1 px-4 py-2 text-ink no-underline hover:bg-raised focus-visible:-outline-offset-2 md:grid-cols-[minmax(0,2fr)_minmax(0,1fr)_7rem_8.5rem_9rem]"
    >
      <span className="truncate font-medium">{invoice.customerName ?? t.noCustomer}</span>
      <span className="amount order-none text-right font-semibold md:order-last">
        {formatMoney(invoice.gross, locale)}
      </span>
      <span className="truncate text-sm text-muted md:text-base">
        {invoice.number ?? t.draftNumber}
        <span className="md:hidden"> · {formatDate(invoice.issueDate ?? invoice.updatedAt.slice(0, 10), locale)}</span>
      </span>
      <span className="hidden text-sm text-muted md:block">{formatDate(invoice.issueDate, locale)}</span>
      <span className="justify-self-end md:justify-self-start">
        {/* That it is a draft stands beside its customer. */}
        {markOf(invoice) ? <UnsentBadge row={invoice} /> : <InvoiceStatus invoice={invoice} />}
      </span>
    </Link>
  )
})
