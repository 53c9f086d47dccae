// How lists of payments are ordered and searched: the same keys on the server (COLLATE "C") and on the device (OFFLINE.md).
import { searchKey } from './search-key.ts'

interface ListedPayment {
  date: string
  reference: string | null
  customerName: string
  allocations: readonly { invoiceNumber: string }[]
}

export function paymentKeys({ date, reference, customerName, allocations }: ListedPayment) {
  const numbers = allocations.map(({ invoiceNumber }) => invoiceNumber)
  return { dateKey: date, searchKey: searchKey(customerName, reference, ...numbers).slice(0, 4000) }
}
