// The outbox of earlier builds, as their workers left it on the disk, is opened, shown, grown and delivered by today's (OFFLINE.md "Shell and updates").
// The files hold a device's database whole: one save under way and one that follows it, a customer made offline and their invoice, changed and issued.
import { describe, expect, test } from 'vitest'
import { verifiedActor, type Actor } from '#tests/support/app.ts'
import { makeCustomer, makeOrganization } from '#tests/support/builders.ts'
import { keptBy, readDevice, rowsOf, writeDevice, type OldDevice, type OldEntry } from '#tests/support/old-devices.ts'
import { password } from '#tests/support/people.ts'
import { customerBody, invoiceBody, paymentBody } from '#tests/support/bodies.ts'
import { offline, startWalk, version } from '#tests/support/walk.ts'
import { openBrowser } from '#tests/support/worker-scope.ts'

const { walk, online, send, unsent, isSynced, ready, issued } = startWalk()
/** Keys of the writes that this device sent, in order. */
const delivered = () =>
  walk.browser.sent
    .filter(({ method, url }) => method !== 'GET' && url.includes('/organizations/'))
    .map(({ headers }) => headers.get('idempotency-key') ?? '')

describe.each([
  'first-outbox',
  'outbox-with-replaced-keys',
  'items-and-key-paths',
  'payments-and-members',
  'searched-by-less',
  'one-lane',
])('%s', (file) => {
  /** What the device left behind is there, its owner is signed in, and the server is where it was. */
  async function returned(): Promise<{ ann: Actor; device: OldDevice; entries: OldEntry[]; base: string }> {
    const ann = await verifiedActor(walk.app)
    const device = readDevice(file, ann)
    const entries = rowsOf<OldEntry>(device, 'outbox')
    const { organizationId, id } = entries[0]!
    await makeOrganization(ann, { id: organizationId })
    await makeCustomer(ann, organizationId, { id, name: 'Known' })
    await writeDevice(device)
    expect((await send('POST', '/auth/login', { email: ann.email, password })).status).toBe(200)
    return { ann, device, entries, base: `/organizations/${organizationId}` }
  }

  test('is delivered in its order, and once', async () => {
    const { ann, entries, base } = await returned()
    const [change, , made, draft] = entries
    // Its answer had not come; it had arrived all the same.
    const { path, body, key } = made!
    const before = await ann.send('POST', path.replace('/api/v1', ''), { body, headers: { 'idempotency-key': key } })
    expect(before.status).toBe(201)
    await walk.browser.post({ type: 'sync' })
    await isSynced()
    const keys = delivered()
    expect(keys.toSorted()).toEqual(entries.map((entry) => entry.key).toSorted())
    for (const lane of [entries.slice(0, 2), entries.slice(2)])
      expect(keys.filter((each) => lane.some((entry) => entry.key === each))).toEqual(lane.map((entry) => entry.key))

    const known = (await ann.send('GET', `${base}/customers/${change!.id}`)).body
    expect(known).toMatchObject({ name: 'Known, changed three times', version: 3 })
    const customers = (await ann.send('GET', `${base}/customers`)).body.data
    expect(customers).toHaveLength(2)
    expect(customers).toContainEqual(expect.objectContaining({ id: made!.id, name: 'Made offline', version: 1 }))
    const invoices = (await ann.send('GET', `${base}/invoices`)).body.data
    expect(invoices).toMatchObject([{ id: draft!.id, status: 'issued', number: expect.stringMatching(/-0001$/) }])
    expect((await ann.send('GET', `${base}/invoices/${draft!.id}`)).body).toMatchObject({ notes: 'Changed' })
    for (const list of ['customers', 'invoices'])
      expect((await send('GET', `${base}/${list}`)).body).toEqual((await ann.send('GET', `${base}/${list}`)).body)
    // Rows have got fields since: they were all told anew.
    walk.network = offline
    const there = (await ann.send('GET', `${base}/members`)).body
    const here = (await send('GET', `${base}/members`)).body
    expect(here).toEqual(there)
    expect(here.data).toMatchObject([{ id: there.data[0].id, role: 'owner' }])
  })

  test('is shown, and what is saved now follows it', async () => {
    const { ann, entries, base } = await returned()
    walk.network = offline
    expect((await unsent()).entries.map(({ name, key }) => [name, key])).toEqual(
      entries.map(({ name, key }) => [name, key]),
    )
    // What that build did not know of an invoice is there.
    const nothing = { amount: '0.00', currency: 'EUR' }
    expect((await send('GET', `${base}/invoices/${entries[3]!.id}`)).body).toMatchObject({
      status: 'draft',
      paid: nothing,
      credited: nothing,
      payments: [],
    })
    const path = `${base}/customers/${entries[0]!.id}`
    const shown = (await send('GET', path)).body
    expect(shown).toMatchObject({ name: 'Known, changed three times', unsent: 'waiting' })
    const saved = await send('PUT', path, { ...shown, phone: '5' }, { 'if-match': `"${shown.version}"` })
    expect(saved).toMatchObject({ status: 202, body: { name: 'Known, changed three times', phone: '5' } })
    expect((await unsent()).entries).toHaveLength(entries.length)
    walk.network = online
    await walk.browser.post({ type: 'try-now' })
    await isSynced()
    expect((await ann.send('GET', path)).body).toMatchObject({ name: 'Known, changed three times', phone: '5' })
  })

  test('goes out as a file and is read again on another device', async () => {
    const { ann, entries, base } = await returned()
    const exported = (await send('GET', '/device/outbox/export')).body
    walk.browser = openBrowser((request) => walk.network(request))
    await walk.browser.startWorker()
    await send('POST', '/auth/login', { email: ann.email, password })
    await walk.browser.post({ type: 'sync' })
    expect((await send('POST', '/device/outbox/import', exported)).body).toEqual({
      imported: entries.length,
      refused: 0,
    })
    await isSynced()
    expect(delivered().toSorted()).toEqual(entries.map((entry) => entry.key).toSorted())
    expect((await ann.send('GET', `${base}/invoices`)).body.data).toMatchObject([{ status: 'issued' }])
  })
})

test('an invoice that an earlier build kept is found by all that is searched today', async () => {
  const { base, invoice } = await issued()
  const device = await keptBy(4, (await send('GET', '/auth/session')).body.userId)
  for (const row of rowsOf<{ searchKey: string }>(device, 'invoices')) row.searchKey = ''
  await writeDevice(device)
  walk.network = offline
  await walk.browser.startWorker()
  expect((await send('GET', `${base}/invoices?q=website`)).body.data).toMatchObject([{ id: invoice.id }])
})

test('a mail that an earlier build kept behind a payment goes with the version of its invoice', async () => {
  const { base, path, invoice } = await issued()
  const { body: draft } = await send('POST', `${base}/invoices`, invoiceBody(invoice.customerId))
  await walk.browser.post({ type: 'sync' })
  const draftPath = `${base}/invoices/${draft.id}`
  walk.network = offline
  await send('POST', `${draftPath}/issue`, undefined, version(draft))
  for (const each of [path, draftPath]) {
    const row = (await send('GET', each)).body
    await send('POST', `${base}/payments`, paymentBody(row, '10'))
    const mail = { to: 'bob@bakery.example', subject: 'Your invoice', message: 'Here it is.' }
    expect((await send('POST', `${each}/send`, mail, version(row))).status).toBe(202)
  }
  const device = await keptBy(8, (await send('GET', '/auth/session')).body.userId)
  const entries = rowsOf<Record<string, unknown>>(device, 'outbox')
  for (const [at, entry] of entries.entries())
    if (entry['name'] === 'sendInvoice') Object.assign(entry, { after: entries[at - 1]!['key'], baseVersion: null })
  await writeDevice(device)
  walk.network = online
  await walk.browser.startWorker()
  await walk.browser.post({ type: 'sync' })
  await expect.poll(async () => (await unsent()).entries).toEqual([])
  for (const each of [path, draftPath])
    expect((await send('GET', each)).body).toMatchObject({ sentAt: expect.any(String), payments: [{}] })
})

test('invoices of one day that an earlier build kept stand in the order of their numbers', async () => {
  const { base } = await ready()
  const customer = customerBody()
  await send('POST', `${base}/customers`, customer)
  const drafts = []
  for (let each = 0; each < 3; each++)
    drafts.push((await send('POST', `${base}/invoices`, invoiceBody(customer.id))).body)
  for (const { id, version: mark } of drafts.toReversed())
    expect((await send('POST', `${base}/invoices/${id}/issue`, undefined, version({ version: mark }))).status).toBe(200)
  await walk.browser.post({ type: 'sync' })
  const device = await keptBy(6, (await send('GET', '/auth/session')).body.userId)
  for (const row of rowsOf<{ issueKey: string }>(device, 'invoices')) row.issueKey = row.issueKey.slice(0, 10)
  await writeDevice(device)
  walk.network = offline
  await walk.browser.startWorker()
  const { data } = (await send('GET', `${base}/invoices?sort=issueDate`)).body
  expect(data.map(({ id }: { id: string }) => id)).toEqual(drafts.map(({ id }) => id).toReversed())
})
