// Makes a customer without leaving what one is at: the whole form, over the editor that asked for it.
import { useEffect } from 'react'
import type { Customer } from '#shared/contract/customers.ts'
import type { Organization } from '#shared/contract/organizations.ts'
import { releaseNewRecord, useNewRecord } from '#page/forms/new-record.ts'
import { tellSaved } from '#page/device/saved.ts'
import { text } from '#page/words/app-text.ts'
import { Dialog } from '#page/ui/dialog.tsx'
import { CustomerForm, newCustomerScope } from './customer-form.tsx'

interface Props {
  organization: Organization
  /** What was looked for, and not found. */
  name: string
  onClose: () => void
  onSaved: (customer: Customer) => void
}

export function NewCustomerDialog({ organization, name, onClose, onSaved }: Props) {
  const scope = newCustomerScope(organization.id)
  const take = (saved: Customer) => {
    tellSaved(text.saved.what.customer, saved)
    onSaved(saved)
  }
  const { id, renew } = useNewRecord(
    scope,
    take,
    'picker',
    // Who is looked for by one name is not given what was begun for another.
    (kept) => (kept as { name?: string } | null)?.name === name,
  )
  // What is typed stays kept under its id; the next one that is looked for is another.
  useEffect(() => () => void (id && releaseNewRecord(scope, id)), [scope, id])
  // It opens on its first field, so not before that is there.
  if (id === null) return null
  return (
    <Dialog open wide onOpenChange={(open) => !open && onClose()} title={text.customers.new}>
      <CustomerForm
        key={id}
        organization={organization}
        customer={null}
        newId={id}
        first={{ name }}
        onStartFresh={renew}
        onCancel={onClose}
        onSaved={take}
      />
    </Dialog>
  )
}
