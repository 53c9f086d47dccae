// What somebody else deleted, or issued, while it was being changed here: saved once more, as a row of its own. A route's part: it composes features.
import type { QueryClient } from '@tanstack/react-query'
import { linkOptions } from '@tanstack/react-router'
import type { NewCustomerInput } from '#shared/contract/customers.ts'
import type { NewInvoiceInput } from '#shared/contract/invoices.ts'
import type { NewItemInput } from '#shared/contract/items.ts'
import { uuidv7 } from '#shared/ids.ts'
import type { UnsentEntry } from '#shared/outbox.ts'
import { discardEntry } from '#page/device/outbox-calls.ts'
import { tellSaved } from '#page/device/saved.ts'
import { createCustomer } from '#page/features/customers/queries.ts'
import { createInvoice } from '#page/features/invoices/queries.ts'
import { createItem } from '#page/features/items/queries.ts'
import { text } from '#page/words/app-text.ts'

type NewRow = Readonly<Record<string, unknown>> & { id: string }

/** With ids of its own; null for what is no change of a row that can be had anew. Made once: however often it is saved, there is one. */
export function asNewRow({ name, body }: UnsentEntry): NewRow | null {
  if (body === null || !['saveInvoice', 'saveCustomer', 'saveItem'].includes(name)) return null
  const lines = body['lines'] as object[] | undefined
  return { ...body, id: uuidv7(), ...(lines && { lines: lines.map((line) => ({ ...line, id: uuidv7() })) }) }
}

/** In the place of the unsent change; answers where it can be seen. */
export async function saveAsNew(queryClient: QueryClient, { key, kind, organizationId }: UnsentEntry, row: NewRow) {
  const create = () => {
    if (kind === 'invoice') return createInvoice(queryClient, organizationId, row as unknown as NewInvoiceInput)
    if (kind === 'customer') return createCustomer(queryClient, organizationId, row as unknown as NewCustomerInput)
    return createItem(queryClient, organizationId, row as unknown as NewItemInput)
  }
  const saved = await create()
  await discardEntry(key)
  const { draft, customer, item } = text.saved.what
  tellSaved(kind === 'invoice' ? draft : kind === 'customer' ? customer : item, saved)
  const { id } = row
  if (kind === 'invoice')
    return linkOptions({
      to: '/organization/$organizationId/invoices/$invoiceId/edit',
      params: { organizationId, invoiceId: id },
    })
  if (kind === 'customer')
    return linkOptions({
      to: '/organization/$organizationId/customers/$customerId',
      params: { organizationId, customerId: id },
    })
  return linkOptions({ to: '/items' })
}
