import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { newOrganization, type NewOrganizationInput, type Organization } from '#shared/contract/organizations.ts'
import { uuidv7 } from '#shared/ids.ts'
import { useAppForm } from '#page/app-form.tsx'
import { countryChoices, currencyChoices, deviceSuggestions } from '#page/choices.ts'
import { FormEnd } from '#page/form-end.tsx'
import { useFormState } from '#page/form.ts'
import { text } from '#page/app-text.ts'
import { FieldErrorsContext } from '#page/ui/field.tsx'
import { Section } from '#page/ui/screen.tsx'
import { createOrganization } from './queries.ts'

/** Three answers are enough to begin; everything else has a default and a place in the settings. */
export function NewOrganizationForm({
  onCreated,
  before,
  save = createOrganization,
}: {
  onCreated: (organization: Organization) => void
  /** What was saved before and is edited now, where it is an unsent write; and what takes the save in its place. */
  before?: NewOrganizationInput
  save?: typeof createOrganization
}) {
  const queryClient = useQueryClient()
  // Made once for this form: however often it is sent, there is one organization.
  const [id] = useState(() => uuidv7())
  const [suggested] = useState(deviceSuggestions)
  const state = useFormState()
  const form = useAppForm({
    defaultValues: {
      name: before?.name ?? '',
      country: before?.country ?? suggested.country,
      currency: before?.currency ?? 'EUR',
    },
    onSubmit: async ({ value }) => {
      const body = { id, locale: suggested.locale, timeZone: suggested.timeZone, ...before, ...value }
      await state.submit(body, newOrganization, async () => onCreated(await save(queryClient, body)))
    },
  })
  return (
    <FieldErrorsContext value={state.errors}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void form.handleSubmit()
        }}
      >
        <Section>
          <form.AppField name="name">
            {(field) => <field.Text label={text.organizations.name} autoComplete="organization" required />}
          </form.AppField>
          <form.AppField name="country">
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
