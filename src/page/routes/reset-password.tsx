import { createFileRoute, Link, useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { passwordProblem } from '#shared/account-rules.ts'
import { ProblemError } from '#shared/problem.ts'
import { PublicFrame } from '#page/features/auth/public-frame.tsx'
import { resetPassword } from '#page/features/auth/queries.ts'
import { FormEnd } from '#page/forms/form-end.tsx'
import { useFormState } from '#page/forms/form.ts'
import { useLinkToken } from '#page/link-token.ts'
import { rules } from '#page/forms/rules.ts'
import { text } from '#page/words/text.ts'
import { buttonClass } from '#page/ui/button.tsx'
import { FieldErrorsContext } from '#page/ui/field.tsx'
import { notify } from '#page/ui/notify.ts'
import { PasswordField } from '#page/ui/password-field.tsx'

export const Route = createFileRoute('/reset-password')({
  validateSearch: (search: Record<string, unknown>): { resetToken?: string } => ({
    ...(typeof search['resetToken'] === 'string' && { resetToken: search['resetToken'] }),
  }),
  component: ResetPassword,
})

const t = text.reset
const passwordRules = rules<{ password: string }>(({ password }) => ({ password: passwordProblem(password) }))

function ResetPassword() {
  const router = useRouter()
  const { resetToken = '' } = Route.useSearch()
  const token = useLinkToken(
    resetToken,
    () => void router.navigate({ to: '/reset-password', search: {}, replace: true }),
  )
  /** The links that turned out to be no longer good. */
  const [expired, setExpired] = useState('')
  const [password, setPassword] = useState('')
  const form = useFormState(null, 'signIn')

  async function set(): Promise<void> {
    try {
      await resetPassword({ token, password })
    } catch (error) {
      if (!(error instanceof ProblemError) || error.code !== 'link_expired') throw error
      return setExpired(token)
    }
    notify('success', t.done)
    await router.navigate({ to: '/dashboard' })
  }

  if (token === '' || token === expired)
    return (
      <PublicFrame title={token === '' ? t.title : t.expiredTitle} lead={token === '' ? t.missing : t.expired}>
        <Link to="/forgot-password" className={buttonClass('primary', 'justify-self-start')}>
          {t.askAgain}
        </Link>
      </PublicFrame>
    )
  return (
    <PublicFrame title={t.title} lead={t.lead}>
      <FieldErrorsContext value={form.errors}>
        <form
          method="post"
          noValidate
          className="grid gap-4"
          onSubmit={(event) => {
            event.preventDefault()
            void form.submit({ password }, passwordRules, set)
          }}
        >
          <PasswordField
            label={text.password.new}
            name="password"
            autoComplete="new-password"
            hint={text.account.passwordHint}
            toggle={{ show: text.account.show, hide: text.account.hide, name: text.account.typed }}
            value={password}
            onValue={setPassword}
            required
          />
          <FormEnd state={form} submit={t.set} />
        </form>
      </FieldErrorsContext>
    </PublicFrame>
  )
}
