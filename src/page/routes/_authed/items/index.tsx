import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { may } from '#shared/permissions.ts'
import { ListExportButton } from '#page/features/exports/list-export-button.tsx'
import { ItemList } from '#page/features/items/item-list.tsx'
import { knownOrganization } from '#page/current-organization.ts'
import { itemsQuery } from '#page/features/items/queries.ts'
import { SavedSearches } from '#page/features/saved-filters/saved-filters.tsx'
import { NeedsOrganization } from '#page/needs-organization.tsx'
import { text } from '#page/words/app-text.ts'
import { Button } from '#page/ui/button.tsx'
import { Screen } from '#page/ui/screen.tsx'

export const Route = createFileRoute('/_authed/items/')({
  validateSearch: (search: Record<string, unknown>): { q?: string } =>
    typeof search['q'] === 'string' && search['q'] ? { q: search['q'] } : {},
  loaderDeps: ({ search }) => search,
  loader({ context: { queryClient }, deps: { q = '' } }) {
    const organization = knownOrganization(queryClient)
    if (organization) void queryClient.prefetchInfiniteQuery(itemsQuery(organization.id, q))
  },
  component: ItemsScreen,
})

function ItemsScreen() {
  const { q = '' } = Route.useSearch()
  const navigate = useNavigate()
  const onSearch = (typed: string) => void navigate({ to: '/items', search: typed ? { q: typed } : {}, replace: true })
  return (
    <NeedsOrganization title={text.items.title}>
      {(organization) => (
        <Screen
          title={text.items.title}
          wide
          actions={
            <>
              <ListExportButton kind="items" organizationId={organization.id} query={{ q: q || undefined }} />
              {may(organization, 'item.write') && (
                <Button look="primary" onClick={() => void navigate({ to: '/items/new' })}>
                  {text.items.new}
                </Button>
              )}
            </>
          }
        >
          <ItemList
            organization={organization}
            q={q}
            onSearch={onSearch}
            filters={<SavedSearches list="items" organizationId={organization.id} q={q} onSearch={onSearch} />}
          />
        </Screen>
      )}
    </NeedsOrganization>
  )
}
