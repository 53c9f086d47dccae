import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import type { Invoice } from '#shared/contract/invoices.ts'
import { invoiceQuery } from '#page/features/invoices/queries.ts'
import { RecurringForm } from '#page/features/recurring/recurring-form.tsx'
import { useOnward } from '#page/onward.ts'
import { formatMoney } from '#page/words/format.ts'
import { Loaded } from '#page/loaded.tsx'
import { useOrganization } from '#page/organization-of.ts'
import { Permitted } from '#page/permitted.tsx'
import { text } from '#page/words/app-text.ts'
import { notify } from '#page/ui/notify.ts'
import { Screen } from '#page/ui/screen.tsx'

/** `from`: the invoice that is repeated. */
export const Route = createFileRoute('/_authed/organization/$organizationId/recurring/new')({
  validateSearch: (search: Record<string, unknown>): { from: string } => ({
    from: typeof search['from'] === 'string' ? search['from'] : '',
  }),
  component: RepeatScreen,
})

const t = text.recurring

function RepeatScreen() {
  const { organizationId } = Route.useParams()
  const organization = useOrganization(organizationId)
  const invoice = useQuery(invoiceQuery(organizationId, Route.useSearch().from))
  const onward = useOnward()
  return (
    <Screen
      title={t.new}
      lead={
        invoice.data && `${invoice.data.customerName ?? ''} · ${formatMoney(invoice.data.gross, organization.locale)}`
      }
    >
      <Loaded query={invoice}>
        {(repeated) => (
          <Permitted organization={organization} permission="invoice.draft">
            <RecurringForm
              organization={organization}
              recurring={null}
              keptName={`schedule.new.${repeated.id}`}
              invoice={contentOf(repeated)}
              onSaved={() => {
                notify('success', t.started)
                void onward({
                  to: '/organization/$organizationId/recurring',
                  params: { organizationId },
                  replace: true,
                })
              }}
            />
          </Permitted>
        )}
      </Loaded>
    </Screen>
  )
}

/** What every one of them says: all but the dates. */
function contentOf({ lines, ...invoice }: Invoice) {
  const {
    customerId,
    currency,
    taxMode,
    language,
    termsDays,
    buyerReference,
    orderReference,
    notes,
    allowances,
    charges,
  } = invoice
  return {
    customerId,
    currency,
    taxMode,
    language,
    termsDays,
    // None: the customer's, as soon as they have one.
    buyerReference: buyerReference ?? undefined,
    orderReference,
    notes,
    allowances,
    charges,
    // Ids are of that invoice's own lines.
    lines: lines.map(({ id: _, net: __, ...line }) => line),
  }
}
