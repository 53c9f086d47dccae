import { useStore } from '@tanstack/react-form'
import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useState, type KeyboardEvent, type ReactNode } from 'react'
import type { Invoice } from '#shared/contract/invoices.ts'
import type { Organization } from '#shared/contract/organizations.ts'
import { FormEnd } from '#page/form-end.tsx'
import { useFormState } from '#page/form.ts'
import { KeptNotice } from '#page/kept-notice.tsx'
import { useKeepForm, useKept } from '#page/kept.ts'
import { newRecordName, newRecordWriter, releaseNewRecord } from '#page/new-record.ts'
import { text } from '#page/app-text.ts'
import { FieldErrorsContext } from '#page/ui/field.tsx'
import { Section, Skeleton } from '#page/ui/screen.tsx'
import { liveAmounts, toBody } from './draft-body.ts'
import { useDraftForm } from './draft-form.ts'
import { restored, toValues, type DraftValues } from './draft-values.ts'
import { Lines, type ItemLookup } from './lines.tsx'
import { createInvoice, saveInvoice } from './queries.ts'
import { Totals } from './totals.tsx'

const t = text.invoices

// What stands further down is loaded once the lines can be typed, and so is what they are held to.
const Below = lazy(() => import('./extras.tsx').then((module) => ({ default: module.Below })))

const loadContract = () => import('#shared/contract/invoices.ts')

interface Props {
  organization: Organization
  /** Null: a new one, with `newId`. */
  invoice: Invoice | null
  newId?: string
  /** Of a new one: gives it another id, because what was saved under this one, if it was, stays what it is. */
  onStartFresh?: () => void
  /** Of a new one: chosen on the screen the person came from. */
  customerId?: string | undefined
  /** Chooses the customer; given by the route, because a feature knows no other feature. */
  customerPicker: (value: string, onValue: (id: string) => void) => ReactNode
  /** Draws a line's name, with the organization's items to choose from; given by the route too. */
  itemLookup: ItemLookup
  onSaved: (invoice: Invoice) => void
  onReload?: () => void
  /** Takes the save in its place, where what is edited is an unsent write; such a form is kept under that write's own name. */
  save?: typeof saveInvoice
  keptName?: string
}

export function newInvoiceScope(organizationId: string): string {
  return `invoice.${organizationId}`
}

export function InvoiceForm({
  organization,
  invoice,
  newId = '',
  onStartFresh,
  customerId,
  customerPicker,
  itemLookup,
  onSaved,
  onReload,
  save = saveInvoice,
  keptName,
}: Props) {
  const queryClient = useQueryClient()
  const ownName = invoice
    ? `${organization.id}.${invoice.id}.${invoice.version}`
    : newRecordName(newInvoiceScope(organization.id), newId)
  const kept = useKept<DraftValues>(keptName ?? ownName)
  const state = useFormState(kept)
  // Once: other defaults make the form start anew, and a new line has a new id every time it is asked for.
  const [defaultValues] = useState(() => {
    const fresh = toValues(invoice, organization, customerId)
    return kept.found ? restored(kept.found, fresh) : fresh
  })
  const form = useDraftForm(defaultValues, async (value) => {
    const body = toBody(value, invoice)
    const writer = newRecordWriter(kept, newId, newInvoiceScope(organization.id), customerId)
    const contract = async () => (await loadContract())[invoice ? 'invoiceEdit' : 'newInvoice']
    await state.submit(invoice ? body : { id: newId, ...body }, contract, async () => {
      const saved = invoice
        ? await save(queryClient, invoice, body, kept)
        : await createInvoice(queryClient, organization.id, { id: newId, ...body }, writer)
      kept.forget()
      if (!invoice) releaseNewRecord(newInvoiceScope(organization.id), customerId)
      onSaved(saved)
    })
  })
  const values: DraftValues = useStore(form.store, ({ values: now }) => now)
  useKeepForm(form, kept)
  useEffect(() => {
    // A form that is sent asks again, and says what went wrong.
    loadContract().catch(() => {})
  }, [])
  const amounts = liveAmounts(values)
  const { locale } = organization

  return (
    <FieldErrorsContext value={state.errors}>
      <form
        noValidate
        className="grid grid-cols-[minmax(0,1fr)] gap-6"
        onKeyDown={sendByKeyboard}
        onSubmit={(event) => {
          event.preventDefault()
          void form.handleSubmit()
        }}
      >
        <KeptNotice
          kept={kept}
          onStartFresh={onStartFresh ?? (() => form.reset(toValues(invoice, organization, customerId)))}
        />
        <Section>
          <form.Field name="customerId">{(field) => customerPicker(field.state.value, field.handleChange)}</form.Field>
        </Section>
        <Section title={t.lines}>
          <Lines form={form} organization={organization} amounts={amounts} itemLookup={itemLookup} />
          <Totals amounts={amounts} currency={values.currency} locale={locale} />
        </Section>
        <Suspense fallback={<Skeleton label={text.loading} />}>
          <Below form={form} organization={organization} invoice={invoice} />
        </Suspense>
        <FormEnd state={state} submit={t.saveDraft} onReload={onReload} />
      </form>
    </FieldErrorsContext>
  )
}

function sendByKeyboard(event: KeyboardEvent<HTMLFormElement>): void {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
  event.preventDefault()
  event.currentTarget.requestSubmit()
}
