import type { EmailConfirmed } from '#shared/contract/auth.ts'
import type { Session } from '#shared/session.ts'
import type { Unsent } from '#shared/outbox.ts'
import { call, callOutbox } from '#page/api.ts'
import { setSession } from '#page/session.ts'

export async function login(body: { email: string; password: string }): Promise<void> {
  setSession(await call<Session>('login', { body }))
}

export async function register(body: { name: string; email: string; password: string }): Promise<void> {
  setSession(await call<Session>('register', { body }))
}

export async function verifyEmail(token: string): Promise<void> {
  setSession(await call<Session>('verifyEmail', { query: { token } }))
}

/** Whether somebody's writes wait on this device for their next sign-in. A worker of an older version does not tell. */
export function keepsUnsent(): Promise<boolean> {
  return callOutbox<Unsent>('GET').then(
    ({ othersWait }) => othersWait === true,
    () => false,
  )
}

/** Sent alike whether there is such an account or not. */
export function forgotPassword(email: string): Promise<void> {
  return call('forgotPassword', { body: { email } })
}

export async function resetPassword(body: { token: string; password: string }): Promise<void> {
  setSession(await call<Session>('resetPassword', { body }))
}

export function confirmEmail(token: string): Promise<EmailConfirmed> {
  return call('confirmEmail', { body: { token } })
}

/** What to ask the device for. */
export async function startPasskeyLogin(): Promise<unknown> {
  const { options } = await call<{ options: unknown }>('startPasskeyLogin', { body: {} })
  return options
}

export async function passkeyLogin(response: unknown): Promise<void> {
  setSession(await call<Session>('passkeyLogin', { body: { response } }))
}
