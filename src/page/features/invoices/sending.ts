import type { QueryClient } from '@tanstack/react-query'
import type { Invoice, InvoiceSending } from '#shared/contract/invoices.ts'
import { apiOriginOf } from '#shared/endpoint.ts'
import { endpointPath } from '#shared/endpoints.ts'
import { call } from '#page/api.ts'
import { invoiceQuery } from './queries.ts'

const params = ({ organizationId, id: invoiceId }: Invoice) => ({ organizationId, invoiceId })

/** The invoice as it is then; where there is no connection it waits, behind its issuing where that waits too. */
export async function sendInvoice(queryClient: QueryClient, invoice: Invoice, body: InvoiceSending): Promise<Invoice> {
  const sent = await call<Invoice>('sendInvoice', { params: params(invoice), ifMatch: invoice.version, body })
  queryClient.setQueryData(invoiceQuery(sent.organizationId, sent.id).queryKey, sent)
  void queryClient.invalidateQueries({ queryKey: ['invoices', sent.organizationId] })
  return sent
}

/** Made here: the server is told its hash alone, and cannot show it again. */
export async function createPublicLink(invoice: Invoice): Promise<string> {
  const token = `i_${base64url(crypto.getRandomValues(new Uint8Array(32)))}`
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token))
  const body = { tokenHash: base64url(new Uint8Array(hash)) }
  await call('createPublicLink', { params: params(invoice), body })
  const origin = apiOriginOf(import.meta.env.VITE_API_BASE_URL, location.origin)
  return origin + endpointPath('getPublicInvoice', { token })
}

export async function revokePublicLinks(invoice: Invoice): Promise<void> {
  await call('revokePublicLinks', { params: params(invoice) })
}

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}
