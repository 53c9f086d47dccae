import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Organization } from '#shared/contract/organizations.ts'
import { formatPrice } from '#page/words/format.ts'
import { SearchedList } from '#page/searched-list.tsx'
import { text } from '#page/words/app-text.ts'
import { UnsentBadge } from '#page/device/unsent-badge.tsx'
import { itemsQuery } from './queries.ts'

const t = text.items

interface Props {
  organization: Organization
  q: string
  onSearch: (q: string) => void
  filters: ReactNode
}

export function ItemList({ organization, q, onSearch, filters }: Props) {
  const { id: organizationId, locale } = organization
  const items = useInfiniteQuery(itemsQuery(organizationId, q))
  return (
    <SearchedList query={items} words={t} q={q} onSearch={onSearch} filters={filters}>
      {(item) => (
        <Link
          to="/organization/$organizationId/items/$itemId/edit"
          params={{ organizationId, itemId: item.id }}
          className="flex min-h-18 items-center justify-between gap-4 px-4 py-2 text-ink no-underline hover:bg-raised focus-visible:-outline-offset-2"
        >
          <span className="min-w-0">
            <span dir="auto" className="block truncate text-left font-medium">
              {item.name}
            </span>
            <span className="flex min-w-0 items-center gap-2 text-sm text-muted">
              <UnsentBadge row={item} />
              <span dir="auto" className="truncate">
                {[item.sku, item.description].filter(Boolean).join(' · ')}
              </span>
            </span>
          </span>
          <span className="flex shrink-0 items-center gap-2">
            <span className="amount">
              {formatPrice(item.unitPrice, item.currency ?? organization.currency, locale)}
            </span>
            <ChevronRight className="size-5 text-muted" aria-hidden />
          </span>
        </Link>
      )}
    </SearchedList>
  )
}
