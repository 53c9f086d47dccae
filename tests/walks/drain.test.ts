// What makes the outbox go on by itself: a worker that starts, one success, the browser's own wake-up (OFFLINE.md "Writing: the outbox").
import { wrap } from 'idb'
import { expect, test, vi } from 'vitest'
import type { CopyDatabase } from '#worker/copy/stores.ts'
import { begin } from '#worker/outbox/queue.ts'
import { customerBody, invoiceBody } from '#tests/support/bodies.ts'
import { until } from '#tests/support/people.ts'
import { offline, onDevice, refusal, startWalk, type Network } from '#tests/support/walk.ts'

const { walk, online, send, get, atServer, unsent, ready } = startWalk()

const isEmpty = async () => (await unsent()).entries.length === 0 || undefined

/** Reads get through, writes are put off for a minute. */
const writesPutOff: Network = async (request) => {
  if (request.method === 'GET') return online(request)
  return refusal('unavailable', { 'retry-after': '60' })
}

test('a worker that starts sends what an earlier one left, with no page that asks for it', async () => {
  const { base } = await ready()
  walk.network = offline
  expect((await send('POST', `${base}/customers`, customerBody())).status).toBe(202)
  walk.network = online
  await walk.browser.startWorker()
  expect((await get(`${base}/customers`)).body.data).toHaveLength(1)
  await until(isEmpty, 10_000)
  expect((await atServer(`${base}/customers`)).body.data).toHaveLength(1)
})

test('what was put off is tried with the next success, and not over and over', async () => {
  const { base } = await ready()
  walk.network = writesPutOff
  expect((await send('POST', `${base}/customers`, customerBody({ name: 'First' }))).status).toBe(202)
  const isFirst = async (request: Request) =>
    request.method === 'POST' && (await request.clone().text()).includes('First')
  let tries = 0
  walk.network = async (request) => {
    if (!(await isFirst(request))) return online(request)
    tries += 1
    return writesPutOff(request)
  }
  expect((await send('POST', `${base}/customers`, customerBody({ name: 'Second' }))).status).toBe(201)
  await until(() => Promise.resolve(tries > 0 || undefined), 10_000)
  // Long enough for hundreds, were each failure a reason for the next; a try of the worker's start may be among them.
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(tries).toBeLessThanOrEqual(2)
  walk.network = online
  expect((await send('POST', `${base}/customers`, customerBody({ name: 'Third' }))).status).toBe(201)
  await until(isEmpty, 10_000)
  expect((await atServer(`${base}/customers`)).body.data).toHaveLength(3)
})

test('what a server asks to come back for later is not tried before, whatever else goes through; the person may ask', async () => {
  const { base } = await ready()
  let tries = 0
  const limited: Network = async (request) => {
    const isFirst = request.method === 'POST' && (await request.clone().text()).includes('First')
    if (!isFirst) return online(request)
    tries += 1
    return refusal('too_many_requests', { 'retry-after': '60' })
  }
  walk.network = limited
  expect((await send('POST', `${base}/customers`, customerBody({ name: 'First' }))).status).toBe(202)
  for (let times = 0; times < 3; times += 1) await walk.browser.post({ type: 'try-now' })
  expect((await send('POST', `${base}/customers`, customerBody({ name: 'Second' }))).status).toBe(201)
  expect((await unsent()).entries).toMatchObject([{ label: 'First', state: 'queued', attempts: 1 }])
  expect(tries).toBe(1)
  walk.network = online
  expect((await send('POST', '/device/outbox/retry')).status).toBe(204)
  await until(isEmpty, 10_000)
  expect((await atServer(`${base}/customers`)).body.data).toHaveLength(2)
})

test('a server that asks to come back soon is believed also after many tries in vain: the next trigger sends what waits', async () => {
  const { base } = await ready()
  walk.network = offline
  expect((await send('POST', `${base}/customers`, customerBody())).status).toBe(202)
  for (let times = 0; times < 8; times += 1) await walk.browser.post({ type: 'try-now' })
  expect((await unsent()).entries[0]!.attempts).toBeGreaterThan(7)
  walk.network = (request) =>
    request.method === 'GET' ? online(request) : Promise.resolve(refusal('too_many_requests', { 'retry-after': '1' }))
  await walk.browser.post({ type: 'try-now' })
  expect((await unsent()).entries).toMatchObject([{ lastProblem: { code: 'too_many_requests' } }])
  walk.network = online
  await new Promise((resolve) => setTimeout(resolve, 1100))
  await walk.browser.post({ type: 'sync' })
  await until(isEmpty, 5000)
})

test('the browser’s wake-up fails as long as something is left, also where the server answers; what waits for the person is not left', async () => {
  const { base } = await ready()
  walk.network = writesPutOff
  expect((await send('POST', `${base}/customers`, customerBody())).status).toBe(202)
  await expect(walk.browser.dispatch('sync')).rejects.toThrow('Something is left')
  walk.network = online
  await walk.browser.dispatch('sync')
  expect((await unsent()).entries).toEqual([])

  walk.network = offline
  const twice = customerBody()
  expect((await send('POST', `${base}/customers`, { ...twice, email: 'no address' })).status).toBe(202)
  await expect(walk.browser.dispatch('sync')).rejects.toThrow('Something is left')
  walk.network = online
  await walk.browser.dispatch('sync')
  expect((await unsent()).entries).toMatchObject([{ state: 'rejected' }])
})

test('a press that something on the way refused as outdated goes once more; where that lies always, the person is asked', async () => {
  const { base } = await ready()
  const first = await draftIn(base)
  let lies = 1
  let tries = 0
  walk.network = async (request) => {
    if (!request.url.endsWith('/issue')) return online(request)
    tries += 1
    if (lies-- <= 0) return online(request)
    return refusal('stale')
  }
  const issued = await send('POST', `${first}/issue`, undefined, { 'if-match': '"1"' })
  expect(issued).toMatchObject({ status: 200, body: { status: 'issued' } })
  expect(tries).toBe(2)
  await until(isEmpty, 10_000)

  const second = await draftIn(base)
  lies = Infinity
  tries = 0
  expect((await send('POST', `${second}/issue`, undefined, { 'if-match': '"1"' })).status).toBe(412)
  expect((await unsent()).entries).toMatchObject([{ name: 'issueInvoice', state: 'conflict' }])
  expect(tries).toBe(2)
})

test('what makes no call any more waits for the person, and what else waits is sent', async () => {
  const { base } = await ready()
  walk.network = offline
  for (const name of ['First', 'Second']) await send('POST', `${base}/customers`, customerBody({ name }))
  await onDevice(async (database) => {
    const [first] = await database.getAll('outbox')
    await database.put('outbox', { ...first, key: 'of two\nlines' })
  })
  walk.network = online
  await walk.browser.post({ type: 'try-now' })
  const isLeft = async () => (await unsent()).entries.length === 1 || undefined
  await until(isLeft, 10_000)
  expect((await unsent()).entries).toMatchObject([{ label: 'First', state: 'rejected' }])
  expect((await atServer(`${base}/customers`)).body.data).toMatchObject([{ name: 'Second' }])
})

test('a transaction that the browser aborts is no missing connection: it is tried once more', async () => {
  const { base } = await ready()
  walk.network = offline
  await send('POST', `${base}/customers`, customerBody())
  const { transaction } = IDBDatabase.prototype
  let isWhole = true
  vi.spyOn(IDBDatabase.prototype, 'transaction').mockImplementation(function (this: IDBDatabase, ...args) {
    const begun = Reflect.apply(transaction, this, args)
    // That of the call: what is told beside it reads too, and nobody asks it once more.
    if (!isWhole && this.name.startsWith('docket-device') && new Error().stack?.includes('answerOutbox')) {
      isWhole = true
      // What idb reads by a shortcut, it says twice that it failed: once to nobody.
      wrap(begun).done.catch(() => {})
      queueMicrotask(() => begun.abort())
    }
    return begun
  })
  for (const ask of [() => unsent(), async () => (await get('/device/outbox/export')).body]) {
    isWhole = false
    expect((await ask()).entries).toHaveLength(1)
    expect(isWhole).toBe(true)
  }
})

test('a device without room for what is new has reached the server, and says so', async () => {
  await ready()
  const put = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
    throw new DOMException('No room', 'QuotaExceededError')
  })
  walk.browser.told.length = 0
  await walk.browser.post({ type: 'sync' })
  expect(put).toHaveBeenCalled()
  expect(walk.browser.told).toContainEqual(expect.objectContaining({ type: 'reach', isReached: true }))
})

/** The path of a draft that the server has. */
async function draftIn(base: string): Promise<string> {
  const customer = customerBody()
  const draft = invoiceBody(customer.id)
  expect((await send('POST', `${base}/customers`, customer)).status).toBe(201)
  expect((await send('POST', `${base}/invoices`, draft)).status).toBe(201)
  await until(isEmpty, 10_000)
  return `${base}/invoices/${draft.id}`
}

test('a save that something on the way refuses as outdated goes once more; where that lies always, the person is asked', async () => {
  const { base } = await ready()
  const { body: row } = await send('POST', `${base}/customers`, customerBody())
  let saves = 0
  walk.network = async (request) => {
    if (request.method !== 'PUT') return online(request)
    saves += 1
    return refusal('stale')
  }
  const headers = { 'if-match': `"${row.version}"` }
  await send('PUT', `${base}/customers/${row.id}`, { ...row, name: 'Mine' }, headers)
  await until(async () => (await unsent()).entries[0]?.state === 'conflict' || undefined)
  expect(saves).toBe(2)
})

test('where there are no locks a second context sends nothing that the first is sending, for a minute', async () => {
  const { base } = await ready()
  walk.network = offline
  await send('POST', `${base}/customers`, customerBody())
  await onDevice(async (opened) => {
    const database = opened as unknown as CopyDatabase
    const [entry] = await database.getAll('outbox')
    expect(await begin(database, entry!, 1000, 60_000)).toMatchObject({ state: 'sending' })
    expect(await begin(database, entry!, 2000, 60_000)).toBeNull()
    expect(await begin(database, entry!, 62_000, 60_000)).toMatchObject({ sendingSinceMs: 62_000 })
  })
})
