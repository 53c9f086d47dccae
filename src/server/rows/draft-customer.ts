// A draft shows its customer's name of today; what is issued keeps the name it was issued with.
import { invoiceKeys, invoiceSearchKey, type SearchedInvoice } from '#shared/invoice-keys.ts'
import { toMoney } from '#shared/money.ts'
import type { Tx } from '#server/db/database.ts'
import type { QuoteContent } from './quote-row.ts'

/** Brings name and list keys of the customer's drafts up to date. Their revision moves, their version does not: nobody edited them. */
export async function renameInDrafts(
  tx: Tx,
  organizationId: string,
  customer: { id: string; name: string },
  revision: bigint,
): Promise<void> {
  const drafts = await tx
    .selectFrom('invoices')
    .select(['id', 'number', 'issueDate', 'dueDate', 'currency', 'grossAmount'])
    .select(['orderReference', 'buyerReference', 'notes', 'allowances', 'charges'])
    .where('organizationId', '=', organizationId)
    .where('customerId', '=', customer.id)
    .where('status', '=', 'draft')
    .where('deletedAt', 'is', null)
    .where('customerName', 'is distinct from', customer.name)
    .execute()
  for (const draft of drafts) {
    const lines = await tx
      .selectFrom('invoiceLines')
      .select(['name', 'description', 'allowances', 'charges'])
      .where('organizationId', '=', organizationId)
      .where('invoiceId', '=', draft.id)
      .orderBy('position')
      .execute()
    const renamed = { ...draft, customerName: customer.name }
    const gross = toMoney(draft.grossAmount, draft.currency)
    await tx
      .updateTable('invoices')
      .set({
        customerName: customer.name,
        ...invoiceKeys(renamed),
        searchKey: invoiceSearchKey({ ...renamed, gross, lines } as SearchedInvoice),
        revision,
      })
      .where('organizationId', '=', organizationId)
      .where('id', '=', draft.id)
      .where('status', '=', 'draft')
      .execute()
  }
  await renameInQuotes(tx, organizationId, customer)
}

async function renameInQuotes(
  tx: Tx,
  organizationId: string,
  { id: customerId, name: customerName }: { id: string; name: string },
): Promise<void> {
  const drafts = await tx
    .selectFrom('quotes')
    .select(['id', 'number', 'currency', 'grossAmount', 'content'])
    .where('organizationId', '=', organizationId)
    .where('customerId', '=', customerId)
    .where('status', '=', 'draft')
    .where('customerName', 'is distinct from', customerName)
    .execute()
  for (const { id, number, currency, grossAmount, content } of drafts) {
    const gross = toMoney(grossAmount, currency)
    const searchKey = invoiceSearchKey({ ...(content as unknown as QuoteContent), number, customerName, gross })
    await tx
      .updateTable('quotes')
      .set({ customerName, searchKey })
      .where('organizationId', '=', organizationId)
      .where('id', '=', id)
      .where('status', '=', 'draft')
      .execute()
  }
}
