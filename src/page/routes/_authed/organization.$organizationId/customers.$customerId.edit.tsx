import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import type { Customer } from '#shared/contract/customers.ts'
import { CustomerForm } from '#page/features/customers/customer-form.tsx'
import { customerQuery } from '#page/features/customers/queries.ts'
import { Loaded } from '#page/loaded.tsx'
import { EditedRow } from '#page/edited-row.tsx'
import { useOnward } from '#page/onward.ts'
import { useOrganization } from '#page/organization-of.ts'
import { Permitted } from '#page/permitted.tsx'
import { UnsentHead } from '#page/device/unsent-badge.tsx'
import { tellSaved } from '#page/device/saved.ts'
import { text } from '#page/words/app-text.ts'
import { Screen } from '#page/ui/screen.tsx'

export const Route = createFileRoute('/_authed/organization/$organizationId/customers/$customerId/edit')({
  loader: ({ context, params }) =>
    void context.queryClient.prefetchQuery(customerQuery(params.organizationId, params.customerId)),
  component: EditCustomerScreen,
})

function EditCustomerScreen() {
  const { organizationId, customerId } = Route.useParams()
  const query = useQuery(customerQuery(organizationId, customerId))
  return (
    <Screen title={text.edit} lead={query.data && <UnsentHead row={query.data} name={query.data.name} />}>
      <Loaded query={query}>
        {(customer) => (
          <EditedRow newest={customer} query={query}>
            {(opened, reload) => <Edit customer={opened} onReload={reload} />}
          </EditedRow>
        )}
      </Loaded>
    </Screen>
  )
}

function Edit({ customer, onReload }: { customer: Customer; onReload: () => void }) {
  const { organizationId } = customer
  const organization = useOrganization(organizationId)
  const onward = useOnward()
  return (
    <Permitted organization={organization} permission="customer.write">
      <CustomerForm
        organization={organization}
        customer={customer}
        onReload={onReload}
        onSaved={(saved) => {
          tellSaved(text.saved.what.customer, saved)
          void onward({
            to: '/organization/$organizationId/customers/$customerId',
            params: { organizationId, customerId: saved.id },
          })
        }}
      />
    </Permitted>
  )
}
