import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { customerEdit, newCustomer, type Customer, type CustomerEditInput } from '#shared/contract/customers.ts'
import type { Organization } from '#shared/contract/organizations.ts'
import { languageNames, languageOf } from '#shared/language.ts'
import { useAppForm } from '#page/forms/app-form.tsx'
import { countryChoices, currencyChoices, documentLanguageChoices } from '#page/words/choices.ts'
import { blankEndpoint, endpointFrom, EndpointFields } from '#page/forms/endpoint-fields.tsx'
import { FormEnd } from '#page/forms/form-end.tsx'
import { useFormState } from '#page/forms/form.ts'
import { beginAnew, KeptNotice } from '#page/forms/kept-notice.tsx'
import { useKeepForm, useKept } from '#page/forms/kept.ts'
import { newRecordName, newRecordWriter, releaseNewRecord, savedRecordName } from '#page/forms/new-record.ts'
import { text } from '#page/words/app-text.ts'
import { FieldErrorsContext } from '#page/ui/field.tsx'
import { Section } from '#page/ui/screen.tsx'
import { createCustomer, saveCustomer } from './queries.ts'

const t = text.customers
const kindChoices = Object.entries(t.kinds).map(([value, label]) => ({ value, label }))

interface Props {
  organization: Organization
  /** Null: a new one, with `newId`. */
  customer: Customer | null
  newId?: string
  /** What a new one starts with. */
  first?: { name: string }
  /** Of a new one: gives it another id. */
  onStartFresh?: () => void
  onSaved: (customer: Customer) => void
  onReload?: () => void
  onCancel?: () => void
  /** Takes the save in its place, where what is edited is an unsent write; such a form is kept under that write's own name. */
  save?: typeof saveCustomer
  keptName?: string
}

export function newCustomerScope(organizationId: string): string {
  return `customer.${organizationId}`
}

export function CustomerForm({
  organization,
  customer,
  newId = '',
  first,
  onStartFresh,
  onSaved,
  onReload,
  onCancel,
  save = saveCustomer,
  keptName,
}: Props) {
  const queryClient = useQueryClient()
  const scope = newCustomerScope(organization.id)
  const fresh = () => ({ ...toValues(customer, organization), ...first })
  const kept = useKept<CustomerValues>(
    keptName ?? (customer ? savedRecordName(scope, customer) : newRecordName(scope, newId)),
    fresh,
  )
  const state = useFormState(kept)
  const [defaultValues] = useState(() => kept.found ?? fresh())
  const form = useAppForm({
    defaultValues,
    onSubmit: async ({ value }) => {
      const body = toBody(value, customer)
      const done = (saved: Customer) => {
        kept.forget(savedRecordName(scope, saved))
        if (!customer) releaseNewRecord(scope, newId)
        onSaved(saved)
      }
      const writer = newRecordWriter(kept, newId, scope)
      if (customer)
        return void (await state.submit(body, customerEdit, async () =>
          done(await save(queryClient, customer, body, kept)),
        ))
      await state.submit({ id: newId, ...body }, newCustomer, async () =>
        done(await createCustomer(queryClient, organization.id, { id: newId, ...body }, writer)),
      )
    },
  })
  useKeepForm(form, kept)
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
        <KeptNotice
          kept={kept}
          onStartFresh={onStartFresh ?? (() => beginAnew(form, fresh()))}
          onPutBack={(older) => beginAnew(form, older)}
        />
        <Section title={t.details}>
          <div className="grid gap-4 sm:grid-cols-2">
            <form.AppField name="name">
              {(field) => <field.Text label={t.name} autoComplete="off" required />}
            </form.AppField>
            <form.AppField name="country">
              {(field) => <field.Select label={t.country} choices={countryChoices()} />}
            </form.AppField>
            <form.AppField name="kind">
              {(field) => <field.Select label={t.kind} choices={kindChoices} />}
            </form.AppField>
            <form.AppField name="email">
              {(field) => <field.Text label={t.email} type="email" inputMode="email" autoComplete="off" />}
            </form.AppField>
            <form.AppField name="contactName">
              {(field) => <field.Text label={text.organizations.contactName} autoComplete="off" />}
            </form.AppField>
            <form.AppField name="phone">
              {(field) => <field.Text label={text.organizations.phone} type="tel" autoComplete="off" />}
            </form.AppField>
          </div>
        </Section>
        <Section title={text.organizations.address}>
          <div className="grid gap-4 sm:grid-cols-2">
            <form.AppField name="address.line1">
              {(field) => <field.Text label={text.organizations.street} autoComplete="off" />}
            </form.AppField>
            <form.AppField name="address.line2">
              {(field) => <field.Text label={text.organizations.street2} autoComplete="off" />}
            </form.AppField>
            <form.AppField name="address.postalCode">
              {(field) => <field.Text label={text.organizations.postalCode} autoComplete="off" />}
            </form.AppField>
            <form.AppField name="address.city">
              {(field) => <field.Text label={text.organizations.city} autoComplete="off" />}
            </form.AppField>
          </div>
        </Section>
        <Section title={t.billing}>
          <div className="grid gap-4 sm:grid-cols-2">
            <form.AppField name="vatNumber">
              {(field) => (
                <field.Text label={text.organizations.vatNumber} autoCapitalize="characters" autoComplete="off" />
              )}
            </form.AppField>
            <form.AppField name="registrationNumber">
              {(field) => <field.Text label={text.organizations.registration} autoComplete="off" />}
            </form.AppField>
            <form.AppField name="currency">
              {(field) => (
                <field.Select
                  label={t.currency}
                  choices={[{ value: '', label: `${t.ownCurrency} (${organization.currency})` }, ...currencyChoices()]}
                />
              )}
            </form.AppField>
            <form.AppField name="termsDays">
              {(field) => (
                <field.Text
                  label={t.terms}
                  inputMode="numeric"
                  placeholder={String(organization.defaults.termsDays)}
                  autoComplete="off"
                />
              )}
            </form.AppField>
            <form.AppField name="buyerReference">
              {(field) => <field.Text label={t.reference} hint={text.invoices.buyerReferenceHint} autoComplete="off" />}
            </form.AppField>
            <form.AppField name="language">
              {(field) => (
                <field.Select
                  label={t.language}
                  choices={[
                    { value: '', label: t.ownLanguage(languageNames[languageOf([organization.locale])]) },
                    ...documentLanguageChoices,
                  ]}
                />
              )}
            </form.AppField>
            <EndpointFields form={form} fields="endpoint" />
            <form.AppField name="notes">
              {(field) => <field.TextArea label={t.notes} className="sm:col-span-2" />}
            </form.AppField>
          </div>
        </Section>
        <FormEnd
          state={state}
          submit={customer ? t.save : t.create}
          onReload={onReload}
          {...(onCancel && { onCancel })}
        />
      </form>
    </FieldErrorsContext>
  )
}

type CustomerValues = ReturnType<typeof toValues>

function toValues(customer: Customer | null, organization: Organization) {
  const { address } = customer ?? {}
  return {
    kind: (customer?.kind ?? 'business') as string,
    name: customer?.name ?? '',
    country: customer?.country ?? organization.country,
    email: customer?.email ?? '',
    phone: customer?.phone ?? '',
    contactName: customer?.contactName ?? '',
    address: {
      line1: address?.line1 ?? '',
      line2: address?.line2 ?? '',
      postalCode: address?.postalCode ?? '',
      city: address?.city ?? '',
    },
    vatNumber: customer?.vatNumber ?? '',
    registrationNumber: customer?.registrationNumber ?? '',
    endpoint: customer?.endpoint ?? blankEndpoint,
    currency: customer?.currency ?? '',
    termsDays: String(customer?.termsDays ?? ''),
    buyerReference: customer?.buyerReference ?? '',
    language: (customer?.language ?? '') as string,
    notes: customer?.notes ?? '',
  }
}

/** What the form does not show stays as it is. */
function toBody(values: CustomerValues, customer: Customer | null): CustomerEditInput {
  return {
    ...values,
    kind: values.kind as Customer['kind'],
    address: { ...values.address, region: customer?.address.region ?? null },
    endpoint: endpointFrom(values.endpoint),
    currency: values.currency || null,
    language: (values.language || null) as Customer['language'],
    termsDays: values.termsDays.trim() === '' ? null : Number(values.termsDays),
  }
}
