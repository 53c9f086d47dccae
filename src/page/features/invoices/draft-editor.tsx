// The editor of what an invoice says: of drafts, of quotes and of recurring invoices. What is saved, and where, is for whoever shows it.
import { useStore } from '@tanstack/react-form'
import { Suspense, useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import type { Customer } from '#shared/contract/customers.ts'
import type { Organization } from '#shared/contract/organizations.ts'
import { lazily } from '#page/lazily.ts'
import type { ContractLike } from '#page/forms/form-errors.ts'
import { FormEnd } from '#page/forms/form-end.tsx'
import { useFormState } from '#page/forms/form.ts'
import { beginAnew, KeptNotice } from '#page/forms/kept-notice.tsx'
import { useKeepForm, useKept, type Kept } from '#page/forms/kept.ts'
import { text } from '#page/words/app-text.ts'
import { FieldErrorsContext } from '#page/ui/field.tsx'
import { Section, Skeleton } from '#page/ui/screen.tsx'
import { toBody } from './draft-body.ts'
import { useDraftForm, type Dates } from './draft-form.ts'
import {
  givenTo,
  isCreditNote,
  isSameCustomer,
  restored,
  toValues,
  type DraftValues,
  type Opened,
} from './draft-values.ts'
import type { ItemLookup } from './line-editor.tsx'
import { Lines } from './lines.tsx'
import { Totals } from './totals.tsx'

const t = text.invoices

// What stands further down is loaded once the lines can be typed, and so is what they are held to.
const Below = lazily(() => import('./extras.tsx').then((module) => module.Below))

export type DraftBody = ReturnType<typeof toBody> & { validUntil?: string | null }

/** Chooses the customer. */
export interface CustomerField {
  value: string
  onValue: (id: string) => void
  /** Called when it is known who is chosen, also without a press; null for nobody. */
  onCustomer: (customer: Pick<Customer, 'currency'> | null) => void
}

/** Who draws the customer and the items: given by the route, because a feature knows no other feature. */
export interface Lookups {
  customerPicker: (field: CustomerField) => ReactNode
  /** Draws a line's name, with the organization's items to choose from. */
  itemLookup: ItemLookup
}

interface Props<Saved> extends Lookups {
  organization: Organization
  /** Null: a new one. */
  opened: Opened | null
  /** What a new one starts with, besides the organization's defaults. */
  first?: Partial<DraftValues>
  dates: Dates
  /** Under which name what is typed is kept on this device; and under which once it is saved. */
  keptName: string
  savedName: (saved: Saved) => string
  loadContract: () => Promise<ContractLike>
  submit: string
  save: (body: DraftBody, kept: Kept<DraftValues>) => Promise<Saved>
  onSaved: (saved: Saved) => void
  onStartFresh?: (() => void) | undefined
  onReload?: (() => void) | undefined
}

export function DraftEditor<Saved>({
  organization,
  opened,
  first,
  dates,
  keptName,
  savedName,
  loadContract,
  submit,
  save,
  onSaved,
  onStartFresh,
  onReload,
  customerPicker,
  itemLookup,
}: Props<Saved>) {
  const fresh = () => ({ ...toValues(opened, organization), ...first })
  const kept = useKept<DraftValues>(keptName, fresh)
  const into = (isCreditNote(opened) && opened?.accountingCurrency) || organization.currency
  const own = dates === 'invoice' ? into : null
  const state = useFormState(kept)
  // Once: other defaults make the form start anew, and a new line has a new id every time it is asked for.
  const [defaultValues] = useState(() => (kept.found ? restored(kept.found, fresh()) : fresh()))
  const form = useDraftForm(defaultValues, async (value) => {
    const body = { ...toBody(value, opened, own), ...(dates === 'quote' && { validUntil: value.validUntil || null }) }
    await state.submit(body, loadContract, async () => {
      const saved = await save(body, kept)
      kept.forget(savedName(saved))
      onSaved(saved)
    })
  })
  // Not all that is typed: the whole form would be drawn anew at each key.
  const customerId = useStore(form.store, ({ values }) => values.customerId)
  const currency = useStore(form.store, ({ values }) => values.currency)
  useKeepForm(form, kept)
  useEffect(() => {
    // A form that is sent asks again, and says what went wrong.
    loadContract().catch(() => {})
    // oxlint-disable-next-line react/exhaustive-deps -- once: it is kept once it is loaded.
  }, [])
  /** The currency that the customer, or nobody, gave a new one: it follows them until the person decides. What was typed before the page was loaded anew is theirs. */
  const given = useRef(kept.found ? '' : organization.currency)
  const chooseCustomer = (id: string) => {
    for (const [name, value] of Object.entries(givenTo(id, form.state.values, opened)))
      form.setFieldValue(name as 'customerId', value as string)
  }
  const followCustomer: CustomerField['onCustomer'] = (customer) => {
    const next = customer?.currency ?? organization.currency
    if (opened || ![given.current, next].includes(form.state.values.currency)) return
    given.current = next
    // Nobody typed it: an empty form that is left asks nothing.
    form.setFieldValue('currency', next, { dontUpdateMeta: true })
  }

  return (
    <FieldErrorsContext value={state.errors}>
      <form
        noValidate
        className="grid grid-cols-[minmax(0,1fr)] gap-6"
        onKeyDown={sendByKeyboard}
        onSubmit={(event) => {
          event.preventDefault()
          // React hands on what happens in a dialog that is opened from here.
          if (event.target === event.currentTarget) void form.handleSubmit()
        }}
      >
        <KeptNotice
          kept={kept}
          onStartFresh={onStartFresh ?? (() => beginAnew(form, fresh()))}
          onPutBack={(older) => beginAnew(form, restored(older, fresh()))}
        />
        <Section>
          <form.Field name="customerId">
            {({ state: { value } }) => customerPicker({ value, onValue: chooseCustomer, onCustomer: followCustomer })}
          </form.Field>
        </Section>
        <Section title={t.lines}>
          <Lines form={form} organization={organization} itemLookup={itemLookup} />
          <Totals form={form} own={own} locale={organization.locale} />
        </Section>
        <Suspense fallback={<Skeleton label={text.loading} />}>
          <Below
            form={form}
            organization={organization}
            isNew={opened === null || !isSameCustomer(opened, { customerId })}
            dates={dates}
            exchange={own === null || own === currency ? null : { own, isFixed: isCreditNote(opened) }}
          />
          {/* With what stands above it: else it moves from under the finger when that comes. */}
          <FormEnd state={state} submit={submit} onReload={onReload} />
        </Suspense>
      </form>
    </FieldErrorsContext>
  )
}

function sendByKeyboard(event: KeyboardEvent<HTMLFormElement>): void {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
  if (!event.currentTarget.contains(event.target as Node)) return
  event.preventDefault()
  event.currentTarget.requestSubmit()
}
