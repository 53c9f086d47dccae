import { createFileRoute, Link, redirect, useRouter } from '@tanstack/react-router'
import { isSignedIn } from '#shared/session.ts'
import { AuthForm } from '#page/features/auth/auth-form.tsx'
import { login } from '#page/features/auth/queries.ts'
import { knownSession } from '#page/session.ts'
import { text } from '#page/text.ts'

export const Route = createFileRoute('/login')({
  /** Where the person was going when the guard sent them here. */
  validateSearch: (search: Record<string, unknown>): { to?: string } =>
    typeof search['to'] === 'string' && /^\/(?!\/)/.test(search['to']) ? { to: search['to'] } : {},
  beforeLoad: () => {
    const known = knownSession()
    if (known && isSignedIn(known)) throw redirect({ to: '/dashboard' })
  },
  component: Login,
})

function Login() {
  const router = useRouter()
  const { to } = Route.useSearch()
  return (
    <AuthForm
      title={text.account.signInTitle}
      lead={text.account.signInLead}
      submitLabel={text.account.signIn}
      registers={false}
      submit={async ({ email, password }) => {
        await login({ email, password })
        router.history.push(to ?? '/dashboard')
      }}
      footer={
        <>
          {text.account.noAccount}{' '}
          <Link to="/register" className="font-medium text-accent underline">
            {text.account.create}
          </Link>
        </>
      }
    />
  )
}
