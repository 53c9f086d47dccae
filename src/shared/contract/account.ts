// What a person sees and changes of their own account: name, email, password, passkeys, devices.
import * as z from 'zod'
import { userStatuses } from '#shared/jwt.ts'
import { emailAddress, newPassword, personName } from './auth.ts'
import { id, instant, oneOf } from './common.ts'

/** A change of email that waits for links to be opened; `confirmed` says at which addresses that has happened. */
const pendingEmail = z.object({
  email: z.string(),
  confirmed: z.object({ oldAddress: z.boolean(), newAddress: z.boolean() }),
  expiresAt: instant,
})

export const account = z
  .object({
    id,
    name: z.string(),
    email: z.string(),
    status: oneOf(userStatuses),
    pendingEmail: pendingEmail.nullable(),
  })
  .meta({ id: 'Account' })
export type Account = z.infer<typeof account>

export const accountEdit = z.object({ name: personName }).meta({ id: 'AccountEdit' })

/** Proves that it is the person who is there, not only their unlocked device. */
const ownPassword = z.string('Enter your password').min(1, 'Enter your password').max(1000)

export const passwordChange = z
  .object({ currentPassword: ownPassword, password: newPassword })
  .meta({ id: 'PasswordChange' })

export const emailChange = z.object({ email: emailAddress, password: ownPassword }).meta({ id: 'EmailChange' })

/** The addresses that a link was mailed to. */
export const emailChangeSent = z.object({ sentTo: z.array(z.string()) }).meta({ id: 'EmailChangeSent' })
export type EmailChangeSent = z.infer<typeof emailChangeSent>

export const withPassword = z.object({ password: ownPassword }).meta({ id: 'WithPassword' })

/** A device or program that is signed in. `browser` and `system` in words, null when unknown; `current` marks the asking one. */
const deviceSession = z
  .object({
    id,
    browser: z.string().nullable(),
    system: z.string().nullable(),
    current: z.boolean(),
    /** Tied to a key on the device, so that a copied token opens nothing; programs without one are not. */
    bound: z.boolean(),
    firstSeenAt: instant,
    lastSeenAt: instant,
    /** When somebody last tried to use its token without its key. */
    refusedAt: instant.nullable(),
  })
  .meta({ id: 'DeviceSession' })
export type DeviceSession = z.infer<typeof deviceSession>
export const deviceSessions = z.object({ data: z.array(deviceSession) })
export const sessionsEnded = z.object({ ended: z.int() }).meta({ id: 'SessionsEnded' })

export const passkey = z
  .object({ id: z.string(), name: z.string(), createdAt: instant, lastUsedAt: instant.nullable() })
  .meta({ id: 'Passkey' })
export type Passkey = z.infer<typeof passkey>
export const passkeys = z.object({ data: z.array(passkey) })

/** Everything kept about the person; what belongs to an organization is exported there. */
export const accountExport = z
  .object({
    exportedAt: instant,
    account,
    createdAt: instant,
    sessions: z.array(deviceSession),
    passkeys: z.array(passkey),
    organizations: z.array(z.object({ id, name: z.string(), role: z.string(), memberSince: instant })),
  })
  .meta({ id: 'AccountExport' })
export type AccountExport = z.infer<typeof accountExport>
