import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { showOrganization } from '#page/current-organization.ts'
import { NewOrganizationForm } from '#page/features/organizations/new-organization-form.tsx'
import { tellSaved } from '#page/saved.ts'
import { text } from '#page/app-text.ts'
import { Screen } from '#page/ui/screen.tsx'

export const Route = createFileRoute('/_authed/dashboard/organizations/new')({ component: NewOrganizationScreen })

function NewOrganizationScreen() {
  const navigate = useNavigate()
  return (
    <Screen title={text.organizations.new} lead={text.organizations.empty}>
      <NewOrganizationForm
        onCreated={(created) => {
          const { id } = created
          showOrganization(id)
          tellSaved(text.saved.what.organization, created)
          void navigate({ to: '/organization/$organizationId', params: { organizationId: id } })
        }}
      />
    </Screen>
  )
}
