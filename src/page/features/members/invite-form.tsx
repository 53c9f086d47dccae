import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { emailProblem } from '#shared/account-rules.ts'
import type { Organization } from '#shared/contract/organizations.ts'
import { mayGive, roles, type Role } from '#shared/permissions.ts'
import { FormEnd } from '#page/forms/form-end.tsx'
import { useFormState } from '#page/forms/form.ts'
import { rules } from '#page/forms/rules.ts'
import { text } from '#page/words/app-text.ts'
import { FieldErrorsContext, SelectField, TextField } from '#page/ui/field.tsx'
import { notify } from '#page/ui/notify.ts'
import { Section } from '#page/ui/screen.tsx'
import { invite } from './queries.ts'

const t = text.members
const emailRule = rules<{ email: string }>(({ email }) => ({ email: emailProblem(email) }))

/** For owners and admins: an address and a role. */
export function InviteForm({ organization }: { organization: Organization }) {
  const queryClient = useQueryClient()
  const state = useFormState()
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('member')
  const choices = roles
    .filter((each) => mayGive(organization, each))
    .map((value) => ({ value, label: text.organizations.roles[value] }))
  return (
    <Section title={t.inviteTitle}>
      <FieldErrorsContext value={state.errors}>
        <form
          noValidate
          className="grid gap-4"
          onSubmit={(event) => {
            event.preventDefault()
            const body = { email: email.trim(), role }
            void state.submit(body, emailRule, async () => {
              await invite(queryClient, organization.id, body)
              setEmail('')
              notify('success', t.invited(body.email))
            })
          }}
        >
          <div className="grid gap-4 sm:grid-cols-2">
            <TextField
              label={t.email}
              name="email"
              type="email"
              inputMode="email"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              hint={t.inviteHint}
              value={email}
              onChange={(event) => setEmail(event.currentTarget.value)}
              required
            />
            <SelectField
              label={t.role}
              name="role"
              choices={choices}
              hint={t.may[role]}
              value={role}
              onChange={(event) => setRole(event.currentTarget.value as Role)}
            />
          </div>
          <FormEnd state={state} submit={t.invite} />
        </form>
      </FieldErrorsContext>
    </Section>
  )
}
