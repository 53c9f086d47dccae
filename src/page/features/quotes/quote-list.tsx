import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { QuoteSummary } from '#shared/contract/quotes.ts'
import type { Organization } from '#shared/contract/organizations.ts'
import { formatDate, formatMoney } from '#page/words/format.ts'
import { Loaded, NeedsServer } from '#page/loaded.tsx'
import { useListEnd } from '#page/searched-list.tsx'
import { text } from '#page/words/app-text.ts'
import { VirtualList } from '#page/ui/list.tsx'
import { Empty } from '#page/ui/screen.tsx'
import { quotesQuery, type QuoteSearch } from './queries.ts'
import { QuoteStatus } from './quote-status.tsx'

const t = text.quotes

export function QuoteList({ organization, search }: { organization: Organization; search: QuoteSearch }) {
  const quotes = useInfiniteQuery(quotesQuery(organization.id, search))
  const onEnd = useListEnd(quotes)
  return (
    <Loaded query={quotes} atServer="quotes">
      {({ pages }) => {
        const rows = pages.flatMap((page) => page.data)
        if (rows.length === 0 && (search.q || search.status))
          return <p className="py-8 text-center text-muted">{t.noneFound}</p>
        if (rows.length === 0) return <Empty title={t.emptyTitle}>{t.empty}</Empty>
        return (
          <>
            <NeedsServer>{t.offline}</NeedsServer>
            <VirtualList label={t.title} rows={rows} keyOf={({ id }) => id} onEnd={onEnd}>
              {(quote) => <QuoteRow quote={quote} locale={organization.locale} />}
            </VirtualList>
          </>
        )
      }}
    </Loaded>
  )
}

/** Two lines on a phone, one row of columns on a desk: those of the invoices, which stand below them on the dashboard. */
export function QuoteRow({ quote, locale }: { quote: QuoteSummary; locale: string }) {
  const { organizationId, id: quoteId, validUntil } = quote
  const until = validUntil && t.until(formatDate(validUntil, locale))
  return (
    <Link
      to="/organization/$organizationId/quotes/$quoteId"
      params={{ organizationId, quoteId }}
      className="grid min-h-18 grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 gap-y-1 px-4 py-2 text-ink no-underline hover:bg-raised focus-visible:-outline-offset-2 md:grid-cols-[minmax(0,3fr)_minmax(0,2fr)_8.5rem_8.5rem_9.5rem]"
    >
      <span className="truncate font-medium">{quote.customerName ?? text.invoices.noCustomer}</span>
      <span className="amount order-none text-right font-semibold md:order-last">
        {formatMoney(quote.gross, locale)}
      </span>
      <span className="truncate text-sm text-muted md:text-base">
        {quote.number ?? text.invoices.draftNumber}
        {until && <span className="md:hidden"> · {until}</span>}
      </span>
      <span className="hidden truncate text-sm text-muted md:block">{until}</span>
      <span className="justify-self-end md:justify-self-start">
        <QuoteStatus status={quote.status} />
      </span>
    </Link>
  )
}
