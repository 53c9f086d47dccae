import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ChevronRight, CirclePause, Repeat, TriangleAlert } from 'lucide-react'
import type { Organization } from '#shared/contract/organizations.ts'
import type { Recurring } from '#shared/contract/recurring.ts'
import { formatDate, formatMoney } from '#page/words/format.ts'
import { Loaded } from '#page/loaded.tsx'
import { useListEnd } from '#page/searched-list.tsx'
import { text } from '#page/words/app-text.ts'
import { said } from '#page/words/said.ts'
import { VirtualList } from '#page/ui/list.tsx'
import { Empty } from '#page/ui/screen.tsx'
import { recurringListQuery } from './queries.ts'

const t = text.recurring

export function RecurringList({ organization }: { organization: Organization }) {
  const { id: organizationId, locale } = organization
  const query = useInfiniteQuery(recurringListQuery(organizationId))
  const onEnd = useListEnd(query)
  return (
    <Loaded query={query} atServer="recurring">
      {({ pages }) => {
        const rows = pages.flatMap((page) => page.data)
        if (rows.length === 0) return <Empty title={t.emptyTitle}>{t.empty}</Empty>
        return (
          <VirtualList label={t.title} rows={rows} keyOf={({ id }) => id} onEnd={onEnd}>
            {(each) => (
              <Link
                to="/organization/$organizationId/recurring/$recurringId"
                params={{ organizationId, recurringId: each.id }}
                className="flex min-h-18 items-center justify-between gap-4 px-4 py-2 text-ink no-underline hover:bg-raised focus-visible:-outline-offset-2"
              >
                <span className="min-w-0">
                  <span dir="auto" className="block truncate text-left font-medium">
                    {each.customerName}
                  </span>
                  <span className="block text-sm text-muted">{t.rule(each.interval, each.every)}</span>
                  <State recurring={each} locale={locale} />
                </span>
                <span className="flex shrink-0 items-center gap-2">
                  <span className="amount">{formatMoney(each.gross, locale)}</span>
                  <ChevronRight className="size-5 text-muted" aria-hidden />
                </span>
              </Link>
            )}
          </VirtualList>
        )
      }}
    </Loaded>
  )
}

function State({ recurring: { paused, nextOn, lastProblem }, locale }: { recurring: Recurring; locale: string }) {
  const [Icon, words, look] =
    lastProblem !== null
      ? ([TriangleAlert, said(lastProblem), 'text-danger'] as const)
      : paused
        ? ([CirclePause, t.paused, 'text-muted'] as const)
        : ([Repeat, nextOn === null ? t.over : t.next(formatDate(nextOn, locale)), 'text-muted'] as const)
  return (
    <span className={`flex items-start gap-1.5 text-sm ${look}`}>
      <Icon className="mt-0.5 size-4 shrink-0" aria-hidden />
      {/* All that it lacks stands on its own screen. */}
      <span className="line-clamp-4">{words}</span>
    </span>
  )
}
