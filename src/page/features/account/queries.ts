import { queryOptions, type QueryClient } from '@tanstack/react-query'
import type { Account, AccountExport, DeviceSession, EmailChangeSent, Passkey } from '#shared/contract/account.ts'
import { call } from '#page/api.ts'
import { paint } from '#page/query-client.ts'

export const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: ({ signal }) => call<Account>('getAccount', { signal }),
  ...paint,
})

export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: ({ signal }) => call<{ data: DeviceSession[] }>('listSessions', { signal }).then(({ data }) => data),
  ...paint,
})

export const passkeysQuery = queryOptions({
  queryKey: ['passkeys'],
  queryFn: ({ signal }) => call<{ data: Passkey[] }>('listPasskeys', { signal }).then(({ data }) => data),
  ...paint,
})

export function sendVerificationMail(): Promise<void> {
  return call('sendVerificationMail')
}

export async function saveName(queryClient: QueryClient, name: string): Promise<void> {
  queryClient.setQueryData(accountQuery.queryKey, await call<Account>('saveAccount', { body: { name } }))
}

export async function changeEmail(
  queryClient: QueryClient,
  body: { email: string; password: string },
): Promise<EmailChangeSent> {
  const sent = await call<EmailChangeSent>('changeEmail', { body })
  await queryClient.invalidateQueries({ queryKey: accountQuery.queryKey })
  return sent
}

export async function cancelEmailChange(queryClient: QueryClient): Promise<void> {
  await call('cancelEmailChange')
  await queryClient.invalidateQueries({ queryKey: accountQuery.queryKey })
}

export async function changePassword(
  queryClient: QueryClient,
  body: { currentPassword: string; password: string },
): Promise<void> {
  await call('changePassword', { body })
  void queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey })
}

export async function endSession(queryClient: QueryClient, sessionId: string): Promise<void> {
  await call('endSession', { params: { sessionId } })
  queryClient.setQueryData(sessionsQuery.queryKey, (before = []) => before.filter(({ id }) => id !== sessionId))
}

export async function endOtherSessions(queryClient: QueryClient): Promise<number> {
  const { ended } = await call<{ ended: number }>('endOtherSessions')
  queryClient.setQueryData(sessionsQuery.queryKey, (before = []) => before.filter(({ current }) => current))
  return ended
}

/** What to have the device make a passkey from. */
export async function startPasskey(password: string): Promise<unknown> {
  const { options } = await call<{ options: unknown }>('startPasskey', { body: { password } })
  return options
}

export async function createPasskey(queryClient: QueryClient, response: unknown): Promise<void> {
  const created = await call<Passkey>('createPasskey', { body: { response } })
  queryClient.setQueryData(passkeysQuery.queryKey, (before = []) => [
    ...before.filter(({ id }) => id !== created.id),
    created,
  ])
}

export async function deletePasskey(queryClient: QueryClient, passkeyId: string): Promise<void> {
  await call('deletePasskey', { params: { passkeyId } })
  queryClient.setQueryData(passkeysQuery.queryKey, (before = []) => before.filter(({ id }) => id !== passkeyId))
}

export function exportAccount(): Promise<AccountExport> {
  return call('exportAccount')
}

export function deleteAccount(password: string): Promise<void> {
  return call('deleteAccount', { body: { password } })
}
