import { createFileRoute } from '@tanstack/react-router'
import type { Customer } from '#shared/contract/customers.ts'
import type { Organization } from '#shared/contract/organizations.ts'
import { CustomerForm, newCustomerScope } from '#page/features/customers/customer-form.tsx'
import { NeedsOrganization } from '#page/needs-organization.tsx'
import { useNewRecord } from '#page/forms/new-record.ts'
import { tellSaved } from '#page/device/saved.ts'
import { useOnward } from '#page/onward.ts'
import { text } from '#page/words/app-text.ts'
import { Screen, Skeleton } from '#page/ui/screen.tsx'

export const Route = createFileRoute('/_authed/customers/new')({ component: NewCustomerScreen })

function NewCustomerScreen() {
  return (
    <NeedsOrganization title={text.customers.new} permission="customer.write">
      {(organization) => <NewCustomer key={organization.id} organization={organization} />}
    </NeedsOrganization>
  )
}

function NewCustomer({ organization }: { organization: Organization }) {
  const onward = useOnward()
  const leadOn = (saved: Customer) => {
    tellSaved(text.saved.what.customer, saved)
    void onward({
      to: '/organization/$organizationId/customers/$customerId',
      params: { organizationId: organization.id, customerId: saved.id },
      replace: true,
    })
  }
  const { id, renew } = useNewRecord(newCustomerScope(organization.id), leadOn)
  return (
    <Screen title={text.customers.new}>
      {id === null ? (
        <Skeleton label={text.loading} />
      ) : (
        <CustomerForm
          key={id}
          organization={organization}
          customer={null}
          newId={id}
          onStartFresh={renew}
          onSaved={leadOn}
        />
      )}
    </Screen>
  )
}
