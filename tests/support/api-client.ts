// Speaks to a server process over the network as a script would: an account, verified by its mailbox.
import { uuidv7 } from '#shared/ids.ts'
import { password, until } from './people.ts'

export interface Account {
  /** Its Authorization header. */
  bearer: string
  call(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
    // Whatever came: tests say what it must be.
  ): Promise<{ status: number; body: any }> // oxlint-disable-line typescript/no-explicit-any
  /** The same account, with the same token, at a server that was started anew. */
  at(url: string): Account
}

/** An account on the server at `url`, its email verified by the link in the development mailbox. */
export async function verifiedAccount(url: string): Promise<Account> {
  return (await registeredAccount(url)).account
}

/** The same with its address. `place`: where its calls come from, for a server that trusts one proxy. */
export async function registeredAccount(
  url: string,
  { name = 'Ann', place }: { name?: string; place?: string | null } = {},
): Promise<{ email: string; account: Account }> {
  const from: Record<string, string> = place ? { 'x-forwarded-for': place } : {}
  const email = `${uuidv7()}@example.com`
  const registered = await account(url).call('POST', '/auth/register', { name, email, password }, from)
  const link = await until(async () => {
    const page = await (await fetch(`${url}/dev/mailbox`)).text()
    const mail = page.split('<article>').find((article) => article.includes(email))
    return /verificationToken=([\w-]+)/.exec(mail ?? '')?.[1]
  })
  const waiting = account(url, registered.body.accessToken)
  const verified = await waiting.call('GET', `/auth/verify-email?token=${link}`, undefined, from)
  return { email, account: account(url, verified.body.accessToken) }
}

/** Somebody who has an account at the server at `url`, on another device of theirs. */
export async function signedInAccount(url: string, email: string): Promise<Account> {
  const { body } = await account(url).call('POST', '/auth/login', { email, password })
  return account(url, body.accessToken)
}

/** POSTs on the account's behalf: resolves to what was made, throws where it was refused. `from`: headers of where the calls come from. */
export function postsOf({ call }: Account, from: Record<string, string> = {}) {
  return async (path: string, body?: object, version?: number) => {
    const headers = {
      ...from,
      'idempotency-key': uuidv7(),
      ...(version !== undefined && { 'if-match': `"${version}"` }),
    }
    const answer = await call('POST', path, body, headers)
    if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body
  }
}

function account(url: string, token?: string): Account {
  return {
    bearer: `Bearer ${token ?? ''}`,
    at: (other) => account(other, token),
    async call(method, path, body, headers = {}) {
      const answer = await fetch(`${url}/api/v1${path}`, {
        method,
        headers: {
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(token && { authorization: `Bearer ${token}` }),
          ...headers,
        },
        body: body === undefined ? null : JSON.stringify(body),
      })
      const text = await answer.text()
      return { status: answer.status, body: text ? JSON.parse(text) : null }
    },
  }
}
