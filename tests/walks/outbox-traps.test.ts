// Where queues of writes are known to lose something, each its own test (OFFLINE.md "Facts measured"): src/sw.ts against the real server.
import { expect, test, vi } from 'vitest'
import { uuidv7 } from '#shared/ids.ts'
import { customerBody, invoiceBody } from '#tests/support/bodies.ts'
import { password, until } from '#tests/support/people.ts'
import { hanging, offline, onDevice, startWalk } from '#tests/support/walk.ts'
import { createBrowserGateway } from '#worker/surroundings.ts'

const hour = 3_600_000
const { walk, online, send, get, atServer, unsent, isSynced, ready } = startWalk()
/** Names of the customers at the server, in the order in which they were made there. */
async function customersAtServer(base: string): Promise<string[]> {
  const rows: { name: string; revision: number }[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const { body } = await atServer(`${base}/customers?limit=200${cursor && `&cursor=${cursor}`}`)
    rows.push(...body.data)
    cursor = body.page.nextCursor
  }
  return rows.toSorted((a, b) => a.revision - b.revision).map(({ name }) => name)
}

test('a read that nobody answers is given up after a while, and can be asked for again', async () => {
  await ready()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  walk.network = hanging
  const asked = walk.browser.call('/api/v1/account')
  while (!walk.browser.sent.at(-1)!.url.endsWith('/account')) await new Promise((resolve) => setImmediate(resolve))
  await vi.advanceTimersByTimeAsync(20_000)
  vi.useRealTimers()
  expect(await asked).toMatchObject({ status: 503, body: { code: 'undeliverable' } })
  walk.network = online
  expect((await get('/account')).status).toBe(200)
})

test('so is one whose answer begins and comes to a standstill; one that goes on slowly comes whole', async () => {
  await ready()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  let more = (_: string) => {}
  let end = () => {}
  walk.network = async (request) => {
    const { headers } = await online(request)
    const body = new ReadableStream<Uint8Array>({
      start(to) {
        more = (text) => to.enqueue(new TextEncoder().encode(text))
        end = () => to.close()
        request.signal.addEventListener('abort', () => to.error(request.signal.reason))
        more('{')
      },
    })
    return new Response(body, { headers })
  }
  const slow = (await walk.browser.fetch('/api/v1/account')).json()
  for (const part of ['"name"', ':', '"Ann"', '}']) {
    await vi.advanceTimersByTimeAsync(15_000)
    more(part)
  }
  end()
  expect(await slow).toEqual({ name: 'Ann' })
  const stuck = (await walk.browser.fetch('/api/v1/account')).json().catch((error: Error) => error.name)
  await vi.advanceTimersByTimeAsync(20_000)
  expect(await stuck).toBe('AbortError')
  vi.useRealTimers()
})

test('the worker starts without a network, with a queue: it is kept, shown and grown', async () => {
  const { base } = await ready()
  walk.network = offline
  await send('POST', `${base}/customers`, customerBody({ name: 'Before' }))
  await walk.browser.startWorker()
  expect((await get(`${base}/customers`)).body.data).toMatchObject([{ name: 'Before', unsent: 'waiting' }])
  expect((await send('POST', `${base}/customers`, customerBody({ name: 'After' }))).status).toBe(202)
  expect((await unsent()).entries).toHaveLength(2)
  walk.network = online
  await walk.browser.post({ type: 'sync' })
  await isSynced()
  expect((await customersAtServer(base)).toSorted()).toEqual(['After', 'Before'])
})

test.each([
  ['25 h', 25],
  ['8 days', 8 * 24],
])('a queue %s old is sent whole', async (_, hours) => {
  const { base } = await ready()
  walk.network = offline
  const customer = customerBody()
  const invoice = invoiceBody(customer.id)
  await send('POST', `${base}/customers`, customer)
  await send('POST', `${base}/invoices`, invoice)
  walk.app.pass(hours * hour)
  walk.browser.clockOffMs = hours * hour
  await walk.browser.startWorker()
  walk.network = online
  await walk.browser.post({ type: 'try-now' })
  await isSynced()
  expect((await atServer(`${base}/invoices/${invoice.id}`)).body).toMatchObject({ customerId: customer.id, version: 1 })
})

test.each([-24, 24])('the clock is %i h off, and jumps while something waits', async (hours) => {
  const { base } = await ready()
  walk.browser.clockOffMs = hours * hour
  walk.network = offline
  await send('POST', `${base}/customers`, customerBody({ name: 'Off' }))
  await until(async () => (await unsent()).entries[0]!.attempts > 0)
  walk.browser.clockOffMs = 0
  walk.network = online
  await walk.browser.post({ type: 'try-now' })
  await isSynced()
  expect(await customersAtServer(base)).toEqual(['Off'])
})

test('two tabs save at once, one through the worker and one through the gateway in the page: both are there, once', async () => {
  const { base } = await ready()
  const inPage = createBrowserGateway()
  const saveInPage = (name: string) =>
    inPage.answer(
      new Request(`http://localhost:8080/api/v1${base}/customers`, {
        method: 'POST',
        headers: { 'idempotency-key': uuidv7(), 'content-type': 'application/json' },
        body: JSON.stringify(customerBody({ name })),
      }),
    )
  const names = Array.from({ length: 5 }, (_, index) => String(index))
  await Promise.all(
    names.flatMap((name) => [
      send('POST', `${base}/customers`, customerBody({ name: `worker ${name}` })),
      saveInPage(`page ${name}`),
    ]),
  )
  await walk.browser.post({ type: 'try-now' })
  await isSynced()
  const expected = [...names.map((name) => `page ${name}`), ...names.map((name) => `worker ${name}`)]
  expect((await customersAtServer(base)).toSorted()).toEqual(expected)
})

test.each([
  ['two minutes pass', hour / 30],
  ['the clock is set back by a day', -24 * hour],
])(
  'killed between the commit at the server and the delete on the device, then %s: it is done once',
  async (_, offMs) => {
    // In this process nobody takes the lock from a worker that is gone: as in a browser without locks, its lease must run out.
    vi.stubGlobal('navigator', {})
    await walk.browser.startWorker()
    const { base } = await ready()
    let arrived = () => {}
    const committed = new Promise<void>((resolve) => (arrived = resolve))
    walk.network = async (request) => {
      const answer = await walk.app.fetch(request)
      if (request.method === 'GET') return answer
      arrived()
      return new Promise(() => {})
    }
    void send('POST', `${base}/customers`, customerBody({ name: 'Once' }))
    await committed
    walk.network = online
    await walk.browser.startWorker()
    expect((await unsent()).entries).toMatchObject([{ state: 'sending', attempts: 1 }])
    walk.browser.clockOffMs = offMs
    await walk.browser.post({ type: 'try-now' })
    await isSynced()
    expect(await customersAtServer(base)).toEqual(['Once'])
  },
)

test('drafts of a person whose session ended open again with their next sign-in, after somebody else was here', async () => {
  const { base, email } = await ready()
  walk.network = offline
  const customer = customerBody()
  const invoice = invoiceBody(customer.id)
  await send('POST', `${base}/customers`, customer)
  await send('POST', `${base}/invoices`, invoice)
  walk.network = online
  await walk.app.db.asAuth((tx) =>
    tx.updateTable('sessions').set({ revokedAt: new Date().toISOString(), revokeReason: 'ended' }).execute(),
  )
  await until(async () => {
    await atServer('/organizations')
    return (await get('/auth/session')).body.status === 'anonymous'
  })
  await ready()
  expect((await unsent()).entries).toEqual([])
  await send('POST', '/auth/logout', {})
  await send('POST', '/auth/login', { email, password })
  await walk.browser.post({ type: 'try-now' })
  await isSynced()
  expect((await atServer(`${base}/invoices/${invoice.id}`)).body).toMatchObject({ customerId: customer.id, version: 1 })
})

test('a call that the page repeats after later saves were done takes none of them back on the device', async () => {
  const { base } = await ready()
  const customer = customerBody({ name: 'First' })
  const key = { 'idempotency-key': uuidv7() }
  await send('POST', `${base}/customers`, customer, key)
  const path = `${base}/customers/${customer.id}`
  await send('PUT', path, { name: 'Second', country: 'NL' }, { 'if-match': '"1"' })
  await send('POST', `${base}/customers`, customer, key)
  await isSynced()
  expect((await get(path)).body).toEqual((await atServer(path)).body)
})

test('1,000 queued writes are delivered, in order', async () => {
  const { base } = await ready()
  const customer = customerBody({ name: 'Row 0' })
  await send('POST', `${base}/customers`, customer)
  walk.network = offline
  const names = Array.from({ length: 1000 }, (_, index) => `Row ${index + 1}`)
  // Rows of their own, so that none gives its place to the next.
  for (const name of names) await send('POST', `${base}/customers`, customerBody({ name }))
  expect((await unsent()).entries).toHaveLength(1000)
  walk.network = online
  const before = walk.browser.sent.length
  await walk.browser.post({ type: 'try-now' })
  await isSynced()
  const made = await customersAtServer(base)
  expect(made).toHaveLength(1001)
  expect(new Set(made)).toEqual(new Set(['Row 0', ...names]))
  // Lanes go side by side, so that one may arrive before another; they leave in the order in which they were saved.
  const left = walk.browser.sent.slice(before).filter(({ method }) => method === 'POST')
  expect(await Promise.all(left.map(async (request) => (await request.json()).name))).toEqual(names)
})

test('a save that a later one took the place of, repeated by its page: the later one stands', async () => {
  const { base } = await ready()
  const { body: row } = await send('POST', `${base}/customers`, customerBody({ name: 'Before' }))
  walk.network = offline
  const path = `${base}/customers/${row.id}`
  const save = (name: string, version: number, key: string) =>
    send('PUT', path, { name, country: 'NL' }, { 'if-match': `"${version}"`, 'idempotency-key': key })
  const keys = [uuidv7(), uuidv7(), uuidv7()] as const
  await save('First', 1, keys[0])
  await vi.waitFor(async () => expect((await unsent()).entries[0]!.attempts).toBe(1))
  const second = await save('Second', 2, keys[1])
  await save('Third', second.body.version, keys[2])
  expect((await save('Second', 2, keys[1])).body.name).toBe('Third')
  expect((await unsent()).entries.map(({ body }) => body?.['name'])).toEqual(['First', 'Third'])
  walk.network = online
  await walk.browser.post({ type: 'try-now' })
  await isSynced()
  expect(await customersAtServer(base)).toEqual(['Third'])
})

test('a draft that can no longer be reckoned with stops nothing else: it is refused, and said so', async () => {
  const { base } = await ready()
  const { body: organization } = await get(base)
  walk.network = offline
  const line = { name: 'Website', quantity: '1', unitPrice: '10', allowances: [{ amount: '1.50', reason: null }] }
  expect((await send('POST', `${base}/invoices`, invoiceBody(null, { lines: [line] }))).status).toBe(202)
  expect((await send('POST', `${base}/customers`, customerBody({ name: 'Fine' }))).status).toBe(202)
  // As a build before stored it, which left the currency to the organization.
  await onDevice(async (database) => {
    const [entry] = await database.getAll('outbox')
    await database.put('outbox', { ...entry, body: { ...entry.body, currency: undefined } })
  })
  // From elsewhere: a currency without cents.
  const { authToken } = (await walk.browser.vault())!.state
  const headers = { authorization: `Bearer ${authToken}`, 'if-match': `"${organization.version}"` }
  const answer = await walk.app.send('PUT', `/api/v1${base}`, { body: { ...organization, currency: 'JPY' }, headers })
  expect(answer.status).toBe(200)
  walk.network = async (request) => (request.method === 'GET' ? online(request) : offline())
  await walk.browser.post({ type: 'sync' })
  await walk.browser.startWorker()
  expect((await unsent()).entries).toHaveLength(2)
  walk.network = online
  await walk.browser.post({ type: 'try-now' })
  const refused = await until(async () => (await unsent()).entries.find(({ state }) => state === 'rejected'))
  expect(refused).toMatchObject({ name: 'createInvoice', lastProblem: { code: 'validation_failed' } })
  expect(await customersAtServer(base)).toEqual(['Fine'])
})
