// The form that an unsent write was saved in, filled in with it: what is saved now takes its place. A route's part: it composes features.
import { useState } from 'react'
import type { Customer } from '#shared/contract/customers.ts'
import type { Invoice, InvoiceSending } from '#shared/contract/invoices.ts'
import type { Item } from '#shared/contract/items.ts'
import type { NewOrganizationInput, Organization } from '#shared/contract/organizations.ts'
import type { NewPaymentInput } from '#shared/contract/payments.ts'
import { uuidv7 } from '#shared/ids.ts'
import type { UnsentEntry } from '#shared/outbox.ts'
import { lazily } from '#page/lazily.ts'
import type { Writer } from '#page/device/stored.ts'
import { text } from '#page/words/app-text.ts'
import { Notice } from './ui/screen.tsx'

const CustomerForm = lazily(() =>
  import('#page/features/customers/customer-form.tsx').then((module) => module.CustomerForm),
)
const CustomerPicker = lazily(() =>
  import('#page/features/customers/customer-picker.tsx').then((module) => module.CustomerPicker),
)
const ItemForm = lazily(() => import('#page/features/items/item-form.tsx').then((module) => module.ItemForm))
const ItemLookup = lazily(() => import('#page/features/items/item-lookup.tsx').then((module) => module.ItemLookup))
const InvoiceForm = lazily(() =>
  import('#page/features/invoices/invoice-form.tsx').then((module) => module.InvoiceForm),
)
const InvoicePaymentAgain = lazily(() =>
  import('#page/features/payments/invoice-payment-form.tsx').then((module) => module.InvoicePaymentAgain),
)
const PaymentAgain = lazily(() =>
  import('#page/features/payments/payment-form.tsx').then((module) => module.PaymentAgain),
)
const MailDialog = lazily(() => import('./mail-dialog.tsx').then((module) => module.MailDialog))
const NewOrganizationForm = lazily(() =>
  import('#page/features/organizations/new-organization-form.tsx').then((module) => module.NewOrganizationForm),
)
const SettingsForm = lazily(() =>
  import('#page/features/organizations/settings-form.tsx').then((module) => module.SettingsForm),
)

interface Props {
  entry: UnsentEntry
  /** What the form begins with. */
  body: Readonly<Record<string, unknown>>
  organization: Organization | null
  save: (body: Record<string, unknown>, writer: Writer | undefined) => Promise<void>
  onSaved: () => void
  /** Where the form has a way out beside saving. */
  onCancel: () => void
}

export function UnsentForm({ entry, body, organization, save, onSaved, onCancel }: Props) {
  const { key, id, organizationId, name, kind } = entry
  const isNew = name.startsWith('create')
  const row = { ...entry.base, ...body, id, organizationId, version: entry.base?.['version'] ?? 0 }
  /** A new one is sent with the id that it was given on this device. */
  const saveAs =
    <Row,>(answer: Row) =>
    async (_client: unknown, _row: unknown, edited: object, writer?: Writer): Promise<Row> => {
      await save(isNew ? { id, ...edited } : { ...edited }, writer)
      return answer
    }
  const keptName = `unsent.${key}`
  const [anotherId] = useState(uuidv7)
  if (name === 'createOrganization')
    return (
      <NewOrganizationForm
        id={id}
        keptName={keptName}
        before={body as NewOrganizationInput}
        save={async (_client, edited, writer) => {
          await save(edited, writer)
          return row as unknown as Organization
        }}
        onCreated={onSaved}
      />
    )
  if (organization === null) return <Notice tone="warn">{text.unsent.elsewhere}</Notice>
  if (kind === 'organization') {
    const edited = { ...organization, ...row } as unknown as Organization
    return <SettingsForm organization={edited} keptName={keptName} save={saveAs(edited)} onSaved={onSaved} />
  }
  if (kind === 'customer') {
    const customer = { address: {}, ...row } as unknown as Customer
    return (
      <CustomerForm
        organization={organization}
        customer={customer}
        keptName={keptName}
        save={saveAs(customer)}
        onSaved={onSaved}
      />
    )
  }
  if (kind === 'item') {
    const item = { vat: {}, ...row } as unknown as Item
    return (
      <ItemForm organization={organization} item={item} keptName={keptName} save={saveAs(item)} onSaved={onSaved} />
    )
  }
  const saveHere = async (edited: object, writer: Writer) => {
    await save({ ...edited }, writer)
    onSaved()
  }
  // Under the id that it had it was recorded already, with other content.
  const isTaken = entry.lastProblem?.code === 'id_taken'
  const payment = { ...body, ...(isTaken && { id: anotherId }) } as unknown as NewPaymentInput
  if (name === 'recordPayment' && payment.allocations.length > 1)
    return (
      <PaymentAgain
        payment={payment}
        waitsAs={String(body['id'])}
        organization={organization}
        keptName={keptName}
        save={saveHere}
        onCancel={onCancel}
      />
    )
  if (name === 'recordPayment')
    return (
      <InvoicePaymentAgain
        payment={payment}
        locale={organization.locale}
        keptName={keptName}
        save={saveHere}
        onDone={onCancel}
      />
    )
  if (name === 'sendInvoice')
    return (
      <MailDialog
        title={text.sending.title(entry.label || null)}
        lead={text.sending.lead}
        keptName={keptName}
        first={body as unknown as InvoiceSending}
        send={saveHere}
        links={null}
        onClose={onCancel}
      />
    )
  const type = name === 'createCreditNote' ? '381' : '380'
  const invoice = { type, lines: [], allowances: [], charges: [], ...row } as unknown as Invoice
  return (
    <InvoiceForm
      organization={organization}
      invoice={invoice}
      keptName={keptName}
      customerPicker={(field) => <CustomerPicker organization={organization} {...field} />}
      itemLookup={(field) => <ItemLookup organization={organization} {...field} />}
      save={saveAs(invoice)}
      onSaved={onSaved}
    />
  )
}
