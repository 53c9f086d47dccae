// Credit notes without a network: the draft is what the invoice has left as far as this device knows, and corrects it as the server's own does.
import { expect, test } from 'vitest'
import { newCreditNoteOf } from '#shared/credit-note.ts'
import type { Invoice } from '#shared/contract/invoices.ts'
import { uuidv7 } from '#shared/ids.ts'
import { invoiceBody } from '#tests/support/bodies.ts'
import { offline, startWalk, version } from '#tests/support/walk.ts'

const { walk, online, loseAnswers, send, get, atServer, unsent, isSynced, issued, expectSame, elsewhere } = startWalk()

/** As the page says what is in it. */
function bodyOf(invoice: Invoice, notes: readonly Invoice[] = []) {
  const body = newCreditNoteOf(invoice, notes, uuidv7())
  return { ...body, lines: body.lines! }
}

async function backOnline(): Promise<void> {
  walk.network = online
  await walk.browser.post({ type: 'try-now' })
}

test('made, changed and issued without a network: shown as the server shows it, and one credit note when it is back', async () => {
  const { base, invoice, path } = await issued()
  walk.network = offline
  const body = bodyOf(invoice)
  const made = await send('POST', `${path}/credit-notes`, body)
  expect(made).toMatchObject({
    status: 202,
    body: {
      id: body.id,
      type: '381',
      status: 'draft',
      gross: invoice.gross,
      customerName: invoice.customerName,
      creditedInvoice: { id: invoice.id, number: invoice.number, issueDate: invoice.issueDate },
      unsent: 'waiting',
    },
  })
  const note = `${base}/invoices/${body.id}`
  expect((await get(`${base}/invoices?status=draft`)).body.data).toMatchObject([{ id: body.id, type: '381' }])
  const [line] = body.lines
  const { id: _, ...content } = { ...body, lines: [{ ...line!, quantity: '1' }] }
  const saved = await send('PUT', note, content, { 'if-match': made.headers.get('etag')! })
  expect(saved).toMatchObject({ status: 202, body: { type: '381', creditedInvoice: { id: invoice.id } } })
  expect((await unsent()).entries).toMatchObject([
    { name: 'createCreditNote', kind: 'invoice', label: invoice.customerName },
    { name: 'saveInvoice', state: 'waiting-for-parent' },
  ])
  const shown = (await get(note)).body
  expect((await send('POST', `${note}/issue`, undefined, version(saved.body))).status).toBe(202)
  await backOnline()
  await isSynced()
  // What it does to its invoice comes with the pull after it, and waits for no other trigger.
  await expect.poll(async () => (await get(path)).body.creditNotes).toHaveLength(1)
  const credited = (await atServer(path)).body as Invoice
  expect(credited.creditNotes).toMatchObject([{ id: body.id, gross: shown.gross }])
  await expectSame(note, path, `${base}/invoices`, `${base}/dashboard`)
  expect((await get(note)).body.lines).toEqual(shown.lines)
})

test('its answer was lost: sent again, and there is one', async () => {
  const { base, invoice, path } = await issued()
  walk.network = loseAnswers
  const body = bodyOf(invoice)
  expect((await send('POST', `${path}/credit-notes`, body)).status).toBe(202)
  await backOnline()
  await isSynced()
  await walk.browser.post({ type: 'sync' })
  const { data } = (await atServer(`${base}/invoices`)).body
  expect(data.map(({ type }: Invoice) => type).toSorted()).toEqual(['380', '381'])
  await expectSame(`${base}/invoices/${body.id}`, `${base}/invoices`)
})

test('asked for once more when it is made already, nothing that is saved after that goes into the asking', async () => {
  const { base, invoice, path } = await issued()
  const body = bodyOf(invoice)
  const key = { 'idempotency-key': uuidv7() }
  const { body: made } = await send('POST', `${path}/credit-notes`, body, key)
  const note = `${base}/invoices/${body.id}`
  const [line] = body.lines
  const saved = (quantity: string) => {
    const { id: _, ...content } = { ...body, lines: [{ ...line!, quantity }] }
    return content
  }
  expect((await send('PUT', note, saved('4'), version(made))).status).toBe(200)
  await isSynced()
  walk.network = offline
  expect((await send('POST', `${path}/credit-notes`, body, key)).status).toBe(202)
  const { body: shown } = await get(note)
  expect((await send('PUT', note, saved('5'), version(shown))).status).toBe(202)
  expect((await unsent()).entries.map(({ name }) => name)).toEqual(['createCreditNote', 'saveInvoice'])
  await backOnline()
  await isSynced()
  expect((await atServer(note)).body.lines).toMatchObject([{ quantity: '5' }])
  await expectSame(note)
})

test('credited elsewhere meanwhile: the draft is as it was made, and its issue is refused with the reason', async () => {
  const { base, invoice, path } = await issued()
  walk.network = offline
  const body = bodyOf(invoice)
  const made = await send('POST', `${path}/credit-notes`, body)
  await send('POST', `${base}/invoices/${body.id}/issue`, undefined, version(made.body))
  const [line] = body.lines
  const theirs = { ...body, id: uuidv7(), lines: [{ ...line!, quantity: '1' }] }
  expect((await elsewhere(`${path}/credit-notes`, theirs)).status).toBe(201)
  expect((await elsewhere(`${base}/invoices/${theirs.id}/issue`, undefined, { 'if-match': '"1"' })).status).toBe(200)
  await backOnline()
  await walk.browser.post({ type: 'sync' })
  expect((await unsent()).entries).toMatchObject([
    {
      name: 'issueInvoice',
      state: 'rejected',
      lastProblem: { errors: [{ detail: expect.stringMatching(/is left/) }] },
    },
  ])
  expect((await atServer(`${base}/invoices/${body.id}`)).body).toMatchObject({ status: 'draft', gross: invoice.gross })
})

test('of what cannot be credited any more it is refused, and says so', async () => {
  const { invoice, path } = await issued()
  walk.network = offline
  await send('POST', `${path}/credit-notes`, bodyOf(invoice))
  expect((await elsewhere(`${path}/void`, undefined, version(invoice))).status).toBe(200)
  await backOnline()
  await walk.browser.post({ type: 'sync' })
  const [entry] = (await unsent()).entries
  expect(entry).toMatchObject({
    name: 'createCreditNote',
    state: 'rejected',
    lastProblem: { code: 'invalid_transition' },
  })
})

test('in another currency it is at the rate of its invoice, and of what was credited in part before it is the rest', async () => {
  const { base, invoice: own } = await issued()
  const exchange = { from: 'USD', to: 'EUR', rate: '0.92', date: '2026-11-21', source: 'ECB' }
  const { body: draft } = await send(
    'POST',
    `${base}/invoices`,
    invoiceBody(own.customerId, { currency: 'USD', exchange }),
  )
  const path = `${base}/invoices/${draft.id}`
  const { body: invoice } = await send('POST', `${path}/issue`, undefined, version(draft))
  const [line] = (await get(path)).body.lines
  const part = { ...bodyOf(invoice), lines: [{ ...line, net: undefined, quantity: '0.5' }] }
  const { body: first } = await send('POST', `${path}/credit-notes`, part)
  await send('POST', `${base}/invoices/${first.id}/issue`, undefined, version(first))
  await expect.poll(async () => (await get(path)).body.creditNotes).toHaveLength(1)
  walk.network = offline
  const rest = bodyOf((await get(path)).body, [(await get(`${base}/invoices/${first.id}`)).body])
  const { body: shown } = await send('POST', `${path}/credit-notes`, rest)
  expect(shown).toMatchObject({ exchange, accountingCurrency: 'EUR', accountingTax: { currency: 'EUR' } })
  await backOnline()
  await isSynced()
  await walk.browser.post({ type: 'sync' })
  const { unsent: _, version: __, revision: ___, createdAt: ____, updatedAt: _____, ...same } = shown
  expect((await atServer(`${base}/invoices/${rest.id}`)).body).toMatchObject(same)
  await expectSame(path, `${base}/invoices/${rest.id}`)
})

test('who does not say what is in it asks the server: nothing of it waits', async () => {
  const { path } = await issued()
  walk.network = offline
  expect((await send('POST', `${path}/credit-notes`, { id: uuidv7() })).status).toBe(503)
  expect((await unsent()).entries).toEqual([])
})
