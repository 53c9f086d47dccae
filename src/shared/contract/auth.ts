// Registering, signing in, verifying and renewing (seed section 7, SESSION.md).
import * as z from 'zod'
import { emailProblem, nameProblem, passwordProblem } from '#shared/account-rules.ts'
import { userStatuses } from '#shared/jwt.ts'
import { id, line, oneOf } from './common.ts'

function ruled(rule: (text: string) => string | null) {
  return z.string(rule('') ?? undefined).superRefine((text, context) => {
    const message = rule(text)
    if (message) context.addIssue({ code: 'custom', message })
  })
}

const registeredName = ruled(nameProblem).pipe(line(200))
const emailAddress = ruled(emailProblem).pipe(line(254))

export const registration = z
  .object({ name: registeredName, email: emailAddress, password: ruled(passwordProblem) })
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

export const account = z
  .object({ id, name: z.string(), email: z.string(), status: oneOf(userStatuses) })
  .meta({ id: 'Account' })
export type Account = z.infer<typeof account>

/** Which session to end, when the Bearer is no longer good. */
export const logoutRequest = z.object({ refreshToken: z.string().max(1000).optional() }).meta({ id: 'LogoutRequest' })
