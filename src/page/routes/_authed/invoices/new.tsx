import { createFileRoute } from '@tanstack/react-router'
import type { Invoice } from '#shared/contract/invoices.ts'
import type { Organization } from '#shared/contract/organizations.ts'
import { CustomerPicker } from '#page/features/customers/customer-picker.tsx'
import { InvoiceForm, newInvoiceScope } from '#page/features/invoices/invoice-form.tsx'
import type { DraftValues } from '#page/features/invoices/draft-values.ts'
import { ItemLookup } from '#page/features/items/item-lookup.tsx'
import { NeedsOrganization } from '#page/needs-organization.tsx'
import { useNewRecord } from '#page/forms/new-record.ts'
import { tellSaved } from '#page/device/saved.ts'
import { useOnward } from '#page/onward.ts'
import { text } from '#page/words/app-text.ts'
import { Screen, Skeleton } from '#page/ui/screen.tsx'

export const Route = createFileRoute('/_authed/invoices/new')({
  validateSearch: (search: Record<string, unknown>): { customerId?: string } =>
    typeof search['customerId'] === 'string' ? { customerId: search['customerId'] } : {},
  component: NewInvoiceScreen,
})

function NewInvoiceScreen() {
  return (
    <NeedsOrganization title={text.invoices.new} permission="invoice.draft">
      {(organization) => <NewInvoice key={organization.id} organization={organization} />}
    </NeedsOrganization>
  )
}

function NewInvoice({ organization }: { organization: Organization }) {
  const { customerId } = Route.useSearch()
  const onward = useOnward()
  const leadOn = (saved: Invoice) => {
    tellSaved(text.saved.what.draft, saved)
    void onward({
      to: '/organization/$organizationId/invoices/$invoiceId',
      params: { organizationId: organization.id, invoiceId: saved.id },
      replace: true,
    })
  }
  const { id, renew } = useNewRecord(
    newInvoiceScope(organization.id),
    leadOn,
    customerId,
    // Who asks for an invoice for one customer is not given what was begun for another.
    (kept) => customerId === undefined || (kept as DraftValues | null)?.customerId === customerId,
  )
  return (
    <Screen title={text.invoices.new} lead={organization.name}>
      {id === null ? (
        <Skeleton label={text.loading} />
      ) : (
        <InvoiceForm
          organization={organization}
          invoice={null}
          key={id}
          newId={id}
          onStartFresh={renew}
          customerId={customerId}
          customerPicker={(field) => <CustomerPicker organization={organization} {...field} makesNew />}
          itemLookup={(field) => <ItemLookup organization={organization} {...field} />}
          onSaved={leadOn}
        />
      )}
    </Screen>
  )
}
