import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { may } from '#shared/permissions.ts'
import { ListExportButton } from '#page/features/exports/list-export-button.tsx'
import { CustomerList } from '#page/features/customers/customer-list.tsx'
import { knownOrganization } from '#page/current-organization.ts'
import { customersQuery } from '#page/features/customers/queries.ts'
import { SavedSearches } from '#page/features/saved-filters/saved-filters.tsx'
import { NeedsOrganization } from '#page/needs-organization.tsx'
import { text } from '#page/words/app-text.ts'
import { Button } from '#page/ui/button.tsx'
import { Screen } from '#page/ui/screen.tsx'

export const Route = createFileRoute('/_authed/customers/')({
  validateSearch: (search: Record<string, unknown>): { q?: string } =>
    typeof search['q'] === 'string' && search['q'] ? { q: search['q'] } : {},
  loaderDeps: ({ search }) => search,
  loader({ context: { queryClient }, deps: { q = '' } }) {
    const organization = knownOrganization(queryClient)
    if (organization) void queryClient.prefetchInfiniteQuery(customersQuery(organization.id, q))
  },
  component: CustomersScreen,
})

function CustomersScreen() {
  const { q = '' } = Route.useSearch()
  const navigate = useNavigate()
  const onSearch = (typed: string) =>
    void navigate({ to: '/customers', search: typed ? { q: typed } : {}, replace: true })
  return (
    <NeedsOrganization title={text.customers.title}>
      {(organization) => (
        <Screen
          title={text.customers.title}
          wide
          actions={
            <>
              <ListExportButton kind="customers" organizationId={organization.id} query={{ q: q || undefined }} />
              {may(organization, 'customer.write') && (
                <Button look="primary" onClick={() => void navigate({ to: '/customers/new' })}>
                  {text.customers.new}
                </Button>
              )}
            </>
          }
        >
          <CustomerList
            organizationId={organization.id}
            q={q}
            onSearch={onSearch}
            filters={<SavedSearches list="customers" organizationId={organization.id} q={q} onSearch={onSearch} />}
          />
        </Screen>
      )}
    </NeedsOrganization>
  )
}
