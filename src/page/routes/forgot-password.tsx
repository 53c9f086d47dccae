import { createFileRoute, Link } from '@tanstack/react-router'
import { MailCheck } from 'lucide-react'
import { useState } from 'react'
import { emailProblem } from '#shared/account-rules.ts'
import { Countdown } from '#page/forms/countdown.tsx'
import { PublicFrame } from '#page/features/auth/public-frame.tsx'
import { forgotPassword } from '#page/features/auth/queries.ts'
import { rememberTypedEmail, typedEmail } from '#page/features/auth/typed-email.ts'
import { FormEnd } from '#page/forms/form-end.tsx'
import { useFormState } from '#page/forms/form.ts'
import { rules } from '#page/forms/rules.ts'
import { text } from '#page/words/text.ts'
import { Button } from '#page/ui/button.tsx'
import { FieldErrorsContext, TextField } from '#page/ui/field.tsx'
import { notify } from '#page/ui/notify.ts'
import { Notice } from '#page/ui/screen.tsx'

export const Route = createFileRoute('/forgot-password')({ component: ForgotPassword })

const t = text.forgot
/** The server sends one mail a minute to an address. */
const nextMailAfterSeconds = 60
const emailRules = rules<{ email: string }>(({ email }) => ({ email: emailProblem(email) }))

function ForgotPassword() {
  const [email, setEmail] = useState(typedEmail)
  const [sentTo, setSentTo] = useState<string | null>(null)
  return sentTo === null ? (
    <Ask
      email={email}
      onEmail={(typed) => {
        setEmail(typed)
        rememberTypedEmail(typed)
      }}
      onSent={() => setSentTo(email.trim())}
    />
  ) : (
    <Sent email={sentTo} onOther={() => setSentTo(null)} />
  )
}

function Ask({ email, onEmail, onSent }: { email: string; onEmail: (typed: string) => void; onSent: () => void }) {
  const form = useFormState()
  return (
    <PublicFrame title={t.title} lead={t.lead}>
      <FieldErrorsContext value={form.errors}>
        <form
          method="post"
          noValidate
          className="grid gap-4"
          onSubmit={(event) => {
            event.preventDefault()
            void form.submit({ email }, emailRules, async () => {
              await forgotPassword(email.trim())
              onSent()
            })
          }}
        >
          <TextField
            label={text.account.email}
            name="email"
            type="email"
            inputMode="email"
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            value={email}
            onChange={(event) => {
              // Counted by address: another one may have its mail now.
              form.wait.clear()
              onEmail(event.currentTarget.value)
            }}
            required
          />
          <FormEnd state={form} submit={t.send} waitWords={text.wait.again} />
        </form>
      </FieldErrorsContext>
      <BackToSignIn />
    </PublicFrame>
  )
}

/** The same words whether there is such an account or not: who asks learns nothing about others. */
function Sent({ email, onOther }: { email: string; onOther: () => void }) {
  const form = useFormState()
  const { wait } = form
  // Asked for a moment ago: the wait for the next begins with the screen.
  const [begun, setBegun] = useState(false)
  if (!begun) {
    setBegun(true)
    wait.begin(nextMailAfterSeconds)
  }
  async function again(): Promise<void> {
    await form.submit(null, null, async () => {
      await forgotPassword(email)
      notify('success', t.sentAgain)
      wait.begin(nextMailAfterSeconds)
    })
  }
  return (
    <PublicFrame title={t.sentTitle} icon={<MailCheck className="size-10 text-accent" aria-hidden />}>
      <output className="block">{t.sent(email)}</output>
      <p className="text-muted">{t.sentHint}</p>
      {form.message && <Notice tone="danger">{form.message}</Notice>}
      <Countdown wait={wait} words={text.wait.again} />
      <div className="flex flex-wrap gap-3">
        <Button busy={form.busy} disabled={wait.isWaiting} onClick={() => void again()}>
          {t.again}
        </Button>
        <Button look="quiet" onClick={onOther}>
          {t.otherEmail}
        </Button>
      </div>
      <BackToSignIn />
    </PublicFrame>
  )
}

function BackToSignIn() {
  return (
    <p>
      <Link to="/login" className="font-medium text-accent underline">
        {t.back}
      </Link>
    </p>
  )
}
