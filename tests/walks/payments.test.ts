// Payments without a network: they wait with their invoice, are shown on it, and are recorded once (OFFLINE.md "queue issue, send, payment as intents").
import { describe, expect, test } from 'vitest'
import { contentOf } from '#documents/pdf/content.ts'
import { uuidv7 } from '#shared/ids.ts'
import { customerBody, invoiceBody, paymentBody } from '#tests/support/bodies.ts'
import { offline, startWalk, version } from '#tests/support/walk.ts'

const { walk, online, loseAnswers, send, get, atServer, unsent, isSynced, ready, issued, expectSame } = startWalk()
const eur = (amount: string) => ({ amount, currency: 'EUR' })

async function backOnline(): Promise<void> {
  walk.network = online
  await walk.browser.post({ type: 'try-now' })
  await isSynced()
}

/** Made and issued as far as this device can. */
async function issuedOffline() {
  const { base } = await ready()
  walk.network = offline
  const customer = customerBody()
  await send('POST', `${base}/customers`, customer)
  const { body: draft } = await send('POST', `${base}/invoices`, invoiceBody(customer.id))
  const path = `${base}/invoices/${draft.id}`
  await send('POST', `${path}/issue`, undefined, version(draft))
  return { base, draft, path }
}

describe('without a network', () => {
  test('parts wait one after the other, are shown on the invoice, change none of its sums, and are recorded when it is back', async () => {
    const { base, invoice, path } = await issued()
    walk.network = offline
    const first = paymentBody(invoice, '17.18', { reference: 'Till 4' })
    const paid = await send('POST', `${base}/payments`, first)
    expect(paid).toMatchObject({
      status: 202,
      body: {
        id: invoice.id,
        unsent: 'payment',
        amountDue: eur('917.18'),
        paymentStatus: 'unpaid',
        version: invoice.version,
      },
    })
    const second = paymentBody(invoice, '900')
    expect((await send('POST', `${base}/payments`, second)).status).toBe(202)
    const shown = (await get(path)).body
    expect(shown.payments).toMatchObject([
      { id: second.id, amount: eur('900'), method: 'transfer', reference: null, reversal: null, unsent: 'waiting' },
      { id: first.id, amount: eur('17.18'), reference: 'Till 4', unsent: 'waiting' },
    ])
    expect((await get(`${base}/invoices?status=unpaid`)).body.data).toMatchObject([
      { id: invoice.id, unsent: 'payment' },
    ])
    expect((await unsent()).entries.map(({ name, kind, id, label }) => [name, kind, id, label])).toEqual([
      ['recordPayment', 'invoice', invoice.id, invoice.number],
      ['recordPayment', 'invoice', invoice.id, invoice.number],
    ])
    // What the server would not do to an issued invoice is not kept either.
    expect((await send('PUT', path, invoiceBody(invoice.customerId), version(invoice))).body.code).toBe(
      'invalid_transition',
    )

    await backOnline()
    await walk.browser.post({ type: 'sync' })
    expect((await atServer(path)).body).toMatchObject({
      paymentStatus: 'paid',
      amountDue: eur('0.00'),
      version: invoice.version,
    })
    await expectSame(path, `${base}/invoices`, `${base}/payments`, `${base}/payments/${first.id}`, `${base}/dashboard`)
  })

  test('one that waits stands in the list of payments at its place, is searched and filtered, and once it is recorded stands there once', async () => {
    const { base, invoice, path } = await issued()
    const { body: early } = await send('POST', `${base}/payments`, paymentBody(invoice, '1', { date: '2026-01-01' }))
    const { body: late } = await send('POST', `${base}/payments`, paymentBody(invoice, '2', { date: '2026-03-01' }))
    // The pull after the first may be under way still, and bring the invoice as it was before the second.
    const asHeard = async () => {
      await walk.browser.post({ type: 'sync' })
      return (await get(path)).body
    }
    await expect.poll(asHeard).toMatchObject({ amountDue: eur('914.18') })
    walk.network = offline
    const between = paymentBody(invoice, '100', { date: '2026-02-01', reference: 'Till 4' })
    const last = paymentBody(invoice, '14.18', { date: '2026-03-02' })
    for (const body of [between, last]) await send('POST', `${base}/payments`, body)
    const ids = async (query = '') =>
      (await get(`${base}/payments${query}`)).body.data.map((row: { id: string }) => row.id)
    expect(await ids()).toEqual([last.id, late.id, between.id, early.id])
    expect(await ids('?sort=date')).toEqual([early.id, between.id, late.id, last.id])
    expect(await ids('?q=till')).toEqual([between.id])
    expect(await ids(`?q=${encodeURIComponent(invoice.number!)}`)).toHaveLength(4)
    expect(await ids(`?invoiceId=${invoice.id}&customerId=${invoice.customerId}`)).toHaveLength(4)
    expect(await ids(`?customerId=${uuidv7()}`)).toEqual([])
    for (const sort of ['-date', 'date']) {
      const paged: string[] = []
      for (let cursor: string | null = ''; cursor !== null;) {
        const { body } = await get(`${base}/payments?sort=${sort}&limit=1${cursor && `&cursor=${cursor}`}`)
        paged.push(...body.data.map(({ id }: { id: string }) => id))
        cursor = body.page.nextCursor
      }
      expect(paged).toEqual(await ids(`?sort=${sort}`))
    }
    const { body: listed } = await get(`${base}/payments?q=till`)
    expect(listed.data).toEqual([
      {
        ...early,
        id: between.id,
        version: 1,
        revision: 0,
        date: '2026-02-01',
        reference: 'Till 4',
        amount: eur('100.00'),
        allocations: [{ invoiceId: invoice.id, invoiceNumber: invoice.number, amount: eur('100') }],
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
        unsent: 'waiting',
      },
    ])
    // The lists of invoices say what of the due waits.
    const summaries = `${base}/invoices?customerId=${invoice.customerId}&status=partly-paid&sort=dueDate`
    expect((await get(summaries)).body.data).toMatchObject([
      { amountDue: eur('914.18'), payments: [{ id: last.id, amount: eur('14.18') }, { id: between.id }] },
    ])

    const [entry] = (await unsent()).entries
    expect(entry!.body!['id']).toBe(between.id)
    await send('DELETE', `/device/outbox/${entry!.key}`)
    expect(await ids()).toEqual([last.id, late.id, early.id])
    expect((await get(summaries)).body.data).toMatchObject([{ payments: [{ id: last.id }] }])

    // It arrives, and neither its answer nor its invoice is heard of.
    walk.network = loseAnswers
    await walk.browser.post({ type: 'try-now' })
    expect(await ids()).toEqual([last.id, late.id, early.id])
    await backOnline()
    await walk.browser.post({ type: 'sync' })
    expect(await ids()).toEqual([last.id, late.id, early.id])
    await expectSame(path, `${base}/payments`, summaries)
  })

  test('taken back, nothing of it is left', async () => {
    const { base, invoice, path } = await issued()
    walk.network = offline
    const before = (await get(path)).body
    await send('POST', `${base}/payments`, paymentBody(invoice, '5'))
    const kept = paymentBody(invoice, '7')
    await send('POST', `${base}/payments`, kept)
    const [entry] = (await unsent()).entries
    const taken = await send('DELETE', `/device/outbox/${entry!.key}`)
    expect((await get(path)).body.payments).toMatchObject([{ id: kept.id }])
    // The undo is its import, at its old place.
    await send('POST', '/device/outbox/import', taken.body)
    expect((await get(path)).body.payments).toHaveLength(2)
    for (const { key } of (await unsent()).entries) await send('DELETE', `/device/outbox/${key}`)
    expect((await get(path)).body).toEqual(before)
    await backOnline()
    expect((await atServer(`${base}/payments`)).body.data).toEqual([])
  })

  test('what is issued without a network is paid without one: first the number, then the payments', async () => {
    const { base, draft, path } = await issuedOffline()
    const [part, rest] = [paymentBody(draft, '17.18'), paymentBody(draft, '900')]
    for (const payment of [part, rest]) expect((await send('POST', `${base}/payments`, payment)).status).toBe(202)
    const shown = (await get(path)).body
    expect(shown).toMatchObject({ status: 'draft', paymentStatus: null, unsent: 'issue' })
    expect(shown.payments).toMatchObject([
      { id: rest.id, unsent: 'waiting' },
      { id: part.id, unsent: 'waiting' },
    ])
    expect((await get(`${base}/payments`)).body.data).toMatchObject([
      { id: rest.id, allocations: [{ invoiceId: draft.id, invoiceNumber: '' }] },
      { id: part.id },
    ])
    await backOnline()
    await walk.browser.post({ type: 'sync' })
    expect((await atServer(path)).body).toMatchObject({ paymentStatus: 'paid', amountDue: eur('0.00') })
    await expectSame(path, `${base}/invoices`, `${base}/payments`, `${base}/dashboard`)
  })

  test('a press to issue that is taken back takes along the payments behind it', async () => {
    const { base, draft, path } = await issuedOffline()
    await send('POST', `${base}/payments`, paymentBody(draft))
    const issue = (await unsent()).entries.find(({ name }) => name === 'issueInvoice')!
    await send('DELETE', `/device/outbox/${issue.key}`)
    expect((await unsent()).entries.map(({ name }) => name)).toEqual(['createCustomer', 'createInvoice'])
    expect((await get(path)).body).toMatchObject({ status: 'draft', payments: [] })
    await backOnline()
    expect((await atServer(path)).body.status).toBe('draft')
  })

  test('its answer was lost: sent again, and recorded once', async () => {
    const { base, invoice, path } = await issued()
    walk.network = loseAnswers
    const body = paymentBody(invoice)
    expect((await send('POST', `${base}/payments`, body)).status).toBe(202)
    await backOnline()
    await walk.browser.post({ type: 'sync' })
    expect((await atServer(`${base}/payments`)).body.data).toMatchObject([{ id: body.id }])
    await expectSame(path, `${base}/payments`)
  })

  test('of an invoice whose issue was heard of by the feed and not by its answer', async () => {
    const { base } = await ready()
    const customer = customerBody()
    await send('POST', `${base}/customers`, customer)
    const { body: draft } = await send('POST', `${base}/invoices`, invoiceBody(customer.id))
    const path = `${base}/invoices/${draft.id}`
    walk.network = (request) => (request.url.endsWith('/issue') ? loseAnswers(request) : online(request))
    expect((await send('POST', `${path}/issue`, undefined, version(draft))).status).toBe(202)
    const asHeard = async () => {
      await walk.browser.post({ type: 'sync' })
      return (await get(path)).body
    }
    // The pull after the draft may be under way still, of before the issue: then no other is begun.
    await expect.poll(asHeard).toMatchObject({ status: 'issued', unsent: 'issue' })
    const invoice = await asHeard()
    expect((await send('POST', `${base}/payments`, paymentBody(invoice))).status).toBe(202)
    await backOnline()
    await walk.browser.post({ type: 'sync' })
    expect((await atServer(path)).body).toMatchObject({ paymentStatus: 'paid', number: invoice.number })
    await expectSame(path, `${base}/payments`)
  })

  test('an issue that somebody else was faster with is taken back alone: the payment after it stays, and is recorded', async () => {
    const { base } = await ready()
    const customer = customerBody()
    await send('POST', `${base}/customers`, customer)
    const { body: draft } = await send('POST', `${base}/invoices`, invoiceBody(customer.id))
    const path = `${base}/invoices/${draft.id}`
    const token = walk.browser.sent.map(({ headers }) => headers.get('authorization')).findLast(Boolean)!
    walk.network = offline
    expect((await send('POST', `${path}/issue`, undefined, version(draft))).status).toBe(202)
    const headers = { authorization: token, 'idempotency-key': 'another-device', 'if-match': `"${draft.version}"` }
    expect((await walk.app.send('POST', `/api/v1${path}/issue`, { headers })).status).toBe(200)
    walk.network = online
    await walk.browser.post({ type: 'try-now' })
    await walk.browser.post({ type: 'sync' })
    const [issue] = (await unsent()).entries
    expect(issue).toMatchObject({ name: 'issueInvoice', state: 'conflict' })
    const { body: invoice } = await get(path)
    const payment = paymentBody(invoice)
    expect((await send('POST', `${base}/payments`, payment)).status).toBe(202)
    await send('DELETE', `/device/outbox/${issue!.key}`)
    expect((await unsent()).entries.map(({ name }) => name)).toEqual(['recordPayment'])
    await backOnline()
    expect((await atServer(`${base}/payments`)).body.data).toMatchObject([{ id: payment.id }])
    await walk.browser.post({ type: 'sync' })
    await expectSame(path, `${base}/payments`)
  })

  test('recorded, and the network gone before the next pull: the invoice says so all the same', async () => {
    const { base, invoice, path } = await issued()
    walk.network = (request) => (request.url.includes('/payments') ? online(request) : offline())
    const answer = await send('POST', `${base}/payments`, paymentBody(invoice, '17.18'))
    expect(answer).toMatchObject({ status: 201, body: { allocations: [{ invoiceId: invoice.id }] } })
    expect((await get(path)).body).toMatchObject({
      paymentStatus: 'partly-paid',
      amountDue: eur('900.00'),
      payments: [{ id: answer.body.id, amount: eur('17.18') }],
    })
    expect((await get(path)).body).not.toHaveProperty('unsent')
    await backOnline()
    await walk.browser.post({ type: 'sync' })
    await expectSame(path, `${base}/payments`, `${base}/dashboard`)
  })

  test('somebody else was faster: it is parked with its reason, and the invoice as it is once it is discarded', async () => {
    const { base, invoice, path } = await issued()
    walk.network = offline
    const body = paymentBody(invoice)
    await send('POST', `${base}/payments`, body)
    walk.network = online
    const before = { 'idempotency-key': 'another-device' }
    const token = walk.browser.sent.map(({ headers }) => headers.get('authorization')).findLast(Boolean)!
    const other = await walk.app.send('POST', `/api/v1${base}/payments`, {
      body: paymentBody(invoice, '900'),
      headers: { authorization: token, ...before },
    })
    expect(other.status).toBe(201)
    await walk.browser.post({ type: 'try-now' })
    await walk.browser.post({ type: 'sync' })
    const { entries } = await unsent()
    expect(entries).toMatchObject([
      {
        state: 'rejected',
        body,
        lastProblem: { errors: [{ pointer: '/allocations/0/amount', detail: 'Only 17.18 EUR is due' }] },
      },
    ])
    expect((await get(path)).body).toMatchObject({
      unsent: 'attention',
      amountDue: eur('17.18'),
      payments: [{ id: body.id, unsent: 'attention' }, { id: other.body.id }],
    })
    expect((await get(`${base}/payments?q=${invoice.number}`)).body.data).toContainEqual(
      expect.objectContaining({ id: body.id, unsent: 'attention' }),
    )
    await send('DELETE', `/device/outbox/${entries[0]!.key}`)
    await expectSame(path, `${base}/payments`)
  })

  test.each([
    ['void', 'void', 'voidInvoice'],
    ['uncollectible', 'uncollectible', 'markUncollectible'],
  ])('%s waits like an issue does: marked, unchanged, and done when it is back', async (what, mark, name) => {
    const { base, invoice, path } = await issued()
    walk.network = offline
    const pressed = await send('POST', `${path}/${what}`, undefined, version(invoice))
    expect(pressed).toMatchObject({ status: 202, body: { ...invoice, unsent: mark } })
    expect((await unsent()).entries).toMatchObject([{ name, label: invoice.number }])
    for (const again of [
      await send('POST', `${path}/${what}`, undefined, version(invoice)),
      await send('POST', `${base}/payments`, paymentBody(invoice)),
    ])
      expect(again.body.code).toBe('invalid_transition')
    await backOnline()
    await walk.browser.post({ type: 'sync' })
    expect((await get(path)).body).toMatchObject({ status: what, number: invoice.number })
    await expectSame(path, `${base}/invoices?status=${what}`, `${base}/dashboard`)
  })

  test('voided here, paid elsewhere meanwhile: the person is told, and the invoice is as it is there', async () => {
    const { base, invoice, path } = await issued()
    walk.network = offline
    await send('POST', `${path}/void`, undefined, version(invoice))
    walk.network = online
    const token = walk.browser.sent.map(({ headers }) => headers.get('authorization')).findLast(Boolean)!
    const headers = { authorization: token }
    await walk.app.send('POST', `/api/v1${base}/payments`, { body: paymentBody(invoice, '1.00'), headers })
    await walk.browser.post({ type: 'try-now' })
    const [entry] = (await unsent()).entries
    expect(entry).toMatchObject({ state: 'conflict', theirs: { paymentStatus: 'partly-paid' } })
    await send('DELETE', `/device/outbox/${entry!.key}`)
    await walk.browser.post({ type: 'sync' })
    await expectSame(path)
  })

  test('money given back waits as a payment does, and a part behind a part; what is more than there is stays with its reason', async () => {
    const { base, invoice, path } = await issued()
    await send('POST', `${base}/payments`, paymentBody(invoice))
    const { body: draft } = await send('POST', `${path}/credit-notes`, { id: uuidv7() }, version(invoice))
    await send('POST', `${base}/invoices/${draft.id}/issue`, undefined, version(draft))
    await walk.browser.post({ type: 'sync' })
    const over = (await get(path)).body
    expect(over).toMatchObject({ amountDue: eur('-917.18'), paymentStatus: 'credited' })
    await expectSame(`${base}/dashboard`)
    walk.network = offline
    const first = paymentBody(over, '-17.18', { reference: 'Till 4' })
    expect(await send('POST', `${base}/payments`, first)).toMatchObject({
      status: 202,
      body: { id: invoice.id, unsent: 'refund', amountDue: eur('-917.18'), paid: eur('917.18') },
    })
    const second = paymentBody(over, '-900')
    const third = paymentBody(over, '-0.01')
    for (const body of [second, third]) expect((await send('POST', `${base}/payments`, body)).status).toBe(202)
    expect((await get(path)).body.payments).toMatchObject([
      { id: third.id, amount: eur('-0.01'), unsent: 'waiting' },
      { id: second.id, amount: eur('-900'), unsent: 'waiting' },
      { id: first.id, amount: eur('-17.18'), reference: 'Till 4', unsent: 'waiting' },
      { amount: eur('917.18') },
    ])
    expect((await get(`${base}/invoices?status=credited`)).body.data).toMatchObject([{ unsent: 'refund' }])
    expect((await get(`${base}/payments`)).body.data.map((row: { id: string }) => row.id)).toEqual(
      expect.arrayContaining([first.id, second.id, third.id]),
    )
    walk.network = online
    await walk.browser.post({ type: 'try-now' })
    await walk.browser.post({ type: 'sync' })
    const { entries } = await unsent()
    expect(entries).toMatchObject([
      {
        name: 'recordPayment',
        state: 'rejected',
        body: third,
        lastProblem: {
          errors: [{ pointer: '/allocations/0/amount', detail: 'Nothing is to be given back on this invoice' }],
        },
      },
    ])
    expect((await get(path)).body).toMatchObject({ unsent: 'attention', amountDue: eur('0.00'), paid: eur('0.00') })
    await send('DELETE', `/device/outbox/${entries[0]!.key}`)
    expect((await get(path)).body).toMatchObject({ amountDue: eur('0.00'), paymentStatus: 'credited' })
    await expectSame(path, `${base}/invoices`, `${base}/payments`, `${base}/payments/${first.id}`, `${base}/dashboard`)
  })

  test('money given back, and the network gone before the next pull: the invoice says so all the same', async () => {
    const { base, invoice, path } = await issued()
    await send('POST', `${base}/payments`, paymentBody(invoice))
    const { body: draft } = await send('POST', `${path}/credit-notes`, { id: uuidv7() }, version(invoice))
    await send('POST', `${base}/invoices/${draft.id}/issue`, undefined, version(draft))
    await walk.browser.post({ type: 'sync' })
    walk.network = (request) => (request.url.includes('/payments') ? online(request) : offline())
    const refund = paymentBody((await get(path)).body)
    expect(await send('POST', `${base}/payments`, refund)).toMatchObject({ status: 201, body: { id: refund.id } })
    const { body } = await get(path)
    expect(body).toMatchObject({ amountDue: eur('0.00'), paid: eur('0.00'), payments: [{ id: refund.id }, {}] })
    expect(body).not.toHaveProperty('unsent')
    await backOnline()
    await walk.browser.post({ type: 'sync' })
    await expectSame(path, `${base}/payments`, `${base}/dashboard`)
  })

  test('that names an invoice twice is the server’s to refuse: nothing of it waits', async () => {
    const { base, invoice } = await issued()
    walk.network = offline
    const allocations = [paymentBody(invoice, '1').allocations[0], paymentBody(invoice, '1').allocations[0]]
    expect((await send('POST', `${base}/payments`, paymentBody(invoice, '2', { allocations }))).status).toBe(503)
    expect((await unsent()).entries).toEqual([])
  })

  test('a credit note’s draft says which invoice it corrects, on what the device draws as well', async () => {
    const { base, invoice, path } = await issued()
    const id = uuidv7()
    expect((await send('POST', `${path}/credit-notes`, { id }, version(invoice))).status).toBe(201)
    await walk.browser.post({ type: 'sync' })
    walk.network = offline
    const { body: organization } = await get(base)
    const changed = {
      ...(await get(`${base}/invoices/${id}`)).body,
      notes: 'Changed without a network',
      totals: undefined,
    }
    expect((await send('PUT', `${base}/invoices/${id}`, changed, version(changed))).status).toBe(202)
    const { body: document } = await get(`${base}/invoices/${id}`)
    const { number, issueDate } = invoice
    expect(document.creditedInvoice).toEqual({ id: invoice.id, number, issueDate })
    const { texts } = contentOf({ document, seller: organization, buyer: null, size: 'A4' })
    expect(texts).toEqual([`Corrects invoice ${number}`, 'Changed without a network'])
    await backOnline()
  })
})
