import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { CustomerPicker } from '#page/features/customers/customer-picker.tsx'
import { InvoiceForm } from '#page/features/invoices/invoice-form.tsx'
import { NeedsOrganization } from '#page/needs-organization.tsx'
import { text } from '#page/text.ts'
import { notify } from '#page/ui/notify.ts'
import { Screen } from '#page/ui/screen.tsx'

export const Route = createFileRoute('/_authed/invoices/new')({
  validateSearch: (search: Record<string, unknown>): { customerId?: string } =>
    typeof search['customerId'] === 'string' ? { customerId: search['customerId'] } : {},
  component: NewInvoiceScreen,
})

function NewInvoiceScreen() {
  const { customerId } = Route.useSearch()
  const navigate = useNavigate()
  return (
    <NeedsOrganization title={text.invoices.new}>
      {(organization) => (
        <Screen title={text.invoices.new} lead={organization.name}>
          <InvoiceForm
            key={organization.id}
            organization={organization}
            invoice={null}
            customerId={customerId}
            customerPicker={(value, onValue) => (
              <CustomerPicker organizationId={organization.id} value={value} onValue={onValue} />
            )}
            onSaved={({ id }) => {
              notify('success', text.invoices.saved)
              void navigate({
                to: '/organization/$organizationId/invoices/$invoiceId',
                params: { organizationId: organization.id, invoiceId: id },
                replace: true,
              })
            }}
          />
        </Screen>
      )}
    </NeedsOrganization>
  )
}
