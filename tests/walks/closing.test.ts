// An organization that is closed without a network: gone here at once, at the server after everything that was saved in it, and then wholly (DOMAIN.md "Offline").
import { expect, test } from 'vitest'
import { customerBody, invoiceBody } from '#tests/support/bodies.ts'
import { offline, startWalk, version } from '#tests/support/walk.ts'

const { walk, online, send, get, atServer, unsent, isSynced, ready } = startWalk()

const writes = () =>
  walk.browser.sent
    .filter(({ method, url }) => method !== 'GET' && url.includes('/organizations'))
    .map(({ method, url }) => `${method} ${new URL(url).pathname.replace(/[\da-f-]{36}/g, '…')}`)

/** Records of the device's database that name this organization, by store. */
async function kept(organizationId: string): Promise<string[]> {
  const { name } = (await indexedDB.databases()).find((each) => each.name?.startsWith('docket-device.'))!
  const database = await new Promise<IDBDatabase>((resolve, reject) => {
    const opening = indexedDB.open(name!)
    opening.onsuccess = () => resolve(opening.result)
    opening.onerror = () => reject(opening.error!)
  })
  const stores = [...database.objectStoreNames]
  const tx = database.transaction(stores)
  const found = await Promise.all(
    stores.map(
      (store) =>
        new Promise<string[]>((resolve) => {
          const reading = tx.objectStore(store).getAll()
          reading.onsuccess = () =>
            resolve(reading.result.some((row) => JSON.stringify(row).includes(organizationId)) ? [store] : [])
        }),
    ),
  )
  database.close()
  return found.flat()
}

test('what was saved in it goes first, then it is closed, and nothing of it is left on the device', async () => {
  const { base } = await ready()
  const id = base.split('/').at(-1)!
  await send('POST', `${base}/customers`, customerBody({ name: 'Before' }))
  walk.network = offline
  const customer = customerBody({ name: 'Last' })
  await send('POST', `${base}/customers`, customer)
  await send('POST', `${base}/invoices`, invoiceBody(customer.id))
  const organization = (await get(base)).body
  const closed = await send('DELETE', base, undefined, version(organization))
  expect(closed).toMatchObject({ status: 202, body: { unsent: 'waiting' } })
  expect((await get('/organizations')).body.data).toEqual([])
  expect((await unsent()).entries.map(({ name, state, label }) => ({ name, state, label })).at(-1)).toEqual({
    name: 'deleteOrganization',
    state: 'waiting-for-parent',
    label: organization.name,
  })
  // Another tab still shows it.
  expect(await send('POST', `${base}/customers`, customerBody())).toMatchObject({ status: 404 })
  expect(await send('DELETE', base, undefined, version(organization))).toMatchObject({ status: 404 })
  // What the list says meanwhile brings it back for nobody.
  const before = writes().length
  walk.network = (request) => (request.method === 'GET' ? online(request) : offline())
  await walk.browser.post({ type: 'sync' })
  expect((await get('/organizations')).body.data).toEqual([])
  walk.network = online
  await walk.browser.post({ type: 'try-now' })
  await isSynced()
  expect(writes().slice(before).at(-1)).toBe('DELETE /api/v1/organizations/…')
  expect((await atServer('/organizations')).body.data).toEqual([])
  expect(await kept(id)).toEqual([])
  await walk.browser.post({ type: 'sync' })
  expect((await get('/organizations')).body.data).toEqual([])
})

test('discarded, it is there again with all that is in it, and that undone it is closed after all', async () => {
  const { base } = await ready()
  await send('POST', `${base}/customers`, customerBody({ name: 'Bob' }))
  walk.network = offline
  await send('DELETE', base, undefined, version((await get(base)).body))
  const [entry] = (await unsent()).entries
  const file = (await send('DELETE', `/device/outbox/${entry!.key}`)).body
  expect((await get('/organizations')).body.data).toHaveLength(1)
  expect((await get(`${base}/customers`)).body.data).toMatchObject([{ name: 'Bob' }])
  expect((await send('POST', '/device/outbox/import', file)).body).toMatchObject({ imported: 1 })
  expect((await get('/organizations')).body.data).toEqual([])
  walk.network = online
  await walk.browser.post({ type: 'try-now' })
  await isSynced()
  expect((await atServer('/organizations')).body.data).toEqual([])
})

test('what waits for the person does not hold it up, and can still be taken out', async () => {
  const { base } = await ready()
  const refused = await send('POST', `${base}/customers`, customerBody({ name: 'Bob', vatNumber: 'x'.repeat(40) }))
  expect(refused.status).toBe(422)
  walk.network = offline
  await send('DELETE', base, undefined, version((await get(base)).body))
  walk.network = online
  await walk.browser.post({ type: 'try-now' })
  await expect.poll(async () => (await unsent()).entries.map(({ name }) => name)).toEqual(['createCustomer'])
  expect((await atServer('/organizations')).body.data).toEqual([])
  expect((await get('/device/outbox/export')).body.entries).toMatchObject([{ body: { name: 'Bob' } }])
})

test('somebody changed it meanwhile: it stays, and the person is asked', async () => {
  const { base } = await ready()
  const organization = (await get(base)).body
  walk.network = offline
  await send('DELETE', base, undefined, version(organization))
  await walk.app.db.asApp({ userId: organization.id, organizationIds: [organization.id] }, (tx) =>
    tx.updateTable('organizations').set({ name: 'Renamed', version: 2 }).where('id', '=', organization.id).execute(),
  )
  walk.network = online
  await walk.browser.post({ type: 'try-now' })
  await expect.poll(async () => (await unsent()).entries[0]?.state).toBe('conflict')
  expect((await get('/organizations')).body.data).toMatchObject([{ name: 'Renamed', unsent: 'attention' }])
})

test('what is refused after it was queued holds it up until the person has decided', async () => {
  const { base } = await ready()
  walk.network = offline
  const refused = customerBody({ name: 'Bob', vatNumber: 'x'.repeat(40) })
  expect(await send('POST', `${base}/customers`, refused)).toMatchObject({ status: 202 })
  await send('DELETE', base, undefined, version((await get(base)).body))
  walk.network = online
  await walk.browser.post({ type: 'try-now' })
  const states = async () => (await unsent()).entries.map(({ name, state }) => `${name} ${state}`)
  await expect.poll(states).toEqual(['createCustomer rejected', 'deleteOrganization waiting-for-decision'])
  expect((await atServer('/organizations')).body.data).toHaveLength(1)
  // It was not wanted for the customer's sake: without that it goes.
  await send('DELETE', `/device/outbox/${(await unsent()).entries[0]!.key}`)
  await isSynced()
  expect((await atServer('/organizations')).body.data).toEqual([])
})

test('who is removed from it meanwhile keeps nothing of it but what they wrote', async () => {
  const { base } = await ready()
  const id = base.split('/').at(-1)!
  await send('POST', `${base}/customers`, customerBody({ name: 'Before' }))
  walk.network = offline
  await send('DELETE', base, undefined, version((await get(base)).body))
  await walk.app.db.asApp({ userId: id, organizationIds: [id] }, (tx) =>
    tx.deleteFrom('memberships').where('organizationId', '=', id).execute(),
  )
  walk.network = (request) => (request.method === 'GET' ? online(request) : offline())
  await walk.browser.post({ type: 'sync' })
  await expect.poll(() => kept(id)).toEqual(['outbox'])
})

test('who is no owner any more is told, and has it again', async () => {
  const { base } = await ready()
  const id = base.split('/').at(-1)!
  walk.network = offline
  await send('DELETE', base, undefined, version((await get(base)).body))
  await walk.app.db.asApp({ userId: id, organizationIds: [id] }, (tx) =>
    tx.updateTable('memberships').set({ role: 'admin' }).where('organizationId', '=', id).execute(),
  )
  walk.network = online
  await walk.browser.post({ type: 'try-now' })
  await expect.poll(async () => (await unsent()).entries[0]?.lastProblem?.code).toBe('forbidden')
  await walk.browser.post({ type: 'sync' })
  await expect
    .poll(async () => (await get('/organizations')).body.data)
    .toMatchObject([{ role: 'admin', unsent: 'attention' }])
})

test('a list that was asked for before its end and answered after brings it back for nobody', async () => {
  const { base } = await ready()
  walk.network = offline
  await send('DELETE', base, undefined, version((await get(base)).body))
  let asked = () => {}
  let answer = () => {}
  const isAsked = new Promise<void>((resolve) => (asked = resolve))
  const mayAnswer = new Promise<void>((resolve) => (answer = resolve))
  walk.network = async (request) => {
    const said = await online(request)
    if (request.method === 'GET' && new URL(request.url).pathname === '/api/v1/organizations') {
      asked()
      await mayAnswer
    }
    return said
  }
  const pulling = walk.browser.post({ type: 'sync' })
  await isAsked
  const trying = walk.browser.post({ type: 'try-now' })
  await expect.poll(async () => (await unsent()).entries).toEqual([])
  answer()
  await Promise.all([pulling, trying])
  await expect.poll(async () => (await get('/organizations')).body.data).toEqual([])
  walk.network = offline
  expect((await get('/organizations')).body.data).toEqual([])
})
