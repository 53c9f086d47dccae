import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ChevronRight } from 'lucide-react'
import { useCallback } from 'react'
import type { Organization } from '#shared/contract/organizations.ts'
import { formatPrice } from '#page/format.ts'
import { Loaded } from '#page/loaded.tsx'
import { text } from '#page/text.ts'
import { VirtualList } from '#page/ui/list.tsx'
import { Empty } from '#page/ui/screen.tsx'
import { SearchField } from '#page/ui/search-field.tsx'
import { UnsentBadge } from '#page/unsent-badge.tsx'
import { itemsQuery } from './queries.ts'

const t = text.items

interface Props {
  organization: Organization
  q: string
  onSearch: (q: string) => void
}

export function ItemList({ organization, q, onSearch }: Props) {
  const { id: organizationId, locale } = organization
  const items = useInfiniteQuery(itemsQuery(organizationId, q))
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = items
  const onEnd = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage()
  }, [hasNextPage, isFetchingNextPage, fetchNextPage])
  return (
    <Loaded query={items}>
      {({ pages }) => {
        const rows = pages.flatMap((page) => page.data)
        if (rows.length === 0 && q === '') return <Empty title={t.emptyTitle}>{t.empty}</Empty>
        return (
          <div className="grid gap-4">
            <SearchField label={t.search} value={q} onSearch={onSearch} />
            {rows.length === 0 ? (
              <p className="py-8 text-center text-muted">{t.noneFound}</p>
            ) : (
              <VirtualList label={t.title} rows={rows} keyOf={({ id }) => id} onEnd={hasNextPage ? onEnd : undefined}>
                {(item) => (
                  <Link
                    to="/organization/$organizationId/items/$itemId/edit"
                    params={{ organizationId, itemId: item.id }}
                    className="flex min-h-18 items-center justify-between gap-4 px-4 py-2 text-ink no-underline hover:bg-raised focus-visible:-outline-offset-2"
                  >
                    <span className="min-w-0">
                      <span className="block truncate font-medium">{item.name}</span>
                      <span className="flex min-w-0 items-center gap-2 text-sm text-muted">
                        <UnsentBadge row={item} />
                        <span className="truncate">{[item.sku, item.description].filter(Boolean).join(' · ')}</span>
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
              </VirtualList>
            )}
          </div>
        )
      }}
    </Loaded>
  )
}
