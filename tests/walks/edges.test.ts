// What waits for what when presses and changes are taken back, put back, refused, decided and pressed again (decision 018): nothing waits for ever, and an
// invoice says what its person saw when it was pressed for.
import { describe, expect, test } from 'vitest'
import type { Invoice } from '#shared/contract/invoices.ts'
import { uuidv7 } from '#shared/ids.ts'
import type { OutboxFile } from '#shared/outbox.ts'
import { customerBody, invoiceBody, organizationBody, websiteLine } from '#tests/support/bodies.ts'
import { until } from '#tests/support/people.ts'
import { offline, refusal, startWalk, version, type Network } from '#tests/support/walk.ts'

const { walk, online, send, get, atServer, unsent, isSynced, ready, signUp } = startWalk()

/** A draft at the server, and from then on no connection. */
async function draftOffline(more: object = {}) {
  const { base } = await ready()
  const { body: customer } = await send('POST', `${base}/customers`, customerBody())
  const { body: row, status } = await send('POST', `${base}/invoices`, invoiceBody(customer.id, more))
  expect(status).toBe(201)
  walk.network = offline
  return { base, customer, row, path: `${base}/invoices/${row.id}`, ofCustomer: `${base}/customers/${customer.id}` }
}

const entries = async () => (await unsent()).entries
const states = async () => (await entries()).map(({ name, state }) => `${name} ${state}`)
const discard = async (index: number): Promise<OutboxFile> =>
  (await send('DELETE', `/device/outbox/${(await entries())[index]!.key}`)).body
const undo = async (file: OutboxFile) => (await send('POST', '/device/outbox/import?whole', file)).body

async function press(path: string): Promise<void> {
  expect((await send('POST', `${path}/issue`, undefined, version((await get(path)).body))).status).toBe(202)
}

async function save(path: string, change: object): Promise<void> {
  const shown = (await get(path)).body
  expect((await send('PUT', path, { ...shown, ...change }, version(shown))).status).toBe(202)
}

/** A draft's content, with that quantity. */
const content = (customerId: string, quantity: string, more: object = {}) => {
  const { id: _, ...body } = invoiceBody(customerId, { lines: [{ ...websiteLine, quantity }], ...more })
  return body
}

/** Somebody else saves it, while nothing of that is heard here. */
const overtaken = (table: 'invoices' | 'customers', row: Invoice, change: object) =>
  walk.app.db.asApp({ userId: row.id, organizationIds: [row.organizationId] }, (tx) =>
    tx
      .updateTable(table)
      .set({ ...change, version: row.version + 1 })
      .where('id', '=', row.id)
      .where('organizationId', '=', row.organizationId)
      .execute(),
  )

async function begin(network: Network): Promise<void> {
  walk.network = network
  await walk.browser.post({ type: 'try-now' })
}

const firstIs = (state: string) => until(async () => (await entries())[0]?.state === state || undefined)

/** What the server refuses here, and takes everything else. */
const refusing =
  (isOne: (request: Request) => boolean): Network =>
  async (request) =>
    isOne(request) ? refusal('validation_failed') : online(request)
const isIssue = ({ url }: Request) => url.endsWith('/issue')
const isSaveOf = (kind: string) => (request: Request) => request.method === 'PUT' && request.url.includes(`/${kind}/`)

/** Changes of rows take longer than presses: whoever does not wait comes too early. */
const slowSaves: Network = async (request) => {
  if (request.method === 'PUT') await new Promise((resolve) => setTimeout(resolve, 400))
  return online(request)
}

const buyerOf = async (path: string) => (await atServer(path)).body.buyer?.name

describe('an undo brings back what waited for a press', () => {
  test('the change of a customer alone', async () => {
    const { path, ofCustomer } = await draftOffline()
    await press(path)
    await save(ofCustomer, { name: 'Zed' })
    expect(await undo(await discard(1))).toEqual({ imported: 1, refused: 0 })
    expect((await states())[1]).toBe('saveCustomer waiting-for-parent')
  })

  test('with the customer, the draft and the press that it went with', async () => {
    const { base } = await ready()
    walk.network = offline
    const customer = customerBody()
    const draft = invoiceBody(customer.id)
    await send('POST', `${base}/customers`, customer)
    await send('POST', `${base}/invoices`, draft)
    await press(`${base}/invoices/${draft.id}`)
    await save(`${base}/customers/${customer.id}`, { name: 'Zed' })
    const before = (await entries()).map(({ key }) => key)
    const file = await discard(0)
    expect(file.entries).toHaveLength(4)
    expect(await undo(file)).toEqual({ imported: 4, refused: 0 })
    expect((await entries()).map(({ key }) => key)).toEqual(before)
    await begin(online)
    await isSynced()
    expect(await buyerOf(`${base}/invoices/${draft.id}`)).toBe(customer.name)
  })

  test('with the organization', async () => {
    await signUp()
    walk.network = offline
    const organization = organizationBody()
    await send('POST', '/organizations', organization)
    const base = `/organizations/${organization.id}`
    const customer = customerBody()
    await send('POST', `${base}/customers`, customer)
    const draft = invoiceBody(customer.id)
    await send('POST', `${base}/invoices`, draft)
    await press(`${base}/invoices/${draft.id}`)
    await save(base, { name: 'Ann New' })
    const file = await discard(0)
    expect(await undo(file)).toEqual({ imported: file.entries.length, refused: 0 })
    await begin(online)
    await isSynced()
    expect((await atServer(`${base}/invoices/${draft.id}`)).body.seller.name).toBe(organization.name)
  })

  test('in their old places the press still waits for the change', async () => {
    const { path, ofCustomer } = await draftOffline()
    await save(ofCustomer, { name: 'Zed' })
    const change = await discard(0)
    await press(path)
    const pressed = await discard(0)
    await undo(change)
    await undo(pressed)
    await begin(slowSaves)
    await isSynced()
    expect(await buyerOf(path)).toBe('Zed')
  })
})

describe('nothing waits for what waits for it', () => {
  const exchange = { from: 'USD', to: 'EUR', rate: '0.9', date: '2026-11-20', source: 'ECB' }
  const foreign = { currency: 'USD', exchange }

  test('a draft with a rate that is merged, its press, and a change of the organization', async () => {
    const { base, customer, row, path } = await draftOffline(foreign)
    await send('PUT', path, content(customer.id, '1', foreign), version(row))
    await press(path)
    await save(base, { name: 'Ann New' })
    await overtaken('invoices', row, { notes: 'Theirs' })
    await begin(online)
    // Nobody has seen what was merged: the press asks, and holds nobody else up.
    await firstIs('conflict')
    await until(async () => (await entries()).length === 1 || undefined)
    expect((await atServer(base)).body.name).toBe('Ann New')
  })

  for (const after of ['a change', 'the end'])
    test(`a refused draft with a rate that is sent again, its press, and ${after} of the organization`, async () => {
      const { base, customer, row, path } = await draftOffline(foreign)
      await send('PUT', path, content(customer.id, '1', foreign), version(row))
      await press(path)
      await begin(refusing(isSaveOf('invoices')))
      await firstIs('rejected')
      walk.network = offline
      if (after === 'a change') await save(base, { name: 'Ann New' })
      else expect((await send('DELETE', base, undefined, version((await get(base)).body))).status).toBe(202)
      const [{ key } = { key: '' }] = await entries()
      await send('PUT', `/device/outbox/${key}`, { body: content(customer.id, '2', foreign), baseVersion: null })
      await begin(online)
      // Other content than was seen: the press asks, and nothing before it waits.
      await firstIs('conflict')
      expect((await states())[0]).toBe('issueInvoice conflict')
    })

  test('what stands behind a refused draft holds no other change, and so no other press', async () => {
    const { base, customer, row, path } = await draftOffline()
    walk.network = online
    const { body: other } = await send('POST', `${base}/invoices`, invoiceBody(customer.id))
    walk.network = offline
    await send('PUT', path, content(customer.id, '1'), version(row))
    await press(path)
    await save(base, { name: 'Ann New' })
    await press(`${base}/invoices/${other.id}`)
    await begin(refusing(isSaveOf('invoices')))
    await until(async () => (await entries()).length === 2 || undefined)
    expect(await states()).toEqual(['saveInvoice rejected', 'issueInvoice waiting-for-decision'])
  })

  for (const of of ['customer', 'organization'] as const)
    test(`a change of the ${of} that was sent, is asked for once more under its key, and the press that had waited for it`, async () => {
      const { base, path, ofCustomer } = await draftOffline()
      const changed = of === 'customer' ? ofCustomer : base
      const shown = (await get(changed)).body
      const change = { ...version(shown), 'idempotency-key': uuidv7() }
      const once = () => send('PUT', changed, { ...shown, name: 'Ann New' }, change)
      expect((await once()).status).toBe(202)
      await press(path)
      await begin(async (request) => (isIssue(request) ? offline() : online(request)))
      await until(async () => (await states()).every((each) => each.startsWith('issueInvoice')) || undefined)
      walk.network = offline
      expect((await once()).status).toBe(202)
      await begin(online)
      await isSynced()
      expect((await atServer(changed)).body).toMatchObject({ name: 'Ann New', version: shown.version + 1 })
      expect((await atServer(path)).body.status).toBe('issued')
    })
})

describe('pressed once more it means what is shown by then', () => {
  test('refused, and the customer changed since', async () => {
    const { path, ofCustomer } = await draftOffline()
    await press(path)
    await begin(refusing(isIssue))
    await firstIs('rejected')
    walk.network = offline
    await save(ofCustomer, { name: 'Zed' })
    await send('POST', '/device/outbox/retry')
    await begin(slowSaves)
    await isSynced()
    expect(await buyerOf(path)).toBe('Zed')
  })

  test('refused, and the customer changed before that came', async () => {
    const { path, ofCustomer } = await draftOffline()
    await press(path)
    await save(ofCustomer, { name: 'Zed' })
    await begin(async (request) => {
      if (isIssue(request)) return refusal('validation_failed')
      return request.method === 'GET' ? online(request) : offline()
    })
    await firstIs('rejected')
    walk.network = offline
    await send('POST', '/device/outbox/retry')
    await begin(slowSaves)
    await isSynced()
    expect(await buyerOf(path)).toBe('Zed')
  })

  test('overtaken, and the customer changed since', async () => {
    const { row, path, ofCustomer } = await draftOffline()
    await press(path)
    await overtaken('invoices', row, { notes: 'Theirs' })
    await begin(online)
    await firstIs('conflict')
    walk.network = offline
    await save(ofCustomer, { name: 'Zed' })
    const [{ key, theirs } = { key: '', theirs: null }] = await entries()
    await send('PUT', `/device/outbox/${key}`, { body: null, baseVersion: theirs!['version'] })
    await begin(slowSaves)
    await isSynced()
    expect(await buyerOf(path)).toBe('Zed')
  })

  test('behind a draft that was decided to be another customer’s, who was changed here', async () => {
    const { base, customer, row, path } = await draftOffline()
    walk.network = online
    const { body: second } = await send('POST', `${base}/customers`, customerBody({ name: 'Second' }))
    walk.network = offline
    await send('PUT', path, content(customer.id, '1'), version(row))
    await press(path)
    await overtaken('invoices', row, { customerId: second.id, notes: 'Theirs' })
    await begin(online)
    await firstIs('conflict')
    walk.network = offline
    await save(`${base}/customers/${second.id}`, { name: 'Second renamed' })
    const [{ key, theirs } = { key: '', theirs: null }] = await entries()
    const decided = { body: content(second.id, '1'), baseVersion: theirs!['version'] }
    await send('PUT', `/device/outbox/${key}`, decided)
    await begin(async (request) => {
      if (isSaveOf('customers')(request)) await new Promise((resolve) => setTimeout(resolve, 900))
      return online(request)
    })
    await isSynced()
    expect(await buyerOf(path)).toBe('Second renamed')
  })
})

describe('what nobody here has seen is asked about', () => {
  test('a press put back upon an own save that was merged with somebody else’s', async () => {
    const { customer, row, path } = await draftOffline()
    await press(path)
    const file = await discard(0)
    await send('PUT', path, content(customer.id, '1'), version(row))
    await overtaken('invoices', row, { notes: 'Theirs' })
    await begin(online)
    await isSynced()
    expect((await atServer(path)).body).toMatchObject({ notes: 'Theirs', lines: [{ quantity: '1' }] })
    await undo(file)
    await firstIs('conflict')
    expect((await atServer(path)).body.status).toBe('draft')
  })

  test('a deletion put back upon an own save that was merged with somebody else’s', async () => {
    const { base } = await ready()
    const { body: customer } = await send('POST', `${base}/customers`, customerBody({ phone: '0' }))
    const path = `${base}/customers/${customer.id}`
    walk.network = offline
    await send('DELETE', path, undefined, version(customer))
    const file = await discard(0)
    await save(path, { phone: '1' })
    await overtaken('customers', customer, { notes: 'Theirs' })
    await begin(online)
    await isSynced()
    expect((await atServer(path)).body).toMatchObject({ phone: '1', notes: 'Theirs' })
    await undo(file)
    await firstIs('conflict')
    expect((await atServer(path)).status).toBe(200)
  })

  for (const what of ['press', 'deletion'])
    test(`a ${what} put back without the change that it was made on`, async () => {
      const { customer, row, path } = await draftOffline()
      await send('PUT', path, content(customer.id, '1'), version(row))
      if (what === 'press') await press(path)
      else await send('DELETE', path, undefined, version((await get(path)).body))
      const file = await discard(1)
      await discard(0)
      await undo(file)
      await begin(online)
      await firstIs('conflict')
      expect((await atServer(path)).body).toMatchObject({ status: 'draft', totals: row.totals })
    })
})
