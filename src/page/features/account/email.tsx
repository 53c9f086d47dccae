// The address of the account: whether it is verified, a new link, and the change to another one.
import { useQueryClient } from '@tanstack/react-query'
import { BadgeCheck, Check, Hourglass, MailWarning } from 'lucide-react'
import { useState } from 'react'
import type { Account } from '#shared/contract/account.ts'
import { Countdown } from '#page/forms/countdown.tsx'
import { FormEnd } from '#page/forms/form-end.tsx'
import { useFormState } from '#page/forms/form.ts'
import { formatInstant } from '#page/words/format.ts'
import { problemText } from '#page/words/problem-text.ts'
import { text } from '#page/words/app-text.ts'
import { Badge } from '#page/ui/badge.tsx'
import { Button } from '#page/ui/button.tsx'
import { FieldErrorsContext, TextField } from '#page/ui/field.tsx'
import { notify } from '#page/ui/notify.ts'
import { Notice, Section } from '#page/ui/screen.tsx'
import { OwnPassword } from './own-password.tsx'
import { cancelEmailChange, changeEmail, sendVerificationMail } from './queries.ts'
import { emailRules } from './rules.ts'

const t = text.email

export function Email({ account }: { account: Account }) {
  const [changing, setChanging] = useState(false)
  const [wasChanging, setWasChanging] = useState(false)
  const { email, status, pendingEmail } = account
  const isVerified = status === 'ACTIVE'
  return (
    <Section title={t.title}>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="min-w-0 font-medium">{email}</p>
        {isVerified ? (
          <Badge tone="good" icon={<BadgeCheck className="size-4" aria-hidden />}>
            {t.verified}
          </Badge>
        ) : (
          <Badge tone="warn" icon={<MailWarning className="size-4" aria-hidden />}>
            {t.notVerified}
          </Badge>
        )}
      </div>
      {!isVerified && <Verification email={email} />}
      {pendingEmail && <Pending email={email} pending={pendingEmail} />}
      {changing ? (
        <Change isVerified={isVerified} onDone={() => setChanging(false)} />
      ) : (
        <div className="grid gap-3">
          <p className="text-sm text-muted">{t.lead}</p>
          <Button
            className="justify-self-start"
            // The form that had the focus is gone.
            // oxlint-disable-next-line jsx-a11y/no-autofocus
            autoFocus={wasChanging}
            onClick={() => {
              setChanging(true)
              setWasChanging(true)
            }}
          >
            {t.change}
          </Button>
        </div>
      )}
    </Section>
  )
}

/** The seed's promise: an expired link is renewed here. */
function Verification({ email }: { email: string }) {
  const state = useFormState()
  return (
    <div className="grid gap-3">
      <p className="text-muted">{t.verifyHint}</p>
      {state.message && <Notice tone="danger">{state.message}</Notice>}
      <Countdown wait={state.wait} />
      <Button
        className="justify-self-start"
        busy={state.busy}
        disabled={state.wait.isWaiting}
        onClick={() =>
          void state.submit(null, null, async () => {
            await sendVerificationMail()
            notify('success', t.sentOne(email))
          })
        }
      >
        {text.verify.resend}
      </Button>
    </div>
  )
}

function Pending({ email, pending }: { email: string; pending: NonNullable<Account['pendingEmail']> }) {
  const queryClient = useQueryClient()
  const [busy, setBusy] = useState(false)
  const { confirmed } = pending
  async function cancel(): Promise<void> {
    setBusy(true)
    await cancelEmailChange(queryClient).then(
      () => notify('success', t.cancelled),
      (error: unknown) => notify('error', problemText(error, 'action')),
    )
    setBusy(false)
  }
  return (
    <div className="grid gap-3 rounded-lg border border-line bg-raised p-4">
      <p className="font-medium">{t.pending(pending.email)}</p>
      <p className="text-sm text-muted">{t.pendingLead}</p>
      <ul className="grid gap-2">
        <Link address={email} isOpened={confirmed.oldAddress} />
        <Link address={pending.email} isOpened={confirmed.newAddress} />
      </ul>
      <p className="text-sm text-muted">{t.until(formatInstant(pending.expiresAt))}</p>
      <Button className="justify-self-start" busy={busy} onClick={() => void cancel()}>
        {t.cancel}
      </Button>
    </div>
  )
}

function Link({ address, isOpened }: { address: string; isOpened: boolean }) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
      <span className="min-w-0">{address}</span>
      {isOpened ? (
        <Badge tone="good" icon={<Check className="size-4" aria-hidden />}>
          {t.opened}
        </Badge>
      ) : (
        <Badge tone="warn" icon={<Hourglass className="size-4" aria-hidden />}>
          {t.waiting}
        </Badge>
      )}
    </li>
  )
}

function Change({ isVerified, onDone }: { isVerified: boolean; onDone: () => void }) {
  const queryClient = useQueryClient()
  const state = useFormState()
  const [values, setValues] = useState({ email: '', password: '' })
  return (
    <FieldErrorsContext value={state.errors}>
      <form
        noValidate
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          void state.submit(values, emailRules, async () => {
            const { sentTo } = await changeEmail(queryClient, values)
            notify('success', sentTo.length > 1 ? t.sent(sentTo.join(', ')) : t.sentOne(sentTo.join()))
            onDone()
          })
        }}
      >
        <TextField
          label={t.new}
          name="email"
          type="email"
          inputMode="email"
          autoComplete="email"
          autoCapitalize="none"
          spellCheck={false}
          hint={isVerified ? t.hint : t.hintUnverified}
          value={values.email}
          onChange={(event) => setValues({ ...values, email: event.currentTarget.value })}
          // The person has just asked for this form.
          // oxlint-disable-next-line jsx-a11y/no-autofocus
          autoFocus
          required
        />
        <OwnPassword
          label={t.password}
          name="password"
          value={values.password}
          onValue={(password) => setValues({ ...values, password })}
        />
        <FormEnd
          state={state}
          submit={isVerified ? t.send : t.sendUnverified}
          waitWords={text.wait.again}
          onCancel={onDone}
        />
      </form>
    </FieldErrorsContext>
  )
}
