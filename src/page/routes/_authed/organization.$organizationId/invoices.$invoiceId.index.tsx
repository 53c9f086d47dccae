import { useQuery, useQueryClient } from '@tanstack/react-query'
import { createFileRoute, Link, useNavigate } from '@tanstack/react-router'
import { Copy, Download, FileCode, Printer, Repeat, Send } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import type { Customer } from '#shared/contract/customers.ts'
import type { Invoice } from '#shared/contract/invoices.ts'
import type { Organization } from '#shared/contract/organizations.ts'
import { missingToIssue } from '#shared/invoice-draft.ts'
import { may } from '#shared/permissions.ts'
import { ProblemError } from '#shared/problem.ts'
import { customerQuery } from '#page/features/customers/queries.ts'
import { InvoiceMenu } from '#page/features/invoices/invoice-menu.tsx'
import { useDuplicate } from '#page/features/invoices/duplicate.ts'
import { Findings } from '#page/features/invoices/findings.tsx'
import { InvoicePaper } from '#page/features/invoices/invoice-paper.tsx'
import { LinkedDocuments } from '#page/features/invoices/linked-documents.tsx'
import { InvoiceStatus, InvoiceType } from '#page/features/invoices/invoice-status.tsx'
import { InvoicePayments } from '#page/features/payments/invoice-payments.tsx'
import { deleteInvoice, invoiceQuery, issueInvoice } from '#page/features/invoices/queries.ts'
import { useCommands } from '#page/commands.ts'
import { ConfirmDelete } from '#page/confirm-delete.tsx'
import { formatInstant } from '#page/format.ts'
import { Loaded } from '#page/loaded.tsx'
import { useOrganization } from '#page/organization-of.ts'
import { problemText } from '#page/problem-text.ts'
import { markOf, tellDeleted } from '#page/saved.ts'
import { text } from '#page/app-text.ts'
import { said } from '#page/said.ts'
import { Button, buttonClass } from '#page/ui/button.tsx'
import { notify } from '#page/ui/notify.ts'
import { Notice, Screen } from '#page/ui/screen.tsx'
import { UnsentBadge } from '#page/unsent-badge.tsx'

const EInvoiceCheck = lazy(() =>
  import('#page/features/invoices/e-invoice-check.tsx').then(({ EInvoiceCheck: default_ }) => ({ default: default_ })),
)

const SendDialog = lazy(() =>
  import('#page/features/invoices/send-dialog.tsx').then((module) => ({ default: module.SendDialog })),
)

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
            <InvoiceType type={invoice.type} />
            <InvoiceStatus invoice={invoice} />
            <UnsentBadge row={invoice} />
            <span className="empty:hidden">{sentWords(invoice)}</span>
          </span>
        )
      }
      actions={invoice && <Actions invoice={invoice} organization={organization} customer={customer} />}
    >
      <Loaded query={query} rows={6}>
        {(shown) => (
          <>
            <LinkedDocuments invoice={shown} locale={organization.locale} />
            {shown.paymentStatus !== null && (
              <div className="screen-only">
                <InvoicePayments invoice={shown} organization={organization} />
              </div>
            )}
            {shown.status === 'draft' && (
              <Suspense>
                <EInvoiceCheck invoice={shown} organization={organization} customer={customer} />
              </Suspense>
            )}
            {shown.status === 'draft' && may(organization, 'invoice.issue') && (
              <>
                <Lead invoice={shown} />
                {markOf(shown) !== 'issue' && (
                  <Findings invoice={shown} organization={organization} customer={customer} />
                )}
              </>
            )}
            <InvoicePaper invoice={shown} organization={organization} customer={customer} />
          </>
        )}
      </Loaded>
    </Screen>
  )
}

/** What became of it once it had left the house. */
function sentWords({ sentAt, viewedAt }: Invoice): string {
  return [sentAt && text.sending.sent(formatInstant(sentAt)), viewedAt && text.sending.viewed(formatInstant(viewedAt))]
    .filter(Boolean)
    .join(' · ')
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
function Actions({
  invoice,
  organization,
  customer,
}: {
  invoice: Invoice
  organization: Organization
  customer: Customer | null
}) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const [busy, setBusy] = useState(false)
  const [sending, setSending] = useState(false)
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
  const duplicate = useDuplicate()
  const copy = () => void duplicate(invoice)
  const canDuplicate = invoice.type === '380' && may(organization, 'invoice.draft')
  useCommands(canDuplicate ? [{ id: 'duplicate', label: t.duplicateThis, run: copy }] : [])
  const issue = () => {
    // Said at once, also where it would wait for a connection only to be refused.
    const missing = missingToIssue(invoice)
    if (missing.length > 0) return setProblems(missing.map(({ detail }) => said(detail)))
    return run(async () => {
      const issued = await issueInvoice(queryClient, invoice)
      notify(
        'success',
        issued.number === null
          ? text.saved.willBeIssued
          : (invoice.type === '381' ? t.creditIssued : t.issued)(issued.number),
      )
    })
  }
  const remove = () =>
    run(async () => {
      tellDeleted(text.saved.what.draft, await deleteInvoice(queryClient, invoice))
      await navigate({ to: '/invoices' })
    })

  const pdf = () =>
    run(async () => {
      const { downloadPdf } = await import('#page/features/invoices/download.ts')
      await downloadPdf({ invoice, organization, customer })
    })
  const print = (
    <Button icon={<Printer className="size-5" aria-hidden />} onClick={() => window.print()}>
      {t.print}
    </Button>
  )
  const download = (
    <Button icon={<Download className="size-5" aria-hidden />} busy={busy} onClick={() => void pdf()}>
      {t.pdf}
    </Button>
  )
  const xml = () =>
    run(async () => {
      const { downloadXml } = await import('#page/features/invoices/download.ts')
      await downloadXml(invoice)
    })
  const trouble = problems.length > 0 && (
    <div className="basis-full">
      <Notice tone="danger">
        {problems.map((problem) => (
          <p key={problem}>{problem}</p>
        ))}
      </Notice>
    </div>
  )
  if (invoice.status !== 'draft') {
    return (
      <>
        {canDuplicate && <DuplicateButton onPress={copy} />}
        {print}
        <Button icon={<FileCode className="size-5" aria-hidden />} onClick={() => void xml()}>
          {t.xml}
        </Button>
        {download}
        {invoice.status !== 'void' && may(organization, 'invoice.send') && (
          <Button look="primary" icon={<Send className="size-5" aria-hidden />} onClick={() => setSending(true)}>
            {text.sending.open}
          </Button>
        )}
        {sending && (
          <Suspense>
            <SendDialog invoice={invoice} organization={organization} onClose={() => setSending(false)} />
          </Suspense>
        )}
        {invoice.type === '380' && may(organization, 'invoice.issue') && (
          <Link
            to="/organization/$organizationId/recurring/new"
            params={{ organizationId }}
            search={{ from: invoiceId }}
            className={buttonClass()}
          >
            <Repeat className="size-5" aria-hidden />
            {text.recurring.repeat}
          </Link>
        )}
        <InvoiceMenu invoice={invoice} organization={organization} />
        {trouble}
      </>
    )
  }
  // Issued as far as this device can: a change now would be one of an issued invoice.
  if (markOf(invoice) === 'issue') return download
  // Who drafts and issues invoices may not do so with credit notes.
  if (invoice.type === '381' && !may(organization, 'creditNote.write')) return download
  return (
    <>
      {download}
      {may(organization, 'invoice.draft') && (
        <>
          {canDuplicate && <DuplicateButton onPress={copy} />}
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
      {may(organization, 'invoice.issue') && (
        <Button look="primary" busy={busy} onClick={() => void issue()}>
          {invoice.type === '381' ? t.issueCredit : t.issue}
        </Button>
      )}
      {trouble}
    </>
  )
}

function DuplicateButton({ onPress }: { onPress: () => void }) {
  return (
    <Button icon={<Copy className="size-5" aria-hidden />} onClick={onPress}>
      {t.duplicate}
    </Button>
  )
}
