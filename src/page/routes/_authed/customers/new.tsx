import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { CustomerForm } from '#page/features/customers/customer-form.tsx'
import { NeedsOrganization } from '#page/needs-organization.tsx'
import { text } from '#page/text.ts'
import { notify } from '#page/ui/notify.ts'
import { Screen } from '#page/ui/screen.tsx'

export const Route = createFileRoute('/_authed/customers/new')({ component: NewCustomerScreen })

function NewCustomerScreen() {
  const navigate = useNavigate()
  return (
    <NeedsOrganization title={text.customers.new}>
      {(organization) => (
        <Screen title={text.customers.new}>
          <CustomerForm
            organization={organization}
            customer={null}
            onSaved={({ id }) => {
              notify('success', text.customers.created)
              void navigate({
                to: '/organization/$organizationId/customers/$customerId',
                params: { organizationId: organization.id, customerId: id },
                replace: true,
              })
            }}
          />
        </Screen>
      )}
    </NeedsOrganization>
  )
}
