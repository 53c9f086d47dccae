// Quotes at the server: nothing of them is kept on the device, so every call here wants a connection.
import { infiniteQueryOptions, keepPreviousData, queryOptions, type QueryClient } from '@tanstack/react-query'
import type { Invoice, InvoiceSending } from '#shared/contract/invoices.ts'
import type {
  NewQuoteInput,
  Quote,
  QuoteAnswer,
  QuoteEditInput,
  QuotePage,
  QuoteSummary,
} from '#shared/contract/quotes.ts'
import { uuidv7 } from '#shared/ids.ts'
import { ProblemError } from '#shared/problem.ts'
import { call } from '#page/api.ts'
import { newLink } from '#page/public-link.ts'

export interface QuoteSearch {
  q?: string | undefined
  status?: QuoteSummary['status'] | undefined
}

type Versioned = Pick<Quote, 'organizationId' | 'id' | 'version'>

const paramsOf = ({ organizationId, id: quoteId }: Pick<Quote, 'organizationId' | 'id'>) => ({
  organizationId,
  quoteId,
})

const acceptedShown = 6

/** Customers have said yes, and nobody has made an invoice of it yet. */
export const acceptedQuotesQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ['quotes', organizationId, 'accepted'],
    queryFn: ({ signal }) =>
      call<QuotePage>('listQuotes', {
        params: { organizationId },
        query: { status: 'accepted', invoiced: 'no', limit: acceptedShown },
        signal,
      }),
  })

export const quotesQuery = (organizationId: string, search: QuoteSearch) =>
  infiniteQueryOptions({
    queryKey: ['quotes', organizationId, search],
    queryFn: ({ pageParam, signal }) =>
      call<QuotePage>('listQuotes', {
        params: { organizationId },
        query: { ...search, q: search.q || undefined, cursor: pageParam || undefined },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ page }) => page.nextCursor ?? undefined,
    placeholderData: keepPreviousData,
  })

export const quoteQuery = (organizationId: string, quoteId: string) =>
  queryOptions({
    queryKey: ['quote', organizationId, quoteId],
    queryFn: ({ signal }) => call<Quote>('getQuote', { params: { organizationId, quoteId }, signal }),
  })

export async function createQuote(
  queryClient: QueryClient,
  organizationId: string,
  body: NewQuoteInput,
): Promise<Quote> {
  const params = { organizationId, quoteId: body.id }
  const created = await call<Quote>('createQuote', { params, body }).catch((error: unknown) => {
    if (!(error instanceof ProblemError) || error.code !== 'id_taken') throw error
    // An earlier save had arrived although its answer was lost, and more was typed since: this is a change of that first version, and of no later one.
    return call<Quote>('saveQuote', { params, ifMatch: 1, body })
  })
  return keep(queryClient, created)
}

export async function saveQuote(queryClient: QueryClient, quote: Versioned, body: QuoteEditInput): Promise<Quote> {
  return keep(queryClient, await call<Quote>('saveQuote', { params: paramsOf(quote), ifMatch: quote.version, body }))
}

/** What takes a quote to its next state with one press. */
export async function pressQuote(
  queryClient: QueryClient,
  name: 'issueQuote' | 'reviseQuote',
  quote: Versioned,
): Promise<Quote> {
  return keep(queryClient, await call<Quote>(name, { params: paramsOf(quote), ifMatch: quote.version }))
}

export async function answerQuote(queryClient: QueryClient, quote: Versioned, body: QuoteAnswer): Promise<Quote> {
  return keep(queryClient, await call<Quote>('answerQuote', { params: paramsOf(quote), ifMatch: quote.version, body }))
}

export async function sendQuote(queryClient: QueryClient, quote: Versioned, body: InvoiceSending): Promise<Quote> {
  return keep(queryClient, await call<Quote>('sendQuote', { params: paramsOf(quote), ifMatch: quote.version, body }))
}

export async function deleteQuote(queryClient: QueryClient, quote: Versioned): Promise<void> {
  await call('deleteQuote', { params: paramsOf(quote), ifMatch: quote.version })
  queryClient.removeQueries({ queryKey: quoteQuery(quote.organizationId, quote.id).queryKey })
  refresh(queryClient, quote.organizationId)
}

/** A new quote like this one: without its dates, its number and its answer. A customer that was deleted since is left out. */
export async function duplicateQuote(queryClient: QueryClient, quote: Quote): Promise<Quote> {
  const { customerId, currency, taxMode, language, termsDays, buyerReference, orderReference, notes } = quote
  const { lines, allowances, charges, organizationId } = quote
  const body = {
    id: uuidv7(),
    customerId,
    currency,
    taxMode,
    ...(language && { language }),
    termsDays,
    buyerReference,
    orderReference,
    notes,
    allowances,
    charges,
    lines: lines.map(({ net: _, ...line }) => ({ ...line, id: uuidv7() })),
  }
  return createQuote(queryClient, organizationId, body).catch((error: unknown) => {
    const isGone = error instanceof ProblemError && error.problem.errors?.[0]?.pointer === '/customerId'
    if (!isGone) throw error
    return createQuote(queryClient, organizationId, { ...body, customerId: null })
  })
}

/** `invoiceId`: asked for again it is the same draft. */
export async function createInvoiceOfQuote(
  queryClient: QueryClient,
  quote: Versioned,
  invoiceId: string,
): Promise<Invoice> {
  const body = { id: invoiceId }
  const draft = await call<Invoice>('createInvoiceOfQuote', { params: paramsOf(quote), ifMatch: quote.version, body })
  const { organizationId } = quote
  for (const key of ['invoices', 'dashboard']) void queryClient.invalidateQueries({ queryKey: [key, organizationId] })
  forget(queryClient, quote)
  return draft
}

/** Made here: the server is told its hash alone, and cannot show it again. */
export async function createQuoteLink(quote: Quote): Promise<string> {
  const link = await newLink('q', 'getPublicQuote')
  await call('createQuoteLink', { params: paramsOf(quote), body: { tokenHash: link.tokenHash } })
  return link.address
}

export async function revokeQuoteLinks(quote: Quote): Promise<void> {
  await call('revokeQuoteLinks', { params: paramsOf(quote) })
}

export function quotePdf(quote: Quote): Promise<Blob> {
  return call<Blob>('getQuotePdf', { params: paramsOf(quote) })
}

/** What stands on the screen may not be true any more. */
export function forget(queryClient: QueryClient, { organizationId, id }: Pick<Quote, 'organizationId' | 'id'>): void {
  void queryClient.invalidateQueries({ queryKey: quoteQuery(organizationId, id).queryKey })
  refresh(queryClient, organizationId)
}

function keep(queryClient: QueryClient, quote: Quote): Quote {
  queryClient.setQueryData(quoteQuery(quote.organizationId, quote.id).queryKey, quote)
  refresh(queryClient, quote.organizationId)
  return quote
}

function refresh(queryClient: QueryClient, organizationId: string): void {
  void queryClient.invalidateQueries({ queryKey: ['quotes', organizationId] })
}
