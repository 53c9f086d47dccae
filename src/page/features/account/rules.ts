// What the forms of the account want, asked without the schema library: the server asks the same rules again.
import { emailProblem, nameProblem, passwordProblem } from '#shared/account-rules.ts'
import { rules } from '#page/forms/rules.ts'
import { text } from '#page/words/app-text.ts'

const own = (password: string) => (password === '' ? text.ownPassword.missing : null)

export const nameRules = rules<{ name: string }>(({ name }) => ({ name: nameProblem(name) }))

export const emailRules = rules<{ email: string; password: string }>(({ email, password }) => ({
  email: emailProblem(email),
  password: own(password),
}))

export const passwordRules = rules<{ currentPassword: string; password: string }>(({ currentPassword, password }) => ({
  currentPassword: own(currentPassword),
  password: passwordProblem(password),
}))

export const ownPasswordRules = rules<{ password: string }>(({ password }) => ({ password: own(password) }))
