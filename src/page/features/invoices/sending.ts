import type { QueryClient } from '@tanstack/react-query'
import type { Invoice, InvoiceSending } from '#shared/contract/invoices.ts'
import { call } from '#page/api.ts'
import { newLink } from '#page/public-link.ts'
import type { Writer } from '#page/device/stored.ts'
import { invoiceQuery } from './queries.ts'

const params = ({ organizationId, id: invoiceId }: Invoice) => ({ organizationId, invoiceId })

/** The invoice as it is then; where there is no connection it waits, behind its issuing where that waits too. */
export async function sendInvoice(
  queryClient: QueryClient,
  invoice: Invoice,
  body: InvoiceSending,
  writer?: Writer,
): Promise<Invoice> {
  const sent = await call<Invoice>('sendInvoice', { params: params(invoice), ifMatch: invoice.version, body, writer })
  queryClient.setQueryData(invoiceQuery(sent.organizationId, sent.id).queryKey, sent)
  void queryClient.invalidateQueries({ queryKey: ['invoices', sent.organizationId] })
  return sent
}

export async function createPublicLink(invoice: Invoice): Promise<string> {
  const link = await newLink('i', 'getPublicInvoice')
  await call('createPublicLink', { params: params(invoice), body: { tokenHash: link.tokenHash } })
  return link.address
}

export async function revokePublicLinks(invoice: Invoice): Promise<void> {
  await call('revokePublicLinks', { params: params(invoice) })
}
