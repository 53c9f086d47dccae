import { allOf, type Change } from './stores.ts'

/** How many invoices of an organization a device keeps, unless the build was told another number (OFFLINE.md "Three layers of reading" 2). */
export const mostInvoicesKept = 20_000

/** Past that the ones go that were changed longest ago, but for those that are unsent. True when some had to. */
export async function keepLatest(
  tx: Change,
  organizationId: string,
  most: number,
  isUnsent: (id: string) => boolean,
): Promise<boolean> {
  const invoices = tx.objectStore('invoices')
  const excess = (await invoices.count(allOf(organizationId))) - most
  if (excess <= 0) return false
  let left = excess
  let cursor = await invoices.index('byUpdate').openKeyCursor(allOf(organizationId))
  while (cursor && left > 0) {
    const [, id] = cursor.primaryKey
    if (!isUnsent(id)) {
      left -= 1
      await invoices.delete(cursor.primaryKey)
      await tx.objectStore('invoiceDetails').delete(cursor.primaryKey)
    }
    cursor = await cursor.continue()
  }
  return left < excess
}
