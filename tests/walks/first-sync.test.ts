// The first loading of ten thousand invoices: its progress is told, and whatever interrupts it, it goes on where it was (OFFLINE.md "Three layers of reading").
import { expect, test } from 'vitest'
import { uuidv7 } from '#shared/ids.ts'
import type { Unsent } from '#shared/outbox.ts'
import { verifiedActor } from '#tests/support/app.ts'
import { customerBody, invoiceBody } from '#tests/support/bodies.ts'
import { makeCustomer, makeInvoice, makeOrganization } from '#tests/support/builders.ts'
import { copyDraft } from '#tests/support/many-invoices.ts'
import { until } from '#tests/support/people.ts'
import { offline, startWalk, version, type Network } from '#tests/support/walk.ts'

const rowsPerPage = 200
const invoices = 10_000
/** With the one customer, and the one member. */
const rows = invoices + 2

const { walk, online, loseAnswers, get, send, signIn, isSynced } = startWalk()
const firstSync = async () => ((await get('/device/outbox')).body as Unsent).firstSync
const isOfFeed = ({ url }: Request) => url.includes('/changes?')
/** The marks that this device asked for, in order. */
const asked = () => walk.browser.sent.filter(isOfFeed).map(({ url }) => new URL(url).searchParams.get('since'))
const told = () => walk.browser.told.filter((message) => message.type === 'first-sync')

test('it is interrupted by a kill and by the network, and no page is asked for again that had come', async () => {
  const ann = await verifiedActor(walk.app)
  const { id: organizationId } = await makeOrganization(ann)
  const customer = await makeCustomer(ann, organizationId)
  const draft = await makeInvoice(ann, organizationId, customer.id)
  await copyDraft(walk.app, ann, draft, invoices - 1)
  const base = `/organizations/${organizationId}`
  /** Answers so many pages of the feed, then does this. */
  const untilPage = (pages: number, then: Network) => {
    walk.network = (request) => (isOfFeed(request) && asked().length > pages ? then(request) : online(request))
  }

  untilPage(10, () => new Promise(() => {}))
  await signIn(ann.email)
  void walk.browser.post({ type: 'sync' })
  await until(async () => (asked().length > 10 ? true : undefined))
  expect(await firstSync()).toEqual({ told: 10 * rowsPerPage, total: rows })
  expect((await get(`${base}/invoices`)).headers.get('x-docket-source')).not.toBe('device')

  await walk.browser.startWorker()
  expect(await firstSync()).toEqual({ told: 10 * rowsPerPage, total: rows })
  untilPage(31, offline)
  await walk.browser.post({ type: 'sync' })
  expect(await firstSync()).toEqual({ told: 30 * rowsPerPage, total: rows })

  // The person has it rest, and go on.
  walk.network = online
  const post = (what: string) => walk.browser.fetch(`/api/v1/device/outbox/${what}`, { method: 'POST' })
  await post('pause')
  const before = asked().length
  await walk.browser.post({ type: 'sync' })
  await walk.browser.startWorker()
  await walk.browser.post({ type: 'sync' })
  expect(asked()).toHaveLength(before)
  expect(await firstSync()).toEqual({ told: 30 * rowsPerPage, total: rows, isPaused: true })
  await post('resume')
  await walk.browser.post({ type: 'sync' })
  expect(await firstSync()).toBeNull()
  const marks = asked()
  expect(marks).toHaveLength(Math.ceil(rows / rowsPerPage) + 2)
  const again = marks.filter((mark, index) => marks.indexOf(mark) !== index)
  expect(again).toEqual([marks[10], marks[31]])

  const progress = told().map((message) => message.progress)
  expect(progress.at(-1)).toBeNull()
  const counts = progress.flatMap((each) => each?.told ?? [])
  expect(counts.length).toBeGreaterThan(1)
  expect(counts).toEqual(counts.toSorted((a, b) => a - b))

  const list = `${base}/invoices?limit=200&sort=-updatedAt`
  const ours = await get(list)
  expect(ours.headers.get('x-docket-source')).toBe('device')
  expect(ours.body).toEqual((await ann.send('GET', list)).body)
  expect((await get(`${base}/dashboard`)).body).toEqual((await ann.send('GET', `${base}/dashboard`)).body)
})

test('what comes with one page is not told as under way', async () => {
  const ann = await verifiedActor(walk.app)
  const { id } = await makeOrganization(ann)
  await makeCustomer(ann, id)
  await signIn(ann.email)
  await walk.browser.post({ type: 'sync' })
  expect(told().filter(({ progress }) => progress !== null)).toEqual([])
})

test('a draft that is written before anything has come is answered as whole as a screen shows one', async () => {
  const ann = await verifiedActor(walk.app)
  const { id: organizationId } = await makeOrganization(ann)
  const path = `/organizations/${organizationId}/invoices`
  walk.network = (request) => (request.url.includes('/auth/') ? online(request) : offline())
  await signIn(ann.email)
  const body = { ...invoiceBody(null), currency: 'EUR', language: 'de', notes: null, termsDays: 30 }
  const saved = await send('POST', path, body)
  expect(saved.status).toBe(202)
  walk.network = online
  await walk.browser.post({ type: 'try-now' })
  await isSynced()
  const made = (await ann.send('GET', `${path}/${body.id}`)).body
  const ofRow = { unsent: expect.anything(), revision: 0, version: expect.any(Number), createdAt: expect.any(String) }
  const asReckoned = { lines: made.lines.map((line: object) => ({ ...line, id: expect.any(String) })) }
  expect(saved.body).toEqual({ ...made, ...asReckoned, ...ofRow, updatedAt: expect.any(String) })
})

test('what is unsent is shown as it is here while the rest has not come, of no time that is known', async () => {
  const ann = await verifiedActor(walk.app)
  const { id: organizationId } = await makeOrganization(ann)
  const { id: customerId } = await makeCustomer(ann, organizationId, customerBody({ name: 'Alice' }))
  const base = `/organizations/${organizationId}`
  const withoutFeed: Network = (request) => (isOfFeed(request) ? offline() : online(request))
  walk.network = withoutFeed
  await signIn(ann.email)
  await walk.browser.post({ type: 'sync' })
  const { body: draft } = await send('POST', `${base}/invoices`, invoiceBody(customerId))
  const path = `${base}/invoices/${draft.id}`
  expect(draft.customerName).toBe('Alice')

  // Its customer is not here: the row knows the name.
  walk.network = (request) => (request.method === 'PUT' ? offline() : withoutFeed(request))
  await send('PUT', path, { customerId, notes: 'Mine', lines: draft.lines }, version(draft))
  expect((await get(path)).body).toMatchObject({ notes: 'Mine', customerName: 'Alice', unsent: 'waiting' })
  walk.network = withoutFeed
  await walk.browser.post({ type: 'try-now' })
  await isSynced()

  // The server has issued it, and its answer was lost: until that is known, the screen says that it waits.
  walk.network = (request) => (request.url.endsWith('/issue') ? loseAnswers(request) : withoutFeed(request))
  const issue = await send('POST', `${path}/issue`, undefined, version((await get(path)).body))
  expect(issue.status).toBe(202)
  expect((await ann.send('GET', path)).body.status).toBe('issued')
  const shown = await get(path)
  expect(shown.body).toMatchObject({ status: 'draft', unsent: 'issue' })
  expect(shown.headers.get('x-docket-source')).toBe('device')
  expect(shown.headers.get('x-docket-as-of')).toBeNull()
  walk.network = online
  await walk.browser.post({ type: 'try-now' })
  await isSynced()
  expect((await get(path)).body).toMatchObject({ status: 'issued', notes: 'Mine', customerName: 'Alice' })
})

/** An invoice that this device has never seen. */
async function draftAtServer() {
  const ann = await verifiedActor(walk.app)
  const { id: organizationId } = await makeOrganization(ann)
  const { id: customerId } = await makeCustomer(ann, organizationId)
  const draft = await makeInvoice(ann, organizationId, customerId)
  const base = `/organizations/${organizationId}`
  return { ann, base, path: `${base}/invoices/${draft.id}`, draft, customerId }
}

function partOf(invoiceId: string) {
  const amount = { amount: '10.00', currency: 'EUR' }
  return { id: uuidv7(), date: '2026-01-31', amount, allocations: [{ invoiceId, amount }] }
}

test('what the server has issued can be paid before the device has heard of it, or has the invoice at all', async () => {
  const { ann, base, path, draft } = await draftAtServer()
  const lost: Network = (request) => (request.url.endsWith('/issue') ? loseAnswers(request) : online(request))
  walk.network = (request) => (isOfFeed(request) ? offline() : lost(request))
  await signIn(ann.email)
  expect((await send('POST', `${path}/issue`, undefined, version(draft))).status).toBe(202)
  expect((await get(path)).body.status).toBe('issued')
  const payment = partOf(draft.id)
  expect((await send('POST', `${base}/payments`, payment)).status).toBe(202)
  walk.network = online
  await walk.browser.post({ type: 'try-now' })
  await isSynced()
  expect((await get(path)).body).toMatchObject({
    status: 'issued',
    payments: [{ id: payment.id, amount: payment.amount }],
  })
})

test('an issue is not taken back alone where a payment of another tab waits behind it: that would go too', async () => {
  const { ann, base, path, draft } = await draftAtServer()
  walk.network = (request) => (isOfFeed(request) ? offline() : online(request))
  await signIn(ann.email)
  walk.network = (request) => (isOfFeed(request) || request.method === 'POST' ? offline() : online(request))
  expect((await send('POST', `${path}/issue`, undefined, version(draft))).status).toBe(202)
  expect((await ann.send('POST', `${path}/issue`, { headers: version(draft) })).status).toBe(200)
  expect((await send('POST', `${base}/payments`, partOf(draft.id))).status).toBe(202)
  const names = async () => ((await get('/device/outbox')).body as Unsent).entries.map(({ name }) => name)
  const [issue] = ((await get('/device/outbox')).body as Unsent).entries
  expect((await send('DELETE', `/device/outbox/${issue!.key}?alone`)).status).toBe(409)
  expect(await names()).toEqual(['issueInvoice', 'recordPayment'])
})

test('what waits to be issued and is not here takes no save, no delete and no second issue', async () => {
  const { ann, path, draft, customerId } = await draftAtServer()
  const isIssue = ({ url }: Request) => url.endsWith('/issue')
  walk.network = (request) => (isOfFeed(request) || isIssue(request) ? offline() : online(request))
  await signIn(ann.email)
  expect((await send('POST', `${path}/issue`, undefined, version(draft))).status).toBe(202)
  const { body } = await get(path)
  expect(body.status).toBe('draft')
  const refused = { status: 409, body: { code: 'invalid_transition' } }
  const save = { customerId, notes: 'Too late', lines: body.lines }
  expect(await send('PUT', path, save, version(body))).toMatchObject(refused)
  expect(await send('DELETE', path, undefined, version(body))).toMatchObject(refused)
  expect(await send('POST', `${path}/issue`, undefined, version(body))).toMatchObject(refused)
  walk.network = online
  await walk.browser.post({ type: 'try-now' })
  await isSynced()
  expect((await get(path)).body).toMatchObject({ status: 'issued', version: body.version + 1 })
})

test('a payment of what a colleague issued stays when the own issue is discarded, also of an invoice that is not here', async () => {
  const { ann, base, path, draft } = await draftAtServer()
  const withoutFeed: Network = (request) => (isOfFeed(request) ? offline() : online(request))
  walk.network = withoutFeed
  await signIn(ann.email)
  walk.network = (request) => (request.method === 'POST' ? offline() : withoutFeed(request))
  expect((await send('POST', `${path}/issue`, undefined, version(draft))).status).toBe(202)
  expect((await ann.send('POST', `${path}/issue`, { headers: version(draft) })).status).toBe(200)
  const payment = partOf(draft.id)
  expect((await send('POST', `${base}/payments`, payment)).status).toBe(202)
  walk.network = (request) => (request.url.endsWith('/payments') ? offline() : withoutFeed(request))
  await walk.browser.post({ type: 'try-now' })
  const unsent = async () => ((await get('/device/outbox')).body as Unsent).entries
  const issue = await until(async () => (await unsent()).find(({ state }) => state === 'conflict'))
  expect((await send('DELETE', `/device/outbox/${issue.key}`)).status).toBe(200)
  expect(await unsent()).toMatchObject([{ body: { id: payment.id } }])
  walk.network = online
  await walk.browser.post({ type: 'try-now' })
  await isSynced()
  // A pull that was under way may have read the invoice before it was paid; the one after the sending has not.
  await until(async () => (await get(path)).body.payments?.length === 1)
  expect((await get(path)).body).toMatchObject({
    status: 'issued',
    payments: [{ id: payment.id, amount: payment.amount }],
  })
})

test('interrupted and without a network, what was made here is found by its lists, which say that there is more', async () => {
  const { ann, base } = await draftAtServer()
  walk.network = (request) => (isOfFeed(request) ? offline() : online(request))
  await signIn(ann.email)
  await walk.browser.post({ type: 'sync' })
  // While the server is there it is asked: it has all of it.
  expect((await get(`${base}/customers`)).headers.get('x-docket-complete')).toBeNull()
  walk.network = offline
  const customer = customerBody({ name: 'Zoe of the hills' })
  expect((await send('POST', `${base}/customers`, customer)).status).toBe(202)
  const found = await get(`${base}/customers?q=zoe`)
  expect(found).toMatchObject({ status: 200, body: { data: [{ id: customer.id, unsent: 'waiting' }] } })
  expect(found.headers.get('x-docket-complete')).toBe('false')
  expect((await get(`${base}/dashboard`)).status).toBe(503)
})
