import { infiniteQueryOptions, keepPreviousData, queryOptions, type QueryClient } from '@tanstack/react-query'
import type { Customer, CustomerEditInput, CustomerPage, NewCustomerInput } from '#shared/contract/customers.ts'
import { ProblemError } from '#shared/problem.ts'
import { call } from '#page/api.ts'
import { paint } from '#page/query-client.ts'
import type { Writer } from '#page/stored.ts'

export function customersQuery(organizationId: string, q: string) {
  return infiniteQueryOptions({
    queryKey: ['customers', organizationId, q],
    queryFn: ({ pageParam, signal }) =>
      call<CustomerPage>('listCustomers', {
        params: { organizationId },
        query: { q: q || undefined, cursor: pageParam || undefined },
        signal,
      }),
    // Text, because a stored list comes back from JSON, which knows no undefined.
    initialPageParam: '',
    getNextPageParam: ({ page }) => page.nextCursor ?? undefined,
    placeholderData: keepPreviousData,
    ...(q === '' && paint),
  })
}

export function customerQuery(organizationId: string, customerId: string) {
  return queryOptions({
    queryKey: ['customer', organizationId, customerId],
    queryFn: ({ signal }) => call<Customer>('getCustomer', { params: { organizationId, customerId }, signal }),
    ...paint,
  })
}

export async function createCustomer(
  queryClient: QueryClient,
  organizationId: string,
  body: NewCustomerInput,
  writer?: Writer,
): Promise<Customer> {
  const params = { organizationId, customerId: body.id }
  const created = await call<Customer>('createCustomer', { params, body, writer }).catch((error: unknown) => {
    if (!(error instanceof ProblemError) || error.code !== 'id_taken') throw error
    // An earlier save had arrived although its answer was lost, and more was typed since: this is a change of that first version, and of no later one.
    return call<Customer>('saveCustomer', { params, ifMatch: 1, body, writer })
  })
  keep(queryClient, created)
  return created
}

export async function saveCustomer(
  queryClient: QueryClient,
  customer: Customer,
  body: CustomerEditInput,
  writer?: Writer,
): Promise<Customer> {
  const { organizationId, id: customerId, version } = customer
  const saved = await call<Customer>('saveCustomer', {
    params: { organizationId, customerId },
    ifMatch: version,
    body,
    writer,
  })
  keep(queryClient, saved)
  return saved
}

export async function deleteCustomer(
  queryClient: QueryClient,
  { organizationId, id: customerId, version }: Customer,
): Promise<object | undefined> {
  const answer = await call<object | undefined>('deleteCustomer', {
    params: { organizationId, customerId },
    ifMatch: version,
  })
  queryClient.removeQueries({ queryKey: ['customer', organizationId, customerId] })
  refresh(queryClient, organizationId)
  return answer
}

function keep(queryClient: QueryClient, customer: Customer): void {
  queryClient.setQueryData(customerQuery(customer.organizationId, customer.id).queryKey, customer)
  refresh(queryClient, customer.organizationId)
}

/** What shows a customer elsewhere: lists, drafts, figures. */
function refresh(queryClient: QueryClient, organizationId: string): void {
  for (const key of ['customers', 'invoices', 'invoice', 'dashboard'])
    void queryClient.invalidateQueries({ queryKey: [key, organizationId] })
}
