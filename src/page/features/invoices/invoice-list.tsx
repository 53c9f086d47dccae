import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { memo } from 'react'
import type { InvoiceSummary } from '#shared/contract/invoices.ts'
import type { Organization } from '#shared/contract/organizations.ts'
import { isToGiveBack, unsigned } from '#shared/invoice-balance.ts'
import { may } from '#shared/permissions.ts'
import { formatDate, formatMoney, type Zoned } from '#page/words/format.ts'
import { Loaded } from '#page/loaded.tsx'
import { markOf, waitsForIssue } from '#page/device/saved.ts'
import { useListEnd } from '#page/searched-list.tsx'
import { text } from '#page/words/app-text.ts'
import { DocumentCells, documentRow, VirtualList } from '#page/ui/list.tsx'
import { Empty } from '#page/ui/screen.tsx'
import { UnsentBadge } from '#page/device/unsent-badge.tsx'
import { InvoiceStatus } from './invoice-status.tsx'
import { RowMenu } from './row-menu.tsx'
import { SampleInvoice } from './sample.tsx'
import { invoicesQuery, type InvoiceSearch } from './queries.ts'

const t = text.invoices

interface Props {
  organization: Organization
  search?: Omit<InvoiceSearch, 'customerId'>
  customerId?: string
  /** While several are being chosen. */
  choice?: Choice | null
}

export interface Choice {
  /** By id. */
  chosen: ReadonlyMap<string, InvoiceSummary>
  onToggle: (invoice: InvoiceSummary) => void
}

export function InvoiceList({ organization, search = {}, customerId, choice = null }: Props) {
  const invoices = useInfiniteQuery(invoicesQuery(organization.id, { ...search, ...(customerId && { customerId }) }))
  const onEnd = useListEnd(invoices)
  const searching = Boolean(search.q || search.status)
  return (
    <Loaded query={invoices}>
      {({ pages }) => {
        const rows = pages.flatMap((page) => page.data)
        if (rows.length === 0 && searching) return <p className="py-8 text-center text-muted">{t.noneFound}</p>
        if (rows.length === 0 && customerId) return <p className="py-4 text-muted">{text.customers.noInvoices}</p>
        if (rows.length === 0)
          return (
            <Empty title={t.emptyTitle} action={<SampleInvoice organization={organization} />}>
              {t.empty}
            </Empty>
          )
        return (
          <VirtualList label={t.title} rows={rows} keyOf={({ id }) => id} onEnd={onEnd}>
            {(invoice) => (
              <div className="flex items-center">
                {choice && <ChoiceBox invoice={invoice} choice={choice} />}
                <div className={`min-w-0 grow ${choice ? 'pr-2' : ''}`}>
                  <InvoiceRow invoice={invoice} organization={organization} />
                </div>
                {!choice &&
                  may(organization, 'invoice.draft') &&
                  // A credit note has none, and its columns stand below the others all the same.
                  (invoice.type === '380' ? <RowMenu invoice={invoice} /> : <span className="w-11 shrink-0" />)}
              </div>
            )}
          </VirtualList>
        )
      }}
    </Loaded>
  )
}

function ChoiceBox({ invoice, choice: { chosen, onToggle } }: { invoice: InvoiceSummary; choice: Choice }) {
  // Nothing can be done to it before it is issued.
  if (waitsForIssue(invoice)) return <span className="w-12 shrink-0" />
  return (
    <label className="grid min-h-12 w-12 shrink-0 cursor-pointer place-items-center">
      <input
        type="checkbox"
        className="size-5 accent-accent"
        aria-label={t.bulk.choose(invoice.number, invoice.customerName ?? t.noCustomer)}
        checked={chosen.has(invoice.id)}
        onChange={() => onToggle(invoice)}
      />
    </label>
  )
}

/** A few of them, all in the document. */
export function InvoiceRows({ invoices, organization }: { invoices: readonly InvoiceSummary[]; organization: Zoned }) {
  return (
    <ul className="overflow-hidden rounded-xl border border-line bg-surface">
      {invoices.map((invoice) => (
        <li key={invoice.id} className="border-b border-line pr-2 last:border-b-0 md:pr-0">
          <InvoiceRow invoice={invoice} organization={organization} />
        </li>
      ))}
    </ul>
  )
}

/** Drawn anew only when it is another: a list is drawn often. */
const InvoiceRow = memo(function InvoiceRow({
  invoice,
  organization: { locale },
}: {
  invoice: InvoiceSummary
  organization: Zoned
}) {
  const due = isOpen(invoice) ? invoice.dueDate : null
  const seen = invoice.viewedAt ? text.sending.wasViewed : invoice.sentAt && text.sending.wasSent
  return (
    <Link
      to="/organization/$organizationId/invoices/$invoiceId"
      params={{ organizationId: invoice.organizationId, invoiceId: invoice.id }}
      className={`${documentRow} pr-2 md:pr-4`}
    >
      <DocumentCells
        customer={invoice.customerName ?? t.noCustomer}
        amount={
          <>
            {formatMoney(invoice.gross, locale)}
            <StillDue invoice={invoice} locale={locale} />
          </>
        }
        number={
          <>
            {invoice.type === '381' && `${t.creditNote} `}
            <span className="inline-block max-w-full">{invoice.number ?? t.draftNumber}</span>
            {seen && (
              <>
                {' '}
                <span className="whitespace-nowrap xl:block xl:text-sm">
                  <span className="xl:hidden">· </span>
                  {seen}
                </span>
              </>
            )}
          </>
        }
        dates={
          // A draft has none.
          invoice.issueDate && (
            <>
              <span className={due ? 'max-md:hidden' : ''}>{formatDate(invoice.issueDate, locale)}</span>
              {due && (
                <span className="block">
                  <DueOn invoice={invoice} locale={locale} />
                </span>
              )}
            </>
          )
        }
        // That it is a draft stands beside its customer.
        status={markOf(invoice) ? <UnsentBadge row={invoice} /> : <InvoiceStatus invoice={invoice} />}
      />
    </Link>
  )
})

function DueOn({ invoice, locale }: { invoice: InvoiceSummary; locale: string }) {
  const due = t.dueOn(formatDate(invoice.dueDate, locale))
  if (!invoice.overdue) return due
  // Where the sign beside it says what is unsent, nothing but the colour would say that it is late.
  const isUnsent = markOf(invoice) !== null
  return (
    <span className={`text-danger ${isUnsent ? 'whitespace-normal' : ''}`}>
      {isUnsent ? `${t.status.overdue}: ${due}` : due}
    </span>
  )
}

/** Where it is not the whole of it: what is left to be paid, or given back. */
function StillDue({ invoice, locale }: { invoice: InvoiceSummary; locale: string }) {
  const { amountDue, paymentStatus, status } = invoice
  const isBack = isToGiveBack(invoice)
  if (!isBack && (paymentStatus !== 'partly-paid' || status !== 'issued')) return null
  return (
    <span className={`block text-sm font-normal ${isBack ? 'text-warn' : 'text-muted'}`}>
      {isBack ? (
        <>
          <span className="block">{text.payments.giveBack}</span> {formatMoney(unsigned(amountDue), locale)}
        </>
      ) : (
        t.stillDue(formatMoney(amountDue, locale))
      )}
    </span>
  )
}

/** Somebody is still to pay it. */
function isOpen({ status, paymentStatus }: InvoiceSummary): boolean {
  return status === 'issued' && (paymentStatus === 'unpaid' || paymentStatus === 'partly-paid')
}
