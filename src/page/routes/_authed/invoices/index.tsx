import { createFileRoute, Link, useNavigate } from '@tanstack/react-router'
import { ListChecks } from 'lucide-react'
import { Suspense, useCallback, useState } from 'react'
import type { InvoiceFilter, InvoiceSort, InvoiceSummary } from '#shared/contract/invoices.ts'
import type { Organization } from '#shared/contract/organizations.ts'
import { may } from '#shared/permissions.ts'
import { lazily } from '#page/lazily.ts'
import { OneOfAll, showOnly } from '#page/all-organizations.tsx'
import { knownOrganization } from '#page/current-organization.ts'
import { ExportDialog, ListExportButton } from '#page/features/exports/list-export-button.tsx'
import { FirstInvoices } from '#page/features/invoices/first-invoices.tsx'
import { InvoiceList } from '#page/features/invoices/invoice-list.tsx'
import { invoicesQuery } from '#page/features/invoices/queries.ts'
import { SavedFilters } from '#page/features/saved-filters/saved-filters.tsx'
import { NeedsOrganization } from '#page/needs-organization.tsx'
import { text } from '#page/words/app-text.ts'
import { Button, buttonClass } from '#page/ui/button.tsx'
import { FilterSelect } from '#page/ui/filter-select.tsx'
import { Screen, Skeleton } from '#page/ui/screen.tsx'
import { SearchField } from '#page/ui/search-field.tsx'

const Bulk = lazily(() => import('#page/features/invoices/bulk.tsx').then((module) => module.Bulk))

const t = text.invoices
const filters = [
  'draft',
  'issued',
  'overdue',
  'unpaid',
  'partly-paid',
  'paid',
  'credited',
  'to-give-back',
  'void',
  'uncollectible',
] as const satisfies InvoiceFilter[]
// What is offered. By name, because what the address says is read before the words are there.
const sorts = [
  '-issueDate',
  'issueDate',
  'customer',
  '-gross',
  'gross',
  'dueDate',
  '-updatedAt',
] as const satisfies InvoiceSort[]

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
    sort: sorts.find((sort) => sort === search['sort']),
  }),
  loaderDeps: ({ search }) => search,
  loader({ context: { queryClient }, deps }) {
    const organization = knownOrganization(queryClient)
    if (organization) void queryClient.prefetchInfiniteQuery(invoicesQuery(organization.id, deps))
  },
  component: InvoicesScreen,
})

function InvoicesScreen() {
  const search = Route.useSearch()
  const navigate = useNavigate()
  const change = useCallback(
    (next: Search) => void navigate({ to: '/invoices', search: next, replace: true }),
    [navigate],
  )
  return (
    <NeedsOrganization
      title={t.title}
      all={(organizations) => (
        <Screen
          title={t.title}
          wide
          actions={organizations.some((each) => may(each, 'invoice.draft')) && <NewInvoice />}
        >
          <Filters search={search} onChange={change} />
          {organizations.map((organization) => (
            <OneOfAll key={organization.id} organization={organization}>
              <FirstInvoices organization={organization} search={search} onAll={() => showOnly(organization.id)} />
            </OneOfAll>
          ))}
        </Screen>
      )}
    >
      {(organization) => (
        <Screen
          title={t.title}
          wide
          ways={
            <>
              <Link to="/quotes" className={buttonClass()}>
                {text.quotes.title}
              </Link>
              <Link
                to="/organization/$organizationId/payments"
                params={{ organizationId: organization.id }}
                className={buttonClass()}
              >
                {text.payments.title}
              </Link>
              <ListExportButton kind="invoices" organizationId={organization.id} query={{ ...search }} />
            </>
          }
          actions={may(organization, 'invoice.draft') && <NewInvoice />}
        >
          <Filters search={search} onChange={change} />
          <SavedFilters
            list="invoices"
            organizationId={organization.id}
            search={search}
            wordsOf={wordsOf}
            onChoose={change}
          />
          <Chosen key={organization.id} organization={organization} search={search} />
        </Screen>
      )}
    </NeedsOrganization>
  )
}

/** Also of a view that an older build kept. */
const wordsOf = ({ status, sort }: Search) => [
  status && t.status[status],
  sort && (t.sorts as Partial<Record<string, string>>)[sort],
]

function NewInvoice() {
  const navigate = useNavigate()
  return (
    <Button look="primary" onClick={() => void navigate({ to: '/invoices/new' })}>
      {t.new}
    </Button>
  )
}

function Filters({ search, onChange: change }: { search: Search; onChange: (next: Search) => void }) {
  const { q, ...rest } = search
  const { status: _, ...withoutStatus } = search
  const { sort: __, ...withoutSort } = search
  return (
    <div className="flex flex-wrap gap-3">
      <SearchField
        label={t.search}
        value={q ?? ''}
        onSearch={(typed) => change(typed ? { ...rest, q: typed } : rest)}
      />
      <FilterSelect
        label={t.filter}
        value={search.status ?? ''}
        choices={[['', t.all], ...filters.map((filter) => [filter, t.status[filter]] as const)]}
        onChoose={(status) => change(status ? { ...search, status: status as InvoiceFilter } : withoutStatus)}
      />
      <FilterSelect
        label={t.sort}
        value={search.sort ?? '-issueDate'}
        choices={sorts.map((sort) => [sort, t.sorts[sort]])}
        onChoose={(sort) => change(sort === '-issueDate' ? withoutSort : { ...search, sort: sort as InvoiceSort })}
      />
    </div>
  )
}

/** The list, and what is done to several of it at once. */
function Chosen({ organization, search }: { organization: Organization; search: Search }) {
  const [chosen, setChosen] = useState<ReadonlyMap<string, InvoiceSummary> | null>(null)
  const toggle = (invoice: InvoiceSummary) =>
    setChosen((before) => {
      const next = new Map(before)
      if (!next.delete(invoice.id)) next.set(invoice.id, invoice)
      return next
    })
  return (
    <>
      {chosen === null ? (
        <Button className="-mt-3 justify-self-start" look="quiet" onClick={() => setChosen(new Map())}>
          <ListChecks className="size-5" aria-hidden />
          {t.bulk.begin}
        </Button>
      ) : (
        <Suspense fallback={<Skeleton rows={1} label={text.loading} />}>
          <Bulk
            organization={organization}
            search={search}
            chosen={[...chosen.values()]}
            onChoose={(next) => setChosen(new Map(next.map((invoice) => [invoice.id, invoice])))}
            onCancel={() => setChosen(null)}
            remind={async (...one) => (await import('#page/features/reminders/remind-chosen.ts')).remindChosen(...one)}
            whyWithoutXml={async (...one) =>
              (await import('#page/features/reminders/remind-chosen.ts')).whyWithoutXml(...one)
            }
            exportDialog={(some, onClose) => (
              <ExportDialog
                kind="invoices"
                organizationId={organization.id}
                query={{}}
                chosen={some}
                onClose={onClose}
              />
            )}
          />
        </Suspense>
      )}
      <InvoiceList organization={organization} search={search} choice={chosen && { chosen, onToggle: toggle }} />
    </>
  )
}
