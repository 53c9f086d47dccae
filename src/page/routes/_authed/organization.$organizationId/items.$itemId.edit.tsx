import { useQuery, useQueryClient } from '@tanstack/react-query'
import { createFileRoute, useNavigate } from '@tanstack/react-router'
import type { Item } from '#shared/contract/items.ts'
import { may } from '#shared/permissions.ts'
import { DeleteButton } from '#page/forms/delete-button.tsx'
import { ItemForm } from '#page/features/items/item-form.tsx'
import { deleteItem, itemQuery } from '#page/features/items/queries.ts'
import { Loaded, unlessGone } from '#page/loaded.tsx'
import { EditedRow } from '#page/edited-row.tsx'
import { useOnward } from '#page/onward.ts'
import { useOrganization } from '#page/organization-of.ts'
import { tellSaved } from '#page/device/saved.ts'
import { text } from '#page/words/app-text.ts'
import { Screen } from '#page/ui/screen.tsx'
import { UnsentHead } from '#page/device/unsent-badge.tsx'

export const Route = createFileRoute('/_authed/organization/$organizationId/items/$itemId/edit')({
  loader: ({ context, params }) =>
    void context.queryClient.prefetchQuery(itemQuery(params.organizationId, params.itemId)),
  component: EditItemScreen,
})

const t = text.items

function EditItemScreen() {
  const { organizationId, itemId } = Route.useParams()
  const organization = useOrganization(organizationId)
  const query = useQuery(itemQuery(organizationId, itemId))
  const { data: item } = unlessGone(query)
  return (
    <Screen
      title={item?.name ?? t.details}
      lead={item && <UnsentHead row={item} />}
      actions={item && may(organization, 'item.write') && <Remove item={item} />}
    >
      <Loaded query={query}>
        {(found) => (
          <EditedRow newest={found} query={query}>
            {(opened, reload) => <Edit item={opened} onReload={reload} />}
          </EditedRow>
        )}
      </Loaded>
    </Screen>
  )
}

function Edit({ item, onReload }: { item: Item; onReload: () => void }) {
  const organization = useOrganization(item.organizationId)
  const onward = useOnward()
  return (
    <ItemForm
      organization={organization}
      item={item}
      onReload={onReload}
      onSaved={(saved) => {
        tellSaved(text.saved.what.item, saved)
        void onward({ to: '/items' })
      }}
    />
  )
}

function Remove({ item }: { item: Item }) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const { organizationId, id: itemId } = item
  return (
    <DeleteButton
      what={text.saved.what.item}
      remove={(removal) => deleteItem(queryClient, item, removal)}
      leave={() => navigate({ to: '/items' })}
      comeBack={() =>
        navigate({ to: '/organization/$organizationId/items/$itemId/edit', params: { organizationId, itemId } })
      }
    />
  )
}
