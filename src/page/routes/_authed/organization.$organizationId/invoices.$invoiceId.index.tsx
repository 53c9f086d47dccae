import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import type { Invoice } from '#shared/contract/invoices.ts'
import { may, mayWrite } from '#shared/permissions.ts'
import { isUnsentOf } from '#shared/outbox.ts'
import { lazily } from '#page/lazily.ts'
import { customerQuery } from '#page/features/customers/queries.ts'
import { DraftActions } from '#page/features/invoices/draft-actions.tsx'
import { InvoicePaper } from '#page/features/invoices/invoice-paper.tsx'
import { IssuedActions } from '#page/features/invoices/issued-actions.tsx'
import { LinkedDocuments } from '#page/features/invoices/linked-documents.tsx'
import { InvoiceStatus, InvoiceType } from '#page/features/invoices/invoice-status.tsx'
import { InvoicePayments } from '#page/features/payments/invoice-payments.tsx'
import { isPayable } from '#page/features/payments/still-due.ts'
import { sentWords } from '#page/features/invoices/sent-words.ts'
import { invoiceQuery } from '#page/features/invoices/queries.ts'
import { invoiceMailsQuery } from '#page/features/reminders/queries.ts'
import { Loaded, unlessGone } from '#page/loaded.tsx'
import { useOrganization } from '#page/organization-of.ts'
import { markOf, waitsForIssue } from '#page/device/saved.ts'
import { unsentQuery } from '#page/device/outbox-calls.ts'
import { text } from '#page/words/app-text.ts'
import { Screen } from '#page/ui/screen.tsx'
import { ToUnsent, UnsentBadge } from '#page/device/unsent-badge.tsx'

const Findings = lazily(() => import('#page/features/invoices/findings.tsx').then((module) => module.Findings))

const InvoiceMails = lazily(() =>
  import('#page/features/reminders/invoice-mails.tsx').then((module) => module.InvoiceMails),
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
  const query = unlessGone(useQuery(invoiceQuery(organizationId, invoiceId)))
  const invoice = query.data
  const customerId = invoice?.status === 'draft' ? (invoice.customerId ?? '') : ''
  const [askedFor, setAskedFor] = useState(0)
  const customer = useQuery({ ...customerQuery(organizationId, customerId), enabled: customerId !== '' }).data ?? null
  const correctedId = invoice?.status === 'draft' ? (invoice.creditedInvoice?.id ?? '') : ''
  const corrected = useQuery({ ...invoiceQuery(organizationId, correctedId), enabled: correctedId !== '' }).data ?? null
  const { data: mails } = useQuery({
    ...invoiceMailsQuery(invoice ?? { organizationId, id: invoiceId, version: 0, revision: 0 }),
    enabled: invoice !== undefined && invoice.status !== 'draft',
  })
  return (
    <Screen
      title={invoice ? (invoice.number ?? t.status.draft) : t.title}
      lead={
        invoice && (
          <span className="flex flex-wrap gap-2">
            <InvoiceType type={invoice.type} />
            <InvoiceStatus invoice={invoice} />
            <UnsentBadge row={invoice} />
            <span className="empty:hidden">{sentWords(invoice, organization, mails?.data)}</span>
          </span>
        )
      }
      actions={
        invoice &&
        (invoice.status === 'draft' ? (
          <DraftActions
            invoice={invoice}
            organization={organization}
            customer={customer}
            corrected={corrected}
            onIncomplete={() => setAskedFor((times) => times + 1)}
          />
        ) : (
          <IssuedActions
            invoice={invoice}
            organization={organization}
            isLost={mails?.delivered === false}
            withoutXml={mails?.withoutXml}
          />
        ))
      }
    >
      <Loaded query={query} rows={6}>
        {(shown) => (
          <>
            <LinkedDocuments invoice={shown} locale={organization.locale} />
            {isPayable(shown) && (
              <div className="screen-only">
                <InvoicePayments invoice={shown} organization={organization} />
              </div>
            )}
            <Lead invoice={shown} mayIssue={mayWrite(organization, shown) && may(organization, 'invoice.issue')} />
            {shown.status !== 'draft' && !markOf(shown) && (
              <div className="screen-only empty:hidden">
                <Suspense>
                  <InvoiceMails invoice={shown} organization={organization} />
                </Suspense>
              </div>
            )}
            {shown.status === 'draft' &&
              !waitsForIssue(shown) &&
              mayWrite(organization, shown) &&
              may(organization, 'invoice.draft') && (
                <Suspense>
                  <Findings
                    invoice={shown}
                    organization={organization}
                    customer={customer}
                    corrected={corrected}
                    askedFor={askedFor}
                  />
                </Suspense>
              )}
            <InvoicePaper
              invoice={shown}
              organization={organization}
              customer={customer}
              isOpen={asksForAll(shown)}
              isVoid={shown.status === 'void'}
            />
          </>
        )}
      </Loaded>
    </Screen>
  )
}

/** What is paid, credited or void in part is not asked for by the code on its paper. */
function asksForAll({ status, gross, amountDue }: Invoice): boolean {
  return status === 'draft' || (status === 'issued' && amountDue.amount === gross.amount)
}

/** What the next press does, or what waits to be done. */
function Lead({ invoice, mayIssue }: { invoice: Invoice; mayIssue: boolean }) {
  const isWaiting = markOf(invoice) !== null && markOf(invoice) !== 'attention'
  const { data: unsent } = useQuery({ ...unsentQuery, enabled: isWaiting })
  const isUndecided = unsent?.entries.some(
    (entry) => isUnsentOf(entry, invoice) && entry.state === 'waiting-for-decision',
  )
  const waits = isWaiting && isUndecided ? text.unsent.decisionLead : waitingWords(invoice)
  const isOpen = invoice.status === 'draft' && mayIssue
  if (!waits && !isOpen) return null
  return <p className="screen-only text-muted">{waits ? <ToUnsent why={waits} /> : t.issueLead}</p>
}

function waitingWords(invoice: Invoice): string | null {
  if (markOf(invoice) === 'attention') return text.unsent.attentionLead
  if (markOf(invoice) === 'send') return waitsForIssue(invoice) ? text.unsent.issueAndSendLead : text.unsent.sendLead
  return waitsForIssue(invoice) ? text.unsent.issueLead : null
}
