import { createFileRoute, Link, useNavigate } from '@tanstack/react-router'
import { may } from '#shared/permissions.ts'
import { ListExportButton } from '#page/features/exports/list-export-button.tsx'
import { PaymentList } from '#page/features/payments/payment-list.tsx'
import { SavedSearches } from '#page/features/saved-filters/saved-filters.tsx'
import { useOrganization } from '#page/organization-of.ts'
import { text } from '#page/words/app-text.ts'
import { buttonClass } from '#page/ui/button.tsx'
import { Screen } from '#page/ui/screen.tsx'

export const Route = createFileRoute('/_authed/organization/$organizationId/payments/')({
  validateSearch: (search: Record<string, unknown>): { q?: string } =>
    typeof search['q'] === 'string' && search['q'] ? { q: search['q'] } : {},
  component: PaymentsScreen,
})

function PaymentsScreen() {
  const { organizationId } = Route.useParams()
  const { q = '' } = Route.useSearch()
  const organization = useOrganization(organizationId)
  const navigate = useNavigate()
  const onSearch = (typed: string) =>
    void navigate({
      to: '/organization/$organizationId/payments',
      params: { organizationId },
      search: typed ? { q: typed } : {},
      replace: true,
    })
  return (
    <Screen
      title={text.payments.title}
      lead={organization.name}
      wide
      actions={
        <>
          <ListExportButton kind="payments" organizationId={organizationId} query={{ q: q || undefined }} />
          {may(organization, 'payment.write') && (
            <Link
              to="/organization/$organizationId/payments/new"
              params={{ organizationId }}
              className={buttonClass('primary')}
            >
              {text.paymentForm.open}
            </Link>
          )}
        </>
      }
    >
      <PaymentList
        organization={organization}
        q={q}
        onSearch={onSearch}
        filters={<SavedSearches list="payments" organizationId={organizationId} q={q} onSearch={onSearch} />}
      />
    </Screen>
  )
}
