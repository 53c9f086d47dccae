// Reversing a payment without a network: it waits with its invoice, is shown on it, and is done once, before what was recorded anew.
import { expect, test } from 'vitest'
import { uuidv7 } from '#shared/ids.ts'
import { paymentBody } from '#tests/support/bodies.ts'
import { offline, onDevice, startWalk, version } from '#tests/support/walk.ts'

const { walk, online, loseAnswers, send, get, atServer, unsent, isSynced, issued, expectSame, elsewhere } = startWalk()
const eur = (amount: string) => ({ amount, currency: 'EUR' })
const typo = { reason: 'Wrong amount' }

/** An invoice with a payment of 100 EUR, all of it on the device. */
async function paid() {
  const { base, path } = await issued()
  const { body: payment } = await send('POST', `${base}/payments`, paymentBody((await get(path)).body, '100'))
  const asHeard = async () => {
    await walk.browser.post({ type: 'sync' })
    return (await get(`${base}/payments`)).body.data
  }
  await expect.poll(asHeard).toMatchObject([{ id: payment.id }])
  const { body: invoice } = await get(path)
  const reverse = (more: object = {}, of = payment) =>
    send('POST', `${base}/payments/${of.id}/reverse`, typo, { ...version(of), ...more })
  return { base, path, invoice, payment, reverse }
}

async function backOnline(): Promise<void> {
  walk.network = online
  await walk.browser.post({ type: 'try-now' })
  await isSynced()
  await walk.browser.post({ type: 'sync' })
}

test('it waits, is shown on the invoice and in the lists, changes no sum, and what is recorded anew comes after it', async () => {
  const { base, path, invoice, payment, reverse } = await paid()
  const { body: me } = await get('/auth/session')
  walk.network = offline
  const shown = { reversal: { by: me.userId, reason: typo.reason, at: expect.any(String) }, unsent: 'waiting' }
  expect(await reverse()).toMatchObject({
    status: 202,
    body: {
      id: invoice.id,
      version: invoice.version,
      unsent: 'reversal',
      amountDue: eur('817.18'),
      payments: [{ id: payment.id, ...shown }],
    },
  })
  expect((await get(`${base}/payments`)).body.data).toEqual([{ ...payment, ...shown }])
  expect((await get(`${base}/payments/${payment.id}`)).body).toEqual({ ...payment, ...shown })
  expect((await get(`${base}/invoices`)).body.data).toMatchObject([{ id: invoice.id, unsent: 'reversal' }])
  const anew = paymentBody(invoice, '917.18')
  expect((await send('POST', `${base}/payments`, anew)).status).toBe(202)
  expect((await unsent()).entries).toMatchObject([
    { name: 'reversePayment', kind: 'invoice', id: invoice.id, label: invoice.number, state: 'queued', body: typo },
    { name: 'recordPayment', state: 'waiting-for-parent' },
  ])
  // As long as that waits it is not voided: the server would not either.
  expect((await send('POST', `${path}/void`, undefined, version(invoice))).body.code).toBe('invalid_transition')
  await backOnline()
  expect((await atServer(path)).body).toMatchObject({
    paymentStatus: 'paid',
    amountDue: eur('0.00'),
    version: invoice.version,
    payments: [
      { id: anew.id, reversal: null },
      { id: payment.id, reversal: { reason: typo.reason } },
    ],
  })
  await expectSame(path, `${base}/invoices`, `${base}/payments`, `${base}/payments/${payment.id}`, `${base}/dashboard`)
})

test('done, and the network gone before the next pull: the invoice says so all the same', async () => {
  const { base, path, payment, reverse } = await paid()
  walk.network = (request) => (request.url.includes('/payments') ? online(request) : offline())
  expect(await reverse()).toMatchObject({ status: 200, body: { id: payment.id, version: 2 } })
  const { body } = await get(path)
  expect(body).toMatchObject({
    paymentStatus: 'unpaid',
    amountDue: eur('917.18'),
    paid: eur('0.00'),
    payments: [{ id: payment.id, version: 2, reversal: { reason: typo.reason } }],
  })
  expect(body).not.toHaveProperty('unsent')
  await backOnline()
  await expectSame(path, `${base}/payments`, `${base}/dashboard`)
})

test('its answer was lost: sent again, and reversed once', async () => {
  const { base, path, reverse } = await paid()
  walk.network = loseAnswers
  expect((await reverse()).status).toBe(202)
  await backOnline()
  expect((await atServer(path)).body).toMatchObject({ amountDue: eur('917.18') })
  await expectSame(path, `${base}/payments`)
})

test('taken back, and put back, alone and with another beside it: each is of its own payment', async () => {
  const { base, path, invoice, payment, reverse } = await paid()
  const { body: second } = await send('POST', `${base}/payments`, paymentBody(invoice, '17.18'))
  const asHeard = async () => {
    await walk.browser.post({ type: 'sync' })
    return (await get(`${base}/payments`)).body.data
  }
  await expect.poll(asHeard).toHaveLength(2)
  const { body: before } = await get(path)
  walk.network = offline
  await reverse()
  await reverse({}, second)
  const [first] = (await unsent()).entries
  const { body: file } = await send('DELETE', `/device/outbox/${first!.key}`)
  expect(file.entries).toHaveLength(1)
  expect((await get(path)).body.payments).toMatchObject([
    { id: second.id, reversal: { reason: typo.reason } },
    { id: payment.id, reversal: null },
  ])
  expect(await send('POST', '/device/outbox/import', file)).toMatchObject({ body: { imported: 1, refused: 0 } })
  const taken = (await unsent()).entries.map(({ key }) => key)
  expect(taken).toHaveLength(2)
  for (const key of taken) await send('DELETE', `/device/outbox/${key}`)
  expect((await get(path)).body).toEqual(before)
  expect((await send('POST', '/device/outbox/import', file)).body).toEqual({ imported: 1, refused: 0 })
  await backOnline()
  expect((await atServer(path)).body.payments).toMatchObject([
    { id: second.id, reversal: null },
    { id: payment.id, reversal: { reason: typo.reason } },
  ])
  await expectSame(path, `${base}/payments`)
})

test('somebody else was faster: the person is told, and the payment is as it is there', async () => {
  const { base, path, payment, reverse } = await paid()
  walk.network = offline
  await reverse()
  const other = await elsewhere(`${base}/payments/${payment.id}/reverse`, { reason: 'Theirs' }, version(payment))
  expect(other.status).toBe(200)
  walk.network = online
  await walk.browser.post({ type: 'try-now' })
  await walk.browser.post({ type: 'sync' })
  const [entry] = (await unsent()).entries
  expect(entry).toMatchObject({
    name: 'reversePayment',
    state: 'rejected',
    lastProblem: { detail: 'This payment has been reversed already.' },
  })
  expect((await get(path)).body.payments).toMatchObject([{ reversal: { reason: 'Theirs' } }])
  await send('DELETE', `/device/outbox/${entry!.key}`)
  await expectSame(path, `${base}/payments`)
})

test('pressed in two tabs it is done once, and nothing behind it is held up', async () => {
  const { base, path, invoice, payment, reverse } = await paid()
  walk.network = offline
  for (const { status } of await Promise.all([reverse(), reverse()])) expect(status).toBe(202)
  const other = await send('POST', `${base}/payments/${payment.id}/reverse`, { reason: 'Not ours' }, version(payment))
  expect(other).toMatchObject({ status: 409, body: { detail: 'This payment waits to be reversed already.' } })
  // Taken back and pressed again, the first is not put back beside it.
  const { body: file } = await send('DELETE', `/device/outbox/${(await unsent()).entries[0]!.key}`)
  expect((await reverse()).status).toBe(202)
  expect((await send('POST', '/device/outbox/import?whole', file)).body).toMatchObject({ imported: 0 })
  await send('POST', `${base}/payments`, paymentBody(invoice, '1'))
  await backOnline()
  expect((await atServer(path)).body).toMatchObject({
    payments: [{ amount: eur('1.00') }, { reversal: { reason: typo.reason } }],
  })
})

test('refused for what was given back since, it says so, and goes once that is reversed', async () => {
  const { base, path, invoice, payment, reverse } = await paid()
  walk.network = offline
  await reverse()
  const { body: note } = await elsewhere(`${path}/credit-notes`, { id: uuidv7() })
  const made = note as unknown as { id: string; version: number }
  expect((await elsewhere(`${base}/invoices/${made.id}/issue`, undefined, version(made))).status).toBe(200)
  const refund = paymentBody(invoice, '-100')
  expect((await elsewhere(`${base}/payments`, refund)).status).toBe(201)
  walk.network = online
  await walk.browser.post({ type: 'try-now' })
  await expect
    .poll(async () => (await unsent()).entries)
    .toMatchObject([{ state: 'rejected', lastProblem: { detail: expect.stringMatching(/Reverse the refund first/) } }])
  const other = await send('POST', `${base}/payments/${payment.id}/reverse`, { reason: 'Not ours' }, version(payment))
  expect(other).toMatchObject({ status: 409, body: { detail: expect.stringMatching(/was refused/) } })
  const back = await elsewhere(`${base}/payments/${refund.id}/reverse`, typo, { 'if-match': '"1"' })
  expect(back.status).toBe(200)
  await send('POST', '/device/outbox/retry')
  await isSynced()
  expect((await atServer(`${base}/payments/${payment.id}`)).body.reversal).not.toBeNull()
})

test('what was recorded and reversed is not said to wait when its form is sent once more', async () => {
  const { base, path, invoice, payment, reverse } = await paid()
  expect((await reverse()).status).toBe(200)
  await walk.browser.post({ type: 'sync' })
  walk.network = offline
  const again = { ...paymentBody(invoice, '17.18'), id: payment.id }
  expect(await send('POST', `${base}/payments`, again)).toMatchObject({ status: 409, body: { code: 'id_taken' } })
  expect((await send('POST', `${base}/payments`, paymentBody(invoice, '17.18'))).status).toBe(202)
  await backOnline()
  expect((await atServer(path)).body).toMatchObject({ payments: [{ reversal: null }, { reversal: typo }] })
})

test('what follows a payment or a reversal that is taken back names the invoice as it is', async () => {
  const { base, path, invoice, reverse } = await paid()
  const mail = () => ({ to: `${uuidv7()}@example.com`, subject: 'Your invoice', message: 'Hello Bob' })
  for (const wait of [() => reverse(), () => send('POST', `${base}/payments`, paymentBody(invoice, '1'))]) {
    const { body: now } = await get(path)
    walk.network = offline
    expect((await wait()).status).toBe(202)
    expect((await send('POST', `${path}/send`, mail(), version(now))).status).toBe(202)
    const [first] = (await unsent()).entries
    await send('DELETE', `/device/outbox/${first!.key}`)
    expect((await unsent()).entries).toMatchObject([{ name: 'sendInvoice' }])
    await backOnline()
    expect((await atServer(path)).body.version).toBe(now.version + 1)
  }
})

test('asked once more when its payment has left the device, it is the one that waits', async () => {
  const { base, path, payment } = await paid()
  walk.network = offline
  const again = () => send('POST', `${base}/payments/${payment.id}/reverse`, typo, { ...version(payment), ...key })
  const key = { 'idempotency-key': uuidv7() }
  expect((await again()).status).toBe(202)
  await onDevice((database) => database.clear('payments'))
  expect((await again()).status).toBe(202)
  expect((await unsent()).entries).toHaveLength(1)
  await backOnline()
  expect((await atServer(path)).body).toMatchObject({ amountDue: eur('917.18') })
})

test('one of a payment that is not on the device is the server’s to reverse: nothing of it waits', async () => {
  const { base } = await paid()
  walk.network = offline
  const path = `${base}/payments/${uuidv7()}/reverse`
  expect((await send('POST', path, typo, { 'if-match': '"1"' })).status).toBe(503)
  expect((await unsent()).entries).toEqual([])
})
