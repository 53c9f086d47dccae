import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { FormEnd } from '#page/forms/form-end.tsx'
import { useFormState } from '#page/forms/form.ts'
import { text } from '#page/words/app-text.ts'
import { FieldErrorsContext } from '#page/ui/field.tsx'
import { notify } from '#page/ui/notify.ts'
import { Section } from '#page/ui/screen.tsx'
import { NewPassword, OwnPassword } from './own-password.tsx'
import { changePassword } from './queries.ts'
import { passwordRules } from './rules.ts'
import { Username } from './username.tsx'

const t = text.ownPassword
const empty = { currentPassword: '', password: '' }

export function Password({ email }: { email: string }) {
  const queryClient = useQueryClient()
  const state = useFormState()
  const [values, setValues] = useState(empty)
  return (
    <Section title={t.title}>
      <p className="text-sm text-muted">{t.lead}</p>
      <FieldErrorsContext value={state.errors}>
        <form
          noValidate
          className="grid gap-4"
          onSubmit={(event) => {
            event.preventDefault()
            void state.submit(values, passwordRules, async () => {
              await changePassword(queryClient, values)
              setValues(empty)
              notify('success', t.changed)
            })
          }}
        >
          <Username email={email} />
          <OwnPassword
            label={t.current}
            name="currentPassword"
            value={values.currentPassword}
            onValue={(currentPassword) => setValues({ ...values, currentPassword })}
          />
          <NewPassword value={values.password} onValue={(password) => setValues({ ...values, password })} />
          <FormEnd state={state} submit={t.change} look="plain" />
        </form>
      </FieldErrorsContext>
    </Section>
  )
}
