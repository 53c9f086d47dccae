import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import type { Quote } from '#shared/contract/quotes.ts'
import { may } from '#shared/permissions.ts'
import { customerQuery } from '#page/features/customers/queries.ts'
import { InvoicePaper, type Paper } from '#page/features/invoices/invoice-paper.tsx'
import { QuoteActions } from '#page/features/quotes/quote-actions.tsx'
import { quoteQuery } from '#page/features/quotes/queries.ts'
import { QuoteStatus } from '#page/features/quotes/quote-status.tsx'
import { QuoteStory } from '#page/features/quotes/quote-story.tsx'
import { formatInstant, type Zoned } from '#page/words/format.ts'
import { Loaded, NeedsServer, unlessGone } from '#page/loaded.tsx'
import { useOrganization } from '#page/organization-of.ts'
import { text } from '#page/words/app-text.ts'
import { Screen } from '#page/ui/screen.tsx'

export const Route = createFileRoute('/_authed/organization/$organizationId/quotes/$quoteId/')({
  component: QuoteScreen,
})

const t = text.quotes

function QuoteScreen() {
  const { organizationId, quoteId } = Route.useParams()
  const organization = useOrganization(organizationId)
  const query = unlessGone(useQuery(quoteQuery(organizationId, quoteId)))
  const quote = query.data
  const customerId = quote?.customerId ?? ''
  const named = useQuery({ ...customerQuery(organizationId, customerId), enabled: customerId !== '' })
  const customer = named.data ?? null
  return (
    <Screen
      title={quote ? (quote.number ?? t.status.draft) : t.title}
      lead={
        quote && (
          <span className="flex flex-wrap gap-2">
            <QuoteStatus status={quote.status} />
            <span className="empty:hidden">{sentWords(quote, organization)}</span>
          </span>
        )
      }
      actions={
        quote && (
          <QuoteActions
            quote={quote}
            organization={organization}
            customer={named.isLoading ? undefined : customer}
            drawn={async () => {
              const { drawn } = await import('#page/features/invoices/download.ts')
              return drawn({ invoice: paperOf(quote), organization, customer })
            }}
          />
        )
      }
    >
      <Loaded query={query} rows={6} atServer="quotes">
        {(shown) => (
          <>
            <NeedsServer>{text.quotes.offline}</NeedsServer>
            <QuoteStory quote={shown} organization={organization} />
            {shown.status === 'draft' && may(organization, 'invoice.send') && (
              <p className="screen-only text-muted">{t.draftLead}</p>
            )}
            <InvoicePaper invoice={paperOf(shown)} organization={organization} customer={customer} />
          </>
        )}
      </Loaded>
    </Screen>
  )
}

function paperOf(quote: Quote): Paper & { type: 'quote' } {
  return { ...quote, type: 'quote', dueDate: null, supplyDate: null, creditedInvoice: null }
}

/** What became of it once it had left the house. */
function sentWords({ sentAt, viewedAt, status }: Quote, organization: Zoned): string {
  if (status === 'draft') return ''
  const { sent, viewed } = text.sending
  return [
    sentAt && sent(formatInstant(sentAt, organization)),
    viewedAt && viewed(formatInstant(viewedAt, organization)),
  ]
    .filter(Boolean)
    .join(' · ')
}
