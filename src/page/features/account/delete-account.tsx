import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import { ProblemError } from '#shared/problem.ts'
import { organizationsQuery } from '#page/current-organization.ts'
import { FormEnd } from '#page/forms/form-end.tsx'
import { useFormState } from '#page/forms/form.ts'
import { shownPerson } from '#page/person.ts'
import { leave } from '#page/session.ts'
import { text } from '#page/words/app-text.ts'
import { Button } from '#page/ui/button.tsx'
import { Dialog } from '#page/ui/dialog.tsx'
import { FieldErrorsContext } from '#page/ui/field.tsx'
import { notify } from '#page/ui/notify.ts'
import { Notice, Section } from '#page/ui/screen.tsx'
import { UnsentQuestion } from '#page/device/unsent-question.tsx'
import { hasUnsent } from '#page/device/unsent.ts'
import { OwnPassword } from './own-password.tsx'
import { deleteAccount } from './queries.ts'
import { ownPasswordRules } from './rules.ts'
import { Username } from './username.tsx'

const t = text.data

export function DeleteAccount({ email }: { email: string }) {
  const [asked, setAsked] = useState<'nothing' | 'unsent' | 'password'>('nothing')
  /** The person goes on without what is unsent. */
  const [isForsaken, setIsForsaken] = useState(false)
  const cancel = () => setAsked('nothing')
  const goOn = useCallback(async () => setAsked('password'), [])
  async function press(): Promise<void> {
    const person = shownPerson()
    setIsForsaken(false)
    setAsked(person !== null && (await hasUnsent(person)) ? 'unsent' : 'password')
  }
  return (
    <Section title={t.deleteTitle} danger>
      <p className="text-sm text-muted">{t.deleteLead}</p>
      <Button look="danger" className="justify-self-start" onClick={() => void press()}>
        {t.delete}
      </Button>
      {asked === 'unsent' && (
        <UnsentQuestion
          lead={t.unsentLead}
          discard={t.unsentDiscard}
          onDiscard={() => {
            setIsForsaken(true)
            return goOn()
          }}
          onSent={goOn}
          onStay={cancel}
        />
      )}
      <Dialog open={asked === 'password'} onOpenChange={(open) => !open && cancel()} title={t.dialogTitle}>
        <Confirm email={email} onCancel={cancel} {...(!isForsaken && { onUnsent: () => setAsked('unsent') })} />
      </Dialog>
    </Section>
  )
}

/** `onUnsent`: where something was saved since that the person was not told of. */
function Confirm({ email, onCancel, onUnsent }: { email: string; onCancel: () => void; onUnsent?: () => void }) {
  const navigate = useNavigate()
  const state = useFormState()
  const [password, setPassword] = useState('')
  const [inTheWay, setInTheWay] = useState<string | null>(null)
  async function close(): Promise<void> {
    setInTheWay(null)
    const person = shownPerson()
    if (onUnsent && person !== null && (await hasUnsent(person))) return onUnsent()
    try {
      if (!(await leave(person, () => deleteAccount(password)))) return
    } catch (error) {
      if (!(error instanceof ProblemError) || error.code !== 'sole_owner') throw error
      return setInTheWay(error.problem.detail ?? '')
    }
    notify('success', t.deleted)
    await navigate({ to: '/login' })
  }
  return (
    <FieldErrorsContext value={state.errors}>
      <form
        noValidate
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          void state.submit({ password }, ownPasswordRules, close)
        }}
      >
        <ul className="grid list-disc gap-1 pl-5 text-muted">
          {t.points.map((point) => (
            <li key={point}>{point}</li>
          ))}
        </ul>
        <Username email={email} />
        <OwnPassword label={t.password} name="password" value={password} onValue={setPassword} />
        {inTheWay !== null && <SoleOwner detail={inTheWay} />}
        <FormEnd state={state} submit={t.confirm} look="danger" onCancel={onCancel} />
      </form>
    </FieldErrorsContext>
  )
}

/** Each organization that the server names, with the way to its settings. */
function SoleOwner({ detail }: { detail: string }) {
  const { data = [] } = useQuery(organizationsQuery)
  return (
    <Notice tone="warn">
      <p>{t.soleOwner}</p>
      <ul className="mt-2 grid gap-1">
        {data
          .filter(({ role, name }) => role === 'owner' && detail.includes(name))
          .map(({ id, name }) => (
            <li key={id}>
              <Link
                to="/organization/$organizationId/settings"
                params={{ organizationId: id }}
                className="inline-flex min-h-11 items-center font-medium underline"
              >
                {name}
              </Link>
            </li>
          ))}
      </ul>
    </Notice>
  )
}
