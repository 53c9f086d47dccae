import { useQuery, useQueryClient } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import type { Customer } from '#shared/contract/customers.ts'
import type { Organization } from '#shared/contract/organizations.ts'
import type { Recurring } from '#shared/contract/recurring.ts'
import { withDefaults } from '#shared/invoice-draft.ts'
import { mayRepeat } from '#shared/permissions.ts'
import { CustomerPicker } from '#page/features/customers/customer-picker.tsx'
import { customerQuery } from '#page/features/customers/queries.ts'
import { DraftEditor } from '#page/features/invoices/draft-editor.tsx'
import type { Opened } from '#page/features/invoices/draft-values.ts'
import { ItemLookup } from '#page/features/items/item-lookup.tsx'
import { recurringQuery } from '#page/features/recurring/queries.ts'
import { saveRecurringContent } from '#page/features/recurring/save-content.ts'
import { savedRecordName } from '#page/forms/new-record.ts'
import { Loaded } from '#page/loaded.tsx'
import { EditedRow } from '#page/edited-row.tsx'
import { useOnward } from '#page/onward.ts'
import { useOrganization } from '#page/organization-of.ts'
import { text } from '#page/words/app-text.ts'
import { notify } from '#page/ui/notify.ts'
import { Notice, Screen, Skeleton } from '#page/ui/screen.tsx'

export const Route = createFileRoute('/_authed/organization/$organizationId/recurring/$recurringId/edit')({
  component: EditRecurringScreen,
})

const t = text.recurring
const loadContract = async () => (await import('#shared/contract/recurring.ts')).repeatedInvoice

function EditRecurringScreen() {
  const { organizationId, recurringId } = Route.useParams()
  const query = useQuery(recurringQuery(organizationId, recurringId))
  return (
    <Screen title={t.contentTitle} lead={query.data?.customerName}>
      <Loaded query={query} rows={6} atServer="recurring">
        {(recurring) => (
          <EditedRow newest={recurring} query={query}>
            {(opened, reload) => <Edit recurring={opened} onReload={reload} />}
          </EditedRow>
        )}
      </Loaded>
    </Screen>
  )
}

function Edit({ recurring, onReload }: { recurring: Recurring; onReload: () => void }) {
  const { organizationId, id: recurringId } = recurring
  const savedName = (saved: Recurring) => savedRecordName(`recurring.${organizationId}`, saved)
  const organization = useOrganization(organizationId)
  const queryClient = useQueryClient()
  const onward = useOnward()
  const customer = useQuery(customerQuery(organizationId, recurring.customerId))
  if (!mayRepeat(organization, recurring)) return <Notice tone="warn">{t.readOnly}</Notice>
  // One that was deleted meanwhile says nothing any more: another is to be chosen.
  if (customer.isPending) return <Skeleton rows={6} label={text.loading} />
  return (
    <DraftEditor
      organization={organization}
      opened={contentOf(recurring, organization, customer.data ?? null)}
      dates="none"
      keptName={savedName(recurring)}
      savedName={savedName}
      loadContract={loadContract}
      submit={t.saveContent}
      customerPicker={(field) => <CustomerPicker organization={organization} {...field} makesNew />}
      itemLookup={(field) => <ItemLookup organization={organization} {...field} />}
      save={(body) => saveRecurringContent(queryClient, recurring, body)}
      onReload={onReload}
      onSaved={() => {
        notify('success', t.contentSaved)
        void onward({
          to: '/organization/$organizationId/recurring/$recurringId',
          params: { organizationId, recurringId },
        })
      }}
    />
  )
}

/** What was left out when it was made is what the customer says, then the organization; their reference stays that of the day. */
function contentOf({ invoice, gross }: Recurring, organization: Organization, customer: Customer | null): Opened {
  const currency = invoice.currency ?? gross.currency
  const { buyerReference: _, ...content } = withDefaults({ ...invoice, currency }, { organization, customer })
  return { ...invoice, ...content }
}
