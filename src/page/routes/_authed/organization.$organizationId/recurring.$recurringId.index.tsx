import { useQuery, useQueryClient } from '@tanstack/react-query'
import { createFileRoute, Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { Recurring } from '#shared/contract/recurring.ts'
import { mayRepeat } from '#shared/permissions.ts'
import { ConfirmDelete } from '#page/forms/confirm-delete.tsx'
import { deleteRecurring, recurringQuery } from '#page/features/recurring/queries.ts'
import { RecurringForm } from '#page/features/recurring/recurring-form.tsx'
import { asTyped } from '#page/forms/typed-number.ts'
import { formatDate, formatMoney, formatPrice } from '#page/words/format.ts'
import { Loaded } from '#page/loaded.tsx'
import { useOrganization } from '#page/organization-of.ts'
import { text } from '#page/words/app-text.ts'
import { said } from '#page/words/said.ts'
import { buttonClass } from '#page/ui/button.tsx'
import { notify } from '#page/ui/notify.ts'
import { Notice, Screen, Section } from '#page/ui/screen.tsx'

export const Route = createFileRoute('/_authed/organization/$organizationId/recurring/$recurringId/')({
  component: RecurringScreen,
})

const t = text.recurring

function RecurringScreen() {
  const { organizationId, recurringId } = Route.useParams()
  const organization = useOrganization(organizationId)
  const query = useQuery(recurringQuery(organizationId, recurringId))
  return (
    <Screen
      title={query.data?.customerName ?? t.title}
      lead={
        query.data &&
        `${t.rule(query.data.interval, query.data.every)} · ${formatMoney(query.data.gross, organization.locale)}`
      }
      actions={query.data && mayRepeat(organization, query.data) && <Stop recurring={query.data} />}
    >
      <Loaded query={query} atServer="recurring">
        {(recurring) => <Shown opened={recurring} />}
      </Loaded>
    </Screen>
  )
}

/** The version that was opened: what arrives meanwhile waits until the person asks for it. */
function Shown({ opened }: { opened: Recurring }) {
  const [recurring, setRecurring] = useState(opened)
  const { organizationId, lastProblem, lastInvoiceId, lastOn } = recurring
  const organization = useOrganization(organizationId)
  const queryClient = useQueryClient()
  const { locale } = organization
  const currency = recurring.gross.currency
  return (
    <>
      {lastProblem !== null && <Notice tone="danger">{t.lastProblem(said(lastProblem))}</Notice>}
      {lastInvoiceId !== null && lastOn !== null && (
        <p>
          {t.last}:{' '}
          <Link
            to="/organization/$organizationId/invoices/$invoiceId"
            params={{ organizationId, invoiceId: lastInvoiceId }}
            className="font-medium text-accent underline"
          >
            {formatDate(lastOn, locale)}
          </Link>
        </p>
      )}
      {mayRepeat(organization, recurring) && (
        <RecurringForm
          key={recurring.version}
          organization={organization}
          recurring={recurring}
          keptName={`schedule.${recurring.id}.${recurring.version}`}
          invoice={recurring.invoice}
          onReload={() =>
            void queryClient
              .fetchQuery({ ...recurringQuery(organizationId, recurring.id), staleTime: 0 })
              .then(setRecurring)
          }
          onSaved={(saved) => {
            setRecurring(saved)
            queryClient.setQueryData(recurringQuery(organizationId, saved.id).queryKey, saved)
            notify('success', t.saved)
          }}
        />
      )}
      <Section
        title={t.content}
        actions={
          mayRepeat(organization, recurring) && (
            <Link
              to="/organization/$organizationId/recurring/$recurringId/edit"
              params={{ organizationId, recurringId: recurring.id }}
              className={buttonClass()}
            >
              {t.editContent}
            </Link>
          )
        }
      >
        <p className="text-muted">{t.contentLead}</p>
        <ul className="divide-y divide-line">
          {recurring.invoice.lines.map((line, index) => (
            // Lines of a template have no names of their own, and this list is drawn anew when they change.
            <li key={index} className="flex justify-between gap-4 py-2">
              <span dir="auto" className="min-w-0 wrap-anywhere">
                {line.name}
              </span>
              <span className="amount min-w-0 text-right wrap-anywhere">
                {asTyped(line.quantity, locale)} × {formatPrice(line.unitPrice, currency, locale)}
              </span>
            </li>
          ))}
        </ul>
      </Section>
    </>
  )
}

function Stop({ recurring }: { recurring: Recurring }) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  return (
    <ConfirmDelete
      title={t.stop}
      lead={t.stopLead}
      remove={async () => {
        await deleteRecurring(queryClient, recurring)
        notify('success', t.stopped)
        const { organizationId } = recurring
        await navigate({ to: '/organization/$organizationId/recurring', params: { organizationId } })
      }}
    />
  )
}
