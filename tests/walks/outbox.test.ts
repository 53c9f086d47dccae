// Writes without a network, from the page's call through the worker to the server's rows: kept, sent once, in order (OFFLINE.md "Writing: the outbox").
import { describe, expect, test, vi } from 'vitest'
import { personHeader } from '#shared/endpoint.ts'
import { merge } from '#shared/merge.ts'
import { uuidv7 } from '#shared/ids.ts'
import { problem } from '#shared/problem.ts'
import { customerBody, invoiceBody, itemBody, organizationBody, websiteLine } from '#tests/support/bodies.ts'
import { password, until } from '#tests/support/people.ts'
import { offline, onDevice, startWalk, version, type Network } from '#tests/support/walk.ts'

const { walk, online, loseAnswers, send, get, atServer, unsent, isSynced, signIn, signUp, ready, changedElsewhere } =
  startWalk()
const writes = () => walk.browser.sent.filter(({ method, url }) => method !== 'GET' && url.includes('/organizations'))

/** Something to wait for, and what lets it happen. */
function gate(): [Promise<void>, () => void] {
  let open = () => {}
  return [new Promise<void>((resolve) => (open = resolve)), () => open()]
}

/** As on a device that holds no more than its cap, or is in its first pull: the rows of a kind are not there. */
const emptied = (store: string) => onDevice((database) => database.clear(store))
const rowsOf = (store: string) => onDevice((database) => database.count(store))

describe('without a network', () => {
  test('a customer, an invoice for them and its issue are kept, shown, and sent in order when it is back', async () => {
    const { base } = await ready()
    walk.network = offline
    const customer = customerBody()
    const made = await send('POST', `${base}/customers`, customer)
    expect(made).toMatchObject({ status: 202, body: { ...customer, version: expect.any(Number), unsent: 'waiting' } })
    expect(made.headers.get('etag')).toMatch(/^"after-/)
    const invoice = invoiceBody(customer.id)
    const draft = await send('POST', `${base}/invoices`, invoice)
    expect(draft).toMatchObject({
      status: 202,
      body: { gross: { amount: '917.18' }, tax: { amount: '159.18' }, customerName: customer.name, status: 'draft' },
    })
    const issued = await send('POST', `${base}/invoices/${invoice.id}/issue`, undefined, version(draft.body))
    expect(issued).toMatchObject({ status: 202, body: { status: 'draft', number: null, unsent: 'issue' } })

    expect((await get(`${base}/customers`)).body.data).toMatchObject([{ id: customer.id, unsent: 'waiting' }])
    expect((await get(`${base}/invoices`)).body.data).toMatchObject([{ id: invoice.id, unsent: 'issue' }])
    expect((await get(`${base}/dashboard`)).body).toMatchObject({ customers: 1 })
    expect((await unsent()).entries.map(({ name, label, state }) => [name, label, state])).toEqual([
      ['createCustomer', customer.name, 'queued'],
      ['createInvoice', customer.name, 'waiting-for-parent'],
      ['issueInvoice', customer.name, 'waiting-for-parent'],
    ])

    walk.network = online
    await walk.browser.post({ type: 'try-now' })
    await isSynced()
    const theirs = (await atServer(`${base}/invoices/${invoice.id}`)).body
    expect(theirs).toMatchObject({ status: 'issued', gross: draft.body.gross, totals: draft.body.totals })
    expect((await get(`${base}/invoices/${invoice.id}`)).body).toEqual(theirs)
    expect((await get(`${base}/customers`)).body).toEqual((await atServer(`${base}/customers`)).body)
    expect((await get(`${base}/dashboard`)).body).toEqual((await atServer(`${base}/dashboard`)).body)
  })

  test('an exchange rate waits with its invoice, and makes the VAT here that it makes there; two that differ are asked about', async () => {
    const { base } = await ready()
    const customer = customerBody()
    await send('POST', `${base}/customers`, customer)
    walk.network = offline
    const exchange = { from: 'USD', to: 'EUR', rate: '0.9200', date: '2026-11-21', source: 'ECB' }
    const body = invoiceBody(customer.id, { currency: 'USD', exchange })
    const path = `${base}/invoices/${body.id}`
    const rated = {
      exchange: { ...exchange, rate: '0.92' },
      accountingCurrency: 'EUR',
      accountingTax: { amount: '146.45', currency: 'EUR' },
    }
    const made = await send('POST', `${base}/invoices`, body)
    expect(made).toMatchObject({ status: 202, body: rated })
    const plain = invoiceBody(customer.id, { currency: 'USD' })
    const none = { exchange: null, accountingCurrency: null, accountingTax: null }
    expect((await send('POST', `${base}/invoices`, plain)).body).toMatchObject(none)
    walk.network = online
    await walk.browser.post({ type: 'try-now' })
    await isSynced()
    for (const each of [path, `${base}/invoices/${plain.id}`])
      expect((await get(each)).body).toEqual((await atServer(each)).body)
    const row = (await get(path)).body
    expect(row).toMatchObject(rated)

    walk.network = offline
    const mine = { ...body, id: undefined, exchange: { ...exchange, rate: '0.93' } }
    expect((await send('PUT', path, mine, version(row))).body).toMatchObject({ accountingTax: { amount: '148.04' } })
    await walk.app.db.asApp({ organizationIds: [row.organizationId] }, (tx) =>
      tx
        .updateTable('invoices')
        .set({ exchangeRate: '0.94', version: 2 })
        .where('organizationId', '=', row.organizationId)
        .where('id', '=', row.id)
        .execute(),
    )
    walk.network = online
    await walk.browser.post({ type: 'try-now' })
    const left = await until(async () => (await unsent()).entries.find(({ state }) => state === 'conflict'))
    expect(merge(left.base, left.body!, left.theirs!).inQuestion).toEqual(['exchange'])
    expect(left.theirs).toMatchObject({ exchange: { rate: '0.94' } })
  })

  test('an organization made here is worked in at once', async () => {
    await ready()
    walk.network = offline
    const organization = organizationBody({ name: 'Second' })
    expect((await send('POST', '/organizations', organization)).status).toBe(202)
    const base = `/organizations/${organization.id}`
    const customer = customerBody()
    expect((await send('POST', `${base}/customers`, customer)).status).toBe(202)
    const draft = await send('POST', `${base}/invoices`, invoiceBody(customer.id))
    expect(draft).toMatchObject({ status: 202, body: { currency: 'EUR', gross: { amount: '917.18' } } })
    const saved = await send(
      'PUT',
      `${base}/invoices/${draft.body.id}`,
      { customerId: customer.id, lines: [{ ...websiteLine, quantity: '1' }] },
      version(draft.body),
    )
    expect(saved).toMatchObject({ status: 202, body: { gross: { amount: '458.59' } } })
    expect((await get('/organizations')).body.data.map((each: { name: string }) => each.name)).toContain('Second')
    walk.network = online
    await walk.browser.post({ type: 'sync' })
    await isSynced()
    const lines = (await atServer(`${base}/invoices/${draft.body.id}`)).body
    expect(lines).toMatchObject({ version: 1, gross: { amount: '458.59' } })
    expect((await get(base)).body).toEqual((await atServer(base)).body)
  })

  test('whoever makes an organization here is its owner at once, and once it is sent the server has them in their place', async () => {
    const { base: first } = await ready()
    const [own] = (await get(`${first}/members`)).body.data
    walk.network = offline
    const organization = organizationBody({ name: 'Second' })
    await send('POST', '/organizations', organization)
    const base = `/organizations/${organization.id}`
    const { name, email, id } = own
    const maker = { id, organizationId: organization.id, name, email, role: 'owner', createdAt: expect.any(String) }
    const here = await get(`${base}/members`)
    expect(here.body.data).toEqual([expect.objectContaining(maker)])
    expect((await get(`${base}/members/${id}`)).body).toEqual(here.body.data[0])
    expect((await get(`${base}/members/${uuidv7()}`)).status).toBe(404)
    walk.network = online
    await walk.browser.post({ type: 'sync' })
    await isSynced()
    const told = await get(`${base}/members`)
    expect(told.headers.get('x-docket-source')).toBe('device')
    expect(told.body).toEqual((await atServer(`${base}/members`)).body)
    expect(told.body.data).toMatchObject([{ ...maker, version: 1 }])
    expect((await get(`${base}/members/${id}`)).body).toEqual(told.body.data[0])
  })

  test('of whoever makes their first organization here nobody has told what they are called, and there they are', async () => {
    await signUp()
    await walk.browser.post({ type: 'sync' })
    walk.network = offline
    const organization = organizationBody()
    await send('POST', '/organizations', organization)
    const path = `/organizations/${organization.id}/members`
    expect((await get(path)).body.data).toMatchObject([{ name: '', email: '', role: 'owner' }])
    walk.network = online
    await walk.browser.post({ type: 'sync' })
    await isSynced()
    expect((await get(path)).body.data).toMatchObject([{ name: 'Ann', role: 'owner', version: 1 }])
  })

  test('an organization made here is there after the worker is gone, though no list of them was ever heard', async () => {
    const isOfList = ({ method, url }: Request) => method === 'GET' && url.endsWith('/organizations')
    walk.network = (request) => (isOfList(request) ? offline() : online(request))
    await signUp()
    walk.network = offline
    const organization = organizationBody({ name: 'First' })
    expect((await send('POST', '/organizations', organization)).status).toBe(202)
    const base = `/organizations/${organization.id}`
    const customer = customerBody()
    expect((await send('POST', `${base}/customers`, customer)).status).toBe(202)
    await walk.browser.startWorker()
    const list = await get('/organizations')
    expect(list.body.data).toMatchObject([{ id: organization.id, name: 'First' }])
    // There may be others that this device has not heard of.
    expect(list.headers.get('x-docket-complete')).toBe('false')
    expect((await get(base)).body).toMatchObject({ name: 'First' })
    expect((await get(`${base}/customers`)).body.data).toMatchObject([{ id: customer.id }])
    expect((await get(`${base}/dashboard`)).status).toBe(200)
    walk.network = online
    await walk.browser.post({ type: 'sync' })
    await isSynced()
    const heard = await get('/organizations')
    expect(heard.headers.get('x-docket-complete')).toBeNull()
    expect(heard.body).toEqual((await atServer('/organizations')).body)
  })

  test('edits follow one another, the last one counts, and what was never tried is sent once', async () => {
    const { base } = await ready()
    const { body: row } = await send('POST', `${base}/customers`, customerBody())
    walk.network = offline
    const path = `${base}/customers/${row.id}`
    const edit = (name: string) => ({ ...customerBody({ name }), id: undefined })
    const first = await send('PUT', path, edit('One'), version(row))
    expect(first).toMatchObject({ status: 202, body: { name: 'One' } })
    await vi.waitFor(async () => expect((await unsent()).entries[0]!.attempts).toBe(1))
    const etag = first.headers.get('etag')!
    const second = await send('PUT', path, edit('Two'), { 'if-match': etag })
    const third = await send('PUT', path, edit('Three'), version(second.body))
    expect(third).toMatchObject({ status: 202, body: { name: 'Three' } })
    expect((await unsent()).entries.map(({ body }) => body?.['name'])).toEqual(['One', 'Three'])
    walk.network = online
    await walk.browser.post({ type: 'try-now' })
    await isSynced()
    expect((await atServer(path)).body).toMatchObject({ name: 'Three', version: 3 })
    expect((await get(path)).body).toEqual((await atServer(path)).body)
  })

  describe('a form that was opened on what is unsent', () => {
    const edit = (more: object) => ({ name: 'Bob', country: 'NL', phone: null, email: null, notes: null, ...more })
    const conflict = () => until(async () => (await unsent()).entries.find(({ state }) => state === 'conflict'))

    test('and saved after another tab went on: what that saved stays, and the person is asked', async () => {
      const { base } = await ready()
      walk.network = offline
      const customer = customerBody({ name: 'Bob' })
      await send('POST', `${base}/customers`, customer)
      const path = `${base}/customers/${customer.id}`
      const first = await send('PUT', path, edit({ phone: '1' }), version((await get(path)).body))
      const otherTab = (await get(path)).body
      await send('PUT', path, edit({ phone: '1', email: 'bob@example.com' }), version(first.body))
      await send('PUT', path, edit({ phone: '1', notes: 'other tab' }), version(otherTab))
      walk.network = online
      await walk.browser.post({ type: 'try-now' })
      expect(await conflict()).toMatchObject({ body: { notes: 'other tab' }, theirs: { email: 'bob@example.com' } })
      expect((await atServer(path)).body).toMatchObject({ phone: '1', email: 'bob@example.com', notes: null })
    })

    test('that was discarded since, because somebody else was faster: theirs stays, and the person is asked', async () => {
      const { base } = await ready()
      const { body: row } = await send('POST', `${base}/customers`, customerBody({ name: 'Before' }))
      const path = `${base}/customers/${row.id}`
      walk.network = offline
      await send('PUT', path, edit({ name: 'Mine' }), version(row))
      const form = (await get(path)).body
      await changedElsewhere(row, { name: 'Theirs', phone: '123' })
      walk.network = online
      await walk.browser.post({ type: 'try-now' })
      await send('DELETE', `/device/outbox/${(await conflict()).key}`)
      await send('PUT', path, edit({ name: form.name, notes: 'typed' }), version(form))
      expect(await conflict()).toMatchObject({ body: { notes: 'typed' }, theirs: { name: 'Theirs', phone: '123' } })
      expect((await atServer(path)).body).toMatchObject({ name: 'Theirs', phone: '123' })
    })

    test('under which somebody else’s change has come meanwhile: theirs stays, and the person is asked', async () => {
      const { base } = await ready()
      const { body: row } = await send('POST', `${base}/customers`, customerBody({ name: 'Before' }))
      const path = `${base}/customers/${row.id}`
      walk.network = offline
      const { body: first } = await send('PUT', path, edit({ name: 'Mine' }), version(row))
      await vi.waitFor(async () => expect((await unsent()).entries[0]!.attempts).toBe(1))
      const { body: form } = await send('PUT', path, edit({ name: 'Mine again' }), version(first))
      await changedElsewhere(row, { phone: '123' })
      // The first goes out, brought together with theirs; the second does not.
      walk.network = async (request) =>
        (await request.clone().text()).includes('Mine again') ? offline() : walk.app.fetch(request)
      await walk.browser.post({ type: 'try-now' })
      await until(async () => ((await get(path)).body.phone === '123' ? true : undefined))
      expect((await unsent()).entries).toMatchObject([{ body: { name: 'Mine again', phone: '123' } }])
      await send('PUT', path, edit({ name: form.name, notes: 'typed' }), version(form))
      walk.network = online
      await walk.browser.post({ type: 'try-now' })
      expect(await conflict()).toMatchObject({ body: { notes: 'typed' }, theirs: { name: 'Mine again', phone: '123' } })
      expect((await atServer(path)).body).toMatchObject({ phone: '123', notes: null })
    })

    test('and that arrived without an answer, and was changed by somebody else: theirs stays, and the person is asked', async () => {
      const { base } = await ready()
      const customer = customerBody({ name: 'Made here' })
      const path = `${base}/customers/${customer.id}`
      walk.network = (request) => (request.method === 'GET' ? online(request) : loseAnswers(request))
      const made = await send('POST', `${base}/customers`, customer)
      expect(made.headers.get('etag')).toMatch(/^"after-/)
      const row = (await atServer(path)).body
      await changedElsewhere(row, { name: 'Theirs', revision: row.revision + 1 })
      await walk.app.db.asApp({ userId: row.id, organizationIds: [row.organizationId] }, (tx) =>
        tx
          .updateTable('organizationRevisions')
          .set({ revision: row.revision + 1 })
          .where('organizationId', '=', row.organizationId)
          .execute(),
      )
      await until(async () => {
        await walk.browser.post({ type: 'sync' })
        return (await get(path)).body.name === 'Theirs'
      })
      await send('PUT', path, edit({ name: 'Made here', phone: '1' }), { 'if-match': made.headers.get('etag')! })
      walk.network = online
      await walk.browser.post({ type: 'try-now' })
      expect(await conflict()).toMatchObject({ body: { phone: '1' }, theirs: { name: 'Theirs', phone: null } })
      expect((await atServer(path)).body).toMatchObject({ name: 'Theirs', phone: null, version: 2 })
    })

    test('and that was sent since: a change of what the server has', async () => {
      const { base } = await ready()
      const { body: row } = await send('POST', `${base}/customers`, customerBody({ name: 'Before' }))
      const path = `${base}/customers/${row.id}`
      walk.network = offline
      await send('PUT', path, edit({ name: 'Mine' }), version(row))
      const form = (await get(path)).body
      walk.network = online
      await walk.browser.post({ type: 'try-now' })
      await isSynced()
      expect(await send('PUT', path, edit({ name: form.name, notes: 'typed' }), version(form))).toMatchObject({
        status: 200,
        body: { name: 'Mine', notes: 'typed', version: 3 },
      })
    })

    test('and that was sent since, named by the key that made or saved it: a change of what the server has', async () => {
      const { base } = await ready()
      const customer = customerBody({ name: 'Mine' })
      const path = `${base}/customers/${customer.id}`
      const seen: string[] = []
      const watched: Network = (request) => {
        if (request.method === 'PUT') seen.push(request.headers.get('if-match')!)
        return online(request)
      }
      walk.network = offline
      const made = await send('POST', `${base}/customers`, customer)
      walk.network = watched
      await walk.browser.post({ type: 'try-now' })
      await isSynced()
      walk.network = offline
      const saved = await send('PUT', path, edit({ name: 'Mine', phone: '1' }), {
        'if-match': made.headers.get('etag')!,
      })
      walk.network = watched
      await walk.browser.post({ type: 'try-now' })
      await isSynced()
      const last = edit({ name: 'Mine', phone: '1', notes: 'typed' })
      expect(await send('PUT', path, last, { 'if-match': saved.headers.get('etag')! })).toMatchObject({
        status: 200,
        body: { phone: '1', notes: 'typed', version: 3 },
      })
      expect(seen).toEqual(['"1"', '"2"'])
    })
  })

  test('a refused change of a row that the copy does not have, mended: on the version that it was made on', async () => {
    const { base } = await ready()
    const { body: row } = await send('POST', `${base}/customers`, customerBody({ name: 'Before' }))
    const path = `${base}/customers/${row.id}`
    await emptied('customers')
    walk.network = offline
    await send('PUT', path, { name: 'Mine', country: 'NL', email: 'no' }, version(row))
    walk.network = online
    await walk.browser.post({ type: 'try-now' })
    const refused = await until(async () => (await unsent()).entries.find(({ state }) => state === 'rejected'))
    const body = { name: 'Mine', country: 'NL', email: 'yes@example.com' }
    await send('PUT', `/device/outbox/${refused.key}`, { body, baseVersion: null })
    await isSynced()
    expect((await atServer(path)).body).toMatchObject({ name: 'Mine', email: 'yes@example.com', version: 2 })
  })

  test('saved again from a screen that never had the answer: one change, and no conflict with oneself', async () => {
    const { base } = await ready()
    const { body: row } = await send('POST', `${base}/customers`, customerBody({ name: 'Before' }))
    walk.network = offline
    const path = `${base}/customers/${row.id}`
    const first = { name: 'Mine', country: 'NL', phone: null, email: null }
    await send('PUT', path, first, version(row))
    await vi.waitFor(async () => expect((await unsent()).entries[0]!.attempts).toBe(1))
    const second = await send('PUT', path, { ...first, phone: '123' }, version(row))
    expect(second).toMatchObject({ status: 202, body: { name: 'Mine', phone: '123' } })
    // Another tab, with another word in the same field, is asked about.
    await send('PUT', path, { ...first, name: 'Other' }, version(row))
    walk.network = online
    await walk.browser.post({ type: 'try-now' })
    const left = await until(async () => (await unsent()).entries.find(({ state }) => state === 'conflict'))
    expect(left).toMatchObject({ body: { name: 'Other' }, theirs: { name: 'Mine', phone: '123', version: 3 } })
  })

  test('what is deleted is gone here, and there when the network is back', async () => {
    const { base } = await ready()
    const { body: row } = await send('POST', `${base}/customers`, customerBody())
    walk.network = offline
    expect((await send('DELETE', `${base}/customers/${row.id}`, undefined, version(row))).status).toBe(202)
    expect((await get(`${base}/customers`)).body.data).toEqual([])
    expect((await get(`${base}/customers/${row.id}`)).status).toBe(404)
    walk.network = online
    await walk.browser.post({ type: 'try-now' })
    await isSynced()
    expect((await atServer(`${base}/customers/${row.id}`)).status).toBe(404)
  })
})

describe('nothing happens twice', () => {
  test('the answer is lost after the commit, and the worker is killed before it is known', async () => {
    const { base } = await ready()
    walk.network = loseAnswers
    const body = customerBody()
    expect((await send('POST', `${base}/customers`, body)).status).toBe(202)
    walk.network = online
    await walk.browser.startWorker()
    await walk.browser.post({ type: 'try-now' })
    await isSynced()
    expect((await atServer(`${base}/customers`)).body.data).toHaveLength(1)
    const keys = writes()
      .filter(({ url }) => url.endsWith('/customers'))
      .map(({ headers }) => headers.get('idempotency-key'))
    expect(keys.length).toBeGreaterThan(1)
    expect(new Set(keys).size).toBe(1)
  })

  test('a page that repeats its call with the same key writes once', async () => {
    const { base } = await ready()
    walk.network = offline
    const key = { 'idempotency-key': uuidv7() }
    const body = customerBody()
    for (let time = 0; time < 3; time += 1)
      expect((await send('POST', `${base}/customers`, body, key)).status).toBe(202)
    expect((await unsent()).entries).toHaveLength(1)
  })
})

test('an organization that is made while the list is asked for stays on the device', async () => {
  await ready()
  const [held, release] = gate()
  const [arrived, arrive] = gate()
  walk.network = async (request) => {
    const answer = await online(request)
    if (request.method !== 'GET' || !request.url.endsWith('/organizations')) return answer
    arrive()
    await held
    return answer
  }
  const pulling = walk.browser.post({ type: 'sync' })
  await arrived
  const organization = organizationBody({ name: 'Made meanwhile' })
  expect((await send('POST', '/organizations', organization)).status).toBe(201)
  // From here on nothing more is heard: what the list says is all there is.
  walk.network = offline
  release()
  await pulling
  expect((await get(`/organizations/${organization.id}`)).body).toMatchObject({ name: 'Made meanwhile' })
  expect((await get(`/organizations/${organization.id}/customers`)).status).toBe(200)
})

describe('items', () => {
  test('made, changed and deleted without a network, they arrive as they were shown', async () => {
    const { base } = await ready()
    walk.network = offline
    const kept = itemBody({ unitPrice: '85.00', vat: { category: 'S', rate: '21' } })
    const made = await send('POST', `${base}/items`, kept)
    const shown = { name: 'Hour of work', unitPrice: '85', unit: 'C62', vat: { rate: '21', reason: null } }
    expect(made).toMatchObject({ status: 202, body: { ...shown, unsent: 'waiting' } })
    const changed = await send('PUT', `${base}/items/${kept.id}`, { ...kept, unitPrice: '90.50' }, version(made.body))
    expect(changed).toMatchObject({ status: 202, body: { unitPrice: '90.5' } })
    const gone = itemBody({ name: 'Mistake' })
    const { body } = await send('POST', `${base}/items`, gone)
    expect((await send('DELETE', `${base}/items/${gone.id}`, undefined, version(body))).status).toBe(202)
    expect((await get(`${base}/items`)).body.data).toMatchObject([{ name: 'Hour of work', unitPrice: '90.5' }])
    walk.network = online
    await walk.browser.post({ type: 'try-now' })
    await isSynced()
    const [row] = (await atServer(`${base}/items`)).body.data
    expect(row).toMatchObject({ id: kept.id, ...shown, unitPrice: '90.5' })
    expect((await get(`${base}/items/${kept.id}`)).body).toEqual(row)
  })
})

describe('what the server says', () => {
  test('online, a write that is saved while the one before is ending is answered by the server too', async () => {
    const { base } = await ready()
    for (let time = 0; time < 25; time += 1) {
      const { status } = await send('POST', `${base}/customers`, customerBody())
      expect({ time, status }).toEqual({ time, status: 201 })
    }
    const both = await Promise.all([1, 2, 3, 4, 5].map(() => send('POST', `${base}/customers`, customerBody())))
    expect(both.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201])
  })

  test('online, the page gets the server’s own answer', async () => {
    const { base } = await ready()
    const made = await send('POST', `${base}/customers`, customerBody())
    expect(made.status).toBe(201)
    expect(made.headers.get('x-docket-source')).toBe('network')
    expect(made.body.unsent).toBeUndefined()
    expect((await unsent()).entries).toEqual([])
  })

  test('a refusal comes with its pointers, is kept, and is taken back by the page that shows it', async () => {
    const { base } = await ready()
    const refused = await send('POST', `${base}/customers`, customerBody({ name: '' }))
    expect(refused).toMatchObject({ status: 422, body: { errors: [{ pointer: '/name' }] } })
    const key = refused.headers.get('x-docket-unsent')!
    expect(await unsent()).toMatchObject({ attention: 1, entries: [{ key, state: 'rejected', body: { name: '' } }] })
    expect((await send('DELETE', `/device/outbox/${key}`)).status).toBe(200)
    expect(await unsent()).toEqual({ waiting: 0, attention: 0, entries: [], firstSync: null, othersWait: false })
    expect((await get(`${base}/customers`)).body.data).toEqual([])
  })

  test.each([408, 425, 429, 500, 502, 503, 504])('%i passes: it stays queued and is sent again', async (status) => {
    const { base } = await ready()
    walk.network = async (request) =>
      request.method === 'GET' ? online(request) : new Response('{}', { status, headers: { 'x-docket': '1' } })
    expect((await send('POST', `${base}/customers`, customerBody())).status).toBe(202)
    expect((await unsent()).entries).toMatchObject([{ state: 'queued', attempts: 1 }])
    walk.network = online
    await walk.browser.post({ type: 'try-now' })
    await isSynced()
  })

  test.each([
    ['a captive portal', new Response('<p>Welcome</p>', { headers: { 'content-type': 'text/html' } })],
    ['an answer cut off', new Response('{"id": "0', { headers: { 'x-docket': '1' } })],
    ['a proxy’s 404', new Response('nothing here', { status: 404 })],
  ])('%s is no answer', async (_, answer) => {
    const { base } = await ready()
    walk.network = async (request) => (request.method === 'GET' ? online(request) : answer.clone())
    expect((await send('POST', `${base}/customers`, customerBody())).status).toBe(202)
    expect((await unsent()).entries).toMatchObject([{ state: 'queued' }])
  })

  test('somebody changed it meanwhile: parked with both, and sent anew as the person decides', async () => {
    const { base } = await ready()
    const { body: row } = await send('POST', `${base}/customers`, customerBody({ name: 'Before' }))
    const path = `${base}/customers/${row.id}`
    const body = (name: string) => ({ name, country: 'NL' })
    walk.network = offline
    await send('PUT', path, body('Mine'), version(row))
    walk.network = online
    await changedElsewhere(row, { name: 'Theirs' })
    await walk.browser.post({ type: 'try-now' })
    const parked = await until(async () => (await unsent()).entries.find(({ state }) => state === 'conflict'))
    expect(parked).toMatchObject({ base: { name: 'Before' }, body: { name: 'Mine' }, theirs: { name: 'Theirs' } })
    expect((await get(path)).body).toMatchObject({ name: 'Mine', unsent: 'attention' })
    const resolution = { body: body('Both'), baseVersion: parked!.theirs!['version'] }
    expect((await send('PUT', `/device/outbox/${parked!.key}`, resolution)).status).toBe(204)
    await isSynced()
    expect((await atServer(path)).body).toMatchObject({ name: 'Both', version: 3 })
  })

  test('somebody has deleted what is to be deleted: it is done, and nobody is asked', async () => {
    const { base } = await ready()
    const { body: row } = await send('POST', `${base}/customers`, customerBody())
    walk.network = offline
    await send('DELETE', `${base}/customers/${row.id}`, undefined, version(row))
    walk.network = async (request) => {
      // Theirs comes first.
      if (request.method === 'DELETE') {
        walk.network = online
        const theirs = request.clone()
        theirs.headers.set('idempotency-key', uuidv7())
        expect((await online(theirs)).status).toBe(204)
      }
      return online(request)
    }
    await walk.browser.post({ type: 'try-now' })
    await isSynced()
    expect((await get(`${base}/customers`)).body.data).toEqual([])
  })

  test('taken out of the organization by mistake: kept, and sent when the person is back in it', async () => {
    const { base } = await ready()
    const { body: row } = await send('POST', `${base}/customers`, customerBody({ name: 'Before' }))
    const path = `${base}/customers/${row.id}`
    walk.network = offline
    await send('PUT', path, { name: 'Mine', country: 'NL' }, version(row))
    const notFound = problem('not_found')
    walk.network = async (request) => {
      const { pathname } = new URL(request.url)
      const headers = { 'x-docket': '1', 'content-type': 'application/problem+json' }
      if (pathname.startsWith(`/api/v1${base}`)) return Response.json(notFound, { status: 404, headers })
      if (!pathname.endsWith('/organizations')) return online(request)
      return Response.json({ data: [], page: { nextCursor: null, limit: 100 } }, { headers })
    }
    await walk.browser.post({ type: 'try-now' })
    const lost = await until(async () => (await unsent()).entries.find(({ state }) => state === 'rejected'))
    expect(lost).toMatchObject({ body: { name: 'Mine' }, theirs: null, lastProblem: { code: 'not_found' } })
    walk.network = online
    await walk.browser.post({ type: 'try-now' })
    await until(async () => (await get('/organizations')).body.data.length === 1)
    await walk.browser.post({ type: 'try-now' })
    await isSynced()
    expect((await atServer(path)).body).toMatchObject({ name: 'Mine', version: 2 })
  })

  test.each(['offline', 'online'])(
    'somebody changed another field meanwhile, %s: both stand, nobody is asked',
    async (how) => {
      const { base } = await ready()
      const { body: row } = await send('POST', `${base}/customers`, customerBody({ name: 'Before' }))
      const path = `${base}/customers/${row.id}`
      await changedElsewhere(row, { phone: '123' })
      if (how === 'offline') walk.network = offline
      const saved = await send('PUT', path, { name: 'Mine', country: 'NL', phone: null }, version(row))
      expect(saved.status).toBe(how === 'offline' ? 202 : 200)
      walk.network = online
      await walk.browser.post({ type: 'try-now' })
      await isSynced()
      expect((await atServer(path)).body).toMatchObject({ name: 'Mine', phone: '123', version: 3 })
    },
  )

  test('somebody changed another field of a draft that was saved and is to be issued: issuing asks', async () => {
    const { base, email } = await ready()
    const customer = customerBody()
    await send('POST', `${base}/customers`, customer)
    // As a form sends it: whole.
    const lines = [{ ...websiteLine, unitPrice: '379' }]
    const content = invoiceBody(customer.id, { lines, notes: null, buyerReference: null })
    const { body: draft } = await send('POST', `${base}/invoices`, content)
    const path = `${base}/invoices/${draft.id}`
    walk.network = offline
    const saved = await send('PUT', path, { ...content, notes: 'Mine' }, version(draft))
    await send('POST', `${path}/issue`, undefined, { 'if-match': saved.headers.get('etag')! })
    const { body: tokens } = await walk.app.send('POST', '/api/v1/auth/login', { body: { email, password } })
    const headers = { authorization: `Bearer ${tokens.accessToken}`, ...version(draft) }
    const theirs = await walk.app.send('PUT', `/api/v1${path}`, {
      body: { ...content, buyerReference: 'Theirs' },
      headers,
    })
    expect(theirs.status).toBe(200)
    walk.network = online
    await walk.browser.post({ type: 'try-now' })
    const asked = await until(async () => (await unsent()).entries.find(({ state }) => state === 'conflict'))
    expect(asked).toMatchObject({
      name: 'issueInvoice',
      theirs: { notes: 'Mine', buyerReference: 'Theirs', status: 'draft' },
    })
    expect((await atServer(path)).body).toMatchObject({ status: 'draft', notes: 'Mine', buyerReference: 'Theirs' })
    // Having seen it, the person issues it.
    const { version: baseVersion } = asked!.theirs!
    await send('PUT', `/device/outbox/${asked!.key}`, { body: null, baseVersion })
    await isSynced()
    expect((await atServer(path)).body).toMatchObject({ status: 'issued', notes: 'Mine', buyerReference: 'Theirs' })
  })

  test('so does deleting what was saved before', async () => {
    const { base } = await ready()
    const { body: row } = await send('POST', `${base}/customers`, customerBody({ name: 'Before' }))
    const path = `${base}/customers/${row.id}`
    walk.network = offline
    const saved = await send('PUT', path, { name: 'Mine', country: 'NL', phone: null }, version(row))
    await send('DELETE', path, undefined, { 'if-match': saved.headers.get('etag')! })
    await changedElsewhere(row, { phone: '123' })
    walk.network = online
    await walk.browser.post({ type: 'try-now' })
    const asked = await until(async () => (await unsent()).entries.find(({ state }) => state === 'conflict'))
    expect(asked).toMatchObject({ name: 'deleteCustomer', theirs: { name: 'Mine', phone: '123' } })
    expect((await atServer(path)).body).toMatchObject({ name: 'Mine', phone: '123' })
  })

  test('a call that its page repeats is known when what it saved waits to be sent under another key', async () => {
    const { base } = await ready()
    const { body: row } = await send('POST', `${base}/customers`, customerBody({ name: 'Before' }))
    const path = `${base}/customers/${row.id}`
    await changedElsewhere(row, { phone: '123' })
    let isRefused = false
    walk.network = async (request) => {
      if (request.method !== 'PUT') return online(request)
      if (isRefused) return offline()
      isRefused = true
      return online(request)
    }
    const key = { 'idempotency-key': uuidv7(), ...version(row) }
    const save = () => send('PUT', path, { name: 'Mine', country: 'NL', phone: null }, key)
    expect((await save()).status).toBe(202)
    const [waiting] = (await unsent()).entries
    expect(waiting).toMatchObject({ state: 'queued', body: { name: 'Mine', phone: '123' } })
    expect(waiting!.key).not.toBe(key['idempotency-key'])
    await save()
    expect((await unsent()).entries).toMatchObject([{ key: waiting!.key }])
    walk.network = online
    await walk.browser.post({ type: 'try-now' })
    await isSynced()
    expect((await atServer(path)).body).toMatchObject({ name: 'Mine', phone: '123', version: 3 })
    // Nor when it is done: the answer that the page never had is the row as it is now, and nothing is sent.
    const { status, headers, body } = await save()
    expect({ status, etag: headers.get('etag'), body }).toMatchObject({
      status: 200,
      etag: '"3"',
      body: { name: 'Mine', phone: '123', version: 3 },
    })
    expect((await unsent()).entries).toEqual([])
    expect((await atServer(path)).body).toMatchObject({ version: 3 })
  })

  describe('somebody changed another field meanwhile, and what was saved here was saved again', () => {
    /** Offline, saved two times and tried in between; then it was changed elsewhere and the network is back. */
    async function savedTwice(again: object): Promise<string> {
      const { base } = await ready()
      const { body: row } = await send('POST', `${base}/customers`, customerBody({ name: 'Before' }))
      const path = `${base}/customers/${row.id}`
      walk.network = offline
      const saved = await send('PUT', path, { name: 'Mine', country: 'NL', phone: null }, version(row))
      await vi.waitFor(async () => expect((await unsent()).entries[0]!.attempts).toBe(1))
      await send('PUT', path, { name: 'Mine', country: 'NL', phone: null, ...again }, version(saved.body))
      expect((await unsent()).entries).toHaveLength(2)
      await changedElsewhere(row, { phone: '123' })
      walk.network = online
      await walk.browser.post({ type: 'try-now' })
      return path
    }

    test('the later save does not take theirs away', async () => {
      const path = await savedTwice({ name: 'Mine again' })
      await isSynced()
      expect((await atServer(path)).body).toMatchObject({ name: 'Mine again', phone: '123', version: 4 })
    })

    test('a later save of that field asks', async () => {
      const path = await savedTwice({ phone: '456' })
      const asked = await until(async () => (await unsent()).entries.find(({ state }) => state === 'conflict'))
      expect(asked).toMatchObject({ body: { phone: '456' }, theirs: { name: 'Mine', phone: '123', version: 3 } })
      expect((await atServer(path)).body).toMatchObject({ phone: '123' })
    })
  })
})

describe('whose it is', () => {
  test('what a page asks its device is not asked of the server when nobody is signed in any more', async () => {
    await ready()
    await send('POST', '/auth/logout', {})
    expect(await unsent()).toEqual({ waiting: 0, attention: 0, entries: [], firstSync: null, othersWait: false })
    expect(await get('/device/outbox/export')).toMatchObject({ status: 404, body: { code: 'not_found' } })
    expect(walk.browser.sent.filter(({ url }) => url.includes('/device/'))).toEqual([])
  })

  const databasesLeft = async () => {
    // What is still under way may not bring back what is gone.
    await new Promise((resolve) => setTimeout(resolve, 200))
    return (await indexedDB.databases()).map(({ name }) => name)
  }

  /** The server ends their session as from another device, and this one hears of it. */
  async function endedElsewhere(): Promise<void> {
    await walk.app.db.asAuth((tx) =>
      tx.updateTable('sessions').set({ revokedAt: new Date().toISOString(), revokeReason: 'ended' }).execute(),
    )
    await until(async () => {
      await walk.browser.fetch('/api/v1/organizations', { cache: 'reload' })
      return (await get('/auth/session')).body.status === 'anonymous' || undefined
    })
  }

  test('signing out leaves nothing on the device', async () => {
    const { base } = await ready()
    await send('POST', `${base}/customers`, customerBody())
    expect((await indexedDB.databases()).length).toBe(2)
    await send('POST', '/auth/logout', {})
    expect(await databasesLeft()).toEqual(['docket-session'])
  })

  /** Signs out, and the worker is gone before anything but the tokens is off the disk; what lies there then. */
  async function killedWhileLeaving(): Promise<void> {
    const deleting = vi.spyOn(IDBFactory.prototype, 'deleteDatabase').mockImplementation(() => {
      throw new Error('Killed')
    })
    await send('POST', '/auth/logout', {})
    expect(deleting).toHaveBeenCalled()
    expect((await walk.browser.vault())!.state).toEqual({ authToken: '', refreshToken: '' })
    expect(await databasesLeft()).toHaveLength(2)
    deleting.mockRestore()
  }

  /** Ann, who discarded a customer by signing out, and whose worker was killed at it. */
  async function leftHalfway(): Promise<{ base: string; email: string }> {
    const ann = await ready()
    walk.network = offline
    expect((await send('POST', `${ann.base}/customers`, customerBody({ name: 'Discarded' }))).status).toBe(202)
    await killedWhileLeaving()
    // It is about to go, and is not called kept.
    expect((await unsent()).othersWait).toBe(false)
    return ann
  }
  const everSent = () => writes().filter(({ url }) => url.endsWith('/customers')).length
  const notedLeavers = async () => {
    const { createVault } = await import('#worker/session/vault.ts')
    return createVault().leavers()
  }

  test('killed between the end of the session and the rest of signing out: the next start takes away what is left', async () => {
    await leftHalfway()
    const before = everSent()
    await walk.browser.startWorker()
    await until(async () => ((await databasesLeft()).length === 1 ? true : undefined))
    // Not even who it was.
    expect(await notedLeavers()).toEqual([])
    expect(everSent()).toBe(before)
  })

  test('and whoever signs in before that finds nothing: what was discarded is never sent', async () => {
    const { base, email } = await leftHalfway()
    const before = everSent()
    walk.network = online
    await walk.browser.startWorker()
    expect((await signIn(email)).status).toBe(200)
    expect((await unsent()).entries).toEqual([])
    await walk.browser.post({ type: 'try-now' })
    expect((await get(`${base}/customers`)).body.data).toEqual([])
    expect((await atServer(`${base}/customers`)).body.data).toEqual([])
    expect(everSent()).toBe(before)
    // Nor does a later start take what is new.
    walk.network = offline
    await send('POST', `${base}/customers`, customerBody({ name: 'New' }))
    await walk.browser.startWorker()
    await databasesLeft()
    expect((await unsent()).entries).toMatchObject([{ label: 'New' }])
  })

  test('a deletion that failed is made up for at the next sign-in, by the same worker; until it is, they do not get in', async () => {
    const { base, email } = await leftHalfway()
    const before = everSent()
    walk.network = online
    const deleting = vi.spyOn(IDBFactory.prototype, 'deleteDatabase').mockImplementation(() => {
      throw new Error('Not now')
    })
    expect((await signIn(email)).status).toBe(503)
    expect((await get('/auth/session')).body.status).toBe('anonymous')
    // Nobody else is kept out by it.
    await signUp()
    expect((await get('/auth/session')).body.status).toBe('ACTIVE')
    await send('POST', '/auth/logout', {})
    deleting.mockRestore()
    expect((await signIn(email)).status).toBe(200)
    await walk.browser.post({ type: 'try-now' })
    expect((await atServer(`${base}/customers`)).body.data).toEqual([])
    expect(everSent()).toBe(before)
    await send('POST', '/auth/logout', {})
    expect(await databasesLeft()).toEqual(['docket-session'])
  })

  test('killed after a session ended without the person: the next start takes what they read, and what they wrote stays', async () => {
    const { base, email } = await ready()
    await send('POST', `${base}/customers`, customerBody({ name: 'Read' }))
    walk.network = offline
    await send('POST', `${base}/customers`, customerBody({ name: 'Kept' }))
    // As a kill leaves it that comes before the sealing: the tokens are gone, and nothing else.
    await walk.browser.writeVault({ version: 1, state: { authToken: '', refreshToken: '' } })
    await walk.browser.startWorker()
    await databasesLeft()
    expect(await rowsOf('customers')).toBe(0)
    expect(await rowsOf('outbox')).toBe(1)
    walk.network = online
    await signIn(email)
    await walk.browser.post({ type: 'try-now' })
    await isSynced()
    expect((await atServer(`${base}/customers`)).body.data).toHaveLength(2)
  })

  test('who signs in again while what they read is still being taken away keeps what they read since', async () => {
    const { base, email } = await ready()
    const [held, release] = gate()
    const real = indexedDB.databases.bind(indexedDB)
    vi.spyOn(indexedDB, 'databases').mockImplementationOnce(async () => held.then(real))
    await endedElsewhere()
    await signIn(email)
    await walk.browser.post({ type: 'sync' })
    walk.network = offline
    release()
    await new Promise((resolve) => setTimeout(resolve, 200))
    const { status, headers } = await get(base)
    expect({ status, source: headers.get('x-docket-source') }).toEqual({ status: 200, source: 'device' })
  })

  test('closing the account leaves nothing either, also of what was not sent', async () => {
    const { base } = await ready()
    expect((await send('POST', `${base}/customers`, customerBody({ vatNumber: 'x'.repeat(40) }))).status).toBe(422)
    const { body } = await atServer(base)
    expect((await send('DELETE', base, undefined, version(body))).status).toBe(204)
    expect((await unsent()).entries).toHaveLength(1)
    expect((await send('POST', '/account/delete', { password })).status).toBe(204)
    // Any call may hear of it before the page signs out.
    await send('GET', '/account')
    await send('POST', '/auth/logout', {})
    expect(await databasesLeft()).toEqual(['docket-session'])
  })

  test('an account that is closed signs out nobody who came in its place meanwhile', async () => {
    const bob = await signUp()
    await send('POST', '/auth/logout', {})
    const { base } = await ready()
    const ann = (await get('/auth/session')).body.userId
    const [held, release] = gate()
    const [arrived, arrive] = gate()
    walk.network = async (request) => {
      const answer = await online(request)
      if (!request.url.endsWith('/account/delete')) return answer
      arrive()
      await held
      return answer
    }
    const { body } = await atServer(base)
    await send('DELETE', base, undefined, version(body))
    const closing = send('POST', '/account/delete', { password }, { [personHeader]: ann })
    await arrived
    await send('POST', '/auth/logout', {}, { [personHeader]: ann })
    await signIn(bob)
    const before = (await get('/auth/session')).body
    expect(before.status).toBe('ACTIVE')
    release()
    expect((await closing).status).toBe(204)
    expect((await get('/auth/session')).body.userId).toBe(before.userId)
    expect((await get('/account')).status).toBe(200)
  })

  test('closing the account again, because the answer was lost, is the same as having heard it', async () => {
    const { base } = await ready()
    const { body } = await atServer(base)
    await send('DELETE', base, undefined, version(body))
    walk.network = async (request) => (request.url.endsWith('/account/delete') ? loseAnswers(request) : online(request))
    expect((await send('POST', '/account/delete', { password })).status).toBe(503)
    walk.network = online
    expect((await send('POST', '/account/delete', { password })).status).toBe(204)
    expect((await get('/auth/session')).body.status).toBe('anonymous')
    expect(await databasesLeft()).toEqual(['docket-session'])
  })

  test('a session that ended keeps what was written for that person alone; nobody else sends it', async () => {
    const { base, email } = await ready()
    const { userId } = (await get('/auth/session')).body
    walk.network = offline
    await send('POST', `${base}/customers`, customerBody({ name: 'Kept' }))
    walk.network = online
    await endedElsewhere()
    expect((await get(`${base}/customers`)).status).toBe(401)
    const sealed = { waiting: 0, attention: 0, entries: [], firstSync: null, othersWait: true }
    expect(await unsent()).toEqual(sealed)
    // Their own tab, which has not heard of it, is not told that all is sent.
    const asThem = { headers: { [personHeader]: userId } }
    expect((await walk.browser.fetch('/api/v1/device/outbox', asThem)).status).toBe(404)
    expect((await get('/device/outbox/export')).status).toBe(404)

    await signUp()
    await walk.browser.post({ type: 'try-now' })
    // That there is something, and not a word more.
    expect(await unsent()).toEqual(sealed)
    await send('POST', '/auth/logout', {})
    expect(await unsent()).toEqual(sealed)
    expect(writes().filter(({ url }) => url.endsWith('/customers')).length).toBe(1)

    await signIn(email)
    await walk.browser.post({ type: 'try-now' })
    expect((await unsent()).othersWait).toBe(false)
    await isSynced()
    expect((await atServer(`${base}/customers`)).body.data).toMatchObject([{ name: 'Kept' }])
    await send('POST', '/auth/logout', {})
    await signUp()
    expect((await unsent()).othersWait).toBe(false)
  })
})
