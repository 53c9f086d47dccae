import { createFileRoute } from '@tanstack/react-router'
import type { Item } from '#shared/contract/items.ts'
import type { Organization } from '#shared/contract/organizations.ts'
import { ItemForm, newItemScope } from '#page/features/items/item-form.tsx'
import { NeedsOrganization } from '#page/needs-organization.tsx'
import { useNewRecord } from '#page/forms/new-record.ts'
import { tellSaved } from '#page/device/saved.ts'
import { useOnward } from '#page/onward.ts'
import { text } from '#page/words/app-text.ts'
import { Screen, Skeleton } from '#page/ui/screen.tsx'

export const Route = createFileRoute('/_authed/items/new')({ component: NewItemScreen })

function NewItemScreen() {
  return (
    <NeedsOrganization title={text.items.new} permission="item.write">
      {(organization) => <NewItem key={organization.id} organization={organization} />}
    </NeedsOrganization>
  )
}

function NewItem({ organization }: { organization: Organization }) {
  const onward = useOnward()
  const leadOn = (saved: Item) => {
    tellSaved(text.saved.what.item, saved)
    void onward({ to: '/items', replace: true })
  }
  const { id, renew } = useNewRecord(newItemScope(organization.id), leadOn)
  return (
    <Screen title={text.items.new}>
      {id === null ? (
        <Skeleton label={text.loading} />
      ) : (
        <ItemForm key={id} organization={organization} item={null} newId={id} onStartFresh={renew} onSaved={leadOn} />
      )}
    </Screen>
  )
}
