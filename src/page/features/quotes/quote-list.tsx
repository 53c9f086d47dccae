import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { QuoteSummary } from '#shared/contract/quotes.ts'
import type { Organization } from '#shared/contract/organizations.ts'
import { formatDate, formatMoney } from '#page/words/format.ts'
import { Loaded, NeedsServer } from '#page/loaded.tsx'
import { useListEnd } from '#page/searched-list.tsx'
import { text } from '#page/words/app-text.ts'
import { DocumentCells, documentRow, VirtualList } from '#page/ui/list.tsx'
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

export function QuoteRow({ quote, locale }: { quote: QuoteSummary; locale: string }) {
  const { organizationId, id: quoteId, validUntil } = quote
  const until = validUntil && t.until(formatDate(validUntil, locale))
  return (
    <Link
      to="/organization/$organizationId/quotes/$quoteId"
      params={{ organizationId, quoteId }}
      className={`${documentRow} pr-4`}
    >
      <DocumentCells
        customer={quote.customerName ?? text.invoices.noCustomer}
        amount={formatMoney(quote.gross, locale)}
        number={quote.number ?? text.invoices.draftNumber}
        dates={until}
        status={<QuoteStatus status={quote.status} />}
      />
    </Link>
  )
}
