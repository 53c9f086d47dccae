// Money given back: a payment of less than nothing, never more than was paid too much, and never uncovered by what was received (decision 036).
import { describe, expect, test } from 'vitest'
import type { Invoice } from '#shared/contract/invoices.ts'
import { uuidv7 } from '#shared/ids.ts'
import { minorUnitsOf } from '#shared/money.ts'
import { expectProblem, verifiedActor } from '#tests/support/app.ts'
import { paymentBody } from '#tests/support/bodies.ts'
import {
  credit,
  issue,
  join,
  makeCustomer,
  makeInvoice,
  makeOrganization,
  recordPayment,
} from '#tests/support/builders.ts'
import { startBooks } from '#tests/support/books.ts'
import { engines } from '#tests/support/database.ts'

const eur = (amount: string) => ({ amount, currency: 'EUR' })

describe.each(engines)('on %s', (engine) => {
  const { books, issued, now } = startBooks(engine)

  const pay = (body: object) => books.ann.send('POST', `${books.base}/payments`, { body })
  const reverse = ({ id, version }: { id: string; version: number }) =>
    books.ann.send('POST', `${books.base}/payments/${id}/reverse`, {
      body: { reason: 'Bounced' },
      headers: { 'if-match': `"${version}"` },
    })
  const figures = async () => (await books.ann.send('GET', `${books.base}/dashboard`)).body.currencies[0]

  /** Paid in these parts, and credited: whole, or one of its two units (458.59). */
  async function overpaid(parts = ['917.18'], whole = true): Promise<Invoice> {
    const invoice = await issued({ dueDate: '2020-01-31' })
    for (const part of parts) await recordPayment(books.ann, invoice, part)
    await credit(books.ann, invoice, whole ? undefined : [{ ...invoice.lines[0], quantity: '1' }])
    return now(invoice)
  }

  test('in parts and whole: the balance, lists, figures and the feed follow, and the invoice keeps its version', async () => {
    const invoice = await overpaid()
    expect(invoice).toMatchObject({ amountDue: eur('-917.18'), paymentStatus: 'credited' })
    // Nothing of what it brought in stays.
    const nothing = { count: 0, amount: eur('0.00') }
    expect(await figures()).toMatchObject({ invoiced: { amount: eur('0.00') }, paid: nothing })
    const part = await recordPayment(books.ann, invoice, '-17.18', { method: 'cash', reference: 'Till 4' })
    expect(part).toMatchObject({
      amount: eur('-17.18'),
      method: 'cash',
      allocations: [{ invoiceId: invoice.id, invoiceNumber: invoice.number, amount: eur('-17.18') }],
    })
    expect(await now(invoice)).toMatchObject({
      version: invoice.version,
      revision: part.revision,
      paid: eur('900.00'),
      amountDue: eur('-900.00'),
    })
    const rest = await recordPayment(books.ann, invoice, '-900.00')
    const after = await now(invoice)
    expect(after).toMatchObject({
      paid: eur('0.00'),
      amountDue: eur('0.00'),
      paymentStatus: 'credited',
      overdue: false,
    })
    expect(after.payments.map(({ amount }) => amount.amount)).toEqual(['-900.00', '-17.18', '917.18'])
    expect(await figures()).toMatchObject({
      paid: nothing,
      outstanding: nothing,
      overdue: nothing,
    })
    expect((await figures()).ageing.every(({ count }: { count: number }) => count === 0)).toBe(true)
    const { data } = (await books.ann.send('GET', `${books.base}/payments?q=till`)).body
    expect(data).toEqual([part])
    const { body: feed } = await books.ann.send('GET', `${books.base}/changes?since=0`)
    expect(JSON.stringify(feed)).toContain(rest.id)
    expectProblem(await books.ann.send('POST', `${books.base}/invoices/${invoice.id}/remind`, remind), {
      status: 409,
      code: 'invalid_transition',
    })
  })

  test('over several invoices, each its part; asked for again it is the same', async () => {
    const [one, two] = [await overpaid(), await overpaid(['17.18', '900.00'], false)]
    const body = paymentBody(one, '-917.18', {
      amount: eur('-1000'),
      allocations: [
        { invoiceId: one.id, amount: eur('-917.18') },
        { invoiceId: two.id, amount: eur('-82.82') },
      ],
    })
    const first = await pay(body)
    expect(first.status).toBe(201)
    expect(await pay(body)).toMatchObject({ status: 200, body: first.body })
    expect([(await now(one)).amountDue, (await now(two)).amountDue]).toEqual([eur('0.00'), eur('-375.77')])
  })

  test('refused, each at its field, and nothing is written', async () => {
    const invoice = await overpaid()
    const part = await overpaid(['900.00'], false)
    const open = await issued()
    const partly = await issued()
    await recordPayment(books.ann, partly, '17.18')
    const even = await issued()
    await recordPayment(books.ann, even)
    const draft = await makeInvoice(books.ann, books.buyer.organizationId, books.buyer.id)
    const other = await makeCustomer(books.ann, books.buyer.organizationId)
    const others = await issue(books.ann, await makeInvoice(books.ann, books.buyer.organizationId, other.id))
    const to = ({ id }: Invoice, amount: string) => ({ invoiceId: id, amount: eur(amount) })
    const nothing = 'Nothing is to be given back on this invoice'
    const two = 'Money received and money given back are two payments'
    const cases: [amount: string, allocations: object[], pointer: string, detail: string][] = [
      ['-917.19', [to(invoice, '-917.19')], '/allocations/0/amount', 'Only 917.18 EUR is to be given back'],
      ['-441.42', [to(part, '-441.42')], '/allocations/0/amount', 'Only 441.41 EUR is to be given back'],
      ['-0.01', [to(open, '-0.01')], '/allocations/0/amount', nothing],
      ['-17.18', [to(partly, '-17.18')], '/allocations/0/amount', nothing],
      ['-917.18', [to(even, '-917.18')], '/allocations/0/amount', nothing],
      ['0.01', [to(invoice, '0.01')], '/allocations/0/amount', 'Nothing is due on this invoice'],
      ['-0.00', [to(invoice, '-0.00')], '/amount/amount', 'Must not be 0'],
      ['-1.001', [to(invoice, '-1.00')], '/amount/amount', 'At most 2 digits after the decimal point'],
      ['-2.00', [to(invoice, '-1.00')], '/amount', 'Must be what is allocated, -1.00 EUR'],
      ['-1.00', [to(invoice, '-2.00'), to(open, '1.00')], '/allocations/1/amount', two],
      ['1.00', [to(invoice, '-1.00'), to(open, '2.00')], '/allocations/0/amount', two],
      ['-1.00', [to(draft, '-1.00')], '/allocations/0/invoiceId', 'Only an invoice that is issued can be paid'],
      [
        '-2.00',
        [to(invoice, '-1.00'), to(invoice, '-1.00')],
        '/allocations/1/invoiceId',
        'This invoice is named twice',
      ],
      [
        '-2.00',
        [to(invoice, '-1.00'), to(others, '-1.00')],
        '/allocations/1/invoiceId',
        'This invoice is another customer’s',
      ],
      [
        '-1.00',
        [{ invoiceId: invoice.id, amount: { amount: '-1.00', currency: 'USD' } }],
        '/allocations/0/amount',
        'Must be in the invoice’s currency, EUR',
      ],
    ]
    for (const [amount, allocations, pointer, detail] of cases)
      expectProblem(await pay(paymentBody(invoice, '1', { amount: eur(amount), allocations })), {
        status: 422,
        errors: expect.arrayContaining([{ pointer, detail }]),
      })
    for (const each of [invoice, part, open]) expect(await now(each)).toEqual(each)
  })

  test('of each invoice as much counts as paid as is left of it, so that never more was paid than invoiced', async () => {
    const { id } = await makeOrganization(books.ann)
    const own = async () => (await books.ann.send('GET', `/organizations/${id}/dashboard`)).body.currencies[0]
    const bob = await makeCustomer(books.ann, id)
    const make = async () => issue(books.ann, await makeInvoice(books.ann, id, bob.id))
    const [whole, half, part] = [await make(), await make(), await make()]
    await recordPayment(books.ann, whole, '917.18')
    await recordPayment(books.ann, half, '900.00')
    await recordPayment(books.ann, part, '17.18')
    const oneUnit = (invoice: Invoice) => [{ ...invoice.lines[0], quantity: '1' }]
    await credit(books.ann, half, oneUnit(half))
    await credit(books.ann, part, oneUnit(part))
    expect(await own()).toMatchObject({
      invoiced: { amount: eur('1834.36') },
      paid: { count: 3, amount: eur('1392.95') },
    })
    await credit(books.ann, whole)
    expect(await own()).toMatchObject({
      invoiced: { amount: eur('917.18') },
      paid: { count: 2, amount: eur('475.77') },
    })
  })

  test('what is to be given back needs a person until it is: before what is overdue, however much that is, and before drafts', async () => {
    const attention = async () =>
      (await books.ann.send('GET', `${books.base}/dashboard`)).body.attention.map(({ id }: Invoice) => id)
    const late = await issued({ dueDate: '2019-12-31' })
    const back = await overpaid()
    const later = await issued({ dueDate: '2020-02-29' })
    const undated = await issued({ dueDate: null, termsDays: null })
    const draft = await makeInvoice(books.ann, books.buyer.organizationId, books.buyer.id)
    const shown = await attention()
    const known = [back, late, later, draft].map(({ id }) => id)
    expect(shown.filter((id: string) => known.includes(id))).toEqual(known)
    expect(shown).not.toContain(undated.id)
    for (let each = 0; each < 6; each += 1) await issued({ dueDate: '2019-12-31' })
    expect(await attention()).toContain(back.id)
    const more = [await overpaid(['917.18'], false), await overpaid()]
    const toGiveBack = async () => (await figures()).toGiveBack
    const listed = async () =>
      (await books.ann.send('GET', `${books.base}/invoices?status=to-give-back`)).body.data.map(({ id }: Invoice) => id)
    const all = await listed()
    expect(all).toEqual(expect.arrayContaining([back, ...more].map(({ id }) => id)))
    const before = await toGiveBack()
    expect(before.count).toBe(all.length)
    expect((await attention()).slice(0, 2).every((id: string) => all.includes(id))).toBe(true)
    expect((await attention()).slice(2).some((id: string) => all.includes(id))).toBe(false)
    await recordPayment(books.ann, back, '-917.18')
    expect(await listed()).toEqual(all.filter((id: string) => id !== back.id))
    const after = await toGiveBack()
    expect(after.count).toBe(before.count - 1)
    expect(minorUnitsOf(before.amount) - minorUnitsOf(after.amount)).toBe(91718n)
    expect(await attention()).not.toContain(back.id)
  })

  test('who may not record payments may not give money back, and outsiders see nothing of it', async () => {
    const invoice = await overpaid()
    const [bob, eve] = [await verifiedActor(books.app), await verifiedActor(books.app)]
    await join(books.app.db, books.buyer.organizationId, bob, 'member')
    const path = `${books.base}/payments`
    expectProblem(await bob.send('POST', path, { body: paymentBody(invoice) }), { status: 403 })
    expectProblem(await eve.send('POST', path, { body: paymentBody(invoice) }), { status: 404 })
    expect(await now(invoice)).toEqual(invoice)
  })

  test('a refund is reversed like a payment: what it gave back is to be given back again', async () => {
    const invoice = await overpaid()
    const refund = await recordPayment(books.ann, invoice, '-900.00')
    const { status, body } = await reverse(refund)
    expect([status, body.amount, body.reversal.reason]).toEqual([200, eur('-900.00'), 'Bounced'])
    expect(await now(invoice)).toMatchObject({ paid: eur('917.18'), amountDue: eur('-917.18') })
    expectProblem(await reverse(body), { status: 409, code: 'invalid_transition' })
  })

  test('a payment that a refund lives on is not reversed before it; one that it can do without is, and is due again', async () => {
    const whole = await overpaid()
    const refund = await recordPayment(books.ann, whole, '-500.00')
    const [, received] = (await now(whole)).payments
    const before = await now(whole)
    expectProblem(await reverse(received!), {
      status: 409,
      code: 'invalid_transition',
      detail: `On ${whole.number} more would have been given back than was received. Reverse the refund first.`,
    })
    expect(await now(whole)).toEqual(before)
    await reverse(refund)
    expect((await reverse(received!)).status).toBe(200)
    expect(await now(whole)).toMatchObject({ paid: eur('0.00'), amountDue: eur('0.00'), paymentStatus: 'credited' })

    const half = await overpaid(['17.18', '900.00'], false)
    expect(half.amountDue).toEqual(eur('-458.59'))
    await recordPayment(books.ann, half)
    const small = (await now(half)).payments.find(({ amount }) => amount.amount === '17.18')
    expect((await reverse(small!)).status).toBe(200)
    expect(await now(half)).toMatchObject({
      paid: eur('441.41'),
      amountDue: eur('17.18'),
      paymentStatus: 'partly-paid',
      overdue: true,
    })
    // It came after all.
    await recordPayment(books.ann, await now(half))
    expect((await now(half)).amountDue).toEqual(eur('0.00'))
  })

  test('of one payment on several invoices none is taken back where one of them is not covered', async () => {
    const [one, two] = [await issued(), await issued()]
    const both = await recordPayment(books.ann, one, '917.18', {
      amount: eur('1834.36'),
      allocations: [one, two].map(({ id }) => ({ invoiceId: id, amount: eur('917.18') })),
    })
    await credit(books.ann, two)
    await recordPayment(books.ann, await now(two), '-1.00')
    const before = [await now(one), await now(two)]
    expectProblem(await reverse(both), { status: 409, code: 'invalid_transition' })
    expect([await now(one), await now(two)]).toEqual(before)
  })

  test('eight at once, and payments reversed meanwhile: never more than is to be given back, and never uncovered', async () => {
    const invoice = await overpaid()
    const answers = await Promise.all(Array.from({ length: 8 }, () => pay(paymentBody(invoice, '-300.00'))))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      201, 201, 201, 422, 422, 422, 422, 422,
    ])
    expect(await now(invoice)).toMatchObject({ paid: eur('17.18'), amountDue: eur('-17.18') })

    const raced = await overpaid()
    const [received] = raced.payments
    const [taken, given] = await Promise.all([reverse(received!), pay(paymentBody(raced))])
    // Whichever was first, the other is refused.
    expect([taken.status, given.status].toSorted((a, b) => a - b)).toEqual(
      taken.status === 200 ? [200, 422] : [201, 409],
    )
    const { data } = (await books.ann.send('GET', `${books.base}/payments?limit=200&invoiceId=${raced.id}`)).body
    const stands = (data as Invoice['payments']).filter(({ reversal }) => !reversal)
    const sum = stands.reduce((total, { amount }) => total + minorUnitsOf(amount), 0n)
    expect(minorUnitsOf((await now(raced)).paid)).toBe(sum)
    expect(sum >= 0n).toBe(true)
  })
})

const remind = { body: { to: 'bob@example.com', subject: 'S', message: 'M' }, headers: { 'idempotency-key': uuidv7() } }
