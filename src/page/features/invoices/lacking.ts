// What several drafts lack, told before they are issued, as the screen of each tells it.
import type { QueryClient } from '@tanstack/react-query'
import type { Customer } from '#shared/contract/customers.ts'
import type { InvoiceSummary } from '#shared/contract/invoices.ts'
import type { Organization } from '#shared/contract/organizations.ts'
import { todayIn } from '#shared/dates.ts'
import { call } from '#page/api.ts'
import { now } from '#page/device/clock.ts'
import type { Remark } from './beforehand.tsx'
import { issueFindings, type Finding } from './issue-check.ts'
import { invoiceQuery } from './queries.ts'

/** `name`: what the draft itself is called. */
export async function lackingOf(
  queryClient: QueryClient,
  { id, organizationId }: InvoiceSummary,
  organization: Organization,
  name: string,
): Promise<Remark[]> {
  const draft = await queryClient.fetchQuery({ ...invoiceQuery(organizationId, id), staleTime: 0 })
  const { customerId, creditedInvoice } = draft
  const [customer, corrected] = await Promise.all([
    customerId === null ? null : orNone(call<Customer>('getCustomer', { params: { organizationId, customerId } })),
    creditedInvoice && orNone(queryClient.fetchQuery(invoiceQuery(organizationId, creditedInvoice.id))),
  ])
  const names: Record<Finding['of'], string> = {
    draft: name,
    customer: customer?.name ?? name,
    organization: organization.name,
  }
  return issueFindings(draft, organization, customer, todayIn(organization.timeZone, now()), corrected)
    .filter(({ weight }) => weight !== 'e-invoice')
    .map(({ of, label, words, weight }) => ({
      of: names[of],
      words: `${label}: ${words}`,
      isUrgent: weight === 'needed',
    }))
}

/** As on its own screen: what is not here, such as a customer who was deleted since, is none. */
const orNone = <Row>(asked: Promise<Row>): Promise<Row | null> => asked.catch(() => null)
