// Corners of the outbox that no move of the model reaches (decision 018): each was a defect once.
import { expect, test, vi } from 'vitest'
import type { Customer } from '#shared/contract/customers.ts'
import type { Invoice } from '#shared/contract/invoices.ts'
import { uuidv7 } from '#shared/ids.ts'
import { nextRevision } from '#server/rows/revision.ts'
import { customerBody, invoiceBody, paymentBody, websiteLine } from '#tests/support/bodies.ts'
import { keptBy, rowsOf, writeDevice } from '#tests/support/old-devices.ts'
import { until } from '#tests/support/people.ts'
import { createConnection } from '#worker/copy/connection.ts'
import { deleteCopy } from '#worker/copy/stores.ts'
import { createBrowserGateway } from '#worker/surroundings.ts'
import { Undeliverable } from '#worker/wire.ts'
import { offline, onDevice, refusal, startWalk, version, type Network } from '#tests/support/walk.ts'

const { walk, online, loseAnswers, send, get, atServer, unsent, isSynced, ready, issued, changedElsewhere } =
  startWalk()

const tryNow = () => walk.browser.post({ type: 'try-now' })

/** A new customer takes a while to arrive: what names it must wait for it. */
const slowCustomers: Network = async (request) => {
  if (request.method === 'POST' && request.url.endsWith('/customers'))
    await new Promise((resolve) => setTimeout(resolve, 400))
  return online(request)
}

/** What an edit of a draft sends. */
function contentOf(draft: Invoice) {
  const { customerId, currency, taxMode, language, termsDays, dueDate, supplyDate } = draft
  const { buyerReference, orderReference, notes, allowances, charges } = draft
  const lines = draft.lines.map(({ net: _, ...line }) => line)
  const head = { customerId, currency, taxMode, language, termsDays, dueDate, supplyDate }
  return { ...head, buyerReference, orderReference, notes, lines, allowances, charges }
}

/** The server says that this organization is not theirs, nor that it is in their list. */
const takenOut =
  (base: string): Network =>
  async (request) => {
    const { pathname } = new URL(request.url)
    if (pathname.startsWith(`/api/v1${base}`)) return refusal('not_found')
    if (!pathname.endsWith('/organizations')) return online(request)
    return Response.json({ data: [], page: { nextCursor: null, limit: 100 } }, { headers: { 'x-docket': '1' } })
  }

test('a draft that two tabs save waits for the customer that one of them made', async () => {
  const { base } = await ready()
  const old = customerBody()
  await send('POST', `${base}/customers`, old)
  const { body: draft } = await send('POST', `${base}/invoices`, invoiceBody(old.id))
  const path = `${base}/invoices/${draft.id}`
  walk.network = offline
  const fresh = customerBody()
  await send('POST', `${base}/customers`, fresh)
  const content = contentOf(draft)
  expect((await send('PUT', path, { ...content, customerId: fresh.id }, version(draft))).status).toBe(202)
  expect((await send('PUT', path, { ...content, notes: 'Of the other tab' }, version(draft))).status).toBe(202)
  walk.network = slowCustomers
  await tryNow()
  await isSynced()
  expect((await atServer(path)).body).toMatchObject({ customerId: fresh.id, notes: 'Of the other tab' })
})

test('a refused draft that is mended with a customer made here waits for them', async () => {
  const { base } = await ready()
  const old = customerBody()
  await send('POST', `${base}/customers`, old)
  walk.network = async (request) => (request.url.endsWith('/invoices') ? refusal('validation_failed') : online(request))
  const draft = invoiceBody(old.id)
  expect((await send('POST', `${base}/invoices`, draft)).status).toBe(422)
  const [entry] = (await unsent()).entries
  walk.network = offline
  const fresh = customerBody()
  await send('POST', `${base}/customers`, fresh)
  const body = { ...draft, customerId: fresh.id }
  expect((await send('PUT', `/device/outbox/${entry!.key}`, { body, baseVersion: null })).status).toBe(204)
  walk.network = slowCustomers
  await tryNow()
  await isSynced()
  expect((await atServer(`${base}/invoices/${draft.id}`)).body).toMatchObject({ customerId: fresh.id })
})

test('who is taken out of an organization and back in finds what was changed there, and the conflict beside it', async () => {
  const { base } = await ready()
  const { body: row } = await send('POST', `${base}/customers`, customerBody({ name: 'Before' }))
  const path = `${base}/customers/${row.id}`
  walk.network = offline
  await send('PUT', path, { name: 'Mine', country: 'NL' }, version(row))
  walk.network = takenOut(base)
  await tryNow()
  await until(async () => (await unsent()).entries.find(({ state }) => state === 'rejected'))
  await changedElsewhere(row, { name: 'Theirs' })
  walk.network = online
  await tryNow()
  await until(async () => (await get('/organizations')).body.data.length === 1)
  await tryNow()
  await until(async () => (await unsent()).entries.find(({ state }) => state === 'conflict'))
  await until(async () => (await get(path)).status === 200)
  const names = (await get(`${base}/customers`)).body.data.map(({ name }: Customer) => name)
  expect(names).toEqual(['Mine'])
})

test('who is taken out and back in with a payment that is then refused still has its invoice', async () => {
  const { base, invoice, path } = await issued()
  walk.network = offline
  expect((await send('POST', `${base}/payments`, paymentBody(invoice))).status).toBe(202)
  walk.network = takenOut(base)
  await tryNow()
  await until(async () => (await unsent()).entries.find(({ state }) => state === 'rejected'))
  walk.network = async (request) =>
    request.method === 'POST' && request.url.endsWith('/payments') ? refusal('forbidden') : online(request)
  await tryNow()
  await until(async () => (await unsent()).entries.find(({ lastProblem }) => lastProblem?.code === 'forbidden'))
  await until(async () => (await get(path)).status === 200)
  const outstanding = async (ask: typeof atServer) => (await ask(`${base}/dashboard`)).body.currencies[0].outstanding
  expect(await outstanding(get)).toEqual(await outstanding(atServer))
})

test('back after minutes away with an ended token, the next look sends what waits', async () => {
  const { base } = await ready()
  vi.spyOn(Math, 'random').mockReturnValue(0.5)
  walk.network = offline
  await send('POST', `${base}/customers`, customerBody())
  walk.browser.clockOffMs += 11 * 60_000
  for (let tick = 0; tick < 50; tick += 1) {
    walk.browser.clockOffMs += 3500
    await walk.browser.post({ type: 'sync' })
  }
  walk.network = online
  walk.browser.clockOffMs += 3500
  await walk.browser.post({ type: 'sync' })
  // No later trigger is waited for.
  expect((await unsent()).entries).toEqual([])
  expect((await atServer(`${base}/customers`)).body.data).toHaveLength(1)
  vi.mocked(Math.random).mockRestore()
})

test('a pull that was asked for before a payment does not take it off the invoice', async () => {
  const { base, invoice, path } = await issued()
  const { organizationId, id } = invoice
  // Somebody looked at it by its link: its revision moves, its version does not.
  await walk.app.db.asApp({ organizationIds: [organizationId] }, async (tx) => {
    const revision = await nextRevision(tx, organizationId)
    const viewedAt = new Date().toISOString()
    await tx.updateTable('invoices').set({ viewedAt, revision }).where('id', '=', id).execute()
  })
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  let isHeld = false
  walk.network = async (request) => {
    const answer = await online(request)
    if (!request.url.includes('/changes')) return answer
    isHeld = true
    await held
    return answer
  }
  const pulling = walk.browser.post({ type: 'sync' })
  await until(() => isHeld)
  expect((await send('POST', `${base}/payments`, paymentBody(invoice))).status).toBe(201)
  walk.network = offline
  release()
  await pulling
  expect((await get(path)).body).toMatchObject({ amountDue: { amount: '0.00' }, payments: [{}] })
})

test('a device without room says so of a decision as well', async () => {
  const { base } = await ready()
  const { body: row } = await send('POST', `${base}/customers`, customerBody({ name: 'Before' }))
  await changedElsewhere(row, { name: 'Theirs' })
  await send('PUT', `${base}/customers/${row.id}`, { name: 'Mine', country: 'NL' }, version(row))
  const entry = await until(async () => (await unsent()).entries.find(({ state }) => state === 'conflict'))
  const full = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError')
  })
  const decided = { body: { name: 'Mine', country: 'NL' }, baseVersion: 2 }
  expect(await send('PUT', `/device/outbox/${entry.key}`, decided)).toMatchObject({
    status: 507,
    body: { code: 'device_full' },
  })
  full.mockRestore()
  expect((await send('PUT', `/device/outbox/${entry.key}`, decided)).status).toBe(204)
  await isSynced()
})

test('a device of an earlier build gets the fields that rows have had since', async () => {
  const { path } = await issued()
  const device = await keptBy(5, (await send('GET', '/auth/session')).body.userId)
  for (const { row } of rowsOf<{ row: Partial<Invoice> }>(device, 'invoiceDetails')) {
    delete row.accountingCurrency
    delete row.language
  }
  await writeDevice(device)
  await walk.browser.startWorker()
  await walk.browser.post({ type: 'sync' })
  const namesOf = async (ask: typeof atServer) => Object.keys((await ask(path)).body as object).toSorted()
  const there = await namesOf(atServer)
  await until(async () => (await namesOf(get)).join() === there.join())
  expect(there).toContain('accountingCurrency')
})

test('what followed a save that went with a discarded customer follows what that followed', async () => {
  const { base } = await ready()
  const [first, last] = [customerBody(), customerBody()]
  const { body: old } = await send('POST', `${base}/customers`, first)
  await send('POST', `${base}/customers`, last)
  const { body: draft } = await send('POST', `${base}/invoices`, invoiceBody(first.id))
  const path = `${base}/invoices/${draft.id}`
  const content = contentOf(draft)
  walk.network = offline
  const fresh = customerBody()
  await send('POST', `${base}/customers`, fresh)
  const { body: shown } = await send('PUT', path, { ...content, customerId: fresh.id }, version(draft))
  // It waits for that save, which is therefore not replaced by the next one.
  await send('DELETE', `${base}/customers/${first.id}`, undefined, version(old))
  await send('PUT', path, { ...content, customerId: last.id, notes: 'For the last' }, version(shown))
  const made = (await unsent()).entries.find(({ name }) => name === 'createCustomer')!
  await send('DELETE', `/device/outbox/${made.key}`)
  walk.network = online
  await tryNow()
  await isSynced()
  expect((await atServer(path)).body).toMatchObject({ notes: 'For the last', customerId: last.id })
})

/** An invoice with one line, opened here without a network; and what somebody else saves of it meanwhile. */
async function opened(line: object, more?: object) {
  const { base } = await ready()
  const customer = customerBody()
  await send('POST', `${base}/customers`, customer)
  const lines = [{ ...websiteLine, ...line }]
  const { body: draft } = await send('POST', `${base}/invoices`, invoiceBody(customer.id, { lines, ...more }))
  const path = `${base}/invoices/${draft.id}`
  const { body: row } = await atServer(path)
  walk.network = offline
  return { base, path, row: row as Invoice, content: contentOf(row) }
}

async function savedElsewhere(path: string, body: object, row: Invoice): Promise<void> {
  const { state } = (await walk.browser.vault())!
  const answer = await walk.app.fetch(
    new Request(`http://localhost:8080/api/v1${path}`, {
      method: 'PUT',
      headers: {
        authorization: `Bearer ${state.authToken}`,
        'content-type': 'application/json',
        'idempotency-key': uuidv7(),
        ...version(row),
      },
      body: JSON.stringify(body),
    }),
  )
  expect(answer.status).toBe(200)
}

const inPercent = { allowances: [{ amount: '75.80', percent: '10', reason: 'Good customer' }] }
const fixed = { allowances: [{ amount: '75.80', reason: 'Good customer' }] }

test('a discount that was made a fixed one here stays one beside what somebody else changed', async () => {
  const { path, row, content } = await opened(inPercent)
  const [line] = content.lines
  await send('PUT', path, { ...content, lines: [{ ...line, ...fixed }] }, version(row))
  await savedElsewhere(path, { ...content, notes: 'Theirs' }, row)
  walk.network = online
  await tryNow()
  await isSynced()
  const { body: now } = await atServer(path)
  expect(now).toMatchObject({ notes: 'Theirs', version: 3 })
  expect(now.lines[0].allowances[0]).not.toHaveProperty('percent')
})

test('one that somebody else made a fixed one is in question where the line was changed here', async () => {
  const { path, row, content } = await opened(inPercent)
  const [line] = content.lines
  const mine = { ...line, quantity: '4', allowances: [{ ...inPercent.allowances[0], amount: '151.60' }] }
  await send('PUT', path, { ...content, lines: [mine] }, version(row))
  await savedElsewhere(path, { ...content, lines: [{ ...line, ...fixed }] }, row)
  walk.network = online
  await tryNow()
  const asked = await until(async () => (await unsent()).entries.find(({ state }) => state === 'conflict'))
  expect(asked).toMatchObject({ body: { lines: [{ quantity: '4' }] }, theirs: { version: 2 } })
})

test('a reference that somebody gave stays where another customer was chosen here', async () => {
  const { base, path, row, content } = await opened({})
  walk.network = online
  const other = customerBody()
  await send('POST', `${base}/customers`, other)
  walk.network = offline
  const { buyerReference: _, ...bare } = content
  await send('PUT', path, { ...bare, customerId: other.id }, version(row))
  await savedElsewhere(path, { ...content, buyerReference: 'PO-7' }, row)
  walk.network = online
  await tryNow()
  await isSynced()
  expect((await atServer(path)).body).toMatchObject({ customerId: other.id, buyerReference: 'PO-7' })
})

test('a form that went on from a save which was brought together with somebody else’s since does not put theirs back', async () => {
  const { base } = await ready()
  const fresh = customerBody()
  const path = `${base}/customers/${fresh.id}`
  const { body: customer } = await send('POST', `${base}/customers`, fresh)
  walk.network = offline
  const first = await send('PUT', path, { ...customer, name: 'First' }, version(customer))
  const second = await send('PUT', path, { ...first.body, name: 'Second' }, { 'if-match': first.headers.get('etag')! })
  await changedElsewhere({ id: fresh.id, organizationId: base.split('/')[2]! }, { phone: '900' })
  walk.network = online
  await tryNow()
  await isSynced()
  expect((await atServer(path)).body).toMatchObject({ name: 'Second', phone: '900' })
  // The screen still has what its save was answered with.
  expect(second.body).toMatchObject({ name: 'Second', phone: null })
  await send('PUT', path, { ...second.body, name: 'Third' }, { 'if-match': second.headers.get('etag')! })
  const asked = await until(async () => (await unsent()).entries.find(({ state }) => state === 'conflict'))
  expect(asked).toMatchObject({ body: { name: 'Third' }, theirs: { name: 'Second', phone: '900' } })
  expect((await atServer(path)).body).toMatchObject({ name: 'Second', phone: '900' })
})

test('a customer renamed here is the name of their drafts as well, to be found by, until it is taken back', async () => {
  const { base, invoice: closed } = await issued()
  const { body: customer } = await get(`${base}/customers/${closed.customerId}`)
  const { body: draft } = await send('POST', `${base}/invoices`, invoiceBody(customer.id))
  walk.network = offline
  await send('PUT', `${base}/customers/${customer.id}`, { ...customer, name: 'After' }, version(customer))
  const names = async () => {
    const { data } = (await get(`${base}/invoices`)).body as { data: Invoice[] }
    return Object.fromEntries(data.map(({ id, customerName }) => [id, customerName]))
  }
  expect(await names()).toEqual({ [draft.id]: 'After', [closed.id]: customer.name })
  expect((await get(`${base}/invoices?q=after`)).body.data).toMatchObject([{ id: draft.id }])
  expect((await get(`${base}/invoices/${draft.id}`)).body).toMatchObject({ customerName: 'After' })
  const { key } = (await unsent()).entries[0]!
  await send('DELETE', `/device/outbox/${key}`)
  expect(await names()).toEqual({ [draft.id]: customer.name, [closed.id]: customer.name })
})

test('a draft goes by its customer’s name as the device shows it, also when what waits of the draft is taken back last', async () => {
  const { base, invoice: closed } = await issued()
  const customerPath = `${base}/customers/${closed.customerId}`
  const { body: customer } = await get(customerPath)
  const { body: draft } = await send('POST', `${base}/invoices`, invoiceBody(customer.id))
  const path = `${base}/invoices/${draft.id}`
  const shownName = async () => (await get(path)).body.customerName
  // The draft's own answers and pulls say the former name as long as the customer's waits.
  walk.network = (request) =>
    request.method === 'PUT' && request.url.endsWith(customerPath) ? offline() : online(request)
  await send('PUT', customerPath, { ...customer, name: 'After' }, version(customer))
  await savedElsewhere(path, { ...contentOf(draft), notes: 'Elsewhere' }, draft)
  // A pull that is under way may have asked before: as a page does, again and again.
  await until(async () => {
    await walk.browser.post({ type: 'sync' })
    return (await get(path)).body.notes === 'Elsewhere'
  })
  expect(await shownName()).toBe('After')

  walk.network = offline
  const [rename] = (await unsent()).entries
  const { body: row } = await get(path)
  await send('PUT', path, { ...contentOf(row), notes: 'Mine' }, version(row))
  expect(await shownName()).toBe('After')
  await send('DELETE', `/device/outbox/${rename!.key}`)
  expect(await shownName()).toBe(customer.name)
  const [save] = (await unsent()).entries
  await send('DELETE', `/device/outbox/${save!.key}`)
  expect((await get(path)).body.notes).toBe('Elsewhere')
  expect(await shownName()).toBe(customer.name)
  expect((await get(`${base}/invoices?q=after`)).body.data).toEqual([])
})

test('a customer that is renamed, then deleted here leaves the drafts the name that the server has', async () => {
  const { base, invoice: closed } = await issued()
  const customerPath = `${base}/customers/${closed.customerId}`
  const { body: customer } = await get(customerPath)
  const { body: draft } = await send('POST', `${base}/invoices`, invoiceBody(customer.id))
  const shownName = async () => (await get(`${base}/invoices/${draft.id}`)).body.customerName
  walk.network = offline
  await send('PUT', customerPath, { ...customer, name: 'After' }, version(customer))
  expect(await shownName()).toBe('After')
  await send('DELETE', customerPath, undefined, version((await get(customerPath)).body))
  expect((await get(customerPath)).status).toBe(404)
  expect(await shownName()).toBe(customer.name)
  for (const { key } of (await unsent()).entries.toReversed()) await send('DELETE', `/device/outbox/${key}`)
  expect(await shownName()).toBe(customer.name)
})

test('what is made and may have arrived is not made once more under another key', async () => {
  const { base } = await ready()
  const customer = customerBody({ name: 'First' })
  walk.network = async (request) => (request.method === 'POST' ? refusal('validation_failed') : online(request))
  await send('POST', `${base}/customers`, customer)
  const [entry] = (await unsent()).entries
  walk.network = (request) => (request.method === 'POST' ? loseAnswers(request) : offline())
  await send('POST', '/device/outbox/retry')
  await until(async () => (await unsent()).entries.find(({ attempts, state }) => attempts > 1 && state === 'queued'))
  const mended = { ...customer, name: 'Mended' }
  const decided = await send('PUT', `/device/outbox/${entry!.key}`, { body: mended, baseVersion: null })
  expect(decided).toMatchObject({ status: 404, body: { code: 'not_found' } })
  // What the page does then: a change of what is made (save-typed.ts).
  await send('PUT', `${base}/customers/${customer.id}`, mended, { 'if-match': '"1"' })
  walk.network = online
  await tryNow()
  await isSynced()
  expect((await atServer(`${base}/customers/${customer.id}`)).body).toMatchObject({ name: 'Mended', version: 2 })
})

test('a page with a gateway of its own brings nothing back of who signed out in the worker', async () => {
  const { base } = await ready()
  const inPage = createBrowserGateway()
  const ask = (path: string, init?: RequestInit) =>
    inPage.answer(new Request(`http://localhost:8080/api/v1${base}${path}`, init))
  await ask('/customers')
  // Theirs alone: what a worker of an earlier test does meanwhile is no matter.
  const { userId } = (await send('GET', '/auth/session')).body
  walk.network = async (request) => {
    await new Promise((resolve) => setTimeout(resolve, 1200))
    return online(request)
  }
  const headers = { 'idempotency-key': uuidv7(), 'content-type': 'application/json' }
  const saving = ask('/customers', { method: 'POST', headers, body: JSON.stringify(customerBody()) })
  await new Promise((resolve) => setTimeout(resolve, 300))
  walk.network = online
  expect((await send('POST', '/auth/logout', {})).status).toBe(204)
  await saving.catch(() => {})
  // As long as it takes until what a worker does by itself after a first call would be done.
  await new Promise((resolve) => setTimeout(resolve, 2500))
  const databases = (await indexedDB.databases()).map(({ name }) => name)
  const kept = [...databases, ...(await caches.keys())]
  expect(userId).toBeTruthy()
  expect(kept.filter((name) => name?.endsWith(`.${userId}`))).toEqual([])
})

test('saved twice, one upon the other, a row that is not on this device asks nothing', async () => {
  const { base } = await ready()
  const made = (await send('POST', `${base}/customers`, customerBody({ phone: '1' }))).body
  await walk.browser.post({ type: 'sync' })
  await onDevice((database) => database.clear('customers'))
  const path = `${base}/customers/${made.id}`
  const { id: _, ...row } = made
  walk.network = offline
  const first = await send('PUT', path, { ...row, phone: '2' }, version(made))
  expect(first.status).toBe(202)
  const second = await send('PUT', path, { ...row, phone: '2', email: 'b@example.com' }, version(first.body))
  expect(second.status).toBe(202)
  walk.network = online
  await tryNow()
  await isSynced()
  expect((await atServer(path)).body).toMatchObject({ phone: '2', email: 'b@example.com' })
})

test('what was brought together and sent is known again when the browser asks for it once more', async () => {
  const { base } = await ready()
  const made = (await send('POST', `${base}/customers`, customerBody({ phone: '1', email: 'a@example.com' }))).body
  await walk.browser.post({ type: 'sync' })
  walk.network = offline
  const path = `${base}/customers/${made.id}`
  const { id: _, ...row } = made
  const save = (change: object, key: string) =>
    send('PUT', path, { ...row, ...change }, { ...version(made), 'idempotency-key': key })
  const key = uuidv7()
  // The first has been tried, so the second is a write of its own, with both in it.
  expect((await save({ phone: '2' }, uuidv7())).status).toBe(202)
  expect((await save({ email: 'b@example.com' }, key)).status).toBe(202)
  walk.network = online
  await tryNow()
  await isSynced()
  await walk.browser.startWorker()
  expect(await save({ email: 'b@example.com' }, key)).toMatchObject({ status: 200, body: { phone: '2' } })
  expect((await unsent()).entries).toEqual([])
})

test('where the server was put back to an older state the organization is as it is there, whatever its version', async () => {
  const { base } = await ready()
  const { body: organization } = await get(base)
  const { id, name } = organization
  expect((await send('PUT', base, { ...organization, name: 'Later' }, version(organization))).status).toBe(200)
  await walk.browser.post({ type: 'sync' })
  await walk.app.db.asApp({ userId: uuidv7(), organizationIds: [id] }, async (tx) => {
    await tx.updateTable('organizations').set({ name, version: 1 }).where('id', '=', id).execute()
    await tx.updateTable('organizationRevisions').set({ epoch: 'abcdef12' }).where('organizationId', '=', id).execute()
  })
  await walk.browser.post({ type: 'sync' })
  expect((await get(base)).body).toMatchObject({ name, version: 1 })
})

test('of who left in another context nothing is opened again, however often it is tried', async () => {
  const userId = uuidv7()
  let isHere = true
  const connection = createConnection(async () => {
    await new Promise((resolve) => setTimeout(resolve, 50))
    return isHere
  })
  connection.enter(userId)
  const count = () => connection.using(userId, (database) => database.count('outbox'))
  await count()
  isHere = false
  await deleteCopy(userId)
  const first = count()
  first.catch(() => {})
  await new Promise((resolve) => setTimeout(resolve, 10))
  // While the first of them is still finding out.
  for (const tried of [count(), first, count()]) await expect(tried).rejects.toThrow(Undeliverable)
  for (let tries = 0; tries < 3; tries += 1) await expect(count()).rejects.toThrow(Undeliverable)
  expect((await indexedDB.databases()).map((database) => database.name)).not.toContain(`docket-device.${userId}`)
})

test('a form that was opened before what is unsent was brought together with somebody else’s, saved after it, does not put theirs back', async () => {
  const { base } = await ready()
  const { body: row } = await send('POST', `${base}/customers`, customerBody({ phone: '1' }))
  const path = `${base}/customers/${row.id}`
  await walk.browser.post({ type: 'sync' })
  await changedElsewhere(row, { phone: 'Theirs' })
  walk.network = offline
  const contentOf = ({ id: _, unsent: __, ...of }: Record<string, unknown>) => of
  const save = async (shown: { version: number }, change: object) =>
    send('PUT', path, { ...contentOf({ ...shown }), ...change }, version(shown))
  const first = await save(row, { name: 'Mine' })
  // Two tabs are open on that; one of them is saved.
  const opened = first.body
  expect((await save(opened, { email: 'mine@example.com' })).status).toBe(202)
  // The first one meets what was changed elsewhere, is brought together with it, and is on its way as the other tab is saved.
  const held = Promise.withResolvers<void>()
  let puts = 0
  walk.network = async (request) => {
    if (request.method === 'PUT' && ++puts > 1) await held.promise
    return online(request)
  }
  void tryNow()
  await until(async () => (puts > 1 ? true : undefined))
  const late = save(opened, { country: 'DE' })
  await until(async () => ((await get(path)).body.country === 'DE' ? true : undefined))
  held.resolve()
  await late
  // Where it cannot be told what the second tab was to change, its person is asked.
  const question = async () => (await unsent()).entries.find(({ state }) => state === 'conflict')
  await until(async () => ((await unsent()).entries.length === 0 || (await question()) ? true : undefined))
  expect((await atServer(path)).body).toMatchObject({ name: 'Mine', phone: 'Theirs', email: 'mine@example.com' })
})
