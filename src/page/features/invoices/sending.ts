import type { QueryClient } from '@tanstack/react-query'
import type { Customer } from '#shared/contract/customers.ts'
import type { Invoice, InvoiceSending } from '#shared/contract/invoices.ts'
import { call } from '#page/api.ts'
import { newLink } from '#page/public-link.ts'
import type { Writer } from '#page/device/stored.ts'
import { keep } from './queries.ts'

const params = ({ organizationId, id: invoiceId }: Invoice) => ({ organizationId, invoiceId })

/** The invoice as it is then; where there is no connection it waits, behind its issuing where that waits too. */
export async function sendInvoice(
  queryClient: QueryClient,
  invoice: Invoice,
  body: InvoiceSending,
  writer?: Writer,
): Promise<Invoice> {
  const sent = await call<Invoice>('sendInvoice', { params: params(invoice), ifMatch: invoice.version, body, writer })
  keep(queryClient, sent)
  return sent
}

/** As issued, with the address that the customer has by now. */
export async function buyerNow({ organizationId, customerId, buyer }: Invoice): Promise<Invoice['buyer']> {
  if (!buyer || customerId === null) return buyer
  const customer = await call<Customer>('getCustomer', { params: { organizationId, customerId } }).catch(() => null)
  return { ...buyer, email: customer?.email ?? buyer.email }
}

export async function createPublicLink(invoice: Invoice): Promise<string> {
  const link = await newLink('i', 'getPublicInvoice')
  await call('createPublicLink', { params: params(invoice), body: { tokenHash: link.tokenHash } })
  return link.address
}

export async function revokePublicLinks(invoice: Invoice): Promise<void> {
  await call('revokePublicLinks', { params: params(invoice) })
}
