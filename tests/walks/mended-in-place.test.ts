// What the server refuses holds up nothing that no longer builds on it, and is mended on its own screen as well (outbox/enqueue.ts).
import { expect, test } from 'vitest'
import { uuidv7 } from '#shared/ids.ts'
import { customerBody, invoiceBody, paymentBody } from '#tests/support/bodies.ts'
import { until } from '#tests/support/people.ts'
import { offline, startWalk, version } from '#tests/support/walk.ts'

const { walk, online, send, get, atServer, unsent, ready } = startWalk()

const tryNow = () => walk.browser.post({ type: 'try-now' })
const rejected = () => until(async () => (await unsent()).entries.find(({ state }) => state === 'rejected'))

async function begun(more: object = {}) {
  const { base } = await ready()
  const { body: there } = await send('POST', `${base}/customers`, customerBody(more))
  await walk.browser.post({ type: 'sync' })
  walk.network = offline
  const { id: _, ...row } = there
  return { base, there, row, path: `${base}/customers/${there.id}` }
}

async function back(): Promise<void> {
  walk.network = online
  await tryNow()
}

/** What a screen sends that shows this. */
const contentOf = ({ id: _, unsent: __, ...row }: Record<string, unknown>) => row

test('a draft for a customer who is refused, moved to another, arrives and stays when the refused one is discarded', async () => {
  const { base, there } = await begun()
  const bad = customerBody({ name: 'Xaver', email: 'no address' })
  expect((await send('POST', `${base}/customers`, bad)).status).toBe(202)
  const { id, ...edit } = invoiceBody(bad.id)
  const draft = await send('POST', `${base}/invoices`, { id, ...edit })
  const moved = { ...edit, customerId: there.id, notes: 'Two hours of my typing' }
  const saved = await send('PUT', `${base}/invoices/${id}`, moved, version(draft.body))
  expect(saved).toMatchObject({ status: 202, body: { customerName: there.name } })

  await back()
  const refused = await rejected()
  await until(async () => ((await unsent()).entries.length === 1 ? true : undefined))
  const { body: file } = await send('DELETE', `/device/outbox/${refused.key}`)
  expect(file.entries).toHaveLength(1)

  expect((await atServer(`${base}/invoices/${id}`)).body).toMatchObject({ notes: moved.notes, customerId: there.id })
  expect((await get(`${base}/invoices`)).body.data).toHaveLength(1)
})

test('a refused save is mended on the record’s own screen, with what was saved upon it', async () => {
  const { there, row, path } = await begun({ phone: '1' })
  await send('PUT', path, { ...row, phone: '2', email: 'no address' }, version(there))
  walk.network = (request) => (request.method === 'PUT' ? offline() : online(request))
  await tryNow()
  walk.network = offline
  const shown = (await get(path)).body
  await send('PUT', path, { ...contentOf(shown), vatNumber: 'DE1' }, version(shown))
  await back()
  await rejected()

  const now = (await get(path)).body
  expect(now).toMatchObject({ phone: '2', email: 'no address' })
  const mended = await send('PUT', path, { ...contentOf(now), email: 'good@example.com' }, version(now))
  expect(mended.status).toBe(200)

  expect((await unsent()).entries).toEqual([])
  expect((await atServer(path)).body).toMatchObject({ phone: '2', email: 'good@example.com', vatNumber: 'DE1' })
})

test('saved twice from a form of before, what was refused is not dropped: nothing of it is in there', async () => {
  const { there, row, path } = await begun({ phone: '1' })
  await send('PUT', path, { ...row, phone: '2', email: 'no address' }, version(there))
  await back()
  const refused = await rejected()
  walk.network = offline

  // Another tab still shows the row as it was; both changed the phone.
  const before = await send('PUT', path, { ...row, phone: '3' }, version(there))
  expect(before.status).toBe(202)
  const shown = (await get(path)).body
  expect(shown).toMatchObject({ phone: '3', email: there.email })
  await send('PUT', path, { ...contentOf(shown), phone: '4' }, version(shown))
  await back()

  const { entries } = await unsent()
  expect(entries.find(({ key }) => key === refused.key)).toMatchObject({ state: 'rejected', body: { phone: '2' } })
})

test('a refused new customer is mended on their own screen: what waits for them goes on, and a form of before puts nothing back', async () => {
  const { base } = await begun()
  const bad = customerBody({ name: 'Xaver', email: 'no address', phone: '1' })
  const path = `${base}/customers/${bad.id}`
  await send('POST', `${base}/customers`, bad)
  const invoice = invoiceBody(bad.id)
  await send('POST', `${base}/invoices`, invoice)
  await back()
  await rejected()

  walk.network = offline
  const shown = (await get(path)).body
  const mended = { ...contentOf(shown), name: 'Xaver Young', email: 'good@example.com' }
  expect((await send('PUT', path, mended, version(shown))).body).toMatchObject({ email: 'good@example.com' })
  // Another tab that was opened before.
  await send('PUT', path, { ...contentOf(shown), email: 'other@example.com' }, version(shown))
  await back()
  await until(async () => (await unsent()).entries.find(({ state }) => state === 'conflict'))

  expect((await atServer(path)).body).toMatchObject({ name: 'Xaver Young', email: 'good@example.com' })
  expect((await atServer(`${base}/invoices/${invoice.id}`)).body.customerName).toBe('Xaver Young')
})

test.each(['under Unsent', 'on its own screen'])(
  'a refused new draft that is mended %s is not issued unseen: the press that waited behind it asks once more',
  async (where) => {
    const { base, there } = await begun()
    const gone = uuidv7()
    const { id, ...edit } = invoiceBody(gone)
    const { body: draft } = await send('POST', `${base}/invoices`, { id, ...edit })
    const path = `${base}/invoices/${id}`
    await send('POST', `${path}/issue`, undefined, version(draft))
    await send('POST', `${base}/payments`, paymentBody(draft, '917.18'))
    await back()
    const refused = await rejected()
    expect(refused.name).toBe('createInvoice')

    const mended = { ...edit, customerId: there.id, notes: 'Other than what was to be issued' }
    if (where === 'under Unsent')
      await send('PUT', `/device/outbox/${refused.key}`, { body: { id, ...mended }, baseVersion: null })
    else {
      const shown = (await get(path)).body
      const saved = await send('PUT', path, mended, version(shown))
      expect(saved.status).toBeLessThan(300)
    }
    await tryNow()
    const issue = await until(async () => (await unsent()).entries.find(({ state }) => state === 'conflict'))
    expect(issue).toMatchObject({ name: 'issueInvoice', theirs: { notes: mended.notes, status: 'draft' } })
    expect((await atServer(path)).body).toMatchObject({ status: 'draft', notes: mended.notes, customerId: there.id })
    // Looked at, and wanted all the same: then what waits behind it goes on too.
    await send('PUT', `/device/outbox/${issue.key}`, { body: null, baseVersion: issue.theirs!['version'] })
    await until(async () => ((await unsent()).entries.length === 0 ? true : undefined))
    expect((await atServer(path)).body).toMatchObject({ status: 'issued', paymentStatus: 'paid', notes: mended.notes })
  },
)

test('a refused customer who is mended holds up no press upon their invoice, which is as it was: it is issued without another question', async () => {
  const { base } = await begun()
  const customer = customerBody({ name: 'Xaver', email: 'no address' })
  await send('POST', `${base}/customers`, customer)
  const { body: draft } = await send('POST', `${base}/invoices`, invoiceBody(customer.id))
  const path = `${base}/invoices/${draft.id}`
  await send('POST', `${path}/issue`, undefined, version(draft))
  await back()
  const refused = await rejected()
  await send('PUT', `/device/outbox/${refused.key}`, { body: { ...customer, email: null }, baseVersion: null })
  await until(async () => ((await unsent()).entries.length === 0 ? true : undefined))
  expect((await atServer(path)).body).toMatchObject({ status: 'issued' })
})
