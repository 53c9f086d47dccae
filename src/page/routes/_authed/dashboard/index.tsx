import { useQuery } from '@tanstack/react-query'
import { createFileRoute, Link, useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Dashboard } from '#shared/contract/dashboard.ts'
import type { InvoiceSummary } from '#shared/contract/invoices.ts'
import type { Organization } from '#shared/contract/organizations.ts'
import { countOf } from '#shared/dashboard.ts'
import { isToGiveBack } from '#shared/invoice-balance.ts'
import { may } from '#shared/permissions.ts'
import { OneOfAll } from '#page/all-organizations.tsx'
import { knownOrganization } from '#page/current-organization.ts'
import { Figures } from '#page/features/dashboard/figures.tsx'
import { dashboardQuery } from '#page/features/dashboard/queries.ts'
import { FailureNotice } from '#page/features/failures/failure-note.tsx'
import { InvoiceRows } from '#page/features/invoices/invoice-list.tsx'
import { Loaded } from '#page/loaded.tsx'
import { OwnInvitations } from '#page/features/members/own-invitations.tsx'
import { NeedsOrganization } from '#page/needs-organization.tsx'
import { AcceptedQuotes } from '#page/features/quotes/accepted-quotes.tsx'
import { acceptedQuotesQuery } from '#page/features/quotes/queries.ts'
import { formatCount } from '#page/words/format.ts'
import { text } from '#page/words/app-text.ts'
import { Button } from '#page/ui/button.tsx'
import { Screen } from '#page/ui/screen.tsx'

export const Route = createFileRoute('/_authed/dashboard/')({
  loader({ context: { queryClient } }) {
    const organization = knownOrganization(queryClient)
    if (organization) void queryClient.prefetchQuery(dashboardQuery(organization.id))
  },
  component: DashboardScreen,
})

const t = text.dashboard

function DashboardScreen() {
  return (
    <NeedsOrganization
      title={t.title}
      invited={<OwnInvitations />}
      all={(organizations) => (
        <Overview mayDraft={organizations.some((each) => may(each, 'invoice.draft'))}>
          {organizations.map((organization) => (
            <OneOfAll key={organization.id} organization={organization}>
              <OfOrganization organization={organization} />
            </OneOfAll>
          ))}
        </Overview>
      )}
    >
      {(organization) => (
        <Overview mayDraft={may(organization, 'invoice.draft')}>
          <OfOrganization organization={organization} />
        </Overview>
      )}
    </NeedsOrganization>
  )
}

function Overview({ mayDraft, children }: { mayDraft: boolean; children: ReactNode }) {
  const navigate = useNavigate()
  return (
    <Screen
      title={t.title}
      wide
      actions={
        mayDraft && (
          <Button look="primary" onClick={() => void navigate({ to: '/invoices/new' })}>
            {text.invoices.new}
          </Button>
        )
      }
    >
      {children}
    </Screen>
  )
}

function OfOrganization({ organization }: { organization: Organization }) {
  const dashboard = useQuery(dashboardQuery(organization.id))
  // They are at the server alone: without a connection nobody is told of them here.
  const accepted = useQuery(acceptedQuotesQuery(organization.id)).data?.data ?? []
  return (
    <Loaded query={dashboard} rows={5}>
      {({ currencies, attention: named }) => (
        <>
          <section className="grid gap-3">
            <h2 className="text-lg font-semibold">{t.attention}</h2>
            <FailureNotice organizationId={organization.id} />
            {accepted.length > 0 && <AcceptedQuotes quotes={accepted} locale={organization.locale} />}
            {named.length + accepted.length === 0 && <p className="text-muted">{t.nothing}</p>}
            {named.length > 0 && <InvoiceRows invoices={named} organization={organization} />}
            <Rest currencies={currencies} named={named} />
          </section>
          {currencies.map((figures) => (
            <Figures
              key={figures.currency}
              organizationId={organization.id}
              figures={figures}
              locale={organization.locale}
            />
          ))}
        </>
      )}
    </Loaded>
  )
}

/** Only the first of them are shown above: where the others stand. */
function Rest({ currencies, named }: Pick<Dashboard, 'currencies'> & { named: readonly InvoiceSummary[] }) {
  const kinds = [
    ['toGiveBack', 'to-give-back', t.allToGiveBack, isToGiveBack],
    ['overdue', 'overdue', t.allOverdue, ({ overdue }: InvoiceSummary) => overdue],
    ['drafts', 'draft', t.allDrafts, ({ status }: InvoiceSummary) => status === 'draft'],
  ] as const
  return (
    <p className="flex flex-wrap gap-x-4 empty:hidden">
      {kinds.map(([kind, status, label, isOne]) => {
        const all = countOf(kind, { currencies })
        return (
          all > named.filter(isOne).length && (
            <Link
              key={kind}
              to="/invoices"
              search={{ status }}
              className="inline-flex min-h-11 items-center text-accent underline"
            >
              {label(all, formatCount(all))}
            </Link>
          )
        )
      })}
    </p>
  )
}
