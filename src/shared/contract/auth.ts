// Registering, signing in, verifying and renewing (seed section 7, SESSION.md).
import * as z from 'zod'
import { emailProblem, nameProblem, passwordProblem } from '#shared/account-rules.ts'
import { line, oneOf } from './common.ts'

function ruled(rule: (text: string) => string | null) {
  return z.string(rule('') ?? undefined).superRefine((text, context) => {
    const message = rule(text)
    if (message) context.addIssue({ code: 'custom', message })
  })
}

export const personName = ruled(nameProblem).pipe(line(200))
export const newPassword = ruled(passwordProblem)
export const emailAddress = ruled(emailProblem).pipe(line(254))

export const registration = z
  .object({ name: personName, email: emailAddress, password: newPassword })
  .meta({ id: 'Registration' })

/** Only bounds: whether they are right is for the server to say, in one answer for every mistake. */
export const credentials = z
  .object({
    email: z
      .string('Enter your email')
      .trim()
      .min(1, 'Enter your email')
      .max(1000)
      .transform((text) => text.replaceAll('\0', ' ')),
    password: z.string('Enter your password').min(1, 'Enter your password').max(1000),
  })
  .meta({ id: 'Credentials' })

export const refreshRequest = z
  .object({
    accessToken: z.string().max(8000),
    refreshToken: z.string('No refresh token').min(1, 'No refresh token').max(1000),
  })
  .meta({ id: 'RefreshRequest' })

export const tokenPair = z.object({ accessToken: z.string(), refreshToken: z.string() }).meta({ id: 'TokenPair' })
export type TokenPair = z.infer<typeof tokenPair>

/** `refreshToken` is there when verifying starts a session on a new device. */
export const verified = z
  .object({ accessToken: z.string(), refreshToken: z.string().optional() })
  .meta({ id: 'Verified' })

export const verifyQuery = z.object({ token: z.string('No verification token').min(1).max(500) })

/** When the next verification mail may be asked for. */
export const mailSent = z.object({ sentTo: z.string() }).meta({ id: 'MailSent' })

/** Which session to end, when the Bearer is no longer good. */
export const logoutRequest = z.object({ refreshToken: z.string().max(1000).optional() }).meta({ id: 'LogoutRequest' })

export const forgottenPassword = z.object({ email: emailAddress }).meta({ id: 'ForgottenPassword' })

/** The token of the mailed link, and the password from now on. */
export const passwordReset = z
  .object({ token: z.string('No reset token').min(1, 'No reset token').max(500), password: newPassword })
  .meta({ id: 'PasswordReset' })

export const emailConfirmation = z
  .object({ token: z.string('No confirmation token').min(1, 'No confirmation token').max(500) })
  .meta({ id: 'EmailConfirmation' })

/** `waiting`: the link at the other address has yet to be opened. */
export const emailConfirmed = z
  .object({ status: oneOf(['waiting', 'changed']), email: z.string() })
  .meta({ id: 'EmailConfirmed' })
export type EmailConfirmed = z.infer<typeof emailConfirmed>

/** What WebAuthn libraries on both sides exchange (W3C WebAuthn Level 3, JSON forms): checked by the library, not here. */
const webAuthnJson = z.record(z.string(), z.unknown()).meta({ id: 'WebAuthnJson' })
export const passkeyOptions = z.object({ options: webAuthnJson }).meta({ id: 'PasskeyOptions' })
export const passkeyAnswer = z.object({ response: webAuthnJson }).meta({ id: 'PasskeyAnswer' })
