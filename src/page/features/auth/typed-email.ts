// What was typed as the email on one public screen stands on the next one too; kept in memory alone.
import { isSignedIn } from '#shared/session.ts'
import { holdReload } from '#page/start/reload.ts'
import { knownSession } from '#page/session.ts'

let email = ''

holdReload(() => {
  const session = knownSession()
  return email !== '' && !(session && isSignedIn(session))
})

export function typedEmail(): string {
  return email
}

export function rememberTypedEmail(typed: string): void {
  email = typed
}
