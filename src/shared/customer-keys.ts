// How lists of customers are ordered and searched: the same keys on the server (COLLATE "C") and on the device (OFFLINE.md).
import { searchKey } from './search-key.ts'

interface ListedCustomer {
  name: string
  contactName: string | null
  email: string | null
  vatNumber: string | null
  address: { city: string | null }
}

/** Stored beside the row whenever one of its parts changes. */
export function customerKeys(customer: ListedCustomer): { nameKey: string; searchKey: string } {
  const { name, contactName, email, vatNumber, address } = customer
  return { nameKey: searchKey(name), searchKey: searchKey(name, contactName, email, vatNumber, address.city) }
}
