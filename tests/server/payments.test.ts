// Payments: what is recorded, what it leaves due, what is refused, and two at once (DOMAIN.md "States").
import { describe, expect, test } from 'vitest'
import type { Invoice } from '#shared/contract/invoices.ts'
import { uuidv7 } from '#shared/ids.ts'
import { expectProblem } from '#tests/support/app.ts'
import { paymentBody } from '#tests/support/bodies.ts'
import { issue, makeCustomer, makeInvoice, recordPayment } from '#tests/support/builders.ts'
import { startBooks } from '#tests/support/books.ts'
import { engines } from '#tests/support/database.ts'

const eur = (amount: string) => ({ amount, currency: 'EUR' })

describe.each(engines)('on %s', (engine) => {
  const { books, issued, now } = startBooks(engine)

  const pay = (body: object, key?: string) =>
    books.ann.send('POST', `${books.base}/payments`, { body, headers: key ? { 'idempotency-key': key } : {} })
  const reverse = ({ id, version }: { id: string; version: number }, reason = 'Entered twice') =>
    books.ann.send('POST', `${books.base}/payments/${id}/reverse`, {
      body: { reason },
      headers: { 'if-match': `"${version}"` },
    })
  const listed = async (query: string) =>
    (await books.ann.send('GET', `${books.base}/invoices?${query}`)).body.data.map(({ id }: Invoice) => id)

  test('in parts and whole: the balance, the status, lists and figures follow, and the invoice keeps its version', async () => {
    const invoice = await issued({ dueDate: '2020-01-31' })
    expect(invoice).toMatchObject({
      paymentStatus: 'unpaid',
      paid: eur('0.00'),
      amountDue: eur('917.18'),
      overdue: true,
      payments: [],
    })
    const part = await recordPayment(books.ann, invoice, '17.18', { method: 'cash', reference: ' Till 4 ' })
    expect(part).toMatchObject({
      amount: eur('17.18'),
      method: 'cash',
      reference: 'Till 4',
      reversal: null,
      customerId: books.buyer.id,
      customerName: books.buyer.name,
      recordedBy: books.ann.userId,
      allocations: [{ invoiceId: invoice.id, invoiceNumber: invoice.number, amount: eur('17.18') }],
    })
    const partly = await now(invoice)
    expect(partly).toMatchObject({
      version: invoice.version,
      paymentStatus: 'partly-paid',
      amountDue: eur('900.00'),
      overdue: true,
    })
    expect(partly.revision).toBe(part.revision)
    expect(await listed('status=partly-paid')).toEqual([invoice.id])
    const { body: figures } = await books.ann.send('GET', `${books.base}/dashboard`)
    expect(figures.currencies[0]).toMatchObject({
      invoiced: { count: 1, amount: eur('917.18') },
      paid: { count: 1, amount: eur('17.18') },
      outstanding: { count: 1, amount: eur('900.00') },
      overdue: { count: 1, amount: eur('900.00') },
    })

    const rest = await recordPayment(books.ann, partly)
    const whole = await now(invoice)
    expect(whole).toMatchObject({ paymentStatus: 'paid', amountDue: eur('0.00'), paid: eur('917.18'), overdue: false })
    expect(whole.payments.map(({ id, amount, date, method }) => [id, amount.amount, date, method])).toEqual([
      [rest.id, '900.00', '2026-11-20', 'transfer'],
      [part.id, '17.18', '2026-11-20', 'cash'],
    ])
    for (const [status, ids] of [
      ['paid', [invoice.id]],
      ['partly-paid', []],
      ['unpaid', []],
      ['overdue', []],
      ['credited', []],
    ] as const)
      expect(await listed(`status=${status}`)).toEqual(ids)
    const { body: after } = await books.ann.send('GET', `${books.base}/dashboard`)
    expect(after.currencies[0]).toMatchObject({
      paid: { amount: eur('917.18') },
      outstanding: { count: 0 },
      overdue: { count: 0 },
    })
  })

  test('one payment over several invoices; lists by invoice, customer and words', async () => {
    const [one, two, other] = [await issued(), await issued(), await issued()]
    const third = await recordPayment(books.ann, other, '5.00')
    const both = await recordPayment(books.ann, one, '917.18', {
      amount: eur('1000.00'),
      reference: 'Sammelüberweisung',
      allocations: [
        { invoiceId: one.id, amount: eur('917.18') },
        { invoiceId: two.id, amount: eur('82.82') },
      ],
    })
    expect([(await now(one)).paymentStatus, (await now(two)).amountDue]).toEqual(['paid', eur('834.36')])
    const { body: found } = await books.ann.send('GET', `${books.base}/payments?limit=1`)
    const { body: next } = await books.ann.send('GET', `${books.base}/payments?limit=1&cursor=${found.page.nextCursor}`)
    expect([found.data[0].id, next.data[0].id, next.page.nextCursor]).toEqual([both.id, third.id, null])
    for (const [query, ids] of [
      [`invoiceId=${two.id}`, [both.id]],
      [`customerId=${books.buyer.id}&sort=date`, [third.id, both.id]],
      [`customerId=${uuidv7()}`, []],
      ['q=sammelUBER', [both.id]],
      [`q=${two.number}`, [both.id]],
      ['q=nothing', []],
    ] as const)
      expect(
        (await books.ann.send('GET', `${books.base}/payments?${query}`)).body.data.map(({ id }: { id: string }) => id),
      ).toEqual(ids)
  })

  test('a reversal keeps the payment, says when, by whom and why, and what it paid is due again', async () => {
    const invoice = await issued()
    const payment = await recordPayment(books.ann, invoice)
    expectProblem(await reverse(payment, ' '), {
      status: 422,
      errors: [{ pointer: '/reason', detail: 'Say why it is reversed' }],
    })
    expectProblem(await reverse({ ...payment, version: 2 }), { status: 412, code: 'stale' })
    const { status, body } = await reverse(payment)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      ...payment,
      version: 2,
      revision: payment.revision + 1,
      updatedAt: body.updatedAt,
      reversal: { by: books.ann.userId, reason: 'Entered twice', at: expect.any(String) },
    })
    expectProblem(await reverse(body), { status: 409, code: 'invalid_transition' })
    expect(await now(invoice)).toMatchObject({
      paymentStatus: 'unpaid',
      amountDue: eur('917.18'),
      payments: [{ id: payment.id, reversal: { reason: 'Entered twice' } }],
    })
    await recordPayment(books.ann, invoice)
    expect((await now(invoice)).payments).toHaveLength(2)
  })

  test('refused, each at its field, and nothing is written', async () => {
    const invoice = await issued()
    const draft = await makeInvoice(books.ann, books.buyer.organizationId, books.buyer.id)
    const other = await makeCustomer(books.ann, books.buyer.organizationId)
    const others = await issue(books.ann, await makeInvoice(books.ann, books.buyer.organizationId, other.id))
    const yen = await issued({ currency: 'JPY' })
    const to = (invoiceId: string, amount = '1.00') => ({ invoiceId, amount: eur(amount) })
    const cases: [more: object, pointer: string, detail: string][] = [
      [
        { amount: eur('917.19'), allocations: [to(invoice.id, '917.19')] },
        '/allocations/0/amount',
        'Only 917.18 EUR is due',
      ],
      [{ allocations: [to(invoice.id, '1.00')] }, '/amount', 'Must be what is allocated, 1.00 EUR'],
      [{ allocations: [to(draft.id)] }, '/allocations/0/invoiceId', 'Only an invoice that is issued can be paid'],
      [{ allocations: [to(uuidv7())] }, '/allocations/0/invoiceId', 'This invoice does not exist'],
      [{ allocations: [to(invoice.id), to(invoice.id)] }, '/allocations/1/invoiceId', 'This invoice is named twice'],
      [
        { allocations: [to(invoice.id), to(others.id)] },
        '/allocations/1/invoiceId',
        'This invoice is another customer’s',
      ],
      [{ allocations: [to(yen.id)] }, '/allocations/0/amount', 'Must be in the invoice’s currency, JPY'],
      [{ amount: eur('0.00') }, '/amount/amount', 'Must not be 0'],
      [{ amount: eur('1.001') }, '/amount/amount', 'At most 2 digits after the decimal point'],
      [{ allocations: [] }, '/allocations', 'Choose an invoice'],
      [{ date: '1999-12-31' }, '/date', 'Enter a year from 2000 on'],
      [{ date: '2999-01-01' }, '/date', 'This day is still to come'],
      [{ amount: { amount: '1.00', currency: 'XXX' } }, '/amount/currency', 'Choose a currency'],
      [
        { allocations: [{ invoiceId: invoice.id, amount: { amount: '1', currency: '' } }] },
        '/allocations/0/amount/currency',
        'Choose a currency',
      ],
    ]
    for (const [more, pointer, detail] of cases)
      expectProblem(await pay(paymentBody(invoice, '917.18', more)), { status: 422, errors: [{ pointer, detail }] })
    expect((await books.ann.send('GET', `${books.base}/payments`)).body.data).toEqual([])
    expect(await now(invoice)).toEqual(invoice)
  })

  test('the same payment again is answered like the first; its id for another is refused', async () => {
    const invoice = await issued()
    const body = paymentBody(invoice, '10')
    const first = await pay(body)
    expect(first.status).toBe(201)
    expect(await pay(body)).toMatchObject({ status: 200, body: first.body })
    expectProblem(await pay({ ...body, reference: 'Another' }), { status: 409, code: 'id_taken' })
    expect((await now(invoice)).amountDue).toEqual(eur('907.18'))
  })

  test('eight at once: together never more than is due, and the sums are those of the rows', async () => {
    const invoice = await issued()
    const answers = await Promise.all(Array.from({ length: 8 }, () => pay(paymentBody(invoice, '300.00'))))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      201, 201, 201, 422, 422, 422, 422, 422,
    ])
    const after = await now(invoice)
    expect(after).toMatchObject({ paid: eur('900.00'), amountDue: eur('17.18') })
    // Reversed while others pay: each sees what the one before has left.
    const [first] = answers.filter(({ status }) => status === 201)
    await Promise.all([reverse(first!.body), ...Array.from({ length: 6 }, () => pay(paymentBody(invoice, '17.18')))])
    const { data } = (await books.ann.send('GET', `${books.base}/payments?limit=200`)).body
    const cents = data
      .filter((each: { reversal: unknown }) => !each.reversal)
      .reduce(
        (sum: number, each: { amount: { amount: string } }) => sum + Math.round(Number(each.amount.amount) * 100),
        0,
      )
    expect((await now(invoice)).paid).toEqual(eur((cents / 100).toFixed(2)))
    expect(cents).toBeLessThanOrEqual(91_718)
  })
})
