import { createFileRoute } from '@tanstack/react-router'
import type { Organization } from '#shared/contract/organizations.ts'
import { showOrganization } from '#page/current-organization.ts'
import { NewOrganizationForm, newOrganizationScope } from '#page/features/organizations/new-organization-form.tsx'
import { useNewRecord } from '#page/forms/new-record.ts'
import { tellSaved } from '#page/device/saved.ts'
import { useOnward } from '#page/onward.ts'
import { text } from '#page/words/app-text.ts'
import { Screen, Skeleton } from '#page/ui/screen.tsx'

export const Route = createFileRoute('/_authed/dashboard/organizations/new')({ component: NewOrganizationScreen })

function NewOrganizationScreen() {
  const onward = useOnward()
  const leadOn = (created: Organization) => {
    showOrganization(created.id)
    tellSaved(text.saved.what.organization, created)
    void onward({ to: '/organization/$organizationId', params: { organizationId: created.id } })
  }
  const { id, renew } = useNewRecord(newOrganizationScope, leadOn)
  return (
    <Screen title={text.organizations.new} lead={text.organizations.empty}>
      {id === null ? (
        <Skeleton label={text.loading} />
      ) : (
        <NewOrganizationForm key={id} id={id} onStartFresh={renew} onCreated={leadOn} />
      )}
    </Screen>
  )
}
