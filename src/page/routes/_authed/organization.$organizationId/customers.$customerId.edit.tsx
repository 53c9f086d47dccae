import { useQuery, useQueryClient } from '@tanstack/react-query'
import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { Customer } from '#shared/contract/customers.ts'
import { CustomerForm } from '#page/features/customers/customer-form.tsx'
import { customerQuery } from '#page/features/customers/queries.ts'
import { Loaded } from '#page/loaded.tsx'
import { useOrganization } from '#page/organization-of.ts'
import { Permitted } from '#page/permitted.tsx'
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
    <Screen title={text.edit} lead={query.data?.name}>
      <Loaded query={query}>{(customer) => <Edit opened={customer} />}</Loaded>
    </Screen>
  )
}

/** Edits the version that was opened; what arrives meanwhile waits until the person asks for it. */
function Edit({ opened }: { opened: Customer }) {
  const { organizationId } = opened
  const [customer, setCustomer] = useState(opened)
  const organization = useOrganization(organizationId)
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  return (
    <Permitted organization={organization} permission="customer.write">
      <CustomerForm
        key={customer.version}
        organization={organization}
        customer={customer}
        onReload={() =>
          void queryClient.fetchQuery({ ...customerQuery(organizationId, customer.id), staleTime: 0 }).then(setCustomer)
        }
        onSaved={(saved) => {
          tellSaved(text.saved.what.customer, saved)
          void navigate({
            to: '/organization/$organizationId/customers/$customerId',
            params: { organizationId, customerId: saved.id },
          })
        }}
      />
    </Permitted>
  )
}
