import { useQuery, useQueryClient } from '@tanstack/react-query'
import { createFileRoute, Link, useNavigate } from '@tanstack/react-router'
import { Printer } from 'lucide-react'
import { useState } from 'react'
import type { Invoice } from '#shared/contract/invoices.ts'
import type { Organization } from '#shared/contract/organizations.ts'
import { may } from '#shared/permissions.ts'
import { ProblemError } from '#shared/problem.ts'
import { customerQuery } from '#page/features/customers/queries.ts'
import { InvoicePaper } from '#page/features/invoices/invoice-paper.tsx'
import { InvoiceStatus } from '#page/features/invoices/invoice-status.tsx'
import { deleteInvoice, invoiceQuery, issueInvoice } from '#page/features/invoices/queries.ts'
import { ConfirmDelete } from '#page/confirm-delete.tsx'
import { Loaded } from '#page/loaded.tsx'
import { useOrganization } from '#page/organization-of.ts'
import { problemText } from '#page/problem-text.ts'
import { markOf, tellDeleted } from '#page/saved.ts'
import { text } from '#page/text.ts'
import { Button, buttonClass } from '#page/ui/button.tsx'
import { notify } from '#page/ui/notify.ts'
import { Notice, Screen } from '#page/ui/screen.tsx'
import { UnsentBadge } from '#page/unsent-badge.tsx'

export const Route = createFileRoute('/_authed/organization/$organizationId/invoices/$invoiceId/')({
  loader: ({ context, params }) =>
    void context.queryClient.prefetchQuery(invoiceQuery(params.organizationId, params.invoiceId)),
  component: InvoiceScreen,
})

const t = text.invoices

function InvoiceScreen() {
  const { organizationId, invoiceId } = Route.useParams()
  const organization = useOrganization(organizationId)
  const query = useQuery(invoiceQuery(organizationId, invoiceId))
  const invoice = query.data
  const customerId = invoice?.status === 'draft' ? (invoice.customerId ?? '') : ''
  const customer = useQuery({ ...customerQuery(organizationId, customerId), enabled: customerId !== '' }).data ?? null
  return (
    <Screen
      title={invoice ? (invoice.number ?? t.status.draft) : t.title}
      lead={
        invoice && (
          <span className="flex flex-wrap gap-2">
            <InvoiceStatus invoice={invoice} />
            <UnsentBadge row={invoice} />
          </span>
        )
      }
      actions={invoice && <Actions invoice={invoice} organization={organization} />}
    >
      <Loaded query={query} rows={6}>
        {(shown) => (
          <>
            {shown.status === 'draft' && may(organization.role, 'invoice.issue') && <Lead invoice={shown} />}
            <InvoicePaper invoice={shown} organization={organization} customer={customer} />
          </>
        )}
      </Loaded>
    </Screen>
  )
}

function Lead({ invoice }: { invoice: Invoice }) {
  return (
    <p className="screen-only text-muted">
      {markOf(invoice) === 'issue' ? (
        <>
          {text.unsent.issueLead}{' '}
          <Link to="/unsent" className="font-medium text-accent underline">
            {text.unsent.title}
          </Link>
        </>
      ) : (
        t.issueLead
      )}
    </p>
  )
}

/** A draft lies here as the paper it becomes: who has read it issues it with one press. */
function Actions({ invoice, organization }: { invoice: Invoice; organization: Organization }) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const [busy, setBusy] = useState(false)
  const [problems, setProblems] = useState<string[]>([])
  const { organizationId, id: invoiceId } = invoice

  async function run(work: () => Promise<void>): Promise<void> {
    setBusy(true)
    setProblems([])
    try {
      await work()
    } catch (error) {
      const fields = error instanceof ProblemError ? (error.problem.errors ?? []) : []
      setProblems(fields.length > 0 ? fields.map(({ detail }) => detail) : [problemText(error)])
      // Somebody else may have issued or changed it: what stands here must be true.
      void queryClient.invalidateQueries({ queryKey: invoiceQuery(organizationId, invoiceId).queryKey })
    } finally {
      setBusy(false)
    }
  }
  const issue = () =>
    run(async () => {
      const issued = await issueInvoice(queryClient, invoice)
      notify('success', issued.number === null ? text.saved.willBeIssued : t.issued(issued.number))
    })
  const remove = () =>
    run(async () => {
      tellDeleted(text.saved.what.draft, await deleteInvoice(queryClient, invoice))
      await navigate({ to: '/invoices' })
    })

  if (invoice.status !== 'draft') {
    return (
      <Button icon={<Printer className="size-5" aria-hidden />} onClick={() => window.print()}>
        {t.print}
      </Button>
    )
  }
  // Issued as far as this device can: a change now would be one of an issued invoice.
  if (markOf(invoice) === 'issue') return null
  return (
    <>
      {may(organization.role, 'invoice.draft') && (
        <>
          <ConfirmDelete title={t.deleteTitle} lead={t.deleteLead} remove={remove} />
          <Link
            to="/organization/$organizationId/invoices/$invoiceId/edit"
            params={{ organizationId, invoiceId }}
            className={buttonClass()}
          >
            {text.edit}
          </Link>
        </>
      )}
      {may(organization.role, 'invoice.issue') && (
        <Button look="primary" busy={busy} onClick={() => void issue()}>
          {t.issue}
        </Button>
      )}
      {problems.length > 0 && (
        <div className="basis-full">
          <Notice tone="danger">
            {problems.map((problem) => (
              <p key={problem}>{problem}</p>
            ))}
          </Notice>
        </div>
      )}
    </>
  )
}
