import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { regionName } from '#page/words/format.ts'
import { SearchedList } from '#page/searched-list.tsx'
import { text } from '#page/words/app-text.ts'
import { UnsentBadge } from '#page/device/unsent-badge.tsx'
import { customersQuery } from './queries.ts'

const t = text.customers

export function CustomerList({
  organizationId,
  q,
  onSearch,
  filters,
}: {
  organizationId: string
  q: string
  onSearch: (q: string) => void
  filters: ReactNode
}) {
  const customers = useInfiniteQuery(customersQuery(organizationId, q))
  return (
    <SearchedList query={customers} words={t} q={q} onSearch={onSearch} filters={filters}>
      {(customer) => (
        <Link
          to="/organization/$organizationId/customers/$customerId"
          params={{ organizationId, customerId: customer.id }}
          className="flex min-h-18 items-center justify-between gap-4 px-4 py-2 text-ink no-underline hover:bg-raised focus-visible:-outline-offset-2"
        >
          <span className="min-w-0">
            <span dir="auto" className="block truncate text-left font-medium">
              {customer.name}
            </span>
            <span className="block truncate text-sm text-muted">
              {[customer.address.city, regionName(customer.country), customer.email].filter(Boolean).join(' · ')}
            </span>
          </span>
          <span className="flex shrink-0 items-center gap-2">
            <UnsentBadge row={customer} />
            <ChevronRight className="size-5 text-muted" aria-hidden />
          </span>
        </Link>
      )}
    </SearchedList>
  )
}
