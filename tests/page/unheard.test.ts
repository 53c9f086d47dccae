// A write that nobody answered is the same when it is pressed once more, and only then (page/api.ts).
import { beforeEach, expect, test, vi } from 'vitest'

const sent: { key: string | null; body: string }[] = []
let isThere = false
vi.mock('#page/start/install.ts', () => ({ noteOfflineSave() {} }))
vi.mock('#page/device/broadcasts.ts', () => ({ hearBroadcasts() {} }))
// The network alone is not there: what stands between it and the page's call is what is tested.
vi.mock('#page/start/boot.ts', () => ({
  sync() {},
  tryNow() {},
  send: async (request: Request) => {
    if (request.method !== 'GET') sent.push({ key: request.headers.get('idempotency-key'), body: await request.text() })
    if (!isThere) throw new TypeError('Failed to fetch')
    return Response.json({}, { status: 201, headers: { 'x-docket': '1' } })
  },
}))

beforeEach(() => {
  sent.length = 0
  isThere = false
  vi.stubGlobal('location', new URL('https://docket.example/'))
  vi.stubGlobal('window', { addEventListener() {}, location })
  vi.stubGlobal('document', { addEventListener() {}, visibilityState: 'visible', documentElement: { lang: 'en' } })
  const storage = { getItem: () => null, setItem() {}, removeItem() {} }
  for (const name of ['localStorage', 'sessionStorage']) vi.stubGlobal(name, storage)
})

const params = { organizationId: 'o' }

async function invite(email: string): Promise<void> {
  const { call } = await import('#page/api.ts')
  await call('createInvitation', { params, body: { email } }).catch(() => {})
}

async function look(): Promise<void> {
  const { call } = await import('#page/api.ts')
  await call('listInvitations', { params }).catch(() => {})
}

test('pressed again it goes under its key, whatever was asked in between; once it was heard of, the next is another', async () => {
  await invite('ann@example.com')
  await look()
  await invite('bob@example.com')
  await invite('ann@example.com')
  isThere = true
  await invite('ann@example.com')
  await invite('ann@example.com')
  const [first, bob, second, third, next] = sent.map(({ key }) => key)
  expect([second, third]).toEqual([first, first])
  expect(new Set([first, bob, next]).size).toBe(3)
  expect(sent.map(({ body }) => JSON.parse(body).email)).toEqual(
    ['ann', 'bob', 'ann', 'ann', 'ann'].map((name) => `${name}@example.com`),
  )
})
