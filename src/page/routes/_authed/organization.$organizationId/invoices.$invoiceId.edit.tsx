import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import type { Invoice } from '#shared/contract/invoices.ts'
import { canInvoice } from '#shared/invoice-state.ts'
import { CustomerPicker } from '#page/features/customers/customer-picker.tsx'
import { FrozenDraft } from '#page/features/invoices/frozen-draft.tsx'
import { InvoiceForm } from '#page/features/invoices/invoice-form.tsx'
import { invoiceQuery } from '#page/features/invoices/queries.ts'
import { ItemLookup } from '#page/features/items/item-lookup.tsx'
import { Loaded } from '#page/loaded.tsx'
import { EditedRow } from '#page/edited-row.tsx'
import { useOnward } from '#page/onward.ts'
import { useOrganization } from '#page/organization-of.ts'
import { Permitted } from '#page/permitted.tsx'
import { UnsentHead } from '#page/device/unsent-badge.tsx'
import { tellSaved } from '#page/device/saved.ts'
import { text } from '#page/words/app-text.ts'
import { Screen } from '#page/ui/screen.tsx'

export const Route = createFileRoute('/_authed/organization/$organizationId/invoices/$invoiceId/edit')({
  loader: ({ context, params }) =>
    void context.queryClient.prefetchQuery(invoiceQuery(params.organizationId, params.invoiceId)),
  component: EditInvoiceScreen,
})

function EditInvoiceScreen() {
  const { organizationId, invoiceId } = Route.useParams()
  const query = useQuery(invoiceQuery(organizationId, invoiceId))
  return (
    <Screen
      title={text.invoices.editTitle}
      lead={query.data && <UnsentHead row={query.data} name={query.data.customerName} />}
    >
      <Loaded query={query} rows={6}>
        {(invoice) => (
          <EditedRow newest={invoice} query={query}>
            {(opened, reload) => <Edit invoice={opened} onReload={reload} />}
          </EditedRow>
        )}
      </Loaded>
    </Screen>
  )
}

function Edit({ invoice, onReload }: { invoice: Invoice; onReload: () => void }) {
  const { organizationId } = invoice
  const organization = useOrganization(organizationId)
  const onward = useOnward()
  if (!canInvoice('edit', invoice.status)) return <FrozenDraft invoice={invoice} organization={organization} />
  return (
    <Permitted organization={organization} permission="invoice.draft" document={invoice}>
      <InvoiceForm
        organization={organization}
        invoice={invoice}
        customerPicker={(field) => <CustomerPicker organization={organization} {...field} makesNew />}
        itemLookup={(field) => <ItemLookup organization={organization} {...field} />}
        onReload={onReload}
        onSaved={(saved) => {
          tellSaved(text.saved.what.draft, saved)
          void onward({
            to: '/organization/$organizationId/invoices/$invoiceId',
            params: { organizationId, invoiceId: saved.id },
          })
        }}
      />
    </Permitted>
  )
}
