import { useQuery, useQueryClient } from '@tanstack/react-query'
import { createFileRoute, Link, useNavigate } from '@tanstack/react-router'
import type { Customer } from '#shared/contract/customers.ts'
import { may } from '#shared/permissions.ts'
import { ProblemError } from '#shared/problem.ts'
import { DeleteButton } from '#page/forms/delete-button.tsx'
import { addressLines } from '#page/words/format.ts'
import { customerQuery, deleteCustomer } from '#page/features/customers/queries.ts'
import { InvoiceList } from '#page/features/invoices/invoice-list.tsx'
import { invoicesQuery } from '#page/features/invoices/queries.ts'
import { Loaded, unlessGone } from '#page/loaded.tsx'
import { useOrganization } from '#page/organization-of.ts'
import { text } from '#page/words/app-text.ts'
import { Button, buttonClass } from '#page/ui/button.tsx'
import { Facts } from '#page/ui/facts.tsx'
import { Screen, Section } from '#page/ui/screen.tsx'
import { waitsForIssue } from '#page/device/saved.ts'
import { UnsentHead } from '#page/device/unsent-badge.tsx'

export const Route = createFileRoute('/_authed/organization/$organizationId/customers/$customerId/')({
  loader: ({ context, params }) =>
    void context.queryClient.prefetchQuery(customerQuery(params.organizationId, params.customerId)),
  component: CustomerScreen,
})

const t = text.customers

function CustomerScreen() {
  const { organizationId, customerId } = Route.useParams()
  const organization = useOrganization(organizationId)
  const query = unlessGone(useQuery(customerQuery(organizationId, customerId)))
  return (
    <Screen
      title={query.data?.name ?? t.details}
      lead={query.data && <UnsentHead row={query.data} />}
      wide
      actions={query.data && may(organization, 'customer.write') && <Actions customer={query.data} />}
    >
      <Loaded query={query}>
        {(customer) => (
          <>
            <Details customer={customer} />
            <section className="grid gap-3">
              <h2 className="text-lg font-semibold">{t.invoices}</h2>
              <InvoiceList organization={organization} customerId={customer.id} />
            </section>
          </>
        )}
      </Loaded>
    </Screen>
  )
}

function Details({ customer }: { customer: Customer }) {
  const { address } = customer
  const facts: [string, string | null][] = [
    [text.organizations.address, addressLines(address, customer.country).join(', ')],
    [t.email, customer.email],
    [text.organizations.phone, customer.phone],
    [text.organizations.contactName, customer.contactName],
    [text.organizations.vatNumber, customer.vatNumber],
    [t.reference, customer.buyerReference],
    [t.notes, customer.notes],
  ]
  return (
    <Section title={t.details}>
      <Facts facts={facts} />
    </Section>
  )
}

function Actions({ customer }: { customer: Customer }) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const { organizationId, id: customerId } = customer
  const params = { organizationId, customerId }
  return (
    <>
      <Link to="/organization/$organizationId/customers/$customerId/edit" params={params} className={buttonClass()}>
        {text.edit}
      </Link>
      <DeleteButton
        what={text.saved.what.customer}
        remove={async (removal) => {
          // Said at once, where it can be known, and not by the server when the person has gone on.
          const drafts = await queryClient
            .fetchInfiniteQuery({ ...invoicesQuery(organizationId, { customerId, status: 'draft' }), retry: false })
            .catch(() => null)
          const isNamed = drafts?.pages.some(({ data }) => data.some((draft) => !waitsForIssue(draft)))
          if (isNamed) throw new ProblemError('in_use', { detail: t.inUse })
          return deleteCustomer(queryClient, customer, removal)
        }}
        leave={() => navigate({ to: '/customers' })}
        comeBack={() => navigate({ to: '/organization/$organizationId/customers/$customerId', params })}
      />
      <Button look="primary" onClick={() => void navigate({ to: '/invoices/new', search: { customerId } })}>
        {text.invoices.new}
      </Button>
    </>
  )
}
