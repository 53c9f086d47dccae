import { createFileRoute } from '@tanstack/react-router'
import { may } from '#shared/permissions.ts'
import { CustomerPicker } from '#page/features/customers/customer-picker.tsx'
import { PaymentForm } from '#page/features/payments/payment-form.tsx'
import { useOnward } from '#page/onward.ts'
import { useOrganization } from '#page/organization-of.ts'
import { markOf } from '#page/device/saved.ts'
import { text } from '#page/words/app-text.ts'
import { notify } from '#page/ui/notify.ts'
import { Notice, Screen } from '#page/ui/screen.tsx'

/** `customerId`: chosen on the screen the person came from. */
export const Route = createFileRoute('/_authed/organization/$organizationId/payments/new')({
  validateSearch: (search: Record<string, unknown>): { customerId?: string } =>
    typeof search['customerId'] === 'string' ? { customerId: search['customerId'] } : {},
  component: NewPaymentScreen,
})

function NewPaymentScreen() {
  const { organizationId } = Route.useParams()
  const { customerId = '' } = Route.useSearch()
  const organization = useOrganization(organizationId)
  const onward = useOnward()
  const choose = (id: string) =>
    void onward({
      to: '/organization/$organizationId/payments/new',
      params: { organizationId },
      search: id ? { customerId: id } : {},
      replace: true,
    })
  return (
    <Screen title={text.paymentForm.title} lead={organization.name}>
      {may(organization, 'payment.write') ? (
        <PaymentForm
          organization={organization}
          customerId={customerId}
          customerPicker={<CustomerPicker organization={organization} value={customerId} onValue={choose} />}
          onSaved={(answer) => {
            notify('success', markOf(answer) ? text.payments.willBeRecorded : text.payments.recorded)
            void onward({ to: '/organization/$organizationId/payments', params: { organizationId } })
          }}
        />
      ) : (
        <Notice tone="warn">{text.recurring.readOnly}</Notice>
      )}
    </Screen>
  )
}
