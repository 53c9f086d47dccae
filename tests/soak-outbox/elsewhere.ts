// Somebody else of the same organizations, who writes to the server from elsewhere and always gets through.
import { apiPath } from '#shared/endpoint.ts'
import { endpointPath } from '#shared/endpoints.ts'
import type { Dice } from '#tests/soak/dice.ts'
import { asBody, origin, password, type Person } from '#tests/soak/server.ts'
import type { Network } from './network.ts'
import { makeId, type Row } from './person.ts'
import type { Watch } from './watch.ts'

export interface Elsewhere {
  /** One change of one row that is there. */
  write(base: string): Promise<void>
  get(path: string): Promise<{ status: number; body: unknown }>
}

export function createElsewhere(person: Person, network: Network, dice: Dice, watch: Watch): Elsewhere {
  let token = ''

  async function send(method: string, path: string, body: object | null = null, version?: number) {
    const attempt = () =>
      network.deliver({
        method,
        url: `${origin}${apiPath}${path}`,
        headers: new Headers({
          authorization: `Bearer ${token}`,
          ...(body && { 'content-type': 'application/json' }),
          ...(method !== 'GET' && { 'idempotency-key': makeId(dice) }),
          ...(version !== undefined && { 'if-match': `"${version}"` }),
        }),
        body: body && asBody(body),
      })
    let answer = await attempt()
    if (answer.status === 401) {
      const signedIn = await network.deliver({
        method: 'POST',
        url: origin + endpointPath('login'),
        headers: new Headers({ 'content-type': 'application/json' }),
        body: asBody({ email: person.email, password }),
      })
      token = ((await signedIn.json()) as { accessToken: string }).accessToken
      answer = await attempt()
    }
    const text = await answer.text()
    return { status: answer.status, body: (text ? JSON.parse(text) : null) as unknown }
  }

  return {
    get: (path) => send('GET', path),
    async write(base) {
      const what = dice.chance(0.7) ? 'customers' : 'invoices'
      const { status, body } = await send('GET', `${base}/${what}?limit=100`)
      const rows = status === 200 ? (body as { data: Row[] }).data : []
      if (rows.length === 0) return
      watch.count('writes from elsewhere')
      const row = dice.pick(rows)
      const path = `${base}/${what}/${row.id}`
      if (dice.chance(0.12)) await send('DELETE', path, null, row.version)
      else if (what === 'invoices' && dice.chance(0.2)) await send('POST', `${path}/issue`, null, row.version)
      else if (what === 'invoices') await send('PUT', path, { ...row, notes: String(dice.below(100)) }, row.version)
      else if (dice.chance(0.5)) await send('PUT', path, { ...row, name: `Theirs ${dice.below(100)}` }, row.version)
      else await send('PUT', path, { ...row, phone: String(dice.below(100)) }, row.version)
    },
  }
}
