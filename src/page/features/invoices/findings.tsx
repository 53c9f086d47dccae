import { Link } from '@tanstack/react-router'
import { CircleAlert, Info } from 'lucide-react'
import { useState } from 'react'
import type { Customer } from '#shared/contract/customers.ts'
import type { Invoice } from '#shared/contract/invoices.ts'
import type { Organization } from '#shared/contract/organizations.ts'
import { todayIn } from '#shared/dates.ts'
import { text } from '#page/app-text.ts'
import { issueFindings, type Finding } from './issue-check.ts'

const t = text.invoices.findings

/** What to mend before issuing, each with the way to its field. */
export function Findings({
  invoice,
  organization,
  customer,
}: {
  invoice: Invoice
  organization: Organization
  customer: Customer | null
}) {
  const [today] = useState(() => todayIn(organization.timeZone, Date.now()))
  const findings = issueFindings(invoice, organization, customer, today)
  const { organizationId, id: invoiceId, customerId } = invoice
  if (findings.length === 0) return null
  const look = 'inline-flex min-h-11 items-center font-medium text-accent underline'
  const wayTo = ({ of, field }: Finding) => {
    if (of === 'organization')
      return (
        <Link to="/organization/$organizationId/settings" params={{ organizationId }} hash={field} className={look}>
          {t.inSettings}
        </Link>
      )
    if (of === 'customer' && customerId !== null)
      return (
        <Link
          to="/organization/$organizationId/customers/$customerId/edit"
          params={{ organizationId, customerId }}
          hash={field}
          className={look}
        >
          {t.inCustomer}
        </Link>
      )
    return (
      <Link
        to="/organization/$organizationId/invoices/$invoiceId/edit"
        params={{ organizationId, invoiceId }}
        hash={field}
        className={look}
      >
        {t.inDraft}
      </Link>
    )
  }
  return (
    <section className="screen-only grid gap-1 rounded-xl border border-line bg-surface p-4" aria-label={t.title}>
      <h2 className="font-semibold">{t.title}</h2>
      <ul>
        {findings.map((finding) => (
          <li key={finding.words} className="flex flex-wrap items-center gap-x-3">
            {finding.isNeeded ? (
              <CircleAlert className="size-5 shrink-0 text-danger" aria-label={t.needed} />
            ) : (
              <Info className="size-5 shrink-0 text-info" aria-label={t.advice} />
            )}
            <span className="min-w-0 grow basis-52">{finding.words}</span>
            {wayTo(finding)}
          </li>
        ))}
      </ul>
    </section>
  )
}
