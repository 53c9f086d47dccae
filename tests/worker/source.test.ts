// Every answer says where it is from, and one of the server's of when it is (OFFLINE.md "Three layers of reading").
import { expect, test } from 'vitest'
import { uuidv7 } from '#shared/ids.ts'
import { customerBody } from '#tests/support/bodies.ts'
import { offline, startWalk } from '#tests/support/walk.ts'

const { walk, ready, send, get } = startWalk()

async function sourceOf(method: string, path: string, body?: unknown, init: RequestInit = {}) {
  const answer = await walk.browser.fetch(`/api/v1${path}`, {
    method,
    headers: { 'content-type': 'application/json', 'idempotency-key': uuidv7() },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...init,
  })
  const [source, asOf] = ['x-docket-source', 'x-docket-as-of'].map((name) => answer.headers.get(name))
  const offMs = asOf ? Math.abs(Date.parse(asOf) - walk.app.nowMs()) : null
  return { status: answer.status, source, isNow: offMs !== null && offMs < 60_000 }
}

test('what is passed on says that it is the network’s, and from now by the server’s clock', async () => {
  const { base, email } = await ready()
  // A device whose clock is days off knows the server's time by its answers.
  walk.browser.clockOffMs = 72 * 3_600_000
  await walk.browser.fetch('/api/v1/account')
  const network = { source: 'network', isNow: true }
  expect(await sourceOf('GET', '/account')).toEqual({ status: 200, ...network })
  expect(await sourceOf('GET', `${base}/customers`, undefined, { cache: 'reload' })).toEqual({
    status: 200,
    ...network,
  })
  expect(await sourceOf('GET', `${base}/recurring-invoices`)).toEqual({ status: 200, ...network })
  expect(await sourceOf('GET', '/nothing-of-this-name')).toEqual({ status: 404, ...network })
  // Without a name, public, and without a body.
  expect(await sourceOf('POST', '/auth/forgot-password', { email })).toEqual({ status: 204, ...network })
  // By the outbox, and done.
  expect(await sourceOf('POST', `${base}/customers`, customerBody())).toEqual({ status: 201, ...network })
  expect(await sourceOf('POST', `${base}/customers`, customerBody({ name: '' }))).toEqual({ status: 422, ...network })
})

test('what the device answers says so, whether there is a network or not', async () => {
  const { base } = await ready()
  expect(await sourceOf('GET', `${base}/customers`)).toEqual({ status: 200, source: 'device', isNow: true })
  walk.network = offline
  expect(await sourceOf('GET', `${base}/customers`)).toEqual({ status: 200, source: 'device', isNow: true })
  expect(await sourceOf('GET', '/auth/session')).toMatchObject({ status: 200, source: 'device' })
  expect(await sourceOf('GET', '/account')).toMatchObject({ status: 503, source: 'device' })
  // What is the device's own is of no time at the server: the page would take it for the age of what it shows.
  const kept = await send('POST', `${base}/customers`, customerBody())
  const own = [kept, await get('/auth/session'), await get('/device/outbox'), await get('/account')]
  expect(own.map(({ status }) => status)).toEqual([202, 200, 200, 503])
  for (const { headers } of own)
    expect([headers.get('x-docket-source'), headers.get('x-docket-as-of')]).toEqual(['device', null])
})
