// The form of both public screens. It is HTML before any script has run, so it is plain: no schema library, no form library.
import { useRef, useState, type ReactNode } from 'react'
import { emailProblem, nameProblem, passwordProblem } from '#shared/account-rules.ts'
import { ProblemError } from '#shared/problem.ts'
import { Countdown } from '#page/forms/countdown.tsx'
import { useFormState } from '#page/forms/form.ts'
import { rules } from '#page/forms/rules.ts'
import { useTakeover } from '#page/start/takeover.ts'
import { text } from '#page/words/text.ts'
import { Button } from '#page/ui/button.tsx'
import { FieldErrorsContext, TextField } from '#page/ui/field.tsx'
import { Notice } from '#page/ui/screen.tsx'
import { PublicFrame } from './public-frame.tsx'
import { rememberTypedEmail, typedEmail } from './typed-email.ts'

export interface Credentials {
  name: string
  email: string
  password: string
}

interface Props {
  title: string
  lead: string
  submitLabel: string
  registers: boolean
  submit: (values: Credentials) => Promise<void>
  /** Stands above the form: why the person is here. */
  notice?: string | null
  /** Another way in, below the form. */
  otherWay?: ReactNode
  footer: ReactNode
}

const registerRules = rules<Credentials>(({ name, email, password }) => ({
  name: nameProblem(name),
  email: emailProblem(email),
  password: passwordProblem(password),
}))
/** A sign-in only wants both fields filled. */
const signInRules = rules<Credentials>(({ email, password }) => ({
  email: email.trim() ? null : emailProblem(''),
  password: password ? null : passwordProblem(''),
}))

export function AuthForm({ title, lead, submitLabel, registers, submit, notice, otherWay, footer }: Props) {
  const [values, setValues] = useState<Credentials>(() => ({ name: '', email: typedEmail(), password: '' }))
  const form = useFormState(null, 'signIn')
  const element = useRef<HTMLFormElement>(null)
  const put = (typed: Partial<Credentials>) => {
    if (typed.email !== undefined) rememberTypedEmail(typed.email)
    // Sign-ins are counted by account: another one need not wait for this one.
    if (!registers && typed.email !== undefined && typed.email !== values.email) form.wait.clear()
    setValues((before) => ({ ...before, ...typed }))
  }
  useTakeover(element, (typed) => {
    put(typed)
    for (const name of Object.keys(typed)) form.errors.touch(`/${name}`)
  })
  const [wrong, setWrong] = useState(false)
  const change = (field: keyof Credentials) => (event: { currentTarget: HTMLInputElement }) =>
    put({ [field]: event.currentTarget.value })

  async function send(): Promise<void> {
    setWrong(false)
    await submit(values).catch((error: unknown) => {
      if (!(error instanceof ProblemError) || error.code !== 'invalid_credentials') throw error
      setWrong(true)
      document.querySelector<HTMLInputElement>('input[name="password"]')?.select()
    })
  }

  return (
    <PublicFrame title={title} lead={lead}>
      {notice && <Notice>{notice}</Notice>}
      <FieldErrorsContext value={form.errors}>
        {/* POST, so that a form sent before the script has run can never put a password into an address. */}
        <form
          ref={element}
          method="post"
          noValidate
          className="grid gap-4"
          onSubmit={(event) => {
            event.preventDefault()
            void form.submit(values, registers ? registerRules : signInRules, send)
          }}
        >
          {registers && (
            <TextField
              label={text.account.name}
              name="name"
              autoComplete="name"
              value={values.name}
              onChange={change('name')}
              required
            />
          )}
          <TextField
            label={text.account.email}
            name="email"
            type="email"
            inputMode="email"
            autoComplete={registers ? 'email' : 'username'}
            autoCapitalize="none"
            spellCheck={false}
            value={values.email}
            onChange={change('email')}
            required
          />
          <TextField
            label={text.account.password}
            name="password"
            type="password"
            autoComplete={registers ? 'new-password' : 'current-password'}
            hint={registers ? text.account.passwordHint : undefined}
            value={values.password}
            onChange={change('password')}
            required
          />
          {wrong && <Notice tone="danger">{text.account.wrong}</Notice>}
          {form.message && <Notice tone="danger">{form.message}</Notice>}
          <Countdown wait={form.wait} />
          {/* Until the script has run a press would lose what was typed. */}
          <Button
            type="submit"
            look="primary"
            busy={form.busy}
            disabled={typeof window === 'undefined' || form.wait.isWaiting}
            className={form.wait.isWaiting ? '' : 'disabled:opacity-100'}
          >
            {submitLabel}
          </Button>
        </form>
      </FieldErrorsContext>
      {otherWay}
      <div className="grid gap-2 text-muted">{footer}</div>
    </PublicFrame>
  )
}
