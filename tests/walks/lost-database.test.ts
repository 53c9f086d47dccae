// The browser found its database damaged and began with an empty one: what was not sent comes back from its second copy (decision 039).
import { deleteDB } from 'idb'
import { expect, test, vi } from 'vitest'
import type { Entry } from '#worker/outbox/entry.ts'
import { createSpare } from '#worker/outbox/spare.ts'
import { customerBody, invoiceBody, organizationBody, paymentBody } from '#tests/support/bodies.ts'
import { verifiedActor } from '#tests/support/app.ts'
import { until } from '#tests/support/people.ts'
import { offline, startWalk, version } from '#tests/support/walk.ts'

const { walk, online, loseAnswers, send, get, atServer, unsent, isSynced, signIn, ready } = startWalk()

const userId = async (): Promise<string> => (await get('/auth/session')).body.userId
/** How many writes the second copy of this person holds; null when they have none. */
async function sparedOf(user: string): Promise<number | null> {
  const name = `docket-unsent.${user}`
  return (await caches.keys()).includes(name) ? (await (await caches.open(name)).keys()).length : null
}

/** What is done leaves it a moment later. */
const spares = (user: string, count: number) => until(async () => (await sparedOf(user)) === count)

/** All of them at once, as Chromium does, with the session in one of them. */
async function loseDatabases(): Promise<void> {
  for (const { name } of await indexedDB.databases()) await deleteDB(name!)
  await walk.browser.startWorker()
  expect((await get('/auth/session')).body).toEqual({ status: 'anonymous' })
}

async function comeBack(email: string): Promise<void> {
  walk.network = online
  expect((await signIn(email)).status).toBe(200)
  await walk.browser.post({ type: 'sync' })
  await isSynced()
}

test('what was saved without a network is there after the next sign-in, and is sent in its order; what was taken back is not', async () => {
  const { base, email } = await ready()
  const { body: known } = await send('POST', `${base}/customers`, customerBody({ name: 'Known' }))
  await walk.browser.post({ type: 'sync' })
  walk.network = offline
  const customer = customerBody({ name: 'New' })
  const mistake = customerBody({ name: 'Mistake' })
  expect((await send('POST', `${base}/customers`, customer)).status).toBe(202)
  expect((await send('POST', `${base}/customers`, mistake)).status).toBe(202)
  const changed = await send('PUT', `${base}/customers/${known.id}`, { ...known, name: 'Changed' }, version(known))
  expect(changed.status).toBe(202)
  const again = { ...changed.body, name: 'Changed again' }
  expect((await send('PUT', `${base}/customers/${known.id}`, again, version(changed.body))).status).toBe(202)
  const { body: draft } = await send('POST', `${base}/invoices`, invoiceBody(customer.id))
  expect((await send('POST', `${base}/invoices/${draft.id}/issue`, undefined, version(draft))).status).toBe(202)
  const { key } = (await unsent()).entries.find(({ id }) => id === mistake.id)!
  await walk.browser.fetch(`/api/v1/device/outbox/${key}`, { method: 'DELETE' })
  const me = await userId()
  await spares(me, 5)
  // Cut in two by the same kill.
  await (await caches.open(`docket-unsent.${me}`)).put('/cut', new Response('{"key":'))

  await loseDatabases()
  await comeBack(email)
  expect((await atServer(`${base}/invoices/${draft.id}`)).body).toMatchObject({
    status: 'issued',
    customerId: customer.id,
  })
  expect((await atServer(`${base}/customers/${known.id}`)).body).toMatchObject({ name: 'Changed again', version: 3 })
  expect((await atServer(`${base}/customers/${mistake.id}`)).status).toBe(404)
  expect((await get(`${base}/invoices/${draft.id}`)).body).toMatchObject({ status: 'issued' })
  await spares(me, 1)
})

test('what was changed after a press that was answered comes back beside it, where the second copy still holds the press', async () => {
  const { base, email } = await ready()
  const { body: customer } = await send('POST', `${base}/customers`, customerBody())
  const { body: draft } = await send('POST', `${base}/invoices`, invoiceBody(customer.id))
  const me = await userId()
  await spares(me, 0)
  walk.network = offline
  expect((await send('POST', `${base}/invoices/${draft.id}/issue`, undefined, version(draft))).status).toBe(202)
  await spares(me, 1)
  const cache = await caches.open(`docket-unsent.${me}`)
  const [kept] = await cache.keys()
  const text = await (await cache.match(kept!))!.text()
  walk.network = online
  await walk.browser.post({ type: 'try-now' })
  await isSynced()
  await spares(me, 0)
  walk.network = offline
  const changed = await send('PUT', `${base}/customers/${customer.id}`, { ...customer, name: 'Zed' }, version(customer))
  expect(changed.status).toBe(202)
  await spares(me, 1)
  // The answer came, and its noting was cut off.
  await cache.put(kept!, new Response(text))

  await loseDatabases()
  await comeBack(email)
  expect((await atServer(`${base}/customers/${customer.id}`)).body.name).toBe('Zed')
  expect((await atServer(`${base}/invoices/${draft.id}`)).body).toMatchObject({
    status: 'issued',
    buyer: { name: customer.name },
  })
})

test('a payment comes back also where of its invoice only the making does: the press to issue it was done, or cut in two', async () => {
  const { base, email } = await ready()
  const { body: customer } = await send('POST', `${base}/customers`, customerBody())
  await walk.browser.post({ type: 'sync' })
  const me = await userId()
  await spares(me, 0)
  walk.network = offline
  const paid = async () => {
    const { body: draft } = await send('POST', `${base}/invoices`, invoiceBody(customer.id))
    expect((await send('POST', `${base}/invoices/${draft.id}/issue`, undefined, version(draft))).status).toBe(202)
    expect((await send('POST', `${base}/payments`, paymentBody(draft, '10'))).status).toBe(202)
    return draft.id as string
  }
  const [done, cut] = [await paid(), await paid()]
  await spares(me, 6)
  const cache = await caches.open(`docket-unsent.${me}`)
  const { entries } = await unsent()
  const at = (name: string, of: string) => `/${entries.find((each) => each.name === name && each.id === of)!.key}`
  const making = await (await cache.match(at('createInvoice', done)))!.text()
  walk.network = (request) =>
    request.url.endsWith('/payments') ||
    request.url.includes(cut) ||
    request.headers.get('idempotency-key') === at('createInvoice', cut).slice(1)
      ? offline()
      : online(request)
  await walk.browser.post({ type: 'try-now' })
  await spares(me, 4)
  // Its tidying was cut off, and a file of the other.
  await cache.put(at('createInvoice', done), new Response(making))
  await cache.put(at('issueInvoice', cut), new Response('{"key":'))

  await loseDatabases()
  walk.network = online
  expect((await signIn(email)).status).toBe(200)
  await walk.browser.post({ type: 'sync' })
  await expect
    .poll(async () => (await unsent()).entries.map(({ id, name }) => [id, name]))
    .toEqual([[cut, 'recordPayment']])
  expect((await atServer(`${base}/invoices/${done}`)).body).toMatchObject({ paid: { amount: '10.00' } })
})

test.each(['once', 'until somebody else is here'])(
  'what could not be read from the second copy (%s) stays in it, whatever is answered meanwhile, and is read later',
  async (fails) => {
    const { base, email } = await ready()
    walk.network = offline
    const customer = customerBody({ name: 'Saved before' })
    expect((await send('POST', `${base}/customers`, customer)).status).toBe(202)
    const me = await userId()
    await spares(me, 1)
    await loseDatabases()
    const put = IDBObjectStore.prototype.put
    let isFull = true
    vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (this: IDBObjectStore, ...args) {
      const isTaken = isFull && this.name === 'outbox' && JSON.stringify(args).includes('Saved before')
      if (isTaken && fails === 'once') isFull = false
      if (isTaken) throw new DOMException('Full', 'QuotaExceededError')
      return put.apply(this, args)
    })
    walk.network = online
    expect((await signIn(email)).status).toBe(200)
    await walk.browser.post({ type: 'sync' })
    expect((await send('POST', `${base}/customers`, customerBody({ name: 'Answered' }))).status).toBe(201)
    // Longer than it is left behind what is answered.
    await new Promise((resolve) => setTimeout(resolve, 1500))
    if (fails !== 'once') {
      expect(await sparedOf(me)).toBeGreaterThan(0)
      // Nor does anything that is done meanwhile fail by it.
      walk.network = offline
      await send('POST', `${base}/customers`, customerBody({ name: 'A mistake' }))
      const mistake = (await unsent()).entries.find(({ label }) => label === 'A mistake')
      expect((await walk.browser.fetch(`/api/v1/device/outbox/${mistake!.key}`, { method: 'DELETE' })).status).toBe(200)
      walk.network = online
      await signIn((await verifiedActor(walk.app)).email)
      await walk.browser.post({ type: 'sync' })
      expect(await sparedOf(me)).toBeGreaterThan(0)
      isFull = false
      await signIn(email)
    }
    await walk.browser.startWorker()
    await walk.browser.post({ type: 'sync' })
    await isSynced()
    expect((await atServer(`${base}/customers/${customer.id}`)).body).toMatchObject({ name: 'Saved before' })
  },
)

test('what had arrived, and its answer had not, is done once', async () => {
  const { base, email } = await ready()
  walk.network = loseAnswers
  const customer = customerBody()
  expect((await send('POST', `${base}/customers`, customer)).status).toBe(202)
  const { body: draft } = await send('POST', `${base}/invoices`, invoiceBody(customer.id))
  expect((await send('POST', `${base}/invoices/${draft.id}/issue`, undefined, version(draft))).status).toBe(202)
  await loseDatabases()
  await comeBack(email)
  expect((await atServer(`${base}/customers`)).body.data).toMatchObject([{ id: customer.id, version: 1 }])
  expect((await atServer(`${base}/invoices`)).body.data).toMatchObject([{ id: draft.id, version: 2 }])
})

test.each(['at once', 'a moment later'])(
  'what follows a write that was done is based on it still: lost %s',
  async (when) => {
    const { base, email } = await ready()
    walk.network = offline
    const customer = customerBody({ name: 'Made' })
    const { body: made } = await send('POST', `${base}/customers`, customer)
    const saved = await send('PUT', `${base}/customers/${customer.id}`, { ...made, name: 'Saved' }, version(made))
    const { body: draft } = await send('POST', `${base}/invoices`, invoiceBody(customer.id))
    expect((await send('POST', `${base}/invoices/${draft.id}/issue`, undefined, version(draft))).status).toBe(202)
    expect(saved.status).toBe(202)
    // What is made gets through, and what changes it does not.
    const isMaking = ({ method, url }: Request) => method === 'POST' && !url.endsWith('/issue')
    walk.network = (request) => (isMaking(request) ? online(request) : offline())
    await walk.browser.post({ type: 'try-now' })
    await until(async () => (await unsent()).entries.length === 2)
    if (when !== 'at once') await spares(await userId(), 2)
    await loseDatabases()
    await comeBack(email)
    expect((await atServer(`${base}/customers/${customer.id}`)).body).toMatchObject({ name: 'Saved', version: 2 })
    expect((await atServer(`${base}/invoices/${draft.id}`)).body).toMatchObject({ status: 'issued' })
  },
)

test('it is theirs alone: somebody else who signs in hears that something waits, and neither sees nor sends it', async () => {
  const { base, email } = await ready()
  walk.network = offline
  const customer = customerBody()
  expect((await send('POST', `${base}/customers`, customer)).status).toBe(202)
  const me = await userId()
  await spares(me, 1)
  await loseDatabases()
  walk.network = online
  expect(await unsent()).toMatchObject({ entries: [], othersWait: true })
  await ready()
  expect(await unsent()).toMatchObject({ entries: [], othersWait: true })
  await spares(me, 1)
  await send('POST', '/auth/logout')
  await comeBack(email)
  expect((await atServer(`${base}/customers/${customer.id}`)).status).toBe(200)
  // Of the person who is signed in nothing is somebody else's, and what has its database is told by that.
  expect(await unsent()).toMatchObject({ othersWait: false })
})

test('who signs out leaves no second copy either', async () => {
  const { base } = await ready()
  walk.network = offline
  expect((await send('POST', `${base}/customers`, customerBody())).status).toBe(202)
  const me = await userId()
  await spares(me, 1)
  walk.network = online
  expect((await send('POST', '/auth/logout')).status).toBe(204)
  expect(await sparedOf(me)).toBeNull()
})

test('what is asked for once more while the second copy is tidied stays in it', async () => {
  await ready()
  walk.network = offline
  await send('POST', '/organizations', organizationBody())
  const me = await userId()
  const [entry] = (await get('/device/outbox/export')).body.entries as Entry[]
  // A worker that has just started finds it, and has read the outbox before it is there.
  const spare = createSpare()
  const asked = Promise.withResolvers<void>()
  const answered = Promise.withResolvers<Entry[]>()
  const followed = spare.follow(me, () => {
    asked.resolve()
    return answered.promise
  })
  await asked.promise
  await spare.keep(entry!)
  answered.resolve([])
  await followed
  expect(await sparedOf(me)).toBe(1)
  await spare.follow(me, async () => [])
  expect(await sparedOf(me)).toBe(0)
})

test('nor when it was only about to be opened', async () => {
  const { base } = await ready()
  walk.network = offline
  const me = await userId()
  const slow = Promise.withResolvers<void>()
  const open = caches.open.bind(caches)
  caches.open = (name) => slow.promise.then(() => open(name))
  await walk.browser.startWorker()
  expect((await send('POST', `${base}/customers`, customerBody())).status).toBe(202)
  walk.network = online
  expect((await send('POST', '/auth/logout')).status).toBe(204)
  slow.resolve()
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(await caches.keys()).not.toContain(`docket-unsent.${me}`)
})

test.each([
  ['no place', () => Promise.reject(new DOMException('No room', 'QuotaExceededError'))],
  ['no answer', () => new Promise<never>(() => {})],
])('where there is %s for a second copy, the save holds all the same', async (_, open) => {
  const { base } = await ready()
  caches.open = open
  await walk.browser.startWorker()
  walk.network = offline
  const customer = customerBody()
  expect((await send('POST', `${base}/customers`, customer)).status).toBe(202)
  expect((await get(`${base}/customers/${customer.id}`)).status).toBe(200)
  const { key } = (await unsent()).entries[0]!
  await send('POST', `${base}/customers`, customerBody({ name: 'Other' }))
  expect((await walk.browser.fetch(`/api/v1/device/outbox/${key}`, { method: 'DELETE' })).status).toBe(200)
  expect((await unsent()).entries).toHaveLength(1)
  walk.network = online
  await walk.browser.post({ type: 'try-now' })
  await isSynced()
  expect((await atServer(`${base}/customers`)).body.data).toMatchObject([{ name: 'Other' }])
})
