// What is taken back, put back and refused while other things were saved upon it (OFFLINE.md "Writing: the outbox").
import { describe, expect, test, vi } from 'vitest'
import { uuidv7 } from '#shared/ids.ts'
import { holdHeader, holdMs } from '#shared/outbox.ts'
import { customerBody, invoiceBody, organizationBody, paymentBody, websiteLine } from '#tests/support/bodies.ts'
import { until } from '#tests/support/people.ts'
import { hanging, offline, refusal, startWalk, version } from '#tests/support/walk.ts'

const { walk, online, send, get, atServer, unsent, isSynced, ready } = startWalk()

/** A draft at the server, and from then on no connection. */
async function draftOffline() {
  const { base } = await ready()
  const { body: customer } = await send('POST', `${base}/customers`, customerBody())
  const { body: row } = await send('POST', `${base}/invoices`, invoiceBody(customer.id))
  const path = `${base}/invoices/${row.id}`
  walk.network = offline
  return { base, customer, row, path }
}

/** A draft that was changed and issued without a connection. */
async function changedAndIssued() {
  const { customer, row, path } = await draftOffline()
  const saved = await send(
    'PUT',
    path,
    { customerId: customer.id, lines: [{ ...websiteLine, quantity: '1' }] },
    version(row),
  )
  expect((await send('POST', `${path}/issue`, undefined, version(saved.body))).status).toBe(202)
  return { path, row }
}

/** Without a network its try is soon over: on its way it cannot be taken back. */
const discard = async (index: number) => {
  const found = await until(async () => {
    const entry = (await unsent()).entries[index]!
    return walk.network === offline && entry.state === 'sending' ? undefined : entry
  })
  return (await send('DELETE', `/device/outbox/${found.key}`)).body
}
const putBack = (file: unknown) => send('POST', '/device/outbox/import', file)

/** Somebody else saves the invoice. */
const overtaken = (row: { id: string; organizationId: string; version: number; revision: number }, change: object) =>
  walk.app.db.asApp({ userId: row.id, organizationIds: [row.organizationId] }, (tx) =>
    tx
      .updateTable('invoices')
      .set({ ...change, version: row.version + 1, revision: BigInt(row.revision) + 1n })
      .where('id', '=', row.id)
      .where('organizationId', '=', row.organizationId)
      .execute(),
  )

/** Their change comes with the next pull, which something else of the organization brings about. */
async function heardOf(path: string): Promise<void> {
  await send('POST', path.replace(/invoices.*/, 'customers'), customerBody())
  await until(async () => {
    await walk.browser.post({ type: 'sync' })
    return (await get(path)).body.notes === 'Theirs' || undefined
  })
}

async function tryNow(): Promise<void> {
  walk.network = online
  await walk.browser.post({ type: 'try-now' })
}

test('a change that is put back is followed again by the press to issue it, which went with it', async () => {
  const { path, row } = await changedAndIssued()
  const file = await discard(0)
  expect(file.entries).toHaveLength(2)
  expect((await putBack(file)).body).toEqual({ imported: 2, refused: 0 })
  await tryNow()
  await isSynced()
  const { body } = await atServer(path)
  expect(body).toMatchObject({ status: 'issued', lines: [{ quantity: '1' }] })
  expect(body.totals.gross).not.toBe(row.totals.gross)
})

test('a press that is put back means the draft as it is shown: it goes after what was saved since', async () => {
  const { customer, row, path } = await draftOffline()
  await send('POST', `${path}/issue`, undefined, version(row))
  const file = await discard(0)
  const body = { customerId: customer.id, lines: [{ ...websiteLine, quantity: '1' }] }
  const saved = await send('PUT', path, body, version((await get(path)).body))
  expect(saved.status).toBe(202)
  expect((await putBack(file)).body).toEqual({ imported: 1, refused: 0 })
  const shown = (await get(path)).body
  expect(shown).toMatchObject({ unsent: 'issue', lines: [{ quantity: '1' }] })
  await tryNow()
  await isSynced()
  const { body: issued } = await atServer(path)
  expect(issued).toMatchObject({ status: 'issued', lines: [{ quantity: '1' }], totals: shown.totals })
})

test('a press that is put back means what was saved here and sent meanwhile, and asks about what somebody else saved', async () => {
  const { customer, row, path } = await draftOffline()
  await send('POST', `${path}/issue`, undefined, version(row))
  const file = await discard(0)
  walk.network = online
  const save = async (quantity: string) => {
    const body = { customerId: customer.id, lines: [{ ...websiteLine, quantity }] }
    const saved = await send('PUT', path, body, version((await get(path)).body))
    expect(saved.status).toBe(200)
    return saved.body
  }
  await save('1')
  walk.network = offline
  await putBack(file)
  const again = await discard(0)
  walk.network = online
  await save('3')
  await overtaken((await atServer(path)).body, { notes: 'Theirs' })
  walk.network = offline
  // The device has not heard of it.
  await putBack(again)
  await tryNow()
  await until(async () => (await unsent()).entries[0]?.state === 'conflict' || undefined)
  expect((await atServer(path)).body).toMatchObject({ status: 'draft', notes: 'Theirs' })
  // Seen by now, it is what is saved upon, and issued.
  await discard(0)
  await heardOf(path)
  walk.network = offline
  expect((await send('POST', `${path}/issue`, undefined, version((await get(path)).body))).status).toBe(202)
  const last = await discard(0)
  walk.network = online
  await save('5')
  await putBack(last)
  await isSynced()
  expect((await atServer(path)).body).toMatchObject({ status: 'issued', lines: [{ quantity: '5' }] })
})

test('a press that is put back freezes the customer as they are shown: it waits for what was saved of them since', async () => {
  const { base, customer, row, path } = await draftOffline()
  await send('POST', `${path}/issue`, undefined, version(row))
  const file = await discard(0)
  const ofCustomer = `${base}/customers/${customer.id}`
  const shown = (await get(ofCustomer)).body
  expect((await send('PUT', ofCustomer, { ...shown, name: 'Bob Renamed' }, version(shown))).status).toBe(202)
  await putBack(file)
  walk.network = async (request) => {
    if (request.method === 'PUT') await new Promise((resolve) => setTimeout(resolve, 200))
    return online(request)
  }
  await walk.browser.post({ type: 'try-now' })
  await isSynced()
  expect((await atServer(path)).body).toMatchObject({ status: 'issued', buyer: { name: 'Bob Renamed' } })
})

test('a press is not put back behind a deletion, or another press that it cannot follow', async () => {
  const { row, path } = await draftOffline()
  await send('POST', `${path}/issue`, undefined, version(row))
  const file = await discard(0)
  await send('POST', `${path}/issue`, undefined, version((await get(path)).body))
  expect((await putBack(file)).body).toEqual({ imported: 0, refused: 1 })
  await discard(0)
  await send('DELETE', path, undefined, version((await get(path)).body))
  expect((await putBack(file)).body).toEqual({ imported: 0, refused: 1 })
  await tryNow()
  await isSynced()
  expect((await atServer(path)).status).toBe(404)
})

test('a press to issue that was pressed once more and is done is not put back before a payment, which would wait for it', async () => {
  const { base, row, path } = await draftOffline()
  await send('POST', `${path}/issue`, undefined, version(row))
  const file = await discard(0)
  await send('POST', `${path}/issue`, undefined, version((await get(path)).body))
  await tryNow()
  await isSynced()
  await walk.browser.post({ type: 'sync' })
  walk.network = offline
  await send('POST', `${base}/payments`, paymentBody((await get(path)).body, '10'))
  expect((await putBack(file)).body).toEqual({ imported: 0, refused: 1 })
  await tryNow()
  await isSynced()
  expect((await atServer(path)).body.payments).toHaveLength(1)
})

test('what was saved of an older version beside it does not follow what is put back: it takes nothing of it away', async () => {
  const { base } = await ready()
  const { body: old } = await send('POST', `${base}/customers`, customerBody({ name: 'Before', phone: '1' }))
  const path = `${base}/customers/${old.id}`
  expect((await send('PUT', path, { ...old, phone: '2' }, version(old))).status).toBe(200)
  walk.network = offline
  // Two tabs that stand open since then.
  await send('PUT', path, { ...old, name: 'Mine' }, version(old))
  await send('PUT', path, { ...old, contactName: 'Ann' }, version(old))
  const { key } = (await unsent()).entries[0]!
  const file = (await send('DELETE', `/device/outbox/${key}?alone`)).body
  expect((await putBack(file)).body).toEqual({ imported: 1, refused: 0 })
  await tryNow()
  const conflict = (name: string) =>
    until(async () =>
      (await unsent()).entries.find(({ body, state }) => state === 'conflict' && body?.['name'] === name),
    )
  const { theirs } = await conflict('Mine')
  await send('PUT', `/device/outbox/${key}`, { body: { ...theirs, name: 'Mine' }, baseVersion: theirs!['version'] })
  expect(await conflict('Before')).toMatchObject({ theirs: { name: 'Mine', phone: '2', version: 3 } })
  expect((await atServer(path)).body).toMatchObject({ name: 'Mine', phone: '2', contactName: null })
})

test('what is on its way cannot be taken back, and what follows it stays as it is', async () => {
  const { path } = await changedAndIssued()
  const held = Promise.withResolvers<void>()
  walk.network = async (request) => {
    if (request.method === 'PUT') await held.promise
    return online(request)
  }
  void walk.browser.post({ type: 'try-now' })
  await until(async () => (await unsent()).entries[0]?.state === 'sending' || undefined)
  expect((await discard(0)).code).toBe('not_found')
  held.resolve()
  await isSynced()
  expect((await atServer(path)).body).toMatchObject({ status: 'issued', lines: [{ quantity: '1' }] })
})

test('put back when what it followed has been sent: based on what the server has', async () => {
  const { path } = await changedAndIssued()
  const file = await discard(1)
  await tryNow()
  await isSynced()
  await putBack(file)
  await isSynced()
  expect((await atServer(path)).body).toMatchObject({ status: 'issued', lines: [{ quantity: '1' }] })
})

test('a change that is taken back is not sent inside the one that was saved after it, and put back it is', async () => {
  for (const isPutBack of [false, true]) {
    walk.network = online
    const { base } = await ready()
    const { body: row } = await send('POST', `${base}/customers`, customerBody({ name: 'Before' }))
    const path = `${base}/customers/${row.id}`
    const fields = { name: 'Before', country: 'NL', email: row.email }
    walk.network = offline
    const renamed = await send('PUT', path, { ...fields, name: 'After' }, version(row))
    // Tried once: the next save does not take its place.
    await vi.waitFor(async () => expect((await unsent()).entries[0]!.attempts).toBe(1))
    await send('PUT', path, { ...fields, name: 'After', country: 'DE' }, version(renamed.body))
    expect((await unsent()).entries).toHaveLength(2)
    const file = await discard(0)
    expect((await get(path)).body).toMatchObject({ name: 'Before', country: 'DE' })
    if (isPutBack) {
      await putBack(file)
      expect((await get(path)).body).toMatchObject({ name: 'After', country: 'DE' })
    }
    await tryNow()
    await isSynced()
    expect((await atServer(path)).body).toMatchObject({ name: isPutBack ? 'After' : 'Before', country: 'DE' })
  }
})

test('a form takes its refused customer back alone: what another tab made for it stays, and goes out with the form sent again', async () => {
  const { base } = await ready()
  const customer = customerBody()
  const invoice = invoiceBody(customer.id)
  const answered = Promise.withResolvers<void>()
  walk.network = async (request) => {
    if (request.method !== 'POST' || !request.url.endsWith('/customers')) return online(request)
    await answered.promise
    const said = { type: 'about:blank', title: 'No', status: 422, code: 'invalid_request' }
    return new Response(JSON.stringify(said), {
      status: 422,
      headers: { 'content-type': 'application/problem+json', 'x-docket': '1' },
    })
  }
  const made = send('POST', `${base}/customers`, customer)
  await until(async () => (await unsent()).entries[0]?.state === 'sending' || undefined)
  const drafted = send('POST', `${base}/invoices`, invoice)
  await until(async () => (await unsent()).entries.length === 2 || undefined)
  answered.resolve()
  expect((await made).status).toBe(422)
  expect((await drafted).status).toBe(202)
  const [refused] = (await unsent()).entries
  expect((await send('DELETE', `/device/outbox/${refused!.key}?alone`)).status).toBe(409)
  expect((await unsent()).entries.map(({ name, state }) => [name, state])).toEqual([
    ['createCustomer', 'rejected'],
    ['createInvoice', 'waiting-for-decision'],
  ])
  walk.network = online
  expect((await send('POST', `${base}/customers`, { ...customer, name: 'As it should be' })).status).toBeLessThan(300)
  await isSynced()
  expect((await atServer(`${base}/invoices/${invoice.id}`)).body.customerName).toBe('As it should be')
})

test('what hangs from before is given up when the network is there, and done once', async () => {
  const { base } = await ready()
  // Left to themselves they would hang for ever.
  vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => new AbortController().signal)
  let hung = 0
  walk.network = (request) => {
    if (request.method === 'GET') return online(request)
    hung += 1
    return hanging(request)
  }
  const bodies = ['One', 'Two', 'Three', 'Four'].map((name) => customerBody({ name }))
  const answers = await Promise.all(bodies.map((body) => send('POST', `${base}/customers`, body)))
  expect(answers.map(({ status }) => status)).toEqual([202, 202, 202, 202])
  expect(hung).toBe(3)
  walk.network = online
  // A page that stands open asks again and again.
  const asking = setInterval(() => void walk.browser.post({ type: 'sync' }), 500)
  await isSynced().finally(() => clearInterval(asking))
  expect((await atServer(`${base}/customers`)).body.data).toHaveLength(4)
})

test('what is put back repeats nothing of what it followed, nor what somebody else changed meanwhile', async () => {
  const { base } = await ready()
  const { body: row } = await send('POST', `${base}/customers`, customerBody())
  const path = `${base}/customers/${row.id}`
  const { id: _, ...content } = customerBody()
  walk.network = offline
  const first = await send('PUT', path, { ...row, phone: '1' }, version(row))
  // Tried, so that the next does not take its place.
  const second = await send('PUT', path, { ...first.body, name: content.name }, version(first.body))
  expect(second.status).toBe(202)
  const file = await discard(1)
  expect(file.entries).toHaveLength(1)
  await tryNow()
  await isSynced()
  const { body: sent } = await atServer(path)
  expect(sent).toMatchObject({ phone: '1', name: row.name, version: 2 })
  await walk.app.db.asApp({ userId: row.id, organizationIds: [row.organizationId] }, (tx) =>
    tx
      .updateTable('customers')
      .set({ contactName: 'Theirs', phone: '2', version: 3, revision: sent.revision + 1 })
      .where('id', '=', row.id)
      .where('organizationId', '=', row.organizationId)
      .execute(),
  )
  await send('POST', `${base}/customers`, customerBody())
  await until(async () => {
    await walk.browser.post({ type: 'sync' })
    return (await get(path)).body.contactName === 'Theirs'
  })
  expect((await putBack(file)).body).toEqual({ imported: 1, refused: 0 })
  await isSynced()
  expect((await atServer(path)).body).toMatchObject({
    contactName: 'Theirs',
    phone: '2',
    name: content.name,
    version: 4,
  })
})

test('what is put back waits for what it needs, also when that was mended meanwhile', async () => {
  const { base } = await ready()
  const customer = customerBody()
  walk.network = offline
  await send('POST', `${base}/customers`, { ...customer, email: 'no address' })
  const invoice = invoiceBody(customer.id)
  expect((await send('POST', `${base}/invoices`, invoice)).status).toBe(202)
  await tryNow()
  await until(async () => (await unsent()).entries[0]?.state === 'rejected' || undefined)
  walk.network = offline
  const file = await discard(1)
  const [{ key } = { key: '' }] = (await unsent()).entries
  const mended = { body: customer, baseVersion: null }
  expect((await send('PUT', `/device/outbox/${key}`, mended)).status).toBe(204)
  expect((await putBack(file)).body).toEqual({ imported: 1, refused: 0 })
  expect((await unsent()).entries.map(({ state }) => state)).toEqual(['queued', 'waiting-for-parent'])
  await tryNow()
  await isSynced()
  expect((await atServer(`${base}/invoices/${invoice.id}`)).body).toMatchObject({ customerName: customer.name })
})

test('an organization that was made here and is put back answers of all that is in it, as before', async () => {
  await ready()
  walk.network = offline
  const { body: made } = await send('POST', '/organizations', organizationBody())
  const dashboard = `/organizations/${made.id}/dashboard`
  const before = await get(dashboard)
  expect(before.status).toBe(200)
  const file = await discard(0)
  expect((await get(dashboard)).status).toBe(503)
  await putBack(file)
  expect((await get(dashboard)).body).toEqual(before.body)
})

test('a deletion that was discarded and is asked for once more waits for nothing that waits for it', async () => {
  const { base } = await ready()
  const customer = customerBody()
  const draft = invoiceBody(customer.id)
  await send('POST', `${base}/customers`, customer)
  await send('POST', `${base}/invoices`, draft)
  const deletion = { ...version((await get(`${base}/customers/${customer.id}`)).body), 'idempotency-key': uuidv7() }
  expect((await send('DELETE', `${base}/customers/${customer.id}`, undefined, deletion)).status).toBe(409)
  walk.network = offline
  expect((await send('POST', `${base}/invoices/${draft.id}/issue`, undefined, { 'if-match': '"1"' })).status).toBe(202)
  const [refused] = (await unsent()).entries
  expect(refused).toMatchObject({ name: 'deleteCustomer', state: 'rejected' })
  await send('DELETE', `/device/outbox/${refused!.key}`)
  expect((await send('DELETE', `${base}/customers/${customer.id}`, undefined, deletion)).status).toBe(202)
  walk.network = online
  await walk.browser.post({ type: 'try-now' })
  await expect
    .poll(async () => (await unsent()).entries.map(({ name, state }) => `${name} ${state}`).toSorted())
    .toEqual(['deleteCustomer rejected', 'issueInvoice waiting-for-decision'])
})

/** A customer that the server has, deleted here with a way back, and the deletions that were sent since. */
async function deletedWithUndo() {
  const { base } = await ready()
  const { body: row } = await send('POST', `${base}/customers`, customerBody())
  const path = `${base}/customers/${row.id}`
  const key = uuidv7()
  const answer = await send('DELETE', path, undefined, {
    ...version(row),
    'idempotency-key': key,
    [holdHeader]: '1',
  })
  expect(answer).toMatchObject({ status: 202, body: { unsent: 'waiting' } })
  expect((await get(`${base}/customers`)).body.data).toEqual([])
  const sent = () => walk.browser.sent.filter(({ method }) => method === 'DELETE')
  const [held] = (await unsent()).entries
  expect(held).toMatchObject({ state: 'queued', attempts: 0, nextAttemptAt: expect.any(String) })
  return { base, row, path, key, sent }
}

test('a deletion that can be taken back is not sent before that is over, whoever asks for what is due', async () => {
  const { row, path, sent } = await deletedWithUndo()
  await walk.browser.post({ type: 'try-now' })
  // Another success makes due what was put off, and not this.
  expect((await send('POST', `/organizations/${row.organizationId}/customers`, customerBody())).status).toBe(201)
  expect(sent()).toEqual([])
  expect((await atServer(path)).status).toBe(200)

  walk.browser.clockOffMs = holdMs
  await walk.browser.startWorker()
  await walk.browser.post({ type: 'try-now' })
  await isSynced()
  expect((await atServer(path)).status).toBe(404)
  expect(sent().map(({ headers }) => headers.get(holdHeader))).toEqual([null])
})

test('the browser’s wake-up waits until it is over, and sends it', { timeout: 4 * holdMs }, async () => {
  const { path, sent } = await deletedWithUndo()
  // No page is there, nor the worker that was told of it.
  await walk.browser.startWorker()
  await walk.browser.dispatch('sync')
  expect(sent()).toHaveLength(1)
  expect((await unsent()).entries).toEqual([])
  expect((await atServer(path)).status).toBe(404)
})

test('who closes the organization waits for nothing that could be taken back', async () => {
  const { base } = await deletedWithUndo()
  const { body: organization } = await get(base)
  const closed = await send('DELETE', base, { name: organization.name }, version(organization))
  expect(closed.status).toBe(204)
  expect((await unsent()).entries).toEqual([])
})

test('taken back, it never was: the row is there as it was, and nothing was sent', async () => {
  const { base, row, path, key, sent } = await deletedWithUndo()
  expect((await send('DELETE', `/device/outbox/${key}`)).body.entries).toHaveLength(1)
  expect((await get(path)).body).toEqual(row)
  walk.browser.clockOffMs = holdMs
  await walk.browser.post({ type: 'try-now' })
  expect((await atServer(`${base}/customers`)).body.data).toMatchObject([{ version: 1 }])
  expect(sent()).toEqual([])
})

test('a draft that is there again keeps its customer, who was deleted after it', async () => {
  const { base } = await ready()
  const { body: customer } = await send('POST', `${base}/customers`, customerBody())
  const { body: draft } = await send('POST', `${base}/invoices`, invoiceBody(customer.id))
  const removed = { ...version(draft), 'idempotency-key': uuidv7(), [holdHeader]: '1' }
  await send('DELETE', `${base}/invoices/${draft.id}`, undefined, removed)
  await send('DELETE', `${base}/customers/${customer.id}`, undefined, { ...version(customer), [holdHeader]: '1' })
  expect((await discard(0)).entries).toMatchObject([{ name: 'deleteInvoice' }, { name: 'deleteCustomer' }])
  expect((await unsent()).entries).toEqual([])
  expect((await get(`${base}/customers/${customer.id}`)).body).toEqual(customer)
  expect((await get(`${base}/invoices/${draft.id}`)).body).toEqual(draft)
})

test('who asks for all of it to be sent has it sent, and a clock that was set back holds nothing', async () => {
  const first = await deletedWithUndo()
  await send('POST', '/device/outbox/retry')
  await isSynced()
  expect((await atServer(first.path)).status).toBe(404)

  walk.browser.clockOffMs = 3_600_000
  const { body: row } = await send('POST', `${first.base}/customers`, customerBody())
  const path = `${first.base}/customers/${row.id}`
  expect((await send('DELETE', path, undefined, { ...version(row), [holdHeader]: '1' })).status).toBe(202)
  walk.browser.clockOffMs = 0
  await walk.browser.post({ type: 'try-now' })
  await isSynced()
  expect((await atServer(path)).status).toBe(404)
})

/** A try that the server refuses, as the network has it. */
async function refused(method: string) {
  walk.network = async (request) => (request.method === method ? refusal('validation_failed') : online(request))
  await walk.browser.post({ type: 'try-now' })
  await until(async () => (await unsent()).entries[0]?.state === 'rejected' || undefined)
  return (await unsent()).entries[0]!
}

test('a refused change that is discarded takes along the press to issue and to mail what nobody has seen; undone, all of it waits again', async () => {
  const { customer, row, path } = await draftOffline()
  const lines = [{ ...websiteLine, quantity: '1' }]
  const saved = await send('PUT', path, { customerId: customer.id, taxMode: 'net', lines }, version(row))
  await send('POST', `${path}/issue`, undefined, version(saved.body))
  const mail = { to: 'bob@example.com', subject: 'Yours', message: 'Hi' }
  expect((await send('POST', `${path}/send`, mail, version(saved.body))).status).toBe(202)
  const { key } = await refused('PUT')
  const { body: file } = await send('DELETE', `/device/outbox/${key}`)
  expect(file.entries.map(({ name }: { name: string }) => name)).toEqual(['saveInvoice', 'issueInvoice', 'sendInvoice'])
  await isSynced()
  expect((await atServer(path)).body).toMatchObject({ status: 'draft', version: row.version })
  await send('POST', '/device/outbox/import', file)
  walk.network = online
  await send('POST', '/device/outbox/retry')
  await isSynced()
  expect((await atServer(path)).body).toMatchObject({ status: 'issued', lines: [{ quantity: '1' }] })
})

test('so does a change of the customer that the press would have frozen', async () => {
  const { base, customer, row, path } = await draftOffline()
  await send('PUT', `${base}/customers/${customer.id}`, { ...customer, name: 'New name' }, version(customer))
  await send('POST', `${path}/issue`, undefined, version(row))
  const { key } = await refused('PUT')
  await send('DELETE', `/device/outbox/${key}`)
  await isSynced()
  expect((await atServer(path)).body.status).toBe('draft')
})

test('what was refused keeps its draft from being changed until the person has decided, and says so', async () => {
  const { base } = await ready()
  const { body: row } = await send('POST', `${base}/invoices`, invoiceBody(null))
  const path = `${base}/invoices/${row.id}`
  walk.network = offline
  await send('POST', `${path}/issue`, undefined, version(row))
  const save = async () => send('PUT', path, invoiceBody(null), version((await get(path)).body))
  expect((await save()).body.detail).toMatch(/^Something else about it is not sent yet/)
  await tryNow()
  const { key } = await until(async () => (await unsent()).entries.find(({ state }) => state === 'rejected'))
  const refused = await save()
  expect(refused).toMatchObject({ status: 409, body: { code: 'invalid_transition' } })
  expect(refused.body.detail).toMatch(/^Something else about it was refused/)
  await send('DELETE', `/device/outbox/${key}`)
  expect((await save()).status).toBe(200)
})

test('a press whose change was sent meanwhile asks about what somebody else saved upon that', async () => {
  const { path, row } = await changedAndIssued()
  const file = await discard(1)
  walk.network = online
  await walk.browser.post({ type: 'try-now' })
  await isSynced()
  const { body: sent } = await atServer(path)
  expect(sent).toMatchObject({ version: row.version + 1, lines: [{ quantity: '1' }] })
  await overtaken(sent, { notes: 'Theirs' })
  await heardOf(path)
  expect((await putBack(file)).body).toEqual({ imported: 1, refused: 0 })
  await until(async () => (await unsent()).entries[0]?.state === 'conflict' || undefined)
  expect((await atServer(path)).body).toMatchObject({ status: 'draft', notes: 'Theirs' })
})

test('a deletion whose change was sent meanwhile asks about what somebody else saved upon that', async () => {
  const { customer, row, path } = await draftOffline()
  const body = { customerId: customer.id, lines: [{ ...websiteLine, quantity: '1' }] }
  const saved = await send('PUT', path, body, version(row))
  expect((await send('DELETE', path, undefined, version(saved.body))).status).toBe(202)
  const file = await discard(1)
  walk.network = online
  await walk.browser.post({ type: 'try-now' })
  await isSynced()
  await overtaken((await atServer(path)).body, { notes: 'Theirs' })
  await heardOf(path)
  await putBack(file)
  await until(async () => (await unsent()).entries[0]?.state === 'conflict' || undefined)
  expect((await atServer(path)).body).toMatchObject({ status: 'draft', notes: 'Theirs' })
})

describe('not put back, as it does not go with what was done since', () => {
  const none = { imported: 0, refused: 1 }

  test('a mail behind a press to issue that stays where it is; an undo is of all or nothing', async () => {
    const { row, path } = await draftOffline()
    await send('POST', `${path}/issue`, undefined, version(row))
    const mail = { to: 'bob@bakery.example', subject: 'Your invoice', message: 'Here it is.' }
    expect((await send('POST', `${path}/send`, mail, version((await get(path)).body))).status).toBe(202)
    const file = await discard(0)
    expect(file.entries).toHaveLength(2)
    await send('POST', `${path}/issue`, undefined, version((await get(path)).body))
    const other = await send('POST', path.replace(/invoices.*/, 'customers'), customerBody())
    expect(other.status).toBe(202)
    const [added] = (await discard(1)).entries
    expect((await putBack(file)).body).toEqual({ imported: 0, refused: 2 })
    const more = { ...file, entries: [added, ...file.entries] }
    expect((await send('POST', '/device/outbox/import?whole', more)).body).toEqual({ imported: 0, refused: 3 })
    expect((await unsent()).entries.map(({ name }) => name)).toEqual(['issueInvoice'])
    expect((await putBack(more)).body).toEqual({ imported: 1, refused: 2 })
  })

  test('a change of a draft that is to be issued without it', async () => {
    const { customer, row, path } = await draftOffline()
    await send('PUT', path, { customerId: customer.id, lines: [{ ...websiteLine, quantity: '1' }] }, version(row))
    const file = await discard(0)
    await send('POST', `${path}/issue`, undefined, version((await get(path)).body))
    expect((await putBack(file)).body).toEqual(none)
    await tryNow()
    await isSynced()
    expect((await atServer(path)).body).toMatchObject({ status: 'issued', totals: row.totals })
  })

  test('a change of the customer or the organization that is to be frozen without it', async () => {
    const { base, customer, row, path } = await draftOffline()
    const organization = (await get(base)).body
    const { name: _, ...rest } = organization
    for (const [at, body] of [
      [`${base}/customers/${customer.id}`, { ...customer, name: 'Zed' }],
      [base, { ...rest, name: 'Zed Works' }],
    ] as const) {
      expect((await send('PUT', at, body, version((await get(at)).body))).status).toBe(202)
      const file = await discard(0)
      await send('POST', `${path}/issue`, undefined, version((await get(path)).body))
      expect((await putBack(file)).body).toEqual(none)
      await discard(0)
    }
    expect(row.status).toBe('draft')
  })

  test('a deletion of what was saved or is to be issued since', async () => {
    const { base, customer, row, path } = await draftOffline()
    const ofCustomer = `${base}/customers/${customer.id}`
    await send('DELETE', path, undefined, version(row))
    const draftGone = await discard(0)
    await send('POST', `${path}/issue`, undefined, version((await get(path)).body))
    expect((await putBack(draftGone)).body).toEqual(none)
    await discard(0)
    walk.network = online
    const { body: other } = await send('POST', `${base}/customers`, customerBody())
    walk.network = offline
    await send('DELETE', `${base}/customers/${other.id}`, undefined, version(other))
    const gone = await discard(0)
    await send('PUT', `${base}/customers/${other.id}`, { ...other, phone: '7' }, version(other))
    expect((await putBack(gone)).body).toEqual(none)
    await tryNow()
    await isSynced()
    expect((await atServer(`${base}/customers/${other.id}`)).body).toMatchObject({ phone: '7' })
    expect((await atServer(ofCustomer)).status).toBe(200)
  })

  test('a deletion of what something was saved for or in since', async () => {
    const { base } = await draftOffline()
    walk.network = online
    const { body: other } = await send('POST', `${base}/customers`, customerBody())
    walk.network = offline
    await send('DELETE', `${base}/customers/${other.id}`, undefined, version(other))
    const customerGone = await discard(0)
    expect((await send('POST', `${base}/invoices`, invoiceBody(other.id))).status).toBe(202)
    expect((await putBack(customerGone)).body).toEqual(none)
    await discard(0)
    await send('DELETE', base, undefined, version((await get(base)).body))
    const closed = await discard(0)
    expect((await send('POST', `${base}/customers`, customerBody())).status).toBe(202)
    expect((await putBack(closed)).body).toEqual(none)
    await tryNow()
    await isSynced()
    expect((await atServer(base)).status).toBe(200)
  })

  test('anything of an organization that is to be closed', async () => {
    const { base, row, path } = await draftOffline()
    await send('POST', `${path}/issue`, undefined, version(row))
    const press = await discard(0)
    await send('POST', `${base}/customers`, customerBody())
    const made = await discard(0)
    expect((await send('DELETE', base, undefined, version((await get(base)).body))).status).toBe(202)
    expect((await putBack(press)).body).toEqual(none)
    expect((await putBack(made)).body).toEqual(none)
    await discard(0)
    expect((await putBack(press)).body).toEqual({ imported: 1, refused: 0 })
  })
})

test('a deletion that is put back asks about what was saved and sent since', async () => {
  const { customer, base } = await draftOffline()
  const path = `${base}/customers/${customer.id}`
  walk.network = online
  const { body: other } = await send('POST', `${base}/customers`, customerBody())
  const ofOther = `${base}/customers/${other.id}`
  walk.network = offline
  await send('DELETE', ofOther, undefined, version(other))
  const file = await discard(0)
  await tryNow()
  expect((await send('PUT', ofOther, { ...other, phone: '7' }, version(other))).status).toBe(200)
  expect((await putBack(file)).body).toEqual({ imported: 1, refused: 0 })
  await until(async () => (await unsent()).entries[0]?.state === 'conflict' || undefined)
  for (const at of [ofOther, path]) expect((await atServer(at)).status).toBe(200)
})

test('what is changed after a press to issue waits for it, and for none that was refused or taken back', async () => {
  const { base, customer, row, path } = await draftOffline()
  const ofCustomer = `${base}/customers/${customer.id}`
  await send('POST', `${path}/issue`, undefined, version(row))
  const rename = async (name: string) => {
    const shown = (await get(ofCustomer)).body
    expect((await send('PUT', ofCustomer, { ...shown, name }, version(shown))).status).toBe(202)
  }
  await rename('Zed')
  const { address: _, ...organization } = (await get(base)).body
  const address = { line1: 'New street 1', line2: null, postalCode: '1', city: 'Gent', region: null }
  expect((await send('PUT', base, { ...organization, address }, version((await get(base)).body))).status).toBe(202)
  expect((await unsent()).entries.map(({ state }) => state)).toEqual([
    'queued',
    'waiting-for-parent',
    'waiting-for-parent',
  ])
  walk.network = async (request) => {
    if (request.url.endsWith('/issue')) await new Promise((resolve) => setTimeout(resolve, 300))
    return online(request)
  }
  await walk.browser.post({ type: 'try-now' })
  await isSynced()
  const { body: issued } = await atServer(path)
  expect(issued).toMatchObject({ status: 'issued', buyer: { name: customer.name } })
  expect(issued.seller.address?.line1).not.toBe('New street 1')
  expect((await atServer(ofCustomer)).body).toMatchObject({ name: 'Zed' })
  expect((await atServer(base)).body.address).toMatchObject({ line1: 'New street 1' })

  // Taken back it holds nobody up, and put back it means what is shown by then.
  const { body: next } = await send('POST', `${base}/invoices`, invoiceBody(customer.id))
  walk.network = offline
  const ofNext = `${base}/invoices/${next.id}`
  await send('POST', `${ofNext}/issue`, undefined, version(next))
  await rename('Yan')
  const file = await discard(0)
  expect(file.entries).toHaveLength(1)
  const states = async () => (await unsent()).entries.map(({ name, state }) => [name, state === 'waiting-for-parent'])
  expect(await states()).toEqual([['saveCustomer', false]])
  await putBack(file)
  expect(await states()).toEqual([
    ['saveCustomer', false],
    ['issueInvoice', true],
  ])
  await tryNow()
  await isSynced()
  expect((await atServer(ofNext)).body).toMatchObject({ status: 'issued', buyer: { name: 'Yan' } })
})
