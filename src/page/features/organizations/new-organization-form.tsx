import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { newOrganization, type NewOrganizationInput, type Organization } from '#shared/contract/organizations.ts'
import { currencyOf, paperSizeOf } from '#shared/country-defaults.ts'
import { useAppForm } from '#page/forms/app-form.tsx'
import { countryChoices, currencyChoices, deviceSuggestions } from '#page/words/choices.ts'
import { FormEnd } from '#page/forms/form-end.tsx'
import { useFormState } from '#page/forms/form.ts'
import { beginAnew, KeptNotice } from '#page/forms/kept-notice.tsx'
import { useKeepForm, useKept } from '#page/forms/kept.ts'
import { newRecordName, newRecordWriter, releaseNewRecord } from '#page/forms/new-record.ts'
import { text } from '#page/words/app-text.ts'
import { FieldErrorsContext } from '#page/ui/field.tsx'
import { Section } from '#page/ui/screen.tsx'
import { createOrganization } from './queries.ts'

export const newOrganizationScope = 'organization'

interface Values {
  name: string
  country: string
  currency: string
}

/** Three answers are enough to begin; everything else has a default and a place in the settings. */
export function NewOrganizationForm({
  id,
  onCreated,
  onStartFresh,
  before,
  save = createOrganization,
  keptName = newRecordName(newOrganizationScope, id),
}: {
  id: string
  onCreated: (organization: Organization) => void
  /** Of a new one: gives it another id. */
  onStartFresh?: () => void
  /** What was saved before and is edited now, where it is an unsent write; and what takes the save in its place. */
  before?: NewOrganizationInput
  save?: typeof createOrganization
  keptName?: string
}) {
  const queryClient = useQueryClient()
  const kept = useKept<Values>(keptName)
  const [suggested] = useState(deviceSuggestions)
  const state = useFormState(kept)
  const fresh = () => ({
    name: before?.name ?? '',
    country: before?.country ?? suggested.country,
    currency: before?.currency ?? currencyOf(suggested.country),
  })
  const [defaultValues] = useState(() => kept.found ?? fresh())
  const form = useAppForm({
    defaultValues,
    onSubmit: async ({ value }) => {
      const { locale, timeZone } = suggested
      const body = { id, locale, timeZone, paperSize: paperSizeOf(value.country), ...before, ...value }
      const writer = before ? kept : newRecordWriter(kept, id, newOrganizationScope)
      await state.submit(body, newOrganization, async () => {
        const created = await save(queryClient, body, writer)
        kept.forget()
        if (!before) releaseNewRecord(newOrganizationScope, id)
        onCreated(created)
      })
    },
  })
  useKeepForm(form, kept)
  /** The currency that the country gave: it follows that until the person decides. What was typed before the page was loaded anew is theirs. */
  const given = useRef(kept.found ? '' : defaultValues.currency)
  const followCountry = (country: string) => {
    if (form.state.values.currency !== given.current) return
    given.current = currencyOf(country)
    form.setFieldValue('currency', given.current)
  }
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
        <KeptNotice kept={kept} onStartFresh={onStartFresh ?? (() => beginAnew(form, fresh()))} />
        <Section>
          <form.AppField name="name">
            {(field) => <field.Text label={text.organizations.name} autoComplete="organization" required />}
          </form.AppField>
          <form.AppField name="country" listeners={{ onChange: ({ value }) => followCountry(value) }}>
            {(field) => (
              <field.Select label={text.organizations.country} choices={countryChoices()} autoComplete="country" />
            )}
          </form.AppField>
          <form.AppField name="currency">
            {(field) => <field.Select label={text.organizations.currency} choices={currencyChoices()} />}
          </form.AppField>
          <FormEnd state={state} submit={text.organizations.create} />
        </Section>
      </form>
    </FieldErrorsContext>
  )
}
