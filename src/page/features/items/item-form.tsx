import { useStore } from '@tanstack/react-form'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { itemEdit, newItem, type Item, type ItemEditInput } from '#shared/contract/items.ts'
import type { Organization } from '#shared/contract/organizations.ts'
import { unitCodes } from '#shared/units.ts'
import { may } from '#shared/permissions.ts'
import { vatCategories, usualVat, type VatCategory } from '#shared/vat.ts'
import { useAppForm } from '#page/forms/app-form.tsx'
import { currencyChoices } from '#page/words/choices.ts'
import { FormEnd } from '#page/forms/form-end.tsx'
import { useFormState } from '#page/forms/form.ts'
import { beginAnew, KeptNotice } from '#page/forms/kept-notice.tsx'
import { useReasons } from '#page/forms/vat-reason.ts'
import { useKeepForm, useKept } from '#page/forms/kept.ts'
import { newRecordName, newRecordWriter, releaseNewRecord, savedRecordName } from '#page/forms/new-record.ts'
import { text } from '#page/words/app-text.ts'
import { said } from '#page/words/said.ts'
import { asTyped, readPrice, readTyped } from '#page/forms/typed-number.ts'
import { FieldErrorsContext } from '#page/ui/field.tsx'
import { Notice, Section } from '#page/ui/screen.tsx'
import { createItem, saveItem } from './queries.ts'

const t = text.items
const modeChoices = [
  { value: 'net', label: text.organizations.net },
  { value: 'gross', label: text.organizations.gross },
]
const categoryChoices = Object.entries(vatCategories).map(([value, { label }]) => ({ value, label: said(label) }))
const unitChoices = unitCodes.map((value) => ({ value, label: text.units[value] }))

interface Props {
  organization: Organization
  /** Null: a new one, with `newId`. */
  item: Item | null
  newId?: string
  /** Of a new one: gives it another id. */
  onStartFresh?: () => void
  onSaved: (item: Item) => void
  onReload?: () => void
  /** Takes the save in its place, where what is edited is an unsent write; such a form is kept under that write's own name. */
  save?: typeof saveItem
  keptName?: string
}

export function newItemScope(organizationId: string): string {
  return `item.${organizationId}`
}

export function ItemForm({
  organization,
  item,
  newId = '',
  onStartFresh,
  onSaved,
  onReload,
  save = saveItem,
  keptName,
}: Props) {
  const queryClient = useQueryClient()
  const scope = newItemScope(organization.id)
  const ownName = item ? savedRecordName(scope, item) : newRecordName(scope, newId)
  const fresh = () => toValues(item, organization)
  const kept = useKept<ItemValues>(keptName ?? ownName, fresh)
  const state = useFormState(kept)
  const [defaultValues] = useState(() => kept.found ?? fresh())
  const form = useAppForm({
    defaultValues,
    onSubmit: async ({ value }) => {
      const body = toBody(value, organization.currency)
      const writer = newRecordWriter(kept, newId, scope)
      await state.submit(item ? body : { id: newId, ...body }, item ? itemEdit : newItem, async () => {
        const saved = item
          ? await save(queryClient, item, body, kept)
          : await createItem(queryClient, organization.id, { id: newId, ...body }, writer)
        kept.forget(savedRecordName(scope, saved))
        if (!item) releaseNewRecord(scope, newId)
        onSaved(saved)
      })
    },
  })
  useKeepForm(form, kept)
  const reasonOf = useReasons()
  const editable = may(organization, 'item.write')
  const category = useStore(form.store, ({ values }) => values.vat.category) as VatCategory
  return (
    <FieldErrorsContext value={state.errors}>
      <form
        noValidate
        className="grid gap-6"
        onSubmit={(event) => {
          event.preventDefault()
          void form.handleSubmit()
        }}
      >
        {/* Whoever may not change it reads it here. */}
        <fieldset disabled={!editable} className="grid gap-6">
          {!editable && <Notice tone="warn">{text.imports.mayNot}</Notice>}
          <KeptNotice
            kept={kept}
            onStartFresh={onStartFresh ?? (() => beginAnew(form, fresh()))}
            onPutBack={(older) => beginAnew(form, older)}
          />
          <Section>
            <div className="grid gap-4 sm:grid-cols-2">
              <form.AppField name="name">
                {(field) => <field.Text label={t.name} autoComplete="off" required />}
              </form.AppField>
              <form.AppField name="sku">{(field) => <field.Text label={t.sku} autoComplete="off" />}</form.AppField>
              <form.AppField name="description">
                {(field) => <field.TextArea label={t.description} className="sm:col-span-2" />}
              </form.AppField>
            </div>
          </Section>
          <Section title={t.pricing}>
            <div className="grid gap-4 sm:grid-cols-2">
              <form.AppField name="unitPrice">
                {(field) => (
                  <field.Decimal label={t.unitPrice} placeholder={asTyped('0.00', organization.locale)} required />
                )}
              </form.AppField>
              <form.AppField name="unit">
                {(field) => <field.Select label={t.unit} choices={withOwn(unitChoices, item?.unit)} />}
              </form.AppField>
              <form.AppField name="taxMode">
                {(field) => <field.Select label={text.invoices.taxMode} choices={modeChoices} />}
              </form.AppField>
              <form.AppField name="currency">
                {(field) => (
                  <field.Select
                    label={text.customers.currency}
                    choices={[
                      { value: '', label: `${text.customers.ownCurrency} (${organization.currency})` },
                      ...currencyChoices(),
                    ]}
                  />
                )}
              </form.AppField>
              <form.AppField
                name="vat.category"
                listeners={{
                  onChange: ({ value }) =>
                    form.setFieldValue('vat.reason', reasonOf(category, form.getFieldValue('vat.reason'), value)),
                }}
              >
                {(field) => (
                  <field.Select
                    label={text.invoices.vatCategory}
                    hint={text.invoices.vatHints[category]}
                    choices={categoryChoices}
                  />
                )}
              </form.AppField>
              {vatCategories[category].taxed && (
                <form.AppField name="vat.rate">{(field) => <field.Decimal label={text.invoices.rate} />}</form.AppField>
              )}
            </div>
          </Section>
          {editable && <FormEnd state={state} submit={item ? t.save : t.create} onReload={onReload} />}
        </fieldset>
      </form>
    </FieldErrorsContext>
  )
}

/** A unit that another program has set is kept. */
function withOwn(choices: { value: string; label: string }[], own = 'C62') {
  return choices.some(({ value }) => value === own) ? choices : [...choices, { value: own, label: own }]
}

type ItemValues = ReturnType<typeof toValues>

function toValues(item: Item | null, organization: Organization) {
  const { locale, defaults } = organization
  const vat = item?.vat ?? usualVat(organization, defaults.vatRate ?? '')
  return {
    /** The language its numbers were typed in; stays with them, because it decides what they mean. */
    locale,
    name: item?.name ?? '',
    sku: item?.sku ?? '',
    description: item?.description ?? '',
    unit: item?.unit ?? 'C62',
    unitPrice: item ? asTyped(item.unitPrice, locale) : '',
    currency: item?.currency ?? '',
    taxMode: (item?.taxMode ?? defaults.taxMode) as string,
    vat: {
      category: vat.category as string,
      rate: asTyped(vat.rate, locale),
      reason: vat.reason ?? '',
    },
  }
}

function toBody(values: ItemValues, ownCurrency: string): ItemEditInput {
  const { locale, vat, ...rest } = values
  const category = vat.category as VatCategory
  return {
    ...rest,
    unitPrice: readPrice(values.unitPrice, locale, values.currency || ownCurrency),
    currency: values.currency || null,
    taxMode: values.taxMode as Item['taxMode'],
    vat: { ...vat, category, rate: vatCategories[category].taxed ? readTyped(vat.rate, locale) : '0' },
  }
}
