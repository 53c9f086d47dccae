// The file of unsent changes: exported, discarded, damaged, changed by hand, and read again (worker/outbox/file.ts).
import { describe, expect, test } from 'vitest'
import { uuidv7 } from '#shared/ids.ts'
import { problem } from '#shared/problem.ts'
import { customerBody, invoiceBody, itemBody, paymentBody } from '#tests/support/bodies.ts'
import { until } from '#tests/support/people.ts'
import { offline, refusal, startWalk, version } from '#tests/support/walk.ts'

const { walk, online, send, get, atServer, unsent, isSynced, ready, issued, changedElsewhere, signIn } = startWalk()

async function isRefused(file: object, entry: unknown): Promise<void> {
  const { body } = await send('POST', '/device/outbox/import', { ...file, entries: [entry] })
  expect({ entry, ...body }).toEqual({ entry, imported: 0, refused: 1 })
  expect((await unsent()).entries).toEqual([])
}

describe('the file of unsent changes', () => {
  test('exported, discarded, and read again: nothing is lost, and the order stays', async () => {
    const { base } = await ready()
    walk.network = offline
    const customer = customerBody()
    await send('POST', `${base}/customers`, customer)
    await send('POST', `${base}/invoices`, invoiceBody(customer.id))
    const file = (await get('/device/outbox/export')).body
    // With what was to be made goes what builds on it.
    const [first] = (await unsent()).entries
    const taken = await send('DELETE', `/device/outbox/${first!.key}`)
    expect(taken.body).toEqual(file)
    expect((await unsent()).entries).toEqual([])
    expect((await get(`${base}/invoices`)).body.data).toEqual([])
    expect((await send('POST', '/device/outbox/import', file)).body).toEqual({ imported: 2, refused: 0 })
    expect((await send('POST', '/device/outbox/import', file)).body).toEqual({ imported: 0, refused: 0 })
    expect((await get(`${base}/invoices`)).body.data).toMatchObject([{ unsent: 'waiting' }])
    walk.network = online
    await send('POST', '/device/outbox/retry')
    await isSynced()
    expect((await atServer(`${base}/invoices`)).body.data).toHaveLength(1)
    expect((await send('POST', '/device/outbox/import', { nothing: 1 })).status).toBe(400)
  })

  test('what was refused because the organization was not the person’s is sent where it is again', async () => {
    const { base } = await ready()
    walk.network = offline
    await send('POST', `${base}/customers`, customerBody())
    const file = (await get('/device/outbox/export')).body
    await send('DELETE', `/device/outbox/${file.entries[0].key}`)
    Object.assign(file.entries[0], { state: 'rejected', lastProblem: problem('not_found') })
    walk.network = online
    expect((await send('POST', '/device/outbox/import', file)).body).toEqual({ imported: 1, refused: 0 })
    await isSynced()
    expect((await atServer(`${base}/customers`)).body.data).toHaveLength(1)
  })

  test('a file that was changed sends nothing else than it shows', async () => {
    const { base } = await ready()
    walk.network = offline
    await send('POST', `${base}/customers`, customerBody())
    const file = (await get('/device/outbox/export')).body
    const [entry] = file.entries
    await send('DELETE', `/device/outbox/${entry.key}`)
    const another = uuidv7()
    for (const change of [
      { path: `/api/v1/organizations/${another}/customers` },
      { path: '/api/v1/account/delete' },
      { path: `/api/v1${base}/items` },
      { path: '/elsewhere' },
      { name: 'deleteCustomer' },
      { name: 'createItem' },
      { kind: 'item' },
      { lanes: ['none'] },
      { lanes: [] },
      { lanes: 'none' },
      { lanes: [...entry.lanes, `customer:${another}`] },
      { organizationId: another },
      { body: { ...entry.body, id: another } },
      { body: null },
      { base: { ...entry.body, id: another, version: 1 } },
      { theirs: { ...entry.body, id: another, version: 2 } },
      { dependsOn: [entry.key] },
    ])
      await isRefused(file, { ...entry, ...change })
    expect((await send('POST', '/device/outbox/import', file)).body).toEqual({ imported: 1, refused: 0 })
  })

  test('nor one whose path an address reads otherwise', async () => {
    const { base } = await ready()
    const { body: row } = await send('POST', `${base}/customers`, customerBody())
    walk.network = offline
    await send('DELETE', `${base}/customers/${row.id}`, undefined, version(row))
    const file = (await get('/device/outbox/export')).body
    const [entry] = file.entries
    await send('DELETE', `/device/outbox/${entry.key}`)
    const organization = `/api/v1${base}`
    const id = 'abc'
    for (const change of [
      { path: `${organization}#/customers/abc`, organizationId: `${row.organizationId}#`, id },
      { path: `${organization}?/customers/abc`, organizationId: `${row.organizationId}?`, id },
      { path: `${organization}/customers/..`, id: '..' },
      { path: `${entry.path}?z`, id: `${row.id}?z` },
      { path: `${entry.path}#z` },
      { path: `${entry.path}\t` },
      { path: `${organization}/customers/%2e%2e`, id: '..' },
    ])
      await isRefused(file, { ...entry, ...change, lanes: [`customer:${change.id ?? row.id}`] })
    expect((await send('POST', '/device/outbox/import', file)).body).toEqual({ imported: 1, refused: 0 })
  })

  test('nor does a payment of another invoice than the one it is shown with', async () => {
    const { base, invoice } = await issued()
    walk.network = offline
    const payment = paymentBody(invoice, '1')
    expect((await send('POST', `${base}/payments`, payment)).status).toBe(202)
    const file = (await get('/device/outbox/export')).body
    const [entry] = file.entries
    await send('DELETE', `/device/outbox/${entry.key}`)
    const [allocation] = payment.allocations
    for (const allocations of [[{ ...allocation, invoiceId: uuidv7() }], [allocation, allocation], [], null])
      await isRefused(file, { ...entry, body: { ...payment, allocations } })
    expect((await send('POST', '/device/outbox/import', file)).body).toEqual({ imported: 1, refused: 0 })
  })

  test('of a damaged file what is whole is read, and nothing of it stops what else waits', async () => {
    const { base } = await ready()
    walk.network = offline
    await send('POST', `${base}/customers`, customerBody({ name: 'Whole' }))
    const file = (await get('/device/outbox/export')).body
    const [entry] = file.entries
    await send('DELETE', `/device/outbox/${entry.key}`)
    const { dependsOn: _, ...without } = entry
    const damaged = [
      null,
      'text',
      [],
      {},
      without,
      { ...entry, dependsOn: [1] },
      { ...entry, key: 'a key\nof two lines' },
      { ...entry, key: 5 },
      { ...entry, name: 'constructor' },
      { ...entry, state: 'unheard of' },
      { ...entry, state: 'waiting-for-parent' },
      { ...entry, seq: 2 ** 53 },
      { ...entry, seq: -1 },
      { ...entry, seq: 'one' },
      { ...entry, createdAtMs: 1e300 },
      { ...entry, nextAttemptAtMs: 1e300 },
      { ...entry, state: 'rejected', lastProblem: { errors: [{}] } },
      { ...entry, state: 'rejected', lastProblem: { ...problem('validation_failed'), errors: [{}] } },
      { ...entry, attempts: 'many' },
      { ...entry, baseVersion: 'one' },
      { ...entry, base: 'row' },
      { ...entry, path: `/api/v1${base}/customers/%zz` },
      { ...entry, schemaVersion: 2 },
    ]
    for (const each of damaged) await isRefused(file, each)
    const mixed = { ...file, entries: [...damaged, entry, ...damaged] }
    const { body } = await send('POST', '/device/outbox/import', mixed)
    expect(body).toEqual({ imported: 1, refused: 2 * damaged.length })
    // What is read is tried at once, and waits again.
    await until(async () => (await unsent()).entries[0]?.state === 'queued' || undefined)
    expect((await unsent()).entries).toMatchObject([{ key: entry.key }])
    walk.network = online
    await send('POST', '/device/outbox/retry')
    await isSynced()
    expect((await atServer(`${base}/customers`)).body.data).toMatchObject([{ name: 'Whole' }])
  })

  test('where something else waits in one of its places, its order stays', async () => {
    const { base, email } = await ready()
    const { body: customer } = await send('POST', `${base}/customers`, customerBody())
    await walk.browser.post({ type: 'sync' })
    walk.network = offline
    const draft = invoiceBody(customer.id)
    const path = `${base}/invoices/${draft.id}`
    const made = await send('POST', `${base}/invoices`, draft)
    await send('POST', `${path}/issue`, undefined, version(made.body))
    const { body: file } = await send('GET', '/device/outbox/export')
    // They sign out with it and in again; what they save then counts from one again, and one is refused.
    walk.network = online
    await send('POST', '/auth/logout', {})
    expect((await signIn(email)).status).toBe(200)
    await walk.browser.post({ type: 'sync' })
    for (let count = 0; count < file.entries[0].seq - 1; count += 1) await send('POST', `${base}/items`, itemBody())
    walk.network = async (request) =>
      request.method === 'POST' && request.url.endsWith('/items') ? refusal('validation_failed') : online(request)
    await send('POST', `${base}/items`, itemBody())
    walk.network = online
    for (let count = 0; count < 3; count += 1) await send('POST', `${base}/customers`, customerBody())
    expect((await unsent()).entries).toHaveLength(1)
    walk.network = offline
    expect((await send('POST', '/device/outbox/import', file)).body).toEqual({ imported: 2, refused: 0 })
    walk.network = online
    await walk.browser.post({ type: 'try-now' })
    await until(async () => (await atServer(path)).body.status === 'issued' || undefined)
  })

  test('what another write has taken the place of is not there once more when it is read again', async () => {
    const { base } = await ready()
    const { body: row } = await send('POST', `${base}/customers`, customerBody({ name: 'Before' }))
    walk.network = offline
    await send('PUT', `${base}/customers/${row.id}`, { name: 'Mine', country: 'NL', phone: null }, version(row))
    const file = (await get('/device/outbox/export')).body
    await changedElsewhere(row, { phone: '123' })
    let isRefused = false
    walk.network = async (request) => {
      if (request.method === 'PUT' && isRefused) return offline()
      isRefused ||= request.method === 'PUT'
      return online(request)
    }
    await walk.browser.post({ type: 'try-now' })
    const waits = (await until(async () => (await unsent()).entries.find(({ body }) => body!['phone'] === '123')))!
    expect(waits.key).not.toBe(file.entries[0].key)
    expect((await send('POST', '/device/outbox/import', file)).body).toEqual({ imported: 0, refused: 0 })
    expect((await unsent()).entries).toMatchObject([{ key: waits.key }])
  })
})
