import { queryOptions } from '@tanstack/react-query'
import type { Account } from '#shared/contract/account.ts'
import type { Session } from '#shared/session.ts'
import { call } from '#page/api.ts'
import { paint } from '#page/query-client.ts'
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

export function sendVerificationMail(): Promise<void> {
  return call('sendVerificationMail')
}

export const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: ({ signal }) => call<Account>('getAccount', { signal }),
  ...paint,
})
