import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Account } from '#shared/contract/account.ts'
import { FormEnd } from '#page/forms/form-end.tsx'
import { useFormState } from '#page/forms/form.ts'
import { text } from '#page/words/app-text.ts'
import { FieldErrorsContext, TextField } from '#page/ui/field.tsx'
import { notify } from '#page/ui/notify.ts'
import { Section } from '#page/ui/screen.tsx'
import { saveName } from './queries.ts'
import { nameRules } from './rules.ts'

/** What others see of the person. */
export function Profile({ account }: { account: Account }) {
  const queryClient = useQueryClient()
  const state = useFormState()
  /** Null while nothing is typed: a name changed elsewhere shows. */
  const [typed, setTyped] = useState<string | null>(null)
  const name = typed ?? account.name
  return (
    <Section title={text.accountScreens.parts.profile}>
      <FieldErrorsContext value={state.errors}>
        <form
          noValidate
          className="grid gap-4"
          onSubmit={(event) => {
            event.preventDefault()
            void state.submit({ name }, nameRules, async () => {
              await saveName(queryClient, name)
              setTyped(null)
              notify('success', text.saved.synced(text.saved.what.name))
            })
          }}
        >
          <TextField
            label={text.account.name}
            name="name"
            autoComplete="name"
            value={name}
            onChange={(event) => setTyped(event.currentTarget.value)}
            required
          />
          <FormEnd state={state} submit={text.accountScreens.saveName} look="plain" />
        </form>
      </FieldErrorsContext>
    </Section>
  )
}
