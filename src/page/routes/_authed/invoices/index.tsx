import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { useCallback } from 'react'
import type { InvoiceFilter, InvoiceSort } from '#shared/contract/invoices.ts'
import { InvoiceList } from '#page/features/invoices/invoice-list.tsx'
import { NeedsOrganization } from '#page/needs-organization.tsx'
import { text } from '#page/text.ts'
import { Button } from '#page/ui/button.tsx'
import { Screen } from '#page/ui/screen.tsx'
import { SearchField } from '#page/ui/search-field.tsx'

const t = text.invoices
const filters = ['draft', 'issued', 'overdue', 'void', 'uncollectible'] as const satisfies InvoiceFilter[]

export interface Search {
  q?: string | undefined
  status?: InvoiceFilter | undefined
  sort?: InvoiceSort | undefined
}

export const Route = createFileRoute('/_authed/invoices/')({
  validateSearch: (search: Record<string, unknown>): Search => ({
    // Undefined, not left out: the router would let what was refused through.
    q: typeof search['q'] === 'string' && search['q'] ? search['q'] : undefined,
    status: filters.find((filter) => filter === search['status']),
    sort: String(search['sort']) in t.sorts ? (search['sort'] as InvoiceSort) : undefined,
  }),
  component: InvoicesScreen,
})

function InvoicesScreen() {
  const search = Route.useSearch()
  const navigate = useNavigate()
  const change = useCallback(
    (next: Search) => void navigate({ to: '/invoices', search: next, replace: true }),
    [navigate],
  )
  const { q, ...rest } = search
  const { status: _, ...withoutStatus } = search
  const { sort: __, ...withoutSort } = search
  return (
    <NeedsOrganization title={t.title}>
      {(organization) => (
        <Screen
          title={t.title}
          wide
          actions={
            <Button look="primary" onClick={() => void navigate({ to: '/invoices/new' })}>
              {t.new}
            </Button>
          }
        >
          <div className="flex flex-wrap gap-3">
            <SearchField
              label={t.search}
              value={q ?? ''}
              onSearch={(typed) => change(typed ? { ...rest, q: typed } : rest)}
            />
            <select
              className="control w-auto grow sm:grow-0"
              aria-label={t.filter}
              value={search.status ?? ''}
              onChange={(event) =>
                change(
                  event.currentTarget.value
                    ? { ...search, status: event.currentTarget.value as InvoiceFilter }
                    : withoutStatus,
                )
              }
            >
              <option value="">{t.all}</option>
              {filters.map((filter) => (
                <option key={filter} value={filter}>
                  {t.status[filter]}
                </option>
              ))}
            </select>
            <select
              className="control w-auto grow sm:grow-0"
              aria-label={t.sort}
              value={search.sort ?? '-issueDate'}
              onChange={(event) => {
                const sort = event.currentTarget.value as InvoiceSort
                change(sort === '-issueDate' ? withoutSort : { ...search, sort })
              }}
            >
              {Object.entries(t.sorts).map(([sort, label]) => (
                <option key={sort} value={sort}>
                  {label}
                </option>
              ))}
            </select>
          </div>
          <InvoiceList organization={organization} search={search} />
        </Screen>
      )}
    </NeedsOrganization>
  )
}
