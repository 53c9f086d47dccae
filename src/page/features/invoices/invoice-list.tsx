import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { memo } from 'react'
import type { InvoiceSummary } from '#shared/contract/invoices.ts'
import type { Organization } from '#shared/contract/organizations.ts'
import { unsigned } from '#shared/invoice-balance.ts'
import { may } from '#shared/permissions.ts'
import { formatDate, formatMoney } from '#page/words/format.ts'
import { Loaded } from '#page/loaded.tsx'
import { markOf, waitsForIssue } from '#page/device/saved.ts'
import { useListEnd } from '#page/searched-list.tsx'
import { text } from '#page/words/app-text.ts'
import { VirtualList } from '#page/ui/list.tsx'
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
                <div className="min-w-0 grow">
                  <InvoiceRow invoice={invoice} locale={organization.locale} />
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
export function InvoiceRows({ invoices, locale }: { invoices: readonly InvoiceSummary[]; locale: string }) {
  return (
    <ul className="overflow-hidden rounded-xl border border-line bg-surface">
      {invoices.map((invoice) => (
        <li key={invoice.id} className="border-b border-line last:border-b-0">
          <InvoiceRow invoice={invoice} locale={locale} />
        </li>
      ))}
    </ul>
  )
}

/** Two lines on a phone, one row of columns on a desk. Drawn anew only when it is another: a list is drawn often. */
const InvoiceRow = memo(function InvoiceRow({ invoice, locale }: { invoice: InvoiceSummary; locale: string }) {
  return (
    <Link
      to="/organization/$organizationId/invoices/$invoiceId"
      params={{ organizationId: invoice.organizationId, invoiceId: invoice.id }}
      className="grid min-h-18 grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1 px-4 py-2 text-ink no-underline hover:bg-raised focus-visible:-outline-offset-2 md:grid-cols-[minmax(0,3fr)_minmax(0,2fr)_7rem_8.5rem_9rem]"
    >
      <span className="truncate font-medium">{invoice.customerName ?? t.noCustomer}</span>
      <span className="amount order-none text-right font-semibold md:order-last">
        {formatMoney(invoice.gross, locale)}
      </span>
      <span className="truncate text-sm text-muted md:text-base">
        {invoice.type === '381' && `${t.creditNote} `}
        {invoice.number ?? t.draftNumber}
        {(invoice.viewedAt ?? invoice.sentAt) &&
          ` · ${invoice.viewedAt ? text.sending.wasViewed : text.sending.wasSent}`}
        {invoice.amountDue.amount.startsWith('-') && (
          <span className="text-warn">
            {' · '}
            {text.payments.giveBack} {formatMoney(unsigned(invoice.amountDue), locale)}
          </span>
        )}
        <span className="md:hidden"> · {formatDate(invoice.issueDate ?? invoice.updatedAt.slice(0, 10), locale)}</span>
      </span>
      <span className="hidden text-sm text-muted md:block">{formatDate(invoice.issueDate, locale)}</span>
      <span className="justify-self-end md:justify-self-start">
        {/* That it is a draft stands beside its customer. */}
        {markOf(invoice) ? <UnsentBadge row={invoice} /> : <InvoiceStatus invoice={invoice} />}
      </span>
    </Link>
  )
})
