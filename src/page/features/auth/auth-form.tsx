// The form of both public screens. It is HTML before any script has run, so it is plain: no schema library, no form library.
import { useRef, useState, type ReactNode } from 'react'
import { emailProblem, nameProblem, passwordProblem } from '#shared/account-rules.ts'
import { ProblemError } from '#shared/problem.ts'
import type { ContractLike } from '#page/form-errors.ts'
import { useFormState } from '#page/form.ts'
import { useTakeover } from '#page/takeover.ts'
import { text } from '#page/text.ts'
import { Button } from '#page/ui/button.tsx'
import { FieldErrorsContext, TextField } from '#page/ui/field.tsx'
import { Logo } from '#page/ui/logo.tsx'
import { Notice } from '#page/ui/screen.tsx'

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
  footer: ReactNode
}

/** The rules of shared/account-rules in the shape that forms ask contracts in. A sign-in only wants both fields filled. */
function rules(registers: boolean): ContractLike {
  return {
    safeParse(values) {
      const { name, email, password } = values as Credentials
      const complaints: [keyof Credentials, string | null][] = registers
        ? [
            ['name', nameProblem(name)],
            ['email', emailProblem(email)],
            ['password', passwordProblem(password)],
          ]
        : [
            ['email', email.trim() ? null : emailProblem('')],
            ['password', password ? null : passwordProblem('')],
          ]
      const issues = complaints.flatMap(([field, message]) => (message ? [{ path: [field], message }] : []))
      return issues.length === 0 ? { success: true } : { success: false, error: { issues } }
    },
  }
}

export function AuthForm({ title, lead, submitLabel, registers, submit, footer }: Props) {
  const [values, setValues] = useState<Credentials>({ name: '', email: '', password: '' })
  const form = useFormState()
  const element = useRef<HTMLFormElement>(null)
  useTakeover(element, (typed) => setValues((before) => ({ ...before, ...typed })))
  const [wrong, setWrong] = useState(false)
  const change = (field: keyof Credentials) => (event: { currentTarget: HTMLInputElement }) => {
    const { value } = event.currentTarget
    setValues((before) => ({ ...before, [field]: value }))
  }

  async function send(): Promise<void> {
    setWrong(false)
    await submit(values).catch((error: unknown) => {
      if (!(error instanceof ProblemError) || error.code !== 'invalid_credentials') throw error
      setWrong(true)
      document.querySelector<HTMLInputElement>('input[name="password"]')?.select()
    })
  }

  return (
    <div className="mx-auto grid min-h-dvh w-full max-w-md content-start gap-8 px-4 py-8 sm:content-center">
      <a href="/" className="justify-self-start rounded-lg text-ink no-underline">
        <Logo />
      </a>
      <main className="grid gap-6">
        <div>
          <h1 className="text-2xl font-semibold tracking-tight">{title}</h1>
          <p className="text-muted">{lead}</p>
        </div>
        <FieldErrorsContext value={form.errors}>
          {/* POST, so that a form sent before the script has run can never put a password into an address. */}
          <form
            ref={element}
            method="post"
            noValidate
            className="grid gap-4"
            onSubmit={(event) => {
              event.preventDefault()
              void form.submit(values, rules(registers), send)
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
            {/* Until the script has run a press would lose what was typed. */}
            <Button
              type="submit"
              look="primary"
              busy={form.busy}
              disabled={typeof window === 'undefined'}
              className="disabled:opacity-100"
            >
              {submitLabel}
            </Button>
          </form>
        </FieldErrorsContext>
        <p className="text-muted">{footer}</p>
      </main>
    </div>
  )
}
