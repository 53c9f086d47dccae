import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Undo2 } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Organization } from '#shared/contract/organizations.ts'
import { isRefund } from '#shared/invoice-balance.ts'
import { UnsentBadge } from '#page/device/unsent-badge.tsx'
import { formatDate, formatMoney } from '#page/words/format.ts'
import { SearchedList } from '#page/searched-list.tsx'
import { text } from '#page/words/app-text.ts'
import { Badge } from '#page/ui/badge.tsx'
import { paymentsQuery } from './queries.ts'

const t = text.payments

interface Props {
  organization: Organization
  q: string
  onSearch: (q: string) => void
  filters: ReactNode
}

export function PaymentList({ organization, q, onSearch, filters }: Props) {
  const { id: organizationId, locale } = organization
  const payments = useInfiniteQuery(paymentsQuery(organizationId, q))
  return (
    <SearchedList query={payments} words={t} q={q} onSearch={onSearch} filters={filters}>
      {({ amount, date, method, customerName, allocations, reversal, ...payment }) => (
        <Link
          to="/organization/$organizationId/invoices/$invoiceId"
          params={{ organizationId, invoiceId: allocations[0]!.invoiceId }}
          className="flex min-h-18 items-center justify-between gap-4 px-4 py-2 text-ink no-underline hover:bg-raised focus-visible:-outline-offset-2"
        >
          <span className="min-w-0">
            <span dir="auto" className="block truncate text-left font-medium">
              {customerName}
            </span>
            <span className="line-clamp-2 text-sm text-muted">
              {[
                ...(isRefund({ amount }) ? [t.refund.name] : []),
                numbersOf(allocations.map((each) => each.invoiceNumber || text.invoices.draftNumber)),
                formatDate(date, locale),
                t.methods[method],
              ].join(' · ')}
            </span>
          </span>
          <span className="grid shrink-0 justify-items-end gap-1">
            <span className={`amount font-semibold ${reversal ? 'text-muted line-through' : ''}`}>
              {formatMoney(amount, locale)}
            </span>
            {reversal && (
              <Badge tone="neutral" icon={<Undo2 className="size-4" aria-hidden />}>
                {t.isReversed}
              </Badge>
            )}
            <UnsentBadge row={payment} />
          </span>
        </Link>
      )}
    </SearchedList>
  )
}

/** Of many the row has room for the first. */
function numbersOf([first, ...more]: string[]): string {
  return more.length > 1 ? text.unsent.andMore(first!, more.length) : [first, ...more].join(', ')
}
