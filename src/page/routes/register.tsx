import { createFileRoute, Link, useRouter } from '@tanstack/react-router'
import { AuthForm } from '#page/features/auth/auth-form.tsx'
import { register } from '#page/features/auth/queries.ts'
import { text } from '#page/words/text.ts'

export const Route = createFileRoute('/register')({ component: Register })

function Register() {
  const router = useRouter()
  return (
    <AuthForm
      title={text.account.createTitle}
      lead={text.account.createLead}
      submitLabel={text.account.create}
      registers
      submit={async (values) => {
        await register(values)
        await router.navigate({ to: '/dashboard' })
      }}
      footer={
        <p>
          {text.account.haveAccount}{' '}
          <Link to="/login" className="font-medium text-accent underline">
            {text.account.signIn}
          </Link>
        </p>
      }
    />
  )
}
