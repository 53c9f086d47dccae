import { NeedsServer } from '#page/loaded.tsx'
import { useQueryClient } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { useState } from 'react'
import type { Quote } from '#shared/contract/quotes.ts'
import type { Organization } from '#shared/contract/organizations.ts'
import { addDays, todayIn } from '#shared/dates.ts'
import { now } from '#page/device/clock.ts'
import { CustomerPicker } from '#page/features/customers/customer-picker.tsx'
import { DraftEditor } from '#page/features/invoices/draft-editor.tsx'
import type { DraftValues } from '#page/features/invoices/draft-values.ts'
import { ItemLookup } from '#page/features/items/item-lookup.tsx'
import { createQuote } from '#page/features/quotes/queries.ts'
import { loadQuoteContract } from '#page/features/quotes/load-contract.ts'
import { NeedsOrganization } from '#page/needs-organization.tsx'
import { newRecordName, savedRecordName, releaseNewRecord, useNewRecord } from '#page/forms/new-record.ts'
import { useOnward } from '#page/onward.ts'
import { text } from '#page/words/app-text.ts'
import { notify } from '#page/ui/notify.ts'
import { Screen, Skeleton } from '#page/ui/screen.tsx'

export const Route = createFileRoute('/_authed/quotes/new')({
  validateSearch: (search: Record<string, unknown>): { customerId?: string } =>
    typeof search['customerId'] === 'string' ? { customerId: search['customerId'] } : {},
  component: NewQuoteScreen,
})

/** How long a quote is good unless somebody says otherwise. */
const usualDays = 30

function NewQuoteScreen() {
  return (
    <NeedsOrganization title={text.quotes.new} permission="invoice.draft">
      {(organization) => <NewQuote key={organization.id} organization={organization} />}
    </NeedsOrganization>
  )
}

function NewQuote({ organization }: { organization: Organization }) {
  const { customerId } = Route.useSearch()
  const onward = useOnward()
  const queryClient = useQueryClient()
  const scope = `quote.${organization.id}`
  const leadOn = (saved: Quote) => {
    notify('success', text.quotes.saved)
    void onward({
      to: '/organization/$organizationId/quotes/$quoteId',
      params: { organizationId: organization.id, quoteId: saved.id },
      replace: true,
    })
  }
  const { id, renew } = useNewRecord(
    scope,
    leadOn,
    customerId,
    // Who asks for a quote for one customer is not given what was begun for another.
    (kept) => customerId === undefined || (kept as DraftValues | null)?.customerId === customerId,
  )
  const [first] = useState(() => ({
    validUntil: addDays(todayIn(organization.timeZone, now()), usualDays),
    ...(customerId !== undefined && { customerId }),
  }))
  return (
    <Screen title={text.quotes.new} lead={organization.name}>
      <NeedsServer>{text.atServer.saving}</NeedsServer>
      {id === null ? (
        <Skeleton label={text.loading} />
      ) : (
        <DraftEditor
          key={id}
          organization={organization}
          opened={null}
          first={first}
          dates="quote"
          keptName={newRecordName(scope, id)}
          savedName={(saved: Quote) => savedRecordName(scope, saved)}
          loadContract={loadQuoteContract}
          submit={text.quotes.save}
          onStartFresh={renew}
          customerPicker={(field) => <CustomerPicker organization={organization} {...field} makesNew />}
          itemLookup={(field) => <ItemLookup organization={organization} {...field} />}
          save={(body) => createQuote(queryClient, organization.id, { id, ...body })}
          onSaved={(saved) => {
            releaseNewRecord(scope, id)
            leadOn(saved)
          }}
        />
      )}
    </Screen>
  )
}
