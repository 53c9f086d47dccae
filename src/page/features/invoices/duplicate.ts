// A new draft like an invoice there is, made on the device: without a network too.
import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useRef } from 'react'
import type { Customer } from '#shared/contract/customers.ts'
import type { Invoice } from '#shared/contract/invoices.ts'
import { uuidv7 } from '#shared/ids.ts'
import { likeInvoice } from '#shared/like-invoice.ts'
import { ProblemError } from '#shared/problem.ts'
import { call } from '#page/api.ts'
import { problemText } from '#page/words/problem-text.ts'
import { tellSaved } from '#page/device/saved.ts'
import { text } from '#page/words/app-text.ts'
import { notify } from '#page/ui/notify.ts'
import { createInvoice, invoiceQuery } from './queries.ts'

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
  const invoice = await queryClient.fetchQuery(invoiceQuery(organizationId, invoiceId))
  const { customerId } = invoice
  const isThere = customerId !== null && (await customerExists(organizationId, customerId))
  return createInvoice(queryClient, organizationId, likeInvoice(invoice, uuidv7(), isThere ? customerId : null))
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
