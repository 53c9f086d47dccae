// What becomes of an issued invoice besides being paid: void, uncollectible, and what stands in the way (DOMAIN.md "States").
import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Invoice } from '#shared/contract/invoices.ts'
import { prepareMail } from '#server/outgoing/mail-attachments.ts'
import { expectProblem } from '#tests/support/app.ts'
import { paymentBody } from '#tests/support/bodies.ts'
import { issue, makeInvoice, recordPayment } from '#tests/support/builders.ts'
import { startBooks } from '#tests/support/books.ts'
import { engines } from '#tests/support/database.ts'

describe.each(engines)('on %s', (engine) => {
  const { books, issued, now } = startBooks(engine)

  const press = (what: 'void' | 'uncollectible', { id, version }: Invoice, ifMatch = version) =>
    books.ann.send('POST', `${books.base}/invoices/${id}/${what}`, { headers: { 'if-match': `"${ifMatch}"` } })
  const refused = { status: 409, code: 'invalid_transition' } as const

  test('void: it keeps its number and content, counts nowhere, and nothing more is done with it', async () => {
    const invoice = await issued()
    expectProblem(await press('void', invoice, 7), { status: 412, code: 'stale' })
    const { status, body } = await press('void', invoice)
    expect(status).toBe(200)
    expect(body).toEqual({
      ...invoice,
      status: 'void',
      paymentStatus: null,
      amountDue: { amount: '0.00', currency: 'EUR' },
      version: invoice.version + 1,
      revision: invoice.revision + 1,
      updatedAt: body.updatedAt,
    })
    for (const what of ['void', 'uncollectible'] as const) expectProblem(await press(what, body), refused)
    expectProblem(await books.ann.send('POST', `${books.base}/payments`, { body: paymentBody(invoice) }), {
      status: 422,
    })
    const { body: figures } = await books.ann.send('GET', `${books.base}/dashboard`)
    expect(figures.currencies[0]).toMatchObject({
      invoiced: { count: 0 },
      outstanding: { count: 0 },
      paid: { count: 0 },
    })
    const [next] = [await issued()]
    expect(next.number).toMatch(/-0002$/)
  })

  test('void is refused for a draft and once something was paid; a reversed payment stands in no way', async () => {
    expectProblem(
      await press('void', await makeInvoice(books.ann, books.buyer.organizationId, books.buyer.id)),
      refused,
    )
    const invoice = await issued()
    const payment = await recordPayment(books.ann, invoice, '1.00')
    expectProblem(await press('void', invoice), refused)
    const reversed = { body: { reason: 'Bounced' }, headers: { 'if-match': '"1"' } }
    await books.ann.send('POST', `${books.base}/payments/${payment.id}/reverse`, reversed)
    expect((await press('void', invoice)).status).toBe(200)
  })

  test('void is refused once it was sent: a credit note takes it back', async () => {
    const invoice = await issued()
    const body = { to: 'bob@example.com', subject: 'Invoice', message: 'Here it is.' }
    const sent = await books.ann.send('POST', `${books.base}/invoices/${invoice.id}/send`, {
      body,
      headers: { 'if-match': `"${invoice.version}"` },
    })
    expect(sent).toMatchObject({ status: 200, body: { status: 'issued' } })
    expect(sent.body.sentAt).not.toBeNull()
    expectProblem(await press('void', sent.body), refused)
    expect(await now(invoice)).toMatchObject({ status: 'issued' })
  })

  const ago = (ms: number) => new Date(books.app.nowMs() - ms).toISOString()
  const hourMs = 3_600_000
  // What a mail's row says, and whether the customer may have it for all that.
  const fates: [string, () => object, boolean][] = [
    ['waits', () => ({ attempts: 0 }), true],
    ['was handed over', () => ({ sentAt: ago(1000) }), true],
    ['could not be handed over yet', () => ({ failure: 'unreachable' }), true],
    ['came back', () => ({ failure: 'address', givenUpAt: ago(1000) }), false],
    ['never got through in a week', () => ({ failure: 'unreachable', givenUpAt: ago(1000) }), false],
    ['was perhaps delivered', () => ({ failure: 'unknown' }), true],
    ['was perhaps delivered, and given up', () => ({ failure: 'unknown', givenUpAt: ago(1000) }), true],
    ['came back and was dismissed', () => ({ ...ended('dismissed', 1000), givenUpAt: ago(5000) }), false],
    ['was dismissed, perhaps under way', () => ended('dismissed', 1000), true],
    ['was dismissed long ago', () => ended('dismissed', 2 * hourMs), false],
    ['was perhaps delivered, and dismissed', () => ({ ...ended('dismissed', 2 * hourMs), failure: 'unknown' }), true],
    ['was withdrawn', () => ended('withdrawn', 1000), false],
  ]
  const ended = (endedAs: string, msAgo: number) => ({ failure: 'unreachable', endedAs, endedAt: ago(msAgo) })
  const mailed = async (invoice: Invoice): Promise<Invoice> => {
    const body = { to: 'bob@example.com', subject: 'Invoice', message: 'Here it is.' }
    const headers = { 'if-match': `"${invoice.version}"` }
    return (await books.ann.send('POST', `${books.base}/invoices/${invoice.id}/send`, { body, headers })).body
  }
  const mailsOf = async ({ id }: Invoice) => (await books.ann.send('GET', `${books.base}/invoices/${id}/mails`)).body
  const become = (id: string, fate: object) =>
    books.app.db.asJobs((tx) => tx.updateTable('mails').set(fate).where('id', '=', id).execute())

  test.each(fates)(
    'void after a mail that %s: only where the customer certainly has nothing',
    async (_, fate, isThere) => {
      const invoice = await mailed(await issued())
      await become((await mailsOf(invoice)).data[0].id, fate())
      expect(await mailsOf(invoice)).toMatchObject({ delivered: isThere })
      const answer = await press('void', invoice)
      if (isThere) expectProblem(answer, refused)
      else expect(answer).toMatchObject({ status: 200, body: { status: 'void', sentAt: invoice.sentAt } })
    },
  )

  test('void after mails of which only some came back, or that nobody knows of any more, is refused', async () => {
    const lost = { failure: 'address', givenUpAt: ago(1000) }
    const twice = await mailed(await mailed(await issued()))
    await become((await mailsOf(twice)).data[0].id, lost)
    expectProblem(await press('void', twice), refused)
    const old = await mailed(await issued())
    const [{ id }] = (await mailsOf(old)).data
    await books.app.db.asJobs((tx) => tx.deleteFrom('mails').where('id', '=', id).execute())
    expectProblem(await press('void', old), refused)
    // Its link arrived by another way; or the PDF alone was fetched, without the page and its script.
    for (const [method, what] of [
      ['POST', 'viewed'],
      ['GET', 'pdf'],
    ] as const) {
      const seen = await mailed(await issued())
      await become((await mailsOf(seen)).data[0].id, lost)
      const token = 'i_'.padEnd(45, seen.id)
      const body = { tokenHash: createHash('sha256').update(token).digest('base64url') }
      await books.ann.send('POST', `${books.base}/invoices/${seen.id}/public-links`, { body })
      expect((await books.app.send(method, `/api/v1/public/invoices/${token}/${what}`)).status).toBeLessThan(300)
      expectProblem(await press('void', await now(seen)), refused)
    }
  })

  test('a mail that came back and is tried again: before the void it stands in its way, after it nothing goes out', async () => {
    const lost = { failure: 'address', givenUpAt: ago(1000) }
    const invoice = await mailed(await issued())
    const [{ id }] = (await mailsOf(invoice)).data
    const retry = () => books.ann.send('POST', `${books.base}/mails/${id}/retry`)
    await become(id, lost)
    expect((await retry()).status).toBe(204)
    expectProblem(await press('void', invoice), refused)
    await become(id, lost)
    expect((await press('void', invoice)).status).toBe(200)
    expect((await retry()).status).toBe(204)
    const attachments = [{ invoiceId: invoice.id, kind: 'pdf' as const }]
    const mail = { kind: 'invoice', attachments }
    expect(await prepareMail(books.app.db)(invoice.organizationId, mail)).toBeNull()
  })

  test('void is refused once its customer was reminded of it: that mail brings it too', async () => {
    const invoice = await issued()
    const body = { to: 'bob@example.com', subject: 'Reminder', message: 'It is due.' }
    expect((await books.ann.send('POST', `${books.base}/invoices/${invoice.id}/remind`, { body })).status).toBe(200)
    expectProblem(await press('void', invoice), refused)
    const after = await now(invoice)
    expect(after).toMatchObject({ status: 'issued', version: invoice.version, sentAt: expect.any(String) })
    expect(after.revision).toBeGreaterThan(invoice.revision)
  })

  test('void is refused once its customer has seen it by its link', async () => {
    const invoice = await issued()
    const token = 'i_'.padEnd(45, invoice.id)
    const body = { tokenHash: createHash('sha256').update(token).digest('base64url') }
    expect((await books.ann.send('POST', `${books.base}/invoices/${invoice.id}/public-links`, { body })).status).toBe(
      201,
    )
    expect((await books.app.send('POST', `/api/v1/public/invoices/${token}/viewed`)).status).toBe(204)
    expectProblem(await press('void', invoice), refused)
    expect(await now(invoice)).toMatchObject({ status: 'issued', version: invoice.version })
  })

  test('uncollectible: due but no longer outstanding or overdue; a later payment is taken, and says so', async () => {
    const invoice = await issue(
      books.ann,
      await makeInvoice(books.ann, books.buyer.organizationId, books.buyer.id, { dueDate: '2020-01-31' }),
    )
    await recordPayment(books.ann, invoice, '17.18')
    const { body } = await press('uncollectible', invoice)
    expect(body).toMatchObject({
      status: 'uncollectible',
      paymentStatus: 'partly-paid',
      overdue: false,
      amountDue: { amount: '900.00' },
    })
    const figures = async () => (await books.ann.send('GET', `${books.base}/dashboard`)).body.currencies[0]
    expect(await figures()).toMatchObject({ invoiced: { count: 1 }, outstanding: { count: 0 }, overdue: { count: 0 } })
    for (const what of ['void', 'uncollectible'] as const) expectProblem(await press(what, body), refused)
    await recordPayment(books.ann, body)
    expect(await now(invoice)).toMatchObject({
      status: 'uncollectible',
      paymentStatus: 'paid',
      amountDue: { amount: '0.00' },
    })
    expect(await figures()).toMatchObject({ paid: { amount: { amount: '917.18' } } })
    const paid = await issued()
    await recordPayment(books.ann, paid)
    expectProblem(await press('uncollectible', paid), refused)
  })

  test('a payment and a void at once: one of the two', async () => {
    for (let round = 0; round < 5; round += 1) {
      const invoice = await issued()
      const [paid, voided] = await Promise.all([
        books.ann.send('POST', `${books.base}/payments`, { body: paymentBody(invoice, '1.00') }),
        press('void', invoice),
      ])
      expect([
        [201, 409],
        [422, 200],
      ]).toContainEqual([paid.status, voided.status])
      const { status, paid: sum } = await now(invoice)
      expect([status, sum.amount]).toEqual(voided.status === 200 ? ['void', '0.00'] : ['issued', '1.00'])
    }
  })
})
