import { infiniteQueryOptions, keepPreviousData, queryOptions, type QueryClient } from '@tanstack/react-query'
import type {
  Invoice,
  InvoiceEditInput,
  InvoiceFilter,
  InvoicePage,
  InvoiceSort,
  NewInvoiceInput,
} from '#shared/contract/invoices.ts'
import type { Marked } from '#shared/outbox.ts'
import { ProblemError } from '#shared/problem.ts'
import { call } from '#page/api.ts'
import { keepRow } from '#page/keep-row.ts'
import { paint } from '#page/query-client.ts'
import { saveForm } from '#page/device/decide.ts'
import type { Removal } from '#page/device/deletion.ts'
import type { Writer } from '#page/device/stored.ts'

export interface InvoiceSearch {
  q?: string | undefined
  status?: InvoiceFilter | undefined
  sort?: InvoiceSort | undefined
  customerId?: string | undefined
}

/** Which invoice, and the version of it that the person saw. */
type Versioned = Pick<Invoice, 'organizationId' | 'id' | 'version'>

export function invoicesQuery(organizationId: string, search: InvoiceSearch) {
  const plain = !search.q && !search.status && !search.sort
  return infiniteQueryOptions({
    queryKey: ['invoices', organizationId, search],
    queryFn: ({ pageParam, signal }) =>
      call<InvoicePage>('listInvoices', {
        params: { organizationId },
        query: { ...search, q: search.q || undefined, cursor: pageParam || undefined },
        signal,
      }),
    // Text, because a stored list comes back from JSON, which knows no undefined.
    initialPageParam: '',
    getNextPageParam: ({ page }) => page.nextCursor ?? undefined,
    placeholderData: keepPreviousData,
    ...(plain && paint),
  })
}

export function invoiceQuery(organizationId: string, invoiceId: string) {
  return queryOptions({
    queryKey: ['invoice', organizationId, invoiceId],
    queryFn: ({ signal }) => call<Invoice>('getInvoice', { params: { organizationId, invoiceId }, signal }),
    ...paint,
  })
}

export async function createInvoice(
  queryClient: QueryClient,
  organizationId: string,
  body: NewInvoiceInput,
  writer?: Writer,
): Promise<Invoice> {
  const params = { organizationId, invoiceId: body.id }
  const created = await call<Invoice>('createInvoice', { params, body, writer }).catch((error: unknown) => {
    if (!(error instanceof ProblemError) || error.code !== 'id_taken') throw error
    // An earlier save had arrived although its answer was lost, and more was typed since: this is a change of that first version, and of no later one.
    return save(queryClient, { organizationId, id: body.id, version: 1 }, null, body, writer)
  })
  keep(queryClient, created)
  return created
}

export async function saveInvoice(
  queryClient: QueryClient,
  invoice: Invoice,
  body: InvoiceEditInput,
  writer?: Writer,
): Promise<Invoice> {
  const saved = await save(queryClient, invoice, invoice, body, writer)
  keep(queryClient, saved)
  return saved
}

function save(
  queryClient: QueryClient,
  { organizationId, id: invoiceId, version }: Versioned,
  opened: Invoice | null,
  body: InvoiceEditInput,
  writer?: Writer,
): Promise<Invoice> {
  const params = { organizationId, invoiceId }
  return saveForm(
    queryClient,
    { opened, shown: queryClient.getQueryData<Invoice>(['invoice', organizationId, invoiceId]), body, version },
    (now, ifMatch, key) => call<Invoice>('saveInvoice', { params, ifMatch, body: now, writer, key, decides: true }),
    () => call<Invoice>('getInvoice', { params }),
  )
}

export async function issueInvoice(
  queryClient: QueryClient,
  { organizationId, id: invoiceId, version }: Versioned,
): Promise<Invoice> {
  const issued = await call<Invoice>('issueInvoice', { params: { organizationId, invoiceId }, ifMatch: version })
  keep(queryClient, issued)
  return issued
}

/** What an issued invoice can be told with one press. */
export type Press = 'voidInvoice' | 'markUncollectible'

export async function pressInvoice(
  queryClient: QueryClient,
  name: Press,
  { organizationId, id: invoiceId, version }: Invoice,
): Promise<Invoice> {
  const pressed = await call<Invoice>(name, { params: { organizationId, invoiceId }, ifMatch: version })
  keep(queryClient, pressed)
  return pressed
}

/** The draft of one, with all that the invoice has left as far as it is known here: without a network too. */
export async function createCreditNote(queryClient: QueryClient, invoice: Invoice, id: string): Promise<Invoice> {
  const { organizationId } = invoice
  const { newCreditNoteOf } = await import('#shared/credit-note.ts')
  const notes = await Promise.all(
    invoice.creditNotes.map((note) => call<Invoice>('getInvoice', { params: { organizationId, invoiceId: note.id } })),
  )
  const params = { organizationId, invoiceId: invoice.id }
  const draft = await call<Invoice>('createCreditNote', { params, body: newCreditNoteOf(invoice, notes, id) })
  keep(queryClient, draft)
  return draft
}

export async function deleteInvoice(
  queryClient: QueryClient,
  { organizationId, id: invoiceId, version }: Versioned,
  removal?: Removal,
): Promise<object | undefined> {
  const answer = await call<object | undefined>('deleteInvoice', {
    params: { organizationId, invoiceId },
    ifMatch: version,
    ...removal,
  })
  queryClient.removeQueries({ queryKey: ['invoice', organizationId, invoiceId] })
  refresh(queryClient, organizationId)
  return answer
}

/** Of an invoice that the device does not have it answers what it was asked for: screens go on showing what they have. */
export function keep(queryClient: QueryClient, invoice: Invoice): void {
  const { organizationId, id, version, unsent } = invoice as Invoice & Marked
  const isWhole = 'gross' in invoice
  keepRow<Invoice & Marked>(queryClient, ['invoice', organizationId, id], (before) =>
    isWhole ? invoice : before && { ...before, version, ...(unsent && { unsent }) },
  )
  refresh(queryClient, invoice.organizationId)
}

function refresh(queryClient: QueryClient, organizationId: string): void {
  for (const key of ['invoices', 'dashboard']) void queryClient.invalidateQueries({ queryKey: [key, organizationId] })
}
