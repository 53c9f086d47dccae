// What was typed as the email on one public screen stands on the next one too; kept in memory alone.

let email = ''

export function typedEmail(): string {
  return email
}

export function rememberTypedEmail(typed: string): void {
  email = typed
}
