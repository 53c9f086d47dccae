// An organization with more invoices than a device keeps: the server's word first, and without it what is here, said to be a part (OFFLINE.md).
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { Invoice } from '#shared/contract/invoices.ts'
import { verifiedActor, type Actor } from '#tests/support/app.ts'
import { makeCustomer, makeInvoice, makeOrganization } from '#tests/support/builders.ts'
import { hanging, offline, startWalk } from '#tests/support/walk.ts'

const kept = 20
const made = 30

beforeEach(() => void vi.stubEnv('VITE_DEVICE_INVOICES', String(kept)))
const { walk, online, send, signIn } = startWalk()
let ann: Actor
let base: string
let oldest: Invoice
beforeAll(async () => {
  ann = await verifiedActor(walk.app)
  const { id } = await makeOrganization(ann)
  base = `/organizations/${id}`
  const customer = await makeCustomer(ann, id)
  oldest = await makeInvoice(ann, id, customer.id)
  for (let each = 1; each < made; each += 1) await makeInvoice(ann, id, customer.id)
})
beforeEach(async () => {
  await signIn(ann.email)
  await walk.browser.post({ type: 'sync' })
  walk.browser.sent.length = 0
})
afterEach(() => vi.unstubAllEnvs())

const get = async (path: string) => {
  const { status, body, headers } = await walk.browser.call(`/api/v1${path}`)
  return { status, body, source: headers.get('x-docket-source'), complete: headers.get('x-docket-complete') }
}
const partial = { status: 200, source: 'device', complete: 'false' }

test('with a network, lists and figures are the server’s; what is whole here stays the device’s', async () => {
  for (const path of ['/invoices?limit=200', '/invoices?q=web&sort=gross', '/dashboard', `/invoices/${oldest.id}`]) {
    const answer = await get(base + path)
    const { body } = await ann.send('GET', base + path)
    expect({ path, ...answer }).toEqual({ path, status: 200, body, source: 'network', complete: null })
  }
  expect(walk.browser.sent).toHaveLength(4)
  for (const path of ['/customers', '', `/invoices/${(await get(`${base}/invoices?sort=-updatedAt`)).body.data[0].id}`])
    expect({ path, ...(await get(base + path)) }).toMatchObject({ path, source: 'device', complete: null })
  expect(walk.browser.sent).toHaveLength(5)
})

test.each([
  ['no network', offline],
  ['a portal', async () => new Response('<h1>Welcome</h1>', { headers: { 'content-type': 'text/html' } })],
  ['a server that is away', async () => new Response('{}', { status: 503, headers: { 'x-docket': '1' } })],
  ['a network that hangs', hanging],
])('with %s, they are drawn from what is here, and say so', async (_, broken) => {
  walk.network = broken
  const list = await get(`${base}/invoices?limit=200`)
  expect(list).toMatchObject(partial)
  expect(list.body.data).toHaveLength(kept)
  expect(await get(`${base}/dashboard`)).toMatchObject(partial)
  expect(await get(`${base}/customers`)).toMatchObject({ status: 200, complete: null })
  // Not here, and nobody can say that it is nowhere.
  if (broken === offline) expect((await get(`${base}/invoices/${oldest.id}`)).status).toBe(503)
})

test('what is unsent does not go, however old', async () => {
  const { body } = await get(`${base}/invoices?limit=200&sort=-updatedAt`)
  walk.network = offline
  const here = (await get(`${base}/invoices?limit=200&sort=-updatedAt`)).body.data
  const last: Invoice = here.at(-1)
  expect(last.id).toBe(body.data[kept - 1].id)
  const { totals: _, ...edit } = (await get(`${base}/invoices/${last.id}`)).body
  const saved = await send('PUT', `${base}/invoices/${last.id}`, { ...edit, notes: 'Unsent' }, { 'if-match': '"1"' })
  expect(saved.status).toBe(202)
  for (let each = 0; each < kept; each += 1) await makeInvoice(ann, last.organizationId, null)
  // What is written does not reach the server; what is read does.
  walk.network = (request) => (request.method === 'GET' ? online(request) : offline())
  await walk.browser.post({ type: 'sync' })
  walk.network = offline
  const after = (await get(`${base}/invoices?limit=200`)).body.data as Invoice[]
  expect(after).toHaveLength(kept)
  expect(after).toContainEqual(expect.objectContaining({ id: last.id, unsent: 'waiting' }))
  expect((await get(`${base}/invoices/${last.id}`)).body.notes).toBe('Unsent')
})
