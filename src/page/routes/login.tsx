import { createFileRoute, Link, redirect, useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { isSignedIn } from '#shared/session.ts'
import { AuthForm } from '#page/features/auth/auth-form.tsx'
import { PasskeyButton } from '#page/features/auth/passkey-button.tsx'
import { keepsUnsent, login } from '#page/features/auth/queries.ts'
import { knownSession, wasSignedOut, wasSomebodyElse } from '#page/session.ts'
import { text } from '#page/words/text.ts'

export interface LoginSearch {
  /** Where the person was going when the guard sent them here. */
  to?: string
  /** The button was pressed before there was a script to hear it. */
  with?: 'passkey'
}

export const Route = createFileRoute('/login')({
  validateSearch: (search: Record<string, unknown>): LoginSearch => ({
    ...(typeof search['to'] === 'string' && /^\/(?![/\\])/.test(search['to']) && { to: search['to'] }),
    ...(search['with'] === 'passkey' && { with: 'passkey' as const }),
  }),
  beforeLoad: ({ search }) => {
    const known = knownSession()
    if (known && isSignedIn(known)) throw redirect({ href: goal(search) })
  },
  component: Login,
})

/** Whoever signs in, in this tab or in another one. */
function goal({ to = '/dashboard' }: LoginSearch): string {
  return wasSomebodyElse() ? '/dashboard' : to
}

const link = 'font-medium text-accent underline'

function Login() {
  const router = useRouter()
  const search = Route.useSearch()
  const { to } = search
  const [begins] = useState(search.with === 'passkey')
  const [notice] = useState(() => (wasSignedOut() ? text.account.signedOut : null))
  useEffect(() => {
    // A reload is no press.
    if (begins) void router.navigate({ to: '/login', search: to ? { to } : {}, replace: true })
  }, [begins, to, router])
  const [isKept, setIsKept] = useState(false)
  useEffect(() => void keepsUnsent().then(setIsKept), [])
  const onSignedIn = () => router.navigate({ href: goal(search), replace: true })
  return (
    <AuthForm
      title={text.account.signInTitle}
      lead={text.account.signInLead}
      submitLabel={text.account.signIn}
      registers={false}
      notice={notice}
      submit={async ({ email, password }) => {
        await login({ email, password })
        await onSignedIn()
      }}
      otherWay={<PasskeyButton begins={begins} onSignedIn={onSignedIn} />}
      footer={
        <>
          <p>
            <Link to="/forgot-password" className={link}>
              {text.forgot.ask}
            </Link>
          </p>
          <p>
            {text.account.noAccount}{' '}
            <Link to="/register" className={link}>
              {text.account.create}
            </Link>
          </p>
          {isKept && <p>{text.account.kept}</p>}
        </>
      }
    />
  )
}
