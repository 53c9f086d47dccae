import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Suspense, useDeferredValue, useEffect, useMemo, useState } from 'react'
import type { Customer } from '#shared/contract/customers.ts'
import type { Organization } from '#shared/contract/organizations.ts'
import { may } from '#shared/permissions.ts'
import { Late } from '#page/late.tsx'
import { lazily } from '#page/lazily.ts'
import { regionName } from '#page/words/format.ts'
import { text } from '#page/words/app-text.ts'
import { Picker } from '#page/ui/picker.tsx'
import { customerQuery, customersQuery } from './queries.ts'

const NewCustomerDialog = lazily(() => import('./new-customer-dialog.tsx').then((module) => module.NewCustomerDialog))

const t = text.invoices

interface Props {
  organization: Organization
  /** The customer's id, empty for none. */
  value: string
  onValue: (id: string) => void
  /** Called when it is known who is chosen, also without a press; null for nobody. */
  onCustomer?: (customer: Customer | null) => void
  /** Whether who is not found can be made on the spot. */
  makesNew?: boolean
}

/** Finds a customer by name. */
export function CustomerPicker({ organization, value, onValue, onCustomer, makesNew = false }: Props) {
  const organizationId = organization.id
  const [typed, setTyped] = useState('')
  /** The name with which the form of a new one was opened; null while it is not. */
  const [opened, setOpened] = useState<string | null>(null)
  const chosen = useQuery({ ...customerQuery(organizationId, value), enabled: value !== '' }).data ?? null
  useEffect(() => {
    if (value === '' || chosen) onCustomer?.(chosen)
    // oxlint-disable-next-line react/exhaustive-deps -- With who is chosen, not with every drawing of the form.
  }, [value, chosen?.id, chosen?.currency])
  // The chosen name in the input is no search.
  const wanted = typed === chosen?.name ? '' : typed.trim()
  const q = useDeferredValue(wanted)
  const { data, isPlaceholderData } = useInfiniteQuery(customersQuery(organizationId, q))
  const found = (data?.pages[0]?.data ?? []).map((customer) => ({
    id: customer.id,
    label: customer.name,
    detail: [customer.address.city, regionName(customer.country)].filter(Boolean).join(' · '),
  }))
  // Not before it is known who is found, and not under the name of somebody who is.
  const canMake = makesNew && may(organization, 'customer.write') && wanted === q && data && !isPlaceholderData
  const isThere = found.some(({ label }) => label.trim().toLowerCase() === q.toLowerCase())
  const newName = isThere ? '' : q
  // The same object as long as it is the same customer: another one would put its name over what is being typed.
  const name = chosen?.name ?? null
  const picked = useMemo(() => (value && name !== null ? { id: value, label: name } : null), [value, name])
  return (
    <>
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
        making={canMake ? { label: t.newCustomer(newName), onPress: () => setOpened(newName) } : undefined}
      />
      {opened !== null && (
        <Suspense fallback={<Late onClose={() => setOpened(null)} />}>
          <NewCustomerDialog
            organization={organization}
            name={opened}
            onClose={() => setOpened(null)}
            onSaved={({ id }) => {
              setOpened(null)
              onValue(id)
            }}
          />
        </Suspense>
      )}
    </>
  )
}
