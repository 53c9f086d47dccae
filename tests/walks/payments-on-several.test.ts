// One payment on several invoices without a network: it waits with each of them, is shown on each, and goes once, after what stands before it on any.
import { expect, test } from 'vitest'
import type { Invoice } from '#shared/contract/invoices.ts'
import { uuidv7 } from '#shared/ids.ts'
import { customerBody, invoiceBody, paymentBody } from '#tests/support/bodies.ts'
import { offline, startWalk, version } from '#tests/support/walk.ts'

const { walk, online, loseAnswers, send, get, atServer, unsent, isSynced, issued, expectSame, elsewhere } = startWalk()
const eur = (amount: string) => ({ amount, currency: 'EUR' })
const mail = () => ({ to: `${uuidv7()}@example.com`, subject: 'Your invoice', message: 'Hello Bob' })
type Row = { id: string; version: number; customerId: string }

/** Two invoices of one customer, and how a payment on both is asked for. */
async function two() {
  const { base, invoice: one, path } = await issued()
  const { body: draft } = await send('POST', `${base}/invoices`, invoiceBody(one.customerId))
  const { body: other } = await send('POST', `${base}/invoices/${draft.id}/issue`, undefined, version(draft))
  await walk.browser.post({ type: 'sync' })
  const paths = [path, `${base}/invoices/${other.id}`]
  const onBoth = (first = '100', second = '50', more: object = {}) => {
    const allocations = [
      { invoiceId: one.id, amount: eur(first) },
      { invoiceId: other.id, amount: eur(second) },
    ]
    return paymentBody(one, String(Number(first) + Number(second)), { allocations, ...more })
  }
  const pay = (body: object, more: Record<string, string> = {}) => send('POST', `${base}/payments`, body, more)
  return { base, one, other, paths, onBoth, pay }
}

/** 100 of the first and 50 of the second. */
function pay150(base: string, one: Invoice, other: Row) {
  const allocations = [one, other].map(({ id }, at) => ({ invoiceId: id, amount: eur(at === 0 ? '100' : '50') }))
  return send('POST', `${base}/payments`, paymentBody(one, '150', { allocations }))
}

const shownOn = async (paths: readonly string[]) => Promise.all(paths.map(async (path) => (await get(path)).body))

async function backOnline(): Promise<void> {
  walk.network = online
  await walk.browser.post({ type: 'try-now' })
  await isSynced()
  await walk.browser.post({ type: 'sync' })
}

/** What waits is refused, because one of its invoices was paid elsewhere meanwhile. */
async function refusedAfter(base: string, paid: object) {
  expect((await elsewhere(`${base}/payments`, paid)).status).toBe(201)
  walk.network = online
  await walk.browser.post({ type: 'try-now' })
  await expect.poll(async () => (await unsent()).attention).toBe(1)
  return (await unsent()).entries[0]!
}

test('it is shown on each and in the list, changes no sum, and is recorded once', async () => {
  const { base, one, other, paths, onBoth, pay } = await two()
  walk.network = offline
  const body = onBoth()
  const key = { 'idempotency-key': uuidv7() }
  expect(await pay(body, key)).toMatchObject({ status: 202, body: { id: one.id, unsent: 'payment' } })
  expect((await pay(body, key)).status).toBe(202)
  expect(await shownOn(paths)).toMatchObject([
    { id: one.id, amountDue: one.amountDue, payments: [{ id: body.id, amount: eur('100'), unsent: 'waiting' }] },
    { id: other.id, amountDue: other.amountDue, payments: [{ id: body.id, amount: eur('50'), unsent: 'waiting' }] },
  ])
  const listed = (await get(`${base}/payments`)).body.data
  expect(listed).toMatchObject([
    {
      id: body.id,
      amount: eur('150.00'),
      allocations: [
        { invoiceId: one.id, invoiceNumber: one.number, amount: eur('100') },
        { invoiceId: other.id, invoiceNumber: other.number, amount: eur('50') },
      ],
      unsent: 'waiting',
    },
  ])
  expect((await get(`${base}/payments?invoiceId=${other.id}`)).body.data).toEqual(listed)
  expect((await unsent()).entries).toMatchObject([
    {
      name: 'recordPayment',
      kind: 'invoice',
      id: one.id,
      alsoOf: [{ id: other.id, label: other.number }],
      label: one.number,
      state: 'queued',
    },
  ])
  // Neither is voided while that waits.
  for (const [index, path] of paths.entries())
    expect((await send('POST', `${path}/void`, undefined, version([one, other][index]))).body.code).toBe(
      'invalid_transition',
    )
  await backOnline()
  expect(await Promise.all(paths.map(async (path) => (await atServer(path)).body))).toMatchObject([
    { paid: eur('100.00'), payments: [{ id: body.id }] },
    { paid: eur('50.00'), payments: [{ id: body.id }] },
  ])
  expect((await atServer(`${base}/payments`)).body.data).toHaveLength(1)
  await expectSame(...paths, `${base}/payments`, `${base}/invoices`, `${base}/dashboard`)
})

test('its answer lost, it is asked again and stands on each once', async () => {
  const { base, paths, onBoth, pay } = await two()
  walk.network = loseAnswers
  await pay(onBoth())
  await backOnline()
  expect((await atServer(`${base}/payments`)).body.data).toHaveLength(1)
  await expectSame(...paths, `${base}/payments`)
})

test('it goes after what waits before it on either, and before what comes after it on either', async () => {
  const { base, one, onBoth, pay } = await two()
  walk.network = offline
  // The second of them is made, issued and mailed here.
  const { body: draft } = await send('POST', `${base}/invoices`, invoiceBody(one.customerId))
  const press = (what: string, of: Row, body?: object) =>
    send('POST', `${base}/invoices/${of.id}/${what}`, body, version(of))
  expect((await press('issue', draft)).status).toBe(202)
  const [first] = onBoth().allocations
  const allocations = [first, { invoiceId: draft.id, amount: eur('50') }]
  const body = paymentBody(one, '150', { allocations })
  expect((await pay(body)).status).toBe(202)
  const rest = paymentBody(one, '10', { allocations: [{ invoiceId: draft.id, amount: eur('10') }] })
  expect((await pay(rest)).status).toBe(202)
  const { body: now } = await get(`${base}/invoices/${one.id}`)
  expect((await press('send', now, mail())).status).toBe(202)
  expect((await unsent()).entries).toMatchObject([
    { name: 'createInvoice' },
    { name: 'issueInvoice' },
    { name: 'recordPayment', id: one.id, alsoOf: [{ id: draft.id, label: '' }], state: 'waiting-for-parent' },
    { name: 'recordPayment', id: draft.id, alsoOf: [], state: 'waiting-for-parent' },
    { name: 'sendInvoice', id: one.id, state: 'waiting-for-parent' },
  ])
  await backOnline()
  expect((await unsent()).entries).toEqual([])
  expect((await atServer(`${base}/invoices/${draft.id}`)).body).toMatchObject({ paid: eur('60.00') })
  await expectSame(`${base}/invoices/${draft.id}`, `${base}/invoices/${one.id}`, `${base}/payments`)
})

test('refused for one of them it says which, blocks both and nothing else, and typed anew goes', async () => {
  const { base, one, other, paths, onBoth, pay } = await two()
  walk.network = offline
  const body = onBoth()
  await pay(body)
  const entry = await refusedAfter(base, paymentBody(other, '900'))
  expect(entry).toMatchObject({ state: 'rejected', lastProblem: { errors: [{ pointer: '/allocations/1/amount' }] } })
  expect(await shownOn(paths)).toMatchObject([{ unsent: 'attention' }, { unsent: 'attention' }])
  const behind = paymentBody(one, '5')
  await pay(behind)
  expect((await unsent()).entries).toMatchObject([{}, { state: 'waiting-for-decision' }])
  // All of it on the second, as far as that goes: with the first, and what came after it there, it has nothing to do any more.
  walk.network = offline
  const press = await send('POST', `${paths[0]}/send`, mail(), version((await get(paths[0]!)).body))
  expect(press.status).toBe(202)
  const decided = { ...body, amount: eur('17.18'), allocations: [{ invoiceId: other.id, amount: eur('17.18') }] }
  const resolve = { body: decided, baseVersion: null }
  expect((await send('PUT', `/device/outbox/${entry.key}`, resolve)).status).toBe(204)
  expect(await shownOn(paths)).toMatchObject([
    { unsent: 'send', payments: [{ id: behind.id }] },
    { unsent: 'payment', payments: [{ id: body.id, amount: eur('17.18') }, {}] },
  ])
  expect((await unsent()).entries).toMatchObject([
    { name: 'recordPayment', id: other.id, alsoOf: [], label: other.number },
    { name: 'recordPayment', id: one.id },
    { name: 'sendInvoice', id: one.id },
  ])
  const file = (await get('/device/outbox/export')).body
  expect((await send('POST', '/device/outbox/import', file)).body).toEqual({ imported: 0, refused: 0 })
  await backOnline()
  expect((await atServer(paths[0]!)).body).toMatchObject({ paid: eur('5.00'), sentAt: expect.any(String) })
  expect((await atServer(paths[1]!)).body).toMatchObject({ amountDue: eur('0.00') })
  await walk.browser.post({ type: 'sync' })
  await expectSame(...paths, `${base}/payments`)
})

test('discarded it is on neither, what follows on either goes, and put back it is on both again', async () => {
  const { base, one, other, paths, onBoth, pay } = await two()
  walk.network = offline
  const before = await shownOn(paths)
  await pay(onBoth())
  const { body: now } = await get(paths[1]!)
  expect((await send('POST', `${paths[1]}/send`, mail(), version(now))).status).toBe(202)
  const [entry] = (await unsent()).entries
  const { body: file } = await send('DELETE', `/device/outbox/${entry!.key}`)
  expect(await get(paths[0]!)).toMatchObject({ body: before[0] })
  expect((await get(paths[1]!)).body).toMatchObject({ unsent: 'send', payments: [] })
  expect((await send('POST', '/device/outbox/import', file)).body).toEqual({ imported: 1, refused: 0 })
  expect(await shownOn(paths)).toMatchObject([{ payments: [{}] }, { payments: [{}] }])
  await backOnline()
  expect((await unsent()).entries).toEqual([])
  for (const path of paths) expect((await atServer(path)).body.payments).toHaveLength(1)
  expect((await atServer(`${base}/invoices/${other.id}`)).body.sentAt).not.toBeNull()
  expect((await atServer(`${base}/invoices/${one.id}`)).body.sentAt).toBeNull()
  await expectSame(...paths)
})

test('put back it stands where it stood: before what was done since and leaves nothing due', async () => {
  const { base, other, paths, onBoth, pay } = await two()
  walk.network = offline
  await pay(onBoth())
  // The rest of the second, recorded after it.
  const rest = paymentBody(other, '867.18')
  await pay(rest)
  const [first] = (await unsent()).entries
  const { body: file } = await send('DELETE', `/device/outbox/${first!.key}`)
  expect((await send('POST', '/device/outbox/import?whole', file)).body).toEqual({ imported: 1, refused: 0 })
  expect((await unsent()).entries.map(({ key }) => key)[0]).toBe(first!.key)
  await backOnline()
  expect((await atServer(paths[1]!)).body).toMatchObject({ amountDue: eur('0.00') })
  await expectSame(...paths, `${base}/payments`)
})

test('of one form in two tabs one payment is recorded; with other content the second is told', async () => {
  const { base, one, other, onBoth, pay } = await two()
  walk.network = offline
  const body = onBoth()
  expect((await pay(body)).status).toBe(202)
  expect((await pay(body)).status).toBe(202)
  expect((await unsent()).entries).toHaveLength(1)
  const elsewhere = paymentBody(other, '7', { id: body.id })
  for (const each of [{ ...onBoth('99'), id: body.id }, elsewhere])
    expect((await pay(each)).body).toMatchObject({ code: 'id_taken' })
  expect((await unsent()).entries).toHaveLength(1)
  expect((await get(`${base}/payments`)).body.data).toMatchObject([{ amount: eur('150.00') }])
  await backOnline()
  expect((await atServer(`${base}/payments`)).body.data).toMatchObject([{ allocations: [{ invoiceId: one.id }, {}] }])
})

test('put back it never stands before the issue that it needs, nor without it', async () => {
  const { base, one } = await two()
  walk.network = offline
  const { body: draft } = await send('POST', `${base}/invoices`, invoiceBody(one.customerId))
  const issue = () => send('POST', `${base}/invoices/${draft.id}/issue`, undefined, version(draft))
  await issue()
  await pay150(base, one, draft)
  await send('POST', `${base}/customers`, customerBody())
  const takeBack = async (name: string) => {
    const { entries } = await unsent()
    return (await send('DELETE', `/device/outbox/${entries.find((entry) => entry.name === name)!.key}`)).body
  }
  const undo = async (file: object) => (await send('POST', '/device/outbox/import?whole', file)).body
  const payment = await takeBack('recordPayment')
  const pressed = await takeBack('issueInvoice')
  // It would wait for an issue that nobody has pressed.
  expect(await undo(payment)).toMatchObject({ imported: 0 })
  expect(await undo(pressed)).toMatchObject({ imported: 1 })
  expect(await undo(payment)).toMatchObject({ imported: 1 })
  const names = (await unsent()).entries.map(({ name }) => name)
  expect(names.indexOf('recordPayment')).toBeGreaterThan(names.indexOf('issueInvoice'))
  await backOnline()
  expect((await atServer(`${base}/invoices/${draft.id}`)).body).toMatchObject({ paid: eur('50.00') })
})

test('put back before the draft that it is on, it waits for that to be put back as well, under its issue', async () => {
  const { base, one } = await two()
  walk.network = offline
  const { body: draft } = await send('POST', `${base}/invoices`, invoiceBody(one.customerId))
  await send('POST', `${base}/invoices/${draft.id}/issue`, undefined, version(draft))
  await pay150(base, one, draft)
  const undo = async (file: object) => (await send('POST', '/device/outbox/import?whole', file)).body
  const takeBack = async (at: number) =>
    (await send('DELETE', `/device/outbox/${(await unsent()).entries[at]!.key}`)).body
  const payment = await takeBack(2)
  const made = await takeBack(0)
  expect(await undo(payment)).toMatchObject({ imported: 1 })
  expect(await undo(made)).toMatchObject({ imported: 2 })
  expect((await unsent()).entries.map(({ name }) => name)).toEqual(['createInvoice', 'issueInvoice', 'recordPayment'])
  await backOnline()
  expect((await atServer(`${base}/invoices/${draft.id}`)).body).toMatchObject({ paid: eur('50.00') })
})

test('put back beside another of its form it is refused: one form records one payment', async () => {
  const { base, onBoth, pay } = await two()
  walk.network = offline
  const body = onBoth()
  await pay(body)
  const { body: file } = await send('DELETE', `/device/outbox/${(await unsent()).entries[0]!.key}`)
  expect((await pay({ ...onBoth('7', '8'), id: body.id })).status).toBe(202)
  expect((await send('POST', '/device/outbox/import?whole', file)).body).toMatchObject({ imported: 0 })
  await backOnline()
  expect((await atServer(`${base}/payments`)).body.data).toMatchObject([{ amount: eur('15.00') }])
})

test('issued and paid with another, a mail behind it goes; also where that leaves it, typed anew', async () => {
  const { base, one, other, paths } = await two()
  const { body: draft } = await send('POST', `${base}/invoices`, invoiceBody(one.customerId))
  await walk.browser.post({ type: 'sync' })
  walk.network = offline
  const path = `${base}/invoices/${draft.id}`
  await send('POST', `${path}/issue`, undefined, version(draft))
  const { body: made } = await send('POST', `${base}/invoices`, invoiceBody(one.customerId))
  const madePath = `${base}/invoices/${made.id}`
  await send('POST', `${madePath}/issue`, undefined, version(made))
  await pay150(base, one, draft)
  const more = [other, made].map(({ id }) => ({ invoiceId: id, amount: eur('900') }))
  const payment = paymentBody(one, '1800', { allocations: more })
  await send('POST', `${base}/payments`, payment)
  for (const each of [path, madePath]) await send('POST', `${each}/send`, mail(), version((await get(each)).body))
  expect((await elsewhere(`${base}/payments`, paymentBody(other, '900'))).status).toBe(201)
  walk.network = online
  await walk.browser.post({ type: 'try-now' })
  await expect
    .poll(async () => (await unsent()).entries.map(({ state }) => state))
    .toEqual(['rejected', 'waiting-for-decision'])
  const [refused] = (await unsent()).entries
  const body = { ...payment, amount: eur('17.18'), allocations: [{ ...more[0]!, amount: eur('17.18') }] }
  expect((await send('PUT', `/device/outbox/${refused!.key}`, { body, baseVersion: null })).status).toBe(204)
  await isSynced()
  for (const each of [path, madePath]) expect((await atServer(each)).body.sentAt).not.toBeNull()
  expect((await atServer(paths[1]!)).body).toMatchObject({ amountDue: eur('0.00') })
})

test('typed anew it asks nothing of the mails that follow it: they go', async () => {
  const { base, other, paths, onBoth, pay } = await two()
  walk.network = offline
  await pay(onBoth())
  for (const path of paths) await send('POST', `${path}/send`, mail(), version((await get(path)).body))
  const entry = await refusedAfter(base, paymentBody(other, '900'))
  const { allocations } = onBoth('100', '17.18')
  const typed = (body: object) =>
    send('PUT', `/device/outbox/${entry.key}`, { body: { ...entry.body, ...body }, baseVersion: null })
  // On another invoice than those it waits with it is another payment.
  const elsewhereToo = [...allocations, { invoiceId: uuidv7(), amount: eur('1') }]
  expect((await typed({ amount: eur('118.18'), allocations: elsewhereToo })).status).toBe(404)
  expect((await typed({ amount: eur('117.18'), allocations })).status).toBe(204)
  await isSynced()
  for (const path of paths) expect((await atServer(path)).body.sentAt).not.toBeNull()
})

test('of one form in two tabs: what was refused stays, and what was recorded is known, whatever the second says', async () => {
  const { base, one, other, onBoth, pay } = await two()
  const body = onBoth()
  await pay(body)
  await walk.browser.post({ type: 'sync' })
  await expect.poll(async () => (await get(`${base}/payments`)).body.data).toHaveLength(1)
  walk.network = offline
  expect((await pay({ ...onBoth('99'), id: body.id })).body).toMatchObject({ code: 'id_taken' })
  const refused = onBoth()
  await pay(refused)
  await refusedAfter(base, paymentBody(other, '850'))
  expect((await pay(paymentBody(one, '7', { id: refused.id }))).body).toMatchObject({ code: 'id_taken' })
  expect((await unsent()).entries).toMatchObject([{ body: refused }])
})

test('reversed it is due again on each, and is done once', async () => {
  const { base, one, other, paths, onBoth, pay } = await two()
  const { body: payment } = await pay(onBoth())
  await walk.browser.post({ type: 'sync' })
  await expect.poll(async () => (await get(`${base}/payments`)).body.data).toHaveLength(1)
  walk.network = offline
  const reverse = () =>
    send('POST', `${base}/payments/${payment.id}/reverse`, { reason: 'Wrong customer' }, version(payment))
  expect(await reverse()).toMatchObject({ status: 202, body: { id: one.id, unsent: 'reversal' } })
  const reversal = { reversal: { reason: 'Wrong customer' }, unsent: 'waiting' }
  expect(await shownOn(paths)).toMatchObject([{ payments: [reversal] }, { payments: [reversal] }])
  expect((await get(`${base}/payments`)).body.data).toMatchObject([{ id: payment.id, ...reversal }])
  expect((await unsent()).entries).toMatchObject([{ name: 'reversePayment', id: one.id, alsoOf: [{ id: other.id }] }])
  await backOnline()
  for (const path of paths) expect((await atServer(path)).body).toMatchObject({ paid: eur('0.00') })
  await expectSame(...paths, `${base}/payments`)
})

test('of a file it is read as it was saved, and not with other invoices', async () => {
  const { one, other, onBoth, pay } = await two()
  walk.network = offline
  const body = onBoth()
  await pay(body)
  const file = (await get('/device/outbox/export')).body
  const [entry] = file.entries
  await send('DELETE', `/device/outbox/${entry!.key}`)
  const lane = (id: string) => `invoice:${id}`
  expect(entry.lanes).toEqual([lane(one.id), lane(other.id)])
  const third = { invoiceId: uuidv7(), amount: eur('1') }
  for (const change of [
    { lanes: [lane(other.id), lane(one.id)] },
    { lanes: [lane(one.id)] },
    { lanes: [lane(one.id), `customer:${other.id}`] },
    { lanes: [lane(one.id), lane('none')] },
    { lane: lane(one.id), lanes: undefined },
    { body: { ...body, allocations: [...body.allocations, third] } },
  ]) {
    const told = { ...file, entries: [{ ...entry, ...change }] }
    expect((await send('POST', '/device/outbox/import', told)).body).toEqual({ imported: 0, refused: 1 })
  }
  expect((await send('POST', '/device/outbox/import', file)).body).toEqual({ imported: 1, refused: 0 })
})

test('taken back with the invoice that it is on, what is left on the other goes by itself', async () => {
  const { base, one, onBoth, pay } = await two()
  walk.network = offline
  const { body: draft } = await send('POST', `${base}/invoices`, invoiceBody(one.customerId))
  await send('POST', `${base}/invoices/${draft.id}/issue`, undefined, version(draft))
  const [first] = onBoth().allocations
  await pay(paymentBody(one, '150', { allocations: [first, { invoiceId: draft.id, amount: eur('50') }] }))
  const alone = paymentBody(one, '7')
  await pay(alone)
  const [made] = (await unsent()).entries
  const { body: taken } = await send('DELETE', `/device/outbox/${made!.key}`)
  expect(taken.entries.map(({ name }: { name: string }) => name)).toEqual([
    'createInvoice',
    'issueInvoice',
    'recordPayment',
  ])
  expect((await get(`${base}/invoices/${one.id}`)).body.payments).toMatchObject([{ id: alone.id }])
  await backOnline()
  expect((await atServer(`${base}/payments`)).body.data).toMatchObject([{ id: alone.id }])
})
