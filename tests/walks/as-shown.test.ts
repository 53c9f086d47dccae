// What a person leaves to the customer's or the organization's is as they saw it, whatever those are changed to before it arrives (outbox/as-shown.ts).
import { expect, test } from 'vitest'
import type { Customer } from '#shared/contract/customers.ts'
import type { Invoice } from '#shared/contract/invoices.ts'
import { uuidv7 } from '#shared/ids.ts'
import { customerBody, invoiceBody } from '#tests/support/bodies.ts'
import { until } from '#tests/support/people.ts'
import { offline, startWalk, version, type Network } from '#tests/support/walk.ts'
import { openBrowser } from '#tests/support/worker-scope.ts'

const { walk, online, send, get, atServer, isSynced, ready, unsent, changedElsewhere, signIn } = startWalk()

const tryNow = () => walk.browser.post({ type: 'try-now' })
const leftOut = ({ termsDays, language, buyerReference }: Invoice) => ({ termsDays, language, buyerReference })
const old = { termsDays: 14, language: 'en', buyerReference: 'OLD' }

/** A customer on the device, and no network. */
async function customerHere(): Promise<{ base: string; customer: Customer }> {
  const { base } = await ready()
  const { body } = await send('POST', `${base}/customers`, customerBody(old))
  await walk.browser.post({ type: 'sync' })
  walk.network = offline
  return { base, customer: body }
}

/** Drafted and issued with what is left out; answers what the device showed. */
async function draftAndIssue(base: string, customerId: string) {
  const invoice = invoiceBody(customerId)
  const { body: draft } = await send('POST', `${base}/invoices`, invoice)
  expect((await send('POST', `${base}/invoices/${invoice.id}/issue`, undefined, version(draft))).status).toBe(202)
  return { path: `${base}/invoices/${invoice.id}`, draft: draft as Invoice }
}

test.each([
  ['arrives first', 0],
  ['arrives after it', 1],
])('a change of the customer here that %s: the invoice says what was shown', async (_, lostTries) => {
  const { base, customer } = await customerHere()
  const { id, ...row } = customer
  const change = { ...row, termsDays: 30, language: 'de', buyerReference: 'NEW' }
  expect((await send('PUT', `${base}/customers/${id}`, change, version(customer))).status).toBe(202)
  const { path, draft } = await draftAndIssue(base, id)
  expect(leftOut(draft)).toEqual({ termsDays: 30, language: 'de', buyerReference: 'NEW' })

  let lost = lostTries
  walk.network = (request) => (request.method === 'PUT' && lost-- > 0 ? offline() : online(request))
  await tryNow()
  await isSynced()

  const issued = (await atServer(path)).body
  expect(issued.status).toBe('issued')
  expect(leftOut(issued)).toEqual(leftOut(draft))
})

test('a colleague’s change of the customer meanwhile is not on the invoice that was issued without it', async () => {
  const { base, customer } = await customerHere()
  const { path, draft } = await draftAndIssue(base, customer.id)
  expect(leftOut(draft)).toEqual(old)
  await changedElsewhere(customer, { termsDays: 60, language: 'de', buyerReference: 'THEIRS' })

  walk.network = online
  await tryNow()
  await isSynced()

  expect(leftOut((await atServer(path)).body)).toEqual(old)
})

test('so does a draft that was moved to them and a refused one that was mended; asked for once more, both are known', async () => {
  const { base, customer } = await customerHere()
  const first = invoiceBody(null)
  const { body: draft } = await send('POST', `${base}/invoices`, first)
  const { id, ...edit } = first
  const key = uuidv7()
  const save = () =>
    send(
      'PUT',
      `${base}/invoices/${id}`,
      { ...edit, customerId: customer.id },
      { ...version(draft), 'idempotency-key': key },
    )
  expect(leftOut((await save()).body)).toEqual(old)
  const badKey = uuidv7()
  const bad = invoiceBody(customer.id, { orderReference: 'x'.repeat(300) })
  const make = (body: object) => send('POST', `${base}/invoices`, body, { 'idempotency-key': badKey })
  await make(bad)
  await changedElsewhere(customer, { termsDays: 60, language: 'de', buyerReference: 'THEIRS' })

  walk.network = (request) => (request.url.includes('/changes') ? offline() : online(request))
  await tryNow()
  const refused = await until(async () => (await unsent()).entries.find(({ state }) => state === 'rejected'))
  const resolution = { body: { ...bad, orderReference: 'x' }, baseVersion: null }
  expect((await send('PUT', `/device/outbox/${refused.key}`, resolution)).status).toBe(204)
  await isSynced()

  for (const each of [id, bad.id]) expect(leftOut((await atServer(`${base}/invoices/${each}`)).body)).toEqual(old)
  expect((await save()).status).toBe(200)
  expect((await make(bad)).status).toBeLessThan(300)
})

test('what was sent before its customer was known here is done, whoever asks for it once more', async () => {
  const { base, email } = await ready()
  const customer = customerBody(old)
  await send('POST', `${base}/customers`, customer)
  const elsewhere = openBrowser((request) => walk.network(request))
  await elsewhere.startWorker()
  walk.browser = elsewhere
  const hidden: Network = (request) => (/changes|organizations$/.test(request.url) ? offline() : online(request))
  walk.network = hidden
  await signIn(email)
  const invoice = invoiceBody(customer.id)
  const key = uuidv7()
  const make = () => send('POST', `${base}/invoices`, invoice, { 'idempotency-key': key })
  expect((await make()).status).toBe(201)
  walk.network = online
  await walk.browser.post({ type: 'sync' })
  expect((await get(`${base}/customers/${customer.id}`)).body).toMatchObject({ buyerReference: 'OLD' })
  walk.network = offline
  expect((await make()).status).toBe(200)
  expect((await unsent()).entries).toEqual([])
})

test('of a customer that is not on the device nothing is said for them', async () => {
  const { base } = await ready()
  walk.network = offline
  const invoice = invoiceBody(uuidv7())
  expect((await send('POST', `${base}/invoices`, invoice)).status).toBe(202)
  const entry = (await unsent()).entries.find(({ id }) => id === invoice.id)!
  expect(entry.body).not.toHaveProperty('termsDays')
})
