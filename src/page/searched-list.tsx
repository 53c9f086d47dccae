// A list that is searched and loads on as it is scrolled (customers, items, payments): its words, its rows, and what it says when there are none.
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { useCallback, type ReactNode } from 'react'
import { Loaded } from './loaded.tsx'
import { VirtualList } from './ui/list.tsx'
import { Empty } from './ui/screen.tsx'
import { SearchField } from './ui/search-field.tsx'

interface Words {
  title: string
  search: string
  emptyTitle: string
  empty: string
  noneFound: string
}

interface Props<Row> {
  query: UseInfiniteQueryResult<InfiniteData<{ data: Row[] }>>
  words: Words
  q: string
  onSearch: (q: string) => void
  /** Below the search. */
  filters: ReactNode
  children: (row: Row) => ReactNode
}

export function SearchedList<Row extends { id: string }>({ query, words, q, onSearch, filters, children }: Props<Row>) {
  const onEnd = useListEnd(query)
  return (
    <Loaded query={query}>
      {({ pages }) => {
        const rows = pages.flatMap((page) => page.data)
        if (rows.length === 0 && q === '') return <Empty title={words.emptyTitle}>{words.empty}</Empty>
        return (
          <div className="grid gap-4">
            <SearchField label={words.search} value={q} onSearch={onSearch} />
            {filters}
            {rows.length === 0 ? (
              <p className="py-8 text-center text-muted">{words.noneFound}</p>
            ) : (
              <VirtualList label={words.title} rows={rows} keyOf={({ id }) => id} onEnd={onEnd}>
                {children}
              </VirtualList>
            )}
          </div>
        )
      }}
    </Loaded>
  )
}

/** What a list does when its last row comes into sight; undefined when there is no next page. */
export function useListEnd({
  hasNextPage,
  isFetchingNextPage,
  fetchNextPage,
}: Pick<UseInfiniteQueryResult, 'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage'>): (() => void) | undefined {
  const onEnd = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage()
  }, [hasNextPage, isFetchingNextPage, fetchNextPage])
  return hasNextPage ? onEnd : undefined
}
