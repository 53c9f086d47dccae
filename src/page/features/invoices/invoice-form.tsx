import { useQueryClient } from '@tanstack/react-query'
import type { Invoice } from '#shared/contract/invoices.ts'
import type { Organization } from '#shared/contract/organizations.ts'
import { newRecordName, newRecordWriter, releaseNewRecord } from '#page/forms/new-record.ts'
import { text } from '#page/words/app-text.ts'
import { DraftEditor, type Lookups } from './draft-editor.tsx'
import { createInvoice, saveInvoice } from './queries.ts'

const loadContract = async () => (await import('#shared/contract/invoices.ts')).invoiceEdit

interface Props extends Lookups {
  organization: Organization
  /** Null: a new one, with `newId`. */
  invoice: Invoice | null
  newId?: string
  /** Of a new one: gives it another id, because what was saved under this one, if it was, stays what it is. */
  onStartFresh?: () => void
  /** Of a new one: chosen on the screen the person came from. */
  customerId?: string | undefined
  onSaved: (invoice: Invoice) => void
  onReload?: () => void
  /** Takes the save in its place, where what is edited is an unsent write; such a form is kept under that write's own name. */
  save?: typeof saveInvoice
  keptName?: string
}

export function newInvoiceScope(organizationId: string): string {
  return `invoice.${organizationId}`
}

/** Under which name the form of one that is saved is kept. */
export function savedInvoiceName({ organizationId, id, version }: Invoice): string {
  return `${organizationId}.${id}.${version}`
}

export function InvoiceForm({
  organization,
  invoice,
  newId = '',
  onStartFresh,
  customerId,
  onSaved,
  onReload,
  save = saveInvoice,
  keptName,
  ...lookups
}: Props) {
  const queryClient = useQueryClient()
  const scope = newInvoiceScope(organization.id)
  const ownName = invoice ? savedInvoiceName(invoice) : newRecordName(scope, newId)
  return (
    <DraftEditor
      {...lookups}
      organization={organization}
      opened={invoice}
      {...(customerId !== undefined && { first: { customerId } })}
      dates="invoice"
      keptName={keptName ?? ownName}
      savedName={savedInvoiceName}
      loadContract={loadContract}
      submit={text.invoices.saveDraft}
      save={(body, kept) => {
        const writer = newRecordWriter(kept, newId, scope, customerId)
        return invoice
          ? save(queryClient, invoice, body, kept)
          : createInvoice(queryClient, organization.id, { id: newId, ...body }, writer)
      }}
      onSaved={(saved) => {
        if (!invoice) releaseNewRecord(scope, newId)
        onSaved(saved)
      }}
      onStartFresh={onStartFresh}
      onReload={onReload}
    />
  )
}
