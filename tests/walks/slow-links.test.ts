// Links that are there and slow, or through which one thing does not get: what they carry arrives all the same.
import { expect, test } from 'vitest'
import { uuidv7 } from '#shared/ids.ts'
import { customerBody, invoiceBody, organizationBody } from '#tests/support/bodies.ts'
import { password, until } from '#tests/support/people.ts'
import { hanging, offline, startWalk } from '#tests/support/walk.ts'

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

test('what only the server takes is waited for also by a worker that has just started', async () => {
  const { base } = await ready()
  const { body: customer } = await send('POST', `${base}/customers`, customerBody())
  await walk.browser.post({ type: 'sync' })
  await walk.browser.startWorker()
  holdQuotes(2000)
  expect((await send('POST', `${base}/quotes`, invoiceBody(customer.id))).status).toBe(201)
})

test('who has not confirmed their address is waited for as anybody is', async () => {
  const person = { name: 'Ann', email: `${uuidv7()}@example.com`, password }
  expect((await send('POST', '/auth/register', person)).status).toBe(201)
  walk.network = async (request) => {
    if (!request.url.endsWith('/account/password')) return online(request)
    await pause(2500)
    request.signal.throwIfAborted()
    return online(request)
  }
  const changed = { currentPassword: password, password: 'another password' }
  expect((await send('PUT', '/account/password', changed)).status).toBe(204)
})

/** A catch-up of twelve pages, one a second. */
function longPull(rest: (request: Request) => Promise<Response>) {
  let left = 12
  return async (request: Request): Promise<Response> => {
    if (!request.url.includes('/changes') || left-- <= 0) return rest(request)
    await pause(1000)
    const since = new URL(request.url).searchParams.get('since')
    const page = { data: [], page: { next: since, more: true, limit: 200 } }
    return Response.json(page, { headers: { 'x-docket': '1' } })
  }
}

test('while a long pull goes on the server is there: what only it takes is waited for', async () => {
  const { base } = await ready()
  const { body: customer } = await send('POST', `${base}/customers`, customerBody())
  holdQuotes(4000)
  walk.network = longPull(walk.network)
  void walk.browser.post({ type: 'sync' })
  await pause(500)
  expect((await send('POST', `${base}/quotes`, invoiceBody(customer.id))).status).toBe(201)
})

test('while a long pull goes on what waits is sent by the next ticks of an open page, and the page hears that the server is there', async () => {
  const { base } = await ready()
  walk.network = offline
  await send('POST', `${base}/customers`, customerBody())
  for (let count = 0; count < 6; count += 1) await walk.browser.post({ type: 'try-now' })
  const before = walk.browser.told.length
  walk.network = longPull(online)
  void walk.browser.post({ type: 'sync' })
  await pause(3500)
  void walk.browser.post({ type: 'sync' })
  await pause(1500)
  expect((await unsent()).entries).toEqual([])
  const told = walk.browser.told.slice(before).filter(({ type }) => type === 'reach')
  expect(told[0]).toMatchObject({ isReached: true, isPulling: true })
})

test('what only the server saves is in the copy soon, also where a pull was under way that had been answered before', async () => {
  const { base } = await ready()
  const { body: customer } = await send('POST', `${base}/customers`, customerBody())
  const { body: row } = await send('POST', `${base}/invoices`, invoiceBody(customer.id))
  await walk.browser.post({ type: 'sync' })
  let isSlow = true
  walk.network = async (request) => {
    const answer = await online(request)
    if (isSlow && request.url.includes('/changes')) {
      isSlow = false
      // As long as the page of a second organization takes.
      await pause(1500)
    }
    return answer
  }
  void walk.browser.post({ type: 'sync' })
  await pause(500)
  const made = await send('POST', `${base}/invoices/${row.id}/duplicate`, { id: uuidv7() })
  await until(async () => (await get(`${base}/invoices`)).body.data.length === 2 || undefined)
  expect((await get(`${base}/invoices/${made.body.id}`)).status).toBe(200)
})
