import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { useCallback } from 'react'
import { may } from '#shared/permissions.ts'
import { quoteStatuses, type QuoteStatus } from '#shared/quote-state.ts'
import { QuoteList } from '#page/features/quotes/quote-list.tsx'
import type { QuoteSearch } from '#page/features/quotes/queries.ts'
import { SavedFilters } from '#page/features/saved-filters/saved-filters.tsx'
import { NeedsOrganization } from '#page/needs-organization.tsx'
import { text } from '#page/words/app-text.ts'
import { Button } from '#page/ui/button.tsx'
import { FilterSelect } from '#page/ui/filter-select.tsx'
import { Screen } from '#page/ui/screen.tsx'
import { SearchField } from '#page/ui/search-field.tsx'

export const Route = createFileRoute('/_authed/quotes/')({
  validateSearch: (search: Record<string, unknown>): QuoteSearch => ({
    // Undefined, not left out: the router would let what was refused through.
    q: typeof search['q'] === 'string' && search['q'] ? search['q'] : undefined,
    status: quoteStatuses.find((status) => status === search['status']),
  }),
  component: QuotesScreen,
})

const t = text.quotes

function QuotesScreen() {
  const search = Route.useSearch()
  const navigate = useNavigate()
  const change = useCallback(
    (next: QuoteSearch) => void navigate({ to: '/quotes', search: next, replace: true }),
    [navigate],
  )
  return (
    <NeedsOrganization title={t.title}>
      {(organization) => (
        <Screen
          title={t.title}
          wide
          actions={
            may(organization, 'invoice.draft') && (
              <Button look="primary" onClick={() => void navigate({ to: '/quotes/new' })}>
                {t.new}
              </Button>
            )
          }
        >
          <div className="flex flex-wrap gap-3">
            <SearchField
              label={t.search}
              value={search.q ?? ''}
              onSearch={(typed) => change({ ...search, q: typed || undefined })}
            />
            <FilterSelect
              label={t.filter}
              value={search.status ?? ''}
              choices={[['', t.all], ...quoteStatuses.map((status) => [status, t.status[status]] as const)]}
              onChoose={(status) => change({ ...search, status: (status || undefined) as QuoteStatus | undefined })}
            />
          </div>
          <SavedFilters
            list="quotes"
            organizationId={organization.id}
            search={search}
            wordsOf={({ status }) => [status && t.status[status]]}
            onChoose={change}
          />
          <QuoteList organization={organization} search={search} />
        </Screen>
      )}
    </NeedsOrganization>
  )
}
