import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useDeferredValue, useMemo, useState } from 'react'
import { regionName } from '#page/format.ts'
import { text } from '#page/app-text.ts'
import { Picker } from '#page/ui/picker.tsx'
import { customerQuery, customersQuery } from './queries.ts'

const t = text.invoices

/** Finds a customer by name. `value` is its id, empty for none. */
export function CustomerPicker({
  organizationId,
  value,
  onValue,
}: {
  organizationId: string
  value: string
  onValue: (id: string) => void
}) {
  const [typed, setTyped] = useState('')
  const chosen = useQuery({ ...customerQuery(organizationId, value), enabled: value !== '' }).data ?? null
  // The chosen name in the input is no search.
  const q = useDeferredValue(typed === chosen?.name ? '' : typed.trim())
  const { data } = useInfiniteQuery(customersQuery(organizationId, q))
  const found = (data?.pages[0]?.data ?? []).map((customer) => ({
    id: customer.id,
    label: customer.name,
    detail: [customer.address.city, regionName(customer.country)].filter(Boolean).join(' · '),
  }))
  // The same object as long as it is the same customer: another one would put its name over what is being typed.
  const name = chosen?.name ?? null
  const picked = useMemo(() => (value && name !== null ? { id: value, label: name } : null), [value, name])
  return (
    <Picker
      label={t.customer}
      name="customerId"
      value={picked}
      onValue={(next) => onValue(next?.id ?? '')}
      found={found}
      onSearch={setTyped}
      emptyText={t.noCustomerFound}
      placeholder={t.customerPlaceholder}
      unpickedText={t.customerUnpicked}
    />
  )
}
