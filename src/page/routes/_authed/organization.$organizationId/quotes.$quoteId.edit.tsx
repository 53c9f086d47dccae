import { useQuery, useQueryClient } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import type { Quote } from '#shared/contract/quotes.ts'
import { canQuote } from '#shared/quote-state.ts'
import { CustomerPicker } from '#page/features/customers/customer-picker.tsx'
import { DraftEditor } from '#page/features/invoices/draft-editor.tsx'
import { ItemLookup } from '#page/features/items/item-lookup.tsx'
import { loadQuoteContract } from '#page/features/quotes/load-contract.ts'
import { quoteQuery, saveQuote } from '#page/features/quotes/queries.ts'
import { savedRecordName } from '#page/forms/new-record.ts'
import { Loaded, NeedsServer } from '#page/loaded.tsx'
import { EditedRow } from '#page/edited-row.tsx'
import { useOnward } from '#page/onward.ts'
import { useOrganization } from '#page/organization-of.ts'
import { Permitted } from '#page/permitted.tsx'
import { text } from '#page/words/app-text.ts'
import { notify } from '#page/ui/notify.ts'
import { Notice, Screen } from '#page/ui/screen.tsx'

export const Route = createFileRoute('/_authed/organization/$organizationId/quotes/$quoteId/edit')({
  component: EditQuoteScreen,
})

function EditQuoteScreen() {
  const { organizationId, quoteId } = Route.useParams()
  const query = useQuery(quoteQuery(organizationId, quoteId))
  return (
    <Screen title={text.quotes.editTitle} lead={query.data?.number ?? query.data?.customerName}>
      <Loaded query={query} rows={6} atServer="quotes">
        {(quote) => (
          <EditedRow newest={quote} query={query}>
            {(opened, reload) => <Edit quote={opened} onReload={reload} />}
          </EditedRow>
        )}
      </Loaded>
    </Screen>
  )
}

function Edit({ quote, onReload }: { quote: Quote; onReload: () => void }) {
  const { organizationId } = quote
  const savedName = (saved: Quote) => savedRecordName(`quote.${organizationId}`, saved)
  const organization = useOrganization(organizationId)
  const queryClient = useQueryClient()
  const onward = useOnward()
  if (!canQuote('edit', quote.status)) return <Notice tone="warn">{text.quotes.frozen}</Notice>
  return (
    <Permitted organization={organization} permission="invoice.draft">
      <NeedsServer>{text.atServer.saving}</NeedsServer>
      <DraftEditor
        organization={organization}
        opened={{ ...quote, dueDate: null, supplyDate: null }}
        dates="quote"
        keptName={savedName(quote)}
        savedName={savedName}
        loadContract={loadQuoteContract}
        submit={text.quotes.save}
        customerPicker={(field) => <CustomerPicker organization={organization} {...field} makesNew />}
        itemLookup={(field) => <ItemLookup organization={organization} {...field} />}
        save={(body) => saveQuote(queryClient, quote, body)}
        onReload={onReload}
        onSaved={(saved) => {
          notify('success', text.quotes.saved)
          void onward({
            to: '/organization/$organizationId/quotes/$quoteId',
            params: { organizationId, quoteId: saved.id },
          })
        }}
      />
    </Permitted>
  )
}
