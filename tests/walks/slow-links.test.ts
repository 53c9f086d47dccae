// Links that are there and slow, or through which one thing does not get: what they carry arrives all the same.
import { expect, test } from 'vitest'
import { customerBody, invoiceBody, organizationBody } from '#tests/support/bodies.ts'
import { until } from '#tests/support/people.ts'
import { hanging, startWalk } from '#tests/support/walk.ts'

const { walk, online, send, get, unsent, ready, signIn } = startWalk()
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

test('a write that takes longer than a try is given gets the time it needs, and is asked for no more often than that', async () => {
  const { base } = await ready()
  let begun = 0
  walk.network = async (request) => {
    if (request.method === 'GET') return online(request)
    begun += 1
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(resolve, 4000)
      request.signal.addEventListener('abort', () => {
        clearTimeout(timer)
        reject(request.signal.reason as Error)
      })
    })
    return online(request)
  }
  void send('POST', `${base}/customers`, customerBody())
  // As an open page asks while something waits.
  const ticks = setInterval(() => void walk.browser.post({ type: 'sync' }), 3500)
  await until(async () => begun > 0 && (await unsent()).entries.length === 0)
  clearInterval(ticks)
  expect(begun).toBe(2)
})

test('a page of changes may take longer than a call that stands still', async () => {
  const { base, email } = await ready()
  for (let count = 0; count < 3; count += 1) await send('POST', `${base}/customers`, customerBody())
  expect((await send('POST', '/auth/logout', {})).status).toBe(204)
  let pages = 0
  walk.network = async (request) => {
    if (!request.url.includes('/changes')) return online(request)
    pages += 1
    const answer = await online(request)
    const bytes = new Uint8Array(await answer.arrayBuffer())
    const piece = Math.ceil(bytes.length / 3)
    const body = new ReadableStream<Uint8Array>({
      async start(to) {
        request.signal.addEventListener('abort', () => to.error(request.signal.reason))
        for (let at = 0; at < bytes.length && !request.signal.aborted; at += piece) {
          await pause(7500)
          to.enqueue(bytes.slice(at, at + piece))
        }
        to.close()
      },
    })
    return new Response(body, answer)
  }
  expect((await signIn(email)).status).toBe(200)
  await walk.browser.post({ type: 'sync' })
  const customers = await get(`${base}/customers`)
  expect([customers.headers.get('x-docket-source'), customers.body.data.length, pages]).toEqual(['device', 3, 1])
})

test('an organization whose changes do not get through keeps nothing from the others, and nobody is told that they are offline', async () => {
  await ready()
  const [stuck, other] = [organizationBody({ name: 'Aaa' }), organizationBody({ name: 'Zzz' })]
  for (const each of [stuck, other]) await send('POST', '/organizations', each)
  await walk.browser.post({ type: 'sync' })
  const token = (await walk.browser.vault())!.state.authToken
  const elsewhere = new Request(`http://localhost:3000/api/v1/organizations/${other.id}/customers`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(customerBody({ name: 'New elsewhere' })),
  })
  expect((await walk.app.fetch(elsewhere)).status).toBe(201)
  walk.network = async (request) =>
    request.url.includes(`${stuck.id}/changes`)
      ? new Response('<html>502 Bad Gateway</html>', { status: 502, headers: { 'content-type': 'text/html' } })
      : online(request)
  walk.browser.told.length = 0
  await walk.browser.post({ type: 'try-now' })
  expect((await get(`/organizations/${other.id}/customers`)).body.data).toHaveLength(1)
  const reach = walk.browser.told.filter((told) => told.type === 'reach')
  expect(reach.map(({ isReached }) => isReached)).not.toContain(false)
})

test('what only the server saves is answered when it is done, and not when the copy has heard of it', async () => {
  const { base } = await ready()
  const customer = customerBody()
  await send('POST', `${base}/customers`, customer)
  walk.network = (request) => (request.url.includes('/changes') ? hanging(request) : online(request))
  const answers = await Promise.race([send('POST', `${base}/quotes`, invoiceBody(customer.id)), pause(10_000)])
  expect(answers).toMatchObject({ status: 201 })
})

/** Holds what only the server takes for as long as is said, or for ever; with `isProbeHeld` everything else for ever. */
function holdQuotes(ms: number | null, isProbeHeld = ms === null) {
  walk.network = async (request) => {
    if (!request.url.endsWith('/quotes')) return isProbeHeld ? hanging(request) : online(request)
    if (ms === null) return hanging(request)
    await pause(ms)
    request.signal.throwIfAborted()
    return online(request)
  }
}

test('where nothing comes back, what only the server takes is given up', async () => {
  const { base } = await ready()
  const customer = customerBody()
  await send('POST', `${base}/customers`, customer)
  holdQuotes(null)
  const answer = await Promise.race([send('POST', `${base}/quotes`, invoiceBody(customer.id)), pause(10_000)])
  expect(answer).toMatchObject({ status: 503, body: { code: 'undeliverable' } })
})

test('a server that takes long is waited for, and a line that is slow gets more time with each try', async () => {
  const { base } = await ready()
  const customer = customerBody()
  await send('POST', `${base}/customers`, customer)
  holdQuotes(5000)
  expect((await send('POST', `${base}/quotes`, invoiceBody(customer.id))).status).toBe(201)
  holdQuotes(3000, true)
  const statuses = []
  for (let count = 0; count < 2; count += 1)
    statuses.push((await send('POST', `${base}/quotes`, invoiceBody(customer.id))).status)
  expect(statuses).toEqual([503, 201])
})
