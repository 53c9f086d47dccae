import { queryOptions, type QueryClient } from '@tanstack/react-query'
import type { Invoice, InvoiceSending } from '#shared/contract/invoices.ts'
import type { InvoiceMails, ReminderRules, ReminderRulesEdit } from '#shared/contract/reminders.ts'
import { call } from '#page/api.ts'

export const reminderRulesQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ['reminders', organizationId],
    queryFn: ({ signal }) => call<ReminderRules>('getReminderRules', { params: { organizationId }, signal }),
  })

export async function saveReminderRules(
  queryClient: QueryClient,
  organizationId: string,
  { version }: ReminderRules,
  body: ReminderRulesEdit,
): Promise<ReminderRules> {
  const params = { organizationId }
  const saved = await call<ReminderRules>('saveReminderRules', { params, ifMatch: version, body })
  queryClient.setQueryData(reminderRulesQuery(organizationId).queryKey, saved)
  void queryClient.invalidateQueries({ queryKey: ['invoice-mails', organizationId] })
  return saved
}

/** Asked anew when the invoice has changed: it was sent, or paid. */
export const invoiceMailsQuery = ({
  organizationId,
  id: invoiceId,
  version,
  revision,
}: Pick<Invoice, 'organizationId' | 'id' | 'version' | 'revision'>) =>
  queryOptions({
    queryKey: ['invoice-mails', organizationId, invoiceId, version, revision],
    queryFn: ({ signal }) => call<InvoiceMails>('listInvoiceMails', { params: { organizationId, invoiceId }, signal }),
    // What is on its way has arrived in a moment.
    refetchInterval: ({ state }) => (state.data?.data.some((mail) => mail.state === 'waiting') ? 2000 : false),
  })

export async function remindInvoice(queryClient: QueryClient, invoice: Invoice, body: InvoiceSending): Promise<void> {
  const { organizationId, id: invoiceId } = invoice
  const answer = await call<InvoiceMails>('remindInvoice', { params: { organizationId, invoiceId }, body })
  queryClient.setQueryData(invoiceMailsQuery(invoice).queryKey, answer)
}

export async function pauseReminders(queryClient: QueryClient, invoice: Invoice, paused: boolean): Promise<void> {
  const { organizationId, id: invoiceId } = invoice
  const params = { organizationId, invoiceId }
  const answer = await call<InvoiceMails>('pauseReminders', { params, body: { paused } })
  queryClient.setQueryData(invoiceMailsQuery(invoice).queryKey, answer)
}
