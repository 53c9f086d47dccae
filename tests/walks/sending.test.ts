// Mails without a network: they wait behind what they need, go out once, and can be taken back until then (DOMAIN.md "Offline").
import { expect, test } from 'vitest'
import type { Invoice } from '#shared/contract/invoices.ts'
import { uuidv7 } from '#shared/ids.ts'
import { customerBody, invoiceBody, paymentBody } from '#tests/support/bodies.ts'
import { offline, startWalk, version } from '#tests/support/walk.ts'

const { walk, online, loseAnswers, send, get, atServer, unsent, isSynced, ready, elsewhere } = startWalk()

/** To an address that no other test writes to. */
const words = () => ({ to: `${uuidv7()}@example.com`, subject: 'Your invoice', message: 'Hello Bob' })

async function draft(): Promise<{ base: string; path: string; invoice: Invoice }> {
  const { base } = await ready()
  const customer = customerBody()
  await send('POST', `${base}/customers`, customer)
  const { body: invoice } = await send('POST', `${base}/invoices`, invoiceBody(customer.id))
  return { base, path: `${base}/invoices/${invoice.id}`, invoice }
}

async function issued() {
  const { base, path, invoice } = await draft()
  const { body } = await send('POST', `${path}/issue`, undefined, version(invoice))
  expect(body.status).toBe('issued')
  await walk.browser.post({ type: 'sync' })
  return { base, path, invoice: body as Invoice }
}

const mailsTo = (recipient: string) =>
  walk.app.db.asJobs((tx) => tx.selectFrom('mails').select('subject').where('recipient', '=', recipient).execute())

async function backOnline(): Promise<void> {
  walk.network = online
  await walk.browser.post({ type: 'try-now' })
}

test('issued and sent without a network: in that order when it is back, one mail', async () => {
  const { path, invoice } = await draft()
  walk.network = offline
  await send('POST', `${path}/issue`, undefined, version(invoice))
  const mail = words()
  const sent = await send('POST', `${path}/send`, mail, version(invoice))
  expect(sent).toMatchObject({ status: 202, body: { status: 'draft', unsent: 'send', sentAt: null } })
  expect((await get(path)).body).toMatchObject({ status: 'draft', number: null, unsent: 'send' })
  expect((await unsent()).entries).toMatchObject([
    { name: 'issueInvoice', state: 'queued' },
    { name: 'sendInvoice', state: 'waiting-for-parent', body: mail },
  ])
  // Once is enough, and what is to be mailed is not voided before.
  expect((await send('POST', `${path}/send`, words(), version(invoice))).body.code).toBe('invalid_transition')
  expect((await send('POST', `${path}/void`, undefined, version(invoice))).body.code).toBe('invalid_transition')
  await backOnline()
  await isSynced()
  const { body } = await atServer(path)
  expect(body).toMatchObject({ status: 'issued', number: expect.any(String), sentAt: expect.any(String) })
  expect((await get(path)).body).toEqual(body)
  expect(await mailsTo(mail.to)).toEqual([{ subject: mail.subject }])
})

test('its answer was lost: sent again under its key, and one mail goes out', async () => {
  const { path, invoice } = await issued()
  walk.network = loseAnswers
  const mail = words()
  expect((await send('POST', `${path}/send`, mail, version(invoice))).status).toBe(202)
  await backOnline()
  await isSynced()
  expect(await mailsTo(mail.to)).toHaveLength(1)
})

test('between payments it has the version of the invoice, not that of a payment', async () => {
  const { base, path, invoice } = await issued()
  walk.network = offline
  const mail = words()
  await send('POST', `${base}/payments`, paymentBody(invoice, '17.18'))
  expect((await send('POST', `${path}/send`, mail, version(invoice))).body.unsent).toBe('send')
  await send('POST', `${base}/payments`, paymentBody(invoice, '900'))
  await backOnline()
  await isSynced()
  expect((await atServer(path)).body).toMatchObject({ paymentStatus: 'paid', version: invoice.version + 1 })
  expect(await mailsTo(mail.to)).toHaveLength(1)
})

test.each([
  ['that the server has', 'is recorded'],
  ['that the server has', 'is taken back'],
  ['that is made here', 'is recorded'],
  ['that is made here', 'is taken back'],
])('behind the issue of a draft %s, and a payment that %s, it goes unasked', async (where, becomes) => {
  const { base } = await ready()
  const customer = customerBody()
  await send('POST', `${base}/customers`, customer)
  if (where === 'that is made here') walk.network = offline
  const { body: invoice } = await send('POST', `${base}/invoices`, invoiceBody(customer.id))
  const path = `${base}/invoices/${invoice.id}`
  await walk.browser.post({ type: 'sync' })
  walk.network = offline
  const mail = words()
  await send('POST', `${path}/issue`, undefined, version(invoice))
  await send('POST', `${base}/payments`, paymentBody(invoice, '17.18'))
  expect((await send('POST', `${path}/send`, mail, version((await get(path)).body))).status).toBe(202)
  if (becomes === 'is taken back') {
    // The issue is done before.
    walk.network = (request) => (request.url.endsWith('/payments') ? offline() : online(request))
    await walk.browser.post({ type: 'try-now' })
    await expect.poll(async () => (await unsent()).entries.length).toBe(2)
    walk.network = offline
    const [payment] = (await unsent()).entries
    expect((await send('DELETE', `/device/outbox/${payment!.key}`)).body.entries).toMatchObject([
      { name: 'recordPayment' },
    ])
  }
  await backOnline()
  await expect.poll(async () => (await unsent()).entries.filter(({ state }) => state !== 'sending')).toEqual([])
  expect((await atServer(path)).body).toMatchObject({
    status: 'issued',
    payments: becomes === 'is recorded' ? [{}] : [],
  })
  expect(await mailsTo(mail.to)).toHaveLength(1)
})

test('taken back, nothing goes out; with the issuing its mail is taken back too', async () => {
  const { path, invoice } = await draft()
  const before = (await get(path)).body
  walk.network = offline
  const mail = words()
  await send('POST', `${path}/issue`, undefined, version(invoice))
  await send('POST', `${path}/send`, mail, version(invoice))
  const [first, second] = (await unsent()).entries
  await send('DELETE', `/device/outbox/${second!.key}`)
  expect((await get(path)).body.unsent).toBe('issue')
  await send('POST', `${path}/send`, mail, version(invoice))
  const taken = await send('DELETE', `/device/outbox/${first!.key}`)
  expect(taken.body.entries.map(({ name }: { name: string }) => name)).toEqual(['issueInvoice', 'sendInvoice'])
  expect((await get(path)).body).toEqual(before)
  await backOnline()
  expect((await atServer(path)).body.status).toBe('draft')
  expect(await mailsTo(mail.to)).toEqual([])
})

test.each(['with a payment between', 'alone'])(
  'a colleague issued meanwhile, and the change is discarded: the mail asks (%s)',
  async (how) => {
    const { base, path, invoice } = await draft()
    await walk.browser.post({ type: 'sync' })
    walk.network = offline
    const { customerId } = (await get(path)).body
    const changed = { ...invoiceBody(customerId, { notes: 'Thanks' }), id: invoice.id }
    const saved = await send('PUT', path, changed, version(invoice))
    expect((await send('POST', `${path}/issue`, undefined, version(saved.body))).status).toBe(202)
    if (how !== 'alone') await send('POST', `${base}/payments`, paymentBody(invoice, '10'))
    const mail = words()
    expect((await send('POST', `${path}/send`, mail, version((await get(path)).body))).status).toBe(202)
    expect((await elsewhere(`${path}/issue`, undefined, version(invoice))).status).toBe(200)
    await backOnline()
    await expect.poll(async () => (await unsent()).attention).toBe(1)
    const { body: file } = await send('DELETE', `/device/outbox/${(await unsent()).entries[0]!.key}`)
    expect(file.entries).toMatchObject([{ name: 'saveInvoice' }, { name: 'issueInvoice' }])
    const asked = { name: 'sendInvoice', state: 'conflict', theirs: { status: 'issued' } }
    await expect.poll(async () => (await unsent()).entries).toMatchObject([asked])
    const [entry] = (await unsent()).entries
    const resolution = { body: entry!.body, baseVersion: entry!.theirs!['version'] }
    expect((await send('PUT', `/device/outbox/${entry!.key}`, resolution)).status).toBe(204)
    await isSynced()
    expect(await mailsTo(mail.to)).toHaveLength(1)
  },
)

test('changed meanwhile it stops and asks; sent all the same, it goes out as it was written', async () => {
  const { path, invoice } = await issued()
  walk.network = offline
  const mail = words()
  await send('POST', `${path}/send`, mail, version(invoice))
  const token = walk.browser.sent.map(({ headers }) => headers.get('authorization')).findLast(Boolean)!
  const elsewhere = { body: words(), headers: { authorization: token, ...version(invoice) } }
  expect((await walk.app.send('POST', `/api/v1${path}/send`, elsewhere)).status).toBe(200)
  await backOnline()
  const [entry] = (await unsent()).entries
  expect(entry).toMatchObject({ name: 'sendInvoice', state: 'conflict', body: mail, theirs: { status: 'issued' } })
  expect(await mailsTo(mail.to)).toEqual([])
  const resolution = { body: entry!.body, baseVersion: entry!.theirs!['version'] }
  expect((await send('PUT', `/device/outbox/${entry!.key}`, resolution)).status).toBe(204)
  await isSynced()
  expect(await mailsTo(mail.to)).toHaveLength(1)
})
