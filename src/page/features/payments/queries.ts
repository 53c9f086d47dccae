import { infiniteQueryOptions, keepPreviousData, type QueryClient } from '@tanstack/react-query'
import type { Invoice } from '#shared/contract/invoices.ts'
import type { InvoicePayment, NewPaymentInput, Payment, PaymentPage } from '#shared/contract/payments.ts'
import { ProblemError } from '#shared/problem.ts'
import { call } from '#page/api.ts'
import { markOf } from '#page/saved.ts'

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
): Promise<boolean> {
  const answer = await call<Payment | Invoice>('recordPayment', { params: { organizationId }, body }).catch(
    toldAtAmount,
  )
  const waits = markOf(answer) !== null
  if (waits) queryClient.setQueryData(['invoice', organizationId, invoiceId], answer)
  refresh(queryClient, organizationId)
  return !waits
}

export async function reversePayment(
  queryClient: QueryClient,
  organizationId: string,
  { id: paymentId, version }: InvoicePayment,
  reason: string,
): Promise<void> {
  await call<Payment>('reversePayment', { params: { organizationId, paymentId }, ifMatch: version, body: { reason } })
  refresh(queryClient, organizationId)
}

/** The dialog has one amount: the payment's and its part of the invoice's in one. */
function toldAtAmount(error: unknown): never {
  if (!(error instanceof ProblemError) || !error.problem.errors) throw error
  const errors = error.problem.errors.map(({ pointer, detail }) => ({
    pointer: pointer.includes('/amount') ? '/amount' : pointer,
    detail,
  }))
  throw new ProblemError(error.code, { ...error.problem, errors })
}

function refresh(queryClient: QueryClient, organizationId: string): void {
  for (const key of ['invoice', 'invoices', 'payments', 'dashboard'])
    void queryClient.invalidateQueries({ queryKey: [key, organizationId] })
}
