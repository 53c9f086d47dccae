import { createFileRoute, Link, useNavigate } from '@tanstack/react-router'
import { ArrowDownUp, History, Repeat, Settings, Users } from 'lucide-react'
import { may } from '#shared/permissions.ts'
import { addressLines } from '#page/words/format.ts'
import { Summary } from '#page/features/dashboard/summary.tsx'
import { FailureNotice } from '#page/features/failures/failure-note.tsx'
import { InvoiceList } from '#page/features/invoices/invoice-list.tsx'
import { useOrganization } from '#page/organization-of.ts'
import { text } from '#page/words/app-text.ts'
import { Button, buttonClass } from '#page/ui/button.tsx'
import { Facts } from '#page/ui/facts.tsx'
import { Screen, Section } from '#page/ui/screen.tsx'
import { UnsentHead } from '#page/device/unsent-badge.tsx'

export const Route = createFileRoute('/_authed/organization/$organizationId/')({ component: OrganizationScreen })

const t = text.organizations

function OrganizationScreen() {
  const { organizationId } = Route.useParams()
  const organization = useOrganization(organizationId)
  const navigate = useNavigate()
  const { address, vatNumber, bank, contact } = organization
  const facts: [string, string | null][] = [
    [t.legalName, organization.legalName],
    [t.address, addressLines(address, organization.country).join(', ')],
    [t.vatNumber, vatNumber],
    // A copy that an older build made has none.
    [t.taxNumber, organization.taxNumber ?? null],
    [t.contactEmail, contact.email],
    [t.iban, bank.iban],
    [t.currency, organization.currency],
    [t.role, t.roles[organization.role]],
  ]
  return (
    <Screen
      title={organization.name}
      lead={<UnsentHead row={organization} />}
      wide
      ways={
        <>
          <Link to="/organization/$organizationId/members" params={{ organizationId }} className={buttonClass()}>
            <Users className="size-5" aria-hidden />
            {text.members.title}
          </Link>
          {may(organization, 'activity.read') && (
            <Link to="/organization/$organizationId/activity" params={{ organizationId }} className={buttonClass()}>
              <History className="size-5" aria-hidden />
              {text.activity.title}
            </Link>
          )}
          <Link to="/organization/$organizationId/recurring" params={{ organizationId }} className={buttonClass()}>
            <Repeat className="size-5" aria-hidden />
            {text.recurring.title}
          </Link>
          <Link to="/organization/$organizationId/data" params={{ organizationId }} className={buttonClass()}>
            <ArrowDownUp className="size-5" aria-hidden />
            {text.exports.title}
          </Link>
          <Link to="/organization/$organizationId/settings" params={{ organizationId }} className={buttonClass()}>
            <Settings className="size-5" aria-hidden />
            {text.frame.settings}
          </Link>
        </>
      }
      actions={
        may(organization, 'invoice.draft') && (
          <Button look="primary" onClick={() => void navigate({ to: '/invoices/new' })}>
            {text.invoices.new}
          </Button>
        )
      }
    >
      <FailureNotice organizationId={organizationId} />
      <Summary organization={organization} />
      <Section title={t.details}>
        <Facts facts={facts} />
      </Section>
      <section className="grid gap-3">
        <h2 className="text-lg font-semibold">{text.invoices.title}</h2>
        <InvoiceList organization={organization} />
      </section>
    </Screen>
  )
}
