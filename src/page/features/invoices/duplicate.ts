// A new draft like an invoice there is: what was agreed is carried over, what belongs to that one time (its dates, its number) is not.
import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useRef } from 'react'
import type { Customer } from '#shared/contract/customers.ts'
import type { Invoice, NewInvoiceInput } from '#shared/contract/invoices.ts'
import { uuidv7 } from '#shared/ids.ts'
import { ProblemError } from '#shared/problem.ts'
import { call } from '#page/api.ts'
import { problemText } from '#page/words/problem-text.ts'
import { tellSaved } from '#page/device/saved.ts'
import { text } from '#page/words/text.ts'
import { notify } from '#page/ui/notify.ts'
import { createInvoice, invoiceQuery } from './queries.ts'

export function likeInvoice(invoice: Invoice): NewInvoiceInput {
  return {
    id: uuidv7(),
    customerId: invoice.customerId,
    currency: invoice.currency,
    taxMode: invoice.taxMode,
    language: invoice.language,
    termsDays: invoice.termsDays,
    buyerReference: invoice.buyerReference,
    orderReference: invoice.orderReference,
    notes: invoice.notes,
    lines: invoice.lines.map(({ net: _, ...line }) => ({ ...line, id: uuidv7() })),
    allowances: invoice.allowances,
    charges: invoice.charges,
  }
}

/** Duplicates and opens the new draft; pressed twice, it is done once. */
export function useDuplicate(): (invoice: Pick<Invoice, 'organizationId' | 'id'>) => Promise<void> {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const busy = useRef(false)
  return async ({ organizationId, id }) => {
    if (busy.current) return
    busy.current = true
    try {
      const draft = await duplicate(queryClient, organizationId, id)
      tellSaved(text.saved.what.draft, draft)
      const params = { organizationId, invoiceId: draft.id }
      await navigate({ to: '/organization/$organizationId/invoices/$invoiceId/edit', params })
    } catch (error) {
      notify('error', problemText(error, 'action'))
    } finally {
      busy.current = false
    }
  }
}

async function duplicate(queryClient: QueryClient, organizationId: string, invoiceId: string): Promise<Invoice> {
  const body = likeInvoice(await queryClient.fetchQuery(invoiceQuery(organizationId, invoiceId)))
  const isGone = typeof body.customerId === 'string' && !(await customerExists(organizationId, body.customerId))
  return createInvoice(queryClient, organizationId, { ...body, ...(isGone && { customerId: null }) })
}

/** A customer of issued invoices may have been deleted since. */
async function customerExists(organizationId: string, customerId: string): Promise<boolean> {
  try {
    await call<Customer>('getCustomer', { params: { organizationId, customerId } })
    return true
  } catch (error) {
    if (error instanceof ProblemError && error.code === 'not_found') return false
    throw error
  }
}
