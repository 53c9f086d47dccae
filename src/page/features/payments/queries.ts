import { infiniteQueryOptions, keepPreviousData, queryOptions, type QueryClient } from '@tanstack/react-query'
import type { Invoice, InvoicePage, InvoiceSummary } from '#shared/contract/invoices.ts'
import type { InvoicePayment, NewPaymentInput, Payment, PaymentPage } from '#shared/contract/payments.ts'
import { ProblemError } from '#shared/problem.ts'
import { call } from '#page/api.ts'
import { keepRow } from '#page/keep-row.ts'
import { markOf } from '#page/device/saved.ts'
import type { Writer } from '#page/device/stored.ts'
import { text } from '#page/words/app-text.ts'
import type { ListedInvoice } from './still-due.ts'

export function paymentsQuery(organizationId: string, q: string) {
  return infiniteQueryOptions({
    queryKey: ['payments', organizationId, q],
    queryFn: ({ pageParam, signal }) =>
      call<PaymentPage>('listPayments', {
        params: { organizationId },
        query: { q: q || undefined, cursor: pageParam || undefined },
        signal,
      }),
    // Text, because a stored list comes back from JSON, which knows no undefined.
    initialPageParam: '',
    getNextPageParam: ({ page }) => page.nextCursor ?? undefined,
    placeholderData: keepPreviousData,
  })
}

/** False when it waits on this device: then the invoice is what came back. */
export async function recordPayment(
  queryClient: QueryClient,
  { organizationId, id: invoiceId }: Invoice,
  body: NewPaymentInput,
  writer: Writer,
): Promise<boolean> {
  const params = { organizationId }
  const answer = await call<Payment | Invoice>('recordPayment', { params, body, writer }).catch(toldAtAmount)
  return isDone(queryClient, organizationId, invoiceId, answer)
}

function isDone(
  queryClient: QueryClient,
  organizationId: string,
  invoiceId: string,
  answer: Payment | Invoice,
): boolean {
  const waits = markOf(answer) !== null
  // An invoice that the device does not have it cannot reckon; of a payment on several it is the first.
  if (waits && 'gross' in answer && answer.id === invoiceId)
    keepRow(queryClient, ['invoice', organizationId, invoiceId], () => answer)
  refresh(queryClient, organizationId)
  return !waits
}

/** The most that one payment can pay; the server's own limit. */
export const mostAllocations = 50

/** What a customer has not paid yet, due first: on the server, or as far as the device knows. What waits here may pay the whole of it. */
export const openInvoicesQuery = (organizationId: string, customerId: string) =>
  queryOptions({
    queryKey: ['invoices', organizationId, 'open', customerId],
    enabled: customerId !== '',
    queryFn: async ({ signal }) => {
      const lists = await Promise.all(
        (['unpaid', 'partly-paid'] as const).map((status) =>
          call<InvoicePage>('listInvoices', {
            params: { organizationId },
            query: { customerId, status, sort: 'dueDate', limit: 200 },
            signal,
          }),
        ),
      )
      const open: ListedInvoice[] = lists.flatMap(({ data }) => data)
      return open.toSorted((a, b) => dueKey(a).localeCompare(dueKey(b)))
    },
  })

const dueKey = ({ dueDate, issueDate, id }: InvoiceSummary): string => `${dueDate ?? '~'} ${issueDate} ${id}`

/** The invoices of a payment that is typed anew, in its order. */
export const paidInvoicesQuery = (organizationId: string, ids: readonly string[]) =>
  queryOptions({
    queryKey: ['invoices', organizationId, 'paid', ...ids],
    queryFn: ({ signal }) =>
      Promise.all(
        ids.map((invoiceId) => call<Invoice>('getInvoice', { params: { organizationId, invoiceId }, signal })),
      ),
  })

/** Where the form of several invoices says what is wrong: each has one field, in the order in which they are shown. */
export function atPart(pointer: string, indexes: readonly number[]): string {
  const [, allocation] = /^\/allocations\/(\d+)/.exec(pointer) ?? []
  return allocation === undefined ? pointer.replace(/^\/amount.*/, '/amount') : `/parts/${indexes[Number(allocation)]}`
}

/** `indexes`: at which field each allocation was typed. */
export async function recordWholePayment(
  queryClient: QueryClient,
  organizationId: string,
  body: NewPaymentInput,
  indexes: readonly number[],
  writer: Writer,
): Promise<Payment | Invoice> {
  const answer = await call<Payment | Invoice>('recordPayment', { params: { organizationId }, body, writer }).catch(
    (error: unknown) => {
      if (!(error instanceof ProblemError) || !error.problem.errors) throw error
      const errors = error.problem.errors.map(({ pointer, detail }) => ({ pointer: atPart(pointer, indexes), detail }))
      // Somebody else recorded one meanwhile: what is due is another sum.
      refresh(queryClient, organizationId)
      throw new ProblemError(error.code, { ...error.problem, errors })
    },
  )
  refresh(queryClient, organizationId)
  return answer
}

/** False when it waits on this device: then the invoice is what came back. */
export async function reversePayment(
  queryClient: QueryClient,
  { organizationId, id: invoiceId }: Pick<Invoice, 'organizationId' | 'id'>,
  { id: paymentId, version }: InvoicePayment,
  reason: string,
  writer: Writer,
): Promise<boolean> {
  const answer = await call<Payment | Invoice>('reversePayment', {
    params: { organizationId, paymentId },
    ifMatch: version,
    body: { reason },
    writer,
  })
  return isDone(queryClient, organizationId, invoiceId, answer)
}

/** One whole, with all invoices that it is on. */
export const paymentQuery = (organizationId: string, paymentId: string) =>
  queryOptions({
    queryKey: ['payments', organizationId, 'whole', paymentId],
    queryFn: ({ signal }) => call<Payment>('getPayment', { params: { organizationId, paymentId }, signal }),
  })

/**
 * What the same form recorded already, in another tab or before its page was loaded anew, is said; pressed once more it is another payment. `renew`: gives the
 * form another id.
 */
export function orAnother(renew: () => void): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof ProblemError) || error.code !== 'id_taken') throw error
    renew()
    throw new ProblemError(error.code, { ...error.problem, detail: text.paymentForm.anotherId })
  }
}

/** The dialog has one amount: the payment's and its part of the invoice's in one. */
export function atAmount(pointer: string): string {
  return pointer.includes('/amount') ? '/amount' : pointer
}

function toldAtAmount(error: unknown): never {
  if (!(error instanceof ProblemError) || !error.problem.errors) throw error
  const errors = error.problem.errors.map(({ pointer, detail }) => ({
    pointer: atAmount(pointer),
    detail,
  }))
  throw new ProblemError(error.code, { ...error.problem, errors })
}

function refresh(queryClient: QueryClient, organizationId: string): void {
  for (const key of ['invoice', 'invoices', 'payments', 'dashboard'])
    void queryClient.invalidateQueries({ queryKey: [key, organizationId] })
}
