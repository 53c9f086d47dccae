// What a draft lacks, in one list: what it is not issued without, advice, and what only an e-invoice would want; a press goes to the field.
import { Link } from '@tanstack/react-router'
import { ChevronRight, CircleAlert, Info } from 'lucide-react'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import type { Customer } from '#shared/contract/customers.ts'
import type { Invoice } from '#shared/contract/invoices.ts'
import type { Organization } from '#shared/contract/organizations.ts'
import { todayIn } from '#shared/dates.ts'
import { may, type Permission } from '#shared/permissions.ts'
import { now } from '#page/device/clock.ts'
import { text } from '#page/words/app-text.ts'
import { issueFindings, type Finding } from './issue-check.ts'

const t = text.invoices.findings

const mended: Record<Finding['of'], Permission> = {
  draft: 'invoice.draft',
  customer: 'customer.write',
  organization: 'organization.edit',
}

interface Props {
  invoice: Invoice
  organization: Organization
  /** Null for none, or while it loads. */
  customer: Customer | null
  /** Of a credit note its invoice; null for none, or while it loads. */
  corrected: Invoice | null
  /** How often issuing was asked for in vain: what is needed is marked from then on, and the first of it comes into focus. */
  askedFor: number
}

export function Findings({ invoice, organization, customer, corrected, askedFor }: Props) {
  const [today] = useState(() => todayIn(organization.timeZone, now()))
  const section = useRef<HTMLElement>(null)
  useEffect(() => {
    if (askedFor === 0) return
    const first = section.current?.querySelector<HTMLElement>('li a, li [tabindex]')
    first?.focus()
    first?.scrollIntoView({ block: 'center' })
  }, [askedFor])
  const findings = issueFindings(invoice, organization, customer, today, corrected)
  if (findings.length === 0) return null
  const plain = findings.filter(({ weight }) => weight !== 'e-invoice')
  const more = findings.filter(({ weight }) => weight === 'e-invoice')
  const row = (finding: Finding) => (
    <li key={`${finding.of} ${finding.field}`}>
      <Way
        finding={finding}
        invoice={invoice}
        organization={organization}
        isMarked={askedFor > 0 && finding.weight === 'needed'}
      >
        {finding.weight === 'needed' ? (
          <CircleAlert className="size-5 shrink-0 text-danger" aria-label={t.needed} />
        ) : (
          <Info className="size-5 shrink-0 text-info" aria-label={t.advice} />
        )}
        <span className="min-w-0 grow">
          <span className="font-medium">{finding.label}</span>
          {finding.of !== 'draft' && <span className="text-sm text-muted"> · {t.of[finding.of]}</span>}
          <span className="block text-sm text-muted">{finding.words}</span>
        </span>
      </Way>
    </li>
  )
  return (
    <section
      ref={section}
      className="screen-only grid gap-2 rounded-xl border border-line bg-surface p-4"
      aria-label={t.title}
    >
      <h2 className="font-semibold">{t.title}</h2>
      {plain.length > 0 && <ul className="-mx-2 grid gap-1">{plain.map(row)}</ul>}
      {more.length > 0 && (
        <details>
          <summary className="min-h-11 cursor-pointer content-center text-sm text-muted">
            {t.forEInvoice(more.length)}
          </summary>
          <ul className="-mx-2">{more.map(row)}</ul>
        </details>
      )}
    </section>
  )
}

/** To the field, for who may change it. */
function Way({
  finding: { of, field },
  invoice: { organizationId, id: invoiceId, customerId },
  organization,
  isMarked,
  children,
}: {
  finding: Finding
  invoice: Invoice
  organization: Organization
  isMarked: boolean
  children: ReactNode
}) {
  const mark = isMarked ? 'bg-danger-soft ring-2 ring-danger ring-inset' : ''
  const look = `flex min-h-11 items-center gap-3 rounded-lg px-2 py-1.5 text-ink ${mark}`
  if (!may(organization, mended[of]))
    return (
      <span className={look} tabIndex={-1}>
        {children}
      </span>
    )
  const link = `${look} no-underline hover:bg-raised`
  const words = (
    <>
      {children}
      <ChevronRight className="size-5 shrink-0 text-muted" aria-hidden />
    </>
  )
  if (of === 'organization')
    return (
      <Link to="/organization/$organizationId/settings" params={{ organizationId }} hash={field} className={link}>
        {words}
      </Link>
    )
  if (of === 'customer' && customerId !== null)
    return (
      <Link
        to="/organization/$organizationId/customers/$customerId/edit"
        params={{ organizationId, customerId }}
        hash={field}
        className={link}
      >
        {words}
      </Link>
    )
  return (
    <Link
      to="/organization/$organizationId/invoices/$invoiceId/edit"
      params={{ organizationId, invoiceId }}
      hash={field}
      className={link}
    >
      {words}
    </Link>
  )
}
