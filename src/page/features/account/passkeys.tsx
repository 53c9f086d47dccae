import { useQuery, useQueryClient } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import type { Passkey } from '#shared/contract/account.ts'
import { FormEnd } from '#page/forms/form-end.tsx'
import { useFormState } from '#page/forms/form.ts'
import { Loaded } from '#page/loaded.tsx'
import { knowsPasskeys, makePasskey } from '#page/passkeys.ts'
import { problemText } from '#page/words/problem-text.ts'
import { useSession } from '#page/session.ts'
import { text } from '#page/words/app-text.ts'
import { Button } from '#page/ui/button.tsx'
import { Dialog, DialogButtons } from '#page/ui/dialog.tsx'
import { FieldErrorsContext } from '#page/ui/field.tsx'
import { notify } from '#page/ui/notify.ts'
import { Notice, Section } from '#page/ui/screen.tsx'
import { OwnPassword } from './own-password.tsx'
import { createPasskey, deletePasskey, passkeysQuery, startPasskey } from './queries.ts'
import { ownPasswordRules } from './rules.ts'
import { Username } from './username.tsx'
import { When } from './when.tsx'

const t = text.ownPasskeys

export function Passkeys({ email }: { email: string }) {
  const query = useQuery(passkeysQuery)
  const [adding, setAdding] = useState(false)
  const isSupported = knowsPasskeys()
  const isProved = useSession().status === 'ACTIVE'
  return (
    <Section title={t.title}>
      <p className="text-sm text-muted">{!isSupported ? t.unsupported : isProved ? t.lead : t.unproved}</p>
      <Loaded query={query} rows={1} atServer="passkeys" isPart>
        {(passkeys) =>
          passkeys.length === 0 ? (
            <p className="text-muted">{t.none}</p>
          ) : (
            <ul className="divide-y divide-line rounded-lg border border-line" aria-label={t.title}>
              {passkeys.map((passkey) => (
                <Row key={passkey.id} passkey={passkey} />
              ))}
            </ul>
          )
        }
      </Loaded>
      {isSupported && isProved && (
        <Button className="justify-self-start" onClick={() => setAdding(true)}>
          {t.add}
        </Button>
      )}
      <Dialog open={adding} onOpenChange={setAdding} title={t.add} description={t.addLead}>
        <Add email={email} onDone={() => setAdding(false)} />
      </Dialog>
    </Section>
  )
}

function Row({ passkey }: { passkey: Passkey }) {
  const queryClient = useQueryClient()
  const [asking, setAsking] = useState(false)
  const [busy, setBusy] = useState(false)
  async function remove(): Promise<void> {
    setAsking(false)
    setBusy(true)
    await deletePasskey(queryClient, passkey.id).then(
      () => notify('success', t.removed),
      (error: unknown) => {
        setBusy(false)
        notify('error', problemText(error, 'action'))
      },
    )
  }
  return (
    <li className="flex items-center gap-3 p-3">
      <KeyRound className="size-5 shrink-0 text-muted" aria-hidden />
      <div className="min-w-0 grow">
        <p className="font-medium">{passkey.name}</p>
        <p className="text-sm text-muted">
          {t.created} <When at={passkey.createdAt} />
          {', '}
          {passkey.lastUsedAt ? (
            <>
              {t.used} <When at={passkey.lastUsedAt} />
            </>
          ) : (
            t.neverUsed
          )}
        </p>
      </div>
      <Button
        look="quiet"
        className="shrink-0"
        busy={busy}
        aria-label={t.removeNamed(passkey.name)}
        onClick={() => setAsking(true)}
      >
        {t.remove}
      </Button>
      <Dialog open={asking} onOpenChange={setAsking} title={t.removeTitle(passkey.name)} description={t.removeLead}>
        <DialogButtons>
          <Button onClick={() => setAsking(false)}>{text.cancel}</Button>
          <Button look="danger" onClick={() => void remove()}>
            {t.remove}
          </Button>
        </DialogButtons>
      </Dialog>
    </li>
  )
}

function Add({ email, onDone }: { email: string; onDone: () => void }) {
  const queryClient = useQueryClient()
  const state = useFormState()
  const [password, setPassword] = useState('')
  const [refused, setRefused] = useState<string | null>(null)
  async function add(): Promise<void> {
    setRefused(null)
    const made = await makePasskey(await startPasskey(password))
    if (!made.ok) return setRefused(made.refusal)
    await createPasskey(queryClient, made.response)
    notify('success', t.added)
    onDone()
  }
  return (
    <FieldErrorsContext value={state.errors}>
      <form
        noValidate
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          void state.submit({ password }, ownPasswordRules, add)
        }}
      >
        <Username email={email} />
        <OwnPassword label={t.password} name="password" value={password} onValue={setPassword} />
        {refused && <Notice tone="danger">{refused}</Notice>}
        <FormEnd state={state} submit={t.next} onCancel={onDone} />
      </form>
    </FieldErrorsContext>
  )
}
