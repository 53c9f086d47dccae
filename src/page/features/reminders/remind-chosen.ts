// What the list does with mails of several invoices: one of them reminded of, in the words that the dialog of one begins with; why one goes out without its XML.
import type { QueryClient } from '@tanstack/react-query'
import type { Invoice, InvoiceSummary } from '#shared/contract/invoices.ts'
import type { Organization } from '#shared/contract/organizations.ts'
import { text } from '#page/words/app-text.ts'
import { invoiceMailsQuery, reminderRulesQuery, remindInvoice } from './queries.ts'
import { firstWords } from './remind-words.ts'

/** A run asks for the rules once, and not for those of an hour ago. */
const rulesKnownMs = 60_000

/** Words: why nobody was reminded. */
export async function remindChosen(
  queryClient: QueryClient,
  invoice: Invoice,
  organization: Organization,
): Promise<string | null> {
  const rules = await queryClient.fetchQuery({ ...reminderRulesQuery(organization.id), staleTime: rulesKnownMs })
  const { reminders } = await queryClient.fetchQuery({ ...invoiceMailsQuery(invoice), staleTime: 0 })
  if (reminders.recipient === null) return text.invoices.bulk.noEmail
  const words = firstWords(invoice, organization, rules, reminders.sent)
  await remindInvoice(queryClient, invoice, { to: reminders.recipient, ...words })
  return null
}

/** In words why no XML goes out with it; none where one does, or nobody wants one. */
export async function whyWithoutXml(queryClient: QueryClient, invoice: InvoiceSummary): Promise<readonly string[]> {
  const { withoutXml } = await queryClient.fetchQuery({ ...invoiceMailsQuery(invoice), staleTime: rulesKnownMs })
  return withoutXml
}
