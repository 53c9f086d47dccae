// Credit notes: drafted from what an invoice has left, issued in their own series, taken off the invoice, never more than it has (DOMAIN.md).
import { describe, expect, test } from 'vitest'
import type { Invoice } from '#shared/contract/invoices.ts'
import { invoiceSeries } from '#server/rows/organization-row.ts'
import { uuidv7 } from '#shared/ids.ts'
import { expectProblem, verifiedActor } from '#tests/support/app.ts'
import { websiteLine } from '#tests/support/bodies.ts'
import { issue, makeCustomer, makeInvoice, recordPayment } from '#tests/support/builders.ts'
import { startBooks } from '#tests/support/books.ts'
import { engines } from '#tests/support/database.ts'

const eur = (amount: string) => ({ amount, currency: 'EUR' })

describe.each(engines)('on %s', (engine) => {
  const { books, issued, now } = startBooks(engine)

  const asked = ({ id, version }: Invoice, body: object = { id: uuidv7() }) =>
    books.ann.send('POST', `${books.base}/invoices/${id}/credit-notes`, {
      body,
      headers: { 'if-match': `"${version}"` },
    })
  const credit = async (invoice: Invoice): Promise<Invoice> => {
    const { status, body } = await asked(invoice)
    expect({ status, body }).toMatchObject({ status: 201 })
    return body
  }
  const tryIssue = ({ id, version }: Invoice) =>
    books.ann.send('POST', `${books.base}/invoices/${id}/issue`, { headers: { 'if-match': `"${version}"` } })
  const save = async ({ totals: _, ...note }: Invoice, change: object): Promise<Invoice> => {
    const headers = { 'if-match': `"${note.version}"` }
    const { status, body } = await books.ann.send('PUT', `${books.base}/invoices/${note.id}`, {
      body: { ...note, ...change },
      headers,
    })
    expect({ status, body }).toMatchObject({ status: 200 })
    return body
  }

  test('of the whole: the same totals, a number of its own series, and the invoice is credited; each names the other', async () => {
    const invoice = await issued({
      taxMode: 'gross',
      lines: [{ ...websiteLine, quantity: '1', unitPrice: '500.00', vat: { category: 'S', rate: '10' } }],
    })
    const draft = await credit(invoice)
    expect(draft).toMatchObject({
      type: '381',
      status: 'draft',
      number: null,
      taxMode: 'gross',
      customerId: books.buyer.id,
      creditedInvoice: { id: invoice.id, number: invoice.number, issueDate: invoice.issueDate },
      totals: invoice.totals,
      dueDate: null,
    })
    expect(await now(invoice)).toEqual(invoice)
    const note = await issue(books.ann, draft)
    expect(note).toMatchObject({
      type: '381',
      status: 'issued',
      totals: invoice.totals,
      vat: invoice.vat,
      dueDate: null,
      overdue: false,
      paymentStatus: null,
      amountDue: eur('0.00'),
      creditedInvoice: { id: invoice.id },
      buyer: { id: books.buyer.id },
    })
    expect(note.number).toMatch(/^CN-\d{4}-0001$/)
    expect([note.totals.net.amount, note.totals.tax.amount]).toEqual(['454.55', '45.45'])
    expect(await now(invoice)).toMatchObject({
      version: invoice.version,
      revision: note.revision,
      paymentStatus: 'credited',
      credited: eur('500.00'),
      amountDue: eur('0.00'),
      creditNotes: [{ id: note.id, number: note.number, gross: eur('500.00') }],
    })
    expectProblem(await asked(invoice), { status: 409, code: 'invalid_transition' })
    const states = async (query: string) =>
      (await books.ann.send('GET', `${books.base}/invoices?${query}`)).body.data.map((row: Invoice) => row.type)
    expect(await states('status=credited')).toEqual(['380'])
    for (const none of ['unpaid', 'paid', 'overdue']) expect(await states(`status=${none}`)).toEqual([])
    const { body: figures } = await books.ann.send('GET', `${books.base}/dashboard`)
    expect(figures.currencies[0]).toMatchObject({
      invoiced: { count: 1, amount: eur('0.00') },
      outstanding: { count: 0, amount: eur('0.00') },
    })
    // Invoices count on without it.
    expect((await issued()).number).toMatch(/^INV-\d{4}-0002$/)
  })

  test('asked for again it is the same one; with other lines under its id it is refused', async () => {
    const invoice = await issued({ lines: [{ ...websiteLine, quantity: '2' }] })
    const part = (quantity: string) => ({ id: note, lines: [{ ...websiteLine, quantity }] })
    const note = uuidv7()
    const { body: made } = await asked(invoice, part('1'))
    expect(await asked(invoice, part('1'))).toMatchObject({ status: 200, body: made })
    expect(await asked(invoice, { id: note })).toMatchObject({ status: 200, body: made })
    expectProblem(await asked(invoice, part('2')), { status: 409, code: 'id_taken' })
    expect((await books.ann.send('GET', `${books.base}/invoices/${note}`)).body).toEqual(made)
  })

  test('in part, twice, and the rest: to the cent, and what is due falls with each', async () => {
    const invoice = await issued()
    const half = await credit(invoice)
    const part = await issue(books.ann, await save(half, { lines: [{ ...half.lines[0], quantity: '1' }] }))
    expect(part.gross).toEqual(eur('458.59'))
    expect(await now(invoice)).toMatchObject({
      paymentStatus: 'unpaid',
      amountDue: eur('458.59'),
      credited: eur('458.59'),
    })
    await recordPayment(books.ann, invoice, '400.00')
    const rest = await credit(invoice)
    expect(rest).toMatchObject({
      taxMode: 'gross',
      gross: eur('458.59'),
      lines: [{ name: `${invoice.number}, 21 % VAT` }],
    })
    await issue(books.ann, rest)
    // Paid before and credited in whole: what was paid is given back.
    expect(await now(invoice)).toMatchObject({
      paymentStatus: 'credited',
      amountDue: eur('-400.00'),
      creditNotes: [{}, {}],
    })
  })

  test('more than is left is refused at its line, and no number is lost by it', async () => {
    const invoice = await issued()
    const draft = await credit(invoice)
    const more = await save(draft, { lines: [{ ...draft.lines[0], quantity: '3' }] })
    expectProblem(await tryIssue(more), {
      status: 422,
      errors: [{ pointer: '/lines/0/quantity', detail: 'Only 758.00 EUR of this line is left' }],
    })
    const other = await makeCustomer(books.ann, books.buyer.organizationId)
    const strayed = await save(more, { customerId: other.id })
    expectProblem(await tryIssue(strayed), {
      status: 422,
      errors: [{ pointer: '/customerId', detail: 'Must be the customer of the invoice' }],
    })
    expect(await now(invoice)).toEqual(invoice)
    const note = await issue(books.ann, await save(strayed, { customerId: books.buyer.id, lines: draft.lines }))
    expect(note.number).toMatch(/-0001$/)
  })

  test('only what is issued is credited, and what is credited is no longer voided', async () => {
    const refused = { status: 409, code: 'invalid_transition' } as const
    expectProblem(await asked(await makeInvoice(books.ann, books.buyer.organizationId, books.buyer.id)), refused)
    const invoice = await issued()
    const [open, draft] = [await credit(invoice), await credit(invoice)]
    expect(await asked(invoice, { id: draft.id })).toMatchObject({ status: 200, body: { id: draft.id } })
    expectProblem(await asked(invoice, { id: invoice.id }), { status: 409, code: 'id_taken' })
    const note = await issue(books.ann, draft)
    expectProblem(await asked(note), refused)
    for (const what of ['void', 'uncollectible'])
      for (const row of [note, await now(invoice)])
        expectProblem(
          await books.ann.send('POST', `${books.base}/invoices/${row.id}/${what}`, {
            headers: { 'if-match': `"${row.version}"` },
          }),
          refused,
        )
    const detail = 'Nothing of its invoice can be credited any more: delete this draft.'
    expectProblem(await tryIssue(open), { ...refused, detail })
    // A draft is thrown away like any other.
    expect(
      (await books.ann.send('DELETE', `${books.base}/invoices/${open.id}`, { headers: { 'if-match': '"1"' } })).status,
    ).toBe(204)
  })

  test('a draft goes by its customer’s name of today, also when they were renamed since the invoice, and is found by it', async () => {
    const customer = await makeCustomer(books.ann, books.buyer.organizationId, { name: 'Miller before the wedding' })
    const invoice = await issue(books.ann, await makeInvoice(books.ann, books.buyer.organizationId, customer.id))
    const { body: renamed } = await books.ann.send('PUT', `${books.base}/customers/${customer.id}`, {
      body: { ...customer, name: 'Smith after the wedding' },
      headers: { 'if-match': `"${customer.version}"` },
    })
    const draft = await credit(await now(invoice))
    expect([draft.customerName, (await now(invoice)).customerName]).toEqual([renamed.name, customer.name])
    const found = async (q: string) =>
      (await books.ann.send('GET', `${books.base}/invoices?q=${q}`)).body.data.map(({ id }: Invoice) => id)
    expect([await found('Smith'), await found('Miller')]).toEqual([[draft.id], [invoice.id]])
  })

  test('its draft takes nothing from what the drafts of invoices come to, and is counted', async () => {
    const drafts = async () => (await books.ann.send('GET', `${books.base}/dashboard`)).body.currencies[0].drafts
    const invoice = await issued()
    const before = await drafts()
    await credit(invoice)
    expect(await drafts()).toEqual({ count: before.count + 1, amount: before.amount })
  })

  test('an invoice is corrected also when its customer has been deleted since', async () => {
    const invoice = await issued()
    const customer = `${books.base}/customers/${books.buyer.id}`
    expect((await books.ann.send('DELETE', customer, { headers: { 'if-match': '"1"' } })).status).toBe(204)
    const draft = await credit(invoice)
    const half = await save(draft, { lines: [{ ...draft.lines[0], quantity: '1' }] })
    expect(half).toMatchObject({ customerId: books.buyer.id, customerName: books.buyer.name })
    const note = await issue(books.ann, half)
    expect(note).toMatchObject({ buyer: invoice.buyer, gross: eur('458.59') })
    expect(await now(invoice)).toMatchObject({ amountDue: eur('458.59') })
    // An invoice is not written for somebody who is gone.
    const body = { id: uuidv7(), customerId: books.buyer.id, lines: [websiteLine] }
    expectProblem(await books.ann.send('POST', `${books.base}/invoices`, { body }), { status: 422 })
  })

  test('six at once: one is issued, five are refused, and the series has no gap', async () => {
    const invoice = await issued()
    const drafts = await Promise.all(Array.from({ length: 6 }, () => credit(invoice)))
    const answers = await Promise.all(drafts.map(tryIssue))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409, 409, 409])
    expect(await now(invoice)).toMatchObject({ credited: invoice.gross, paymentStatus: 'credited' })
    const second = await issued()
    expect((await issue(books.ann, await credit(second))).number).toMatch(/-0002$/)
  })

  test('invoices and credit notes of one pattern, at once: each has a number, and none the other’s', async () => {
    const { ann, base, buyer } = books
    const { body: organization } = await ann.send('GET', base)
    const year = (await issued()).issueDate!.slice(0, 4)
    const numbering = { pattern: `CN-${year}-{SEQ:4}`, reset: 'never' }
    const headers = { 'if-match': '"1"' }
    // Nor such as differ in capitals only: Windows would take their papers for one file.
    for (const pattern of [numbering.pattern, numbering.pattern.toLowerCase().replace('seq', 'SEQ')])
      expectProblem(
        await ann.send('PUT', base, { body: { ...organization, numbering: { ...numbering, pattern } }, headers }),
        {
          status: 422,
          errors: [
            { pointer: '/creditNoteNumbering/pattern', detail: 'Credit notes need numbers that invoices do not have' },
          ],
        },
      )
    // As a build before let it be.
    const { organizationId } = buyer
    await books.app.db.asApp({ organizationIds: [organizationId] }, (tx) =>
      tx
        .updateTable('numberSeries')
        .set(numbering)
        .where('organizationId', '=', organizationId)
        .where('kind', '=', invoiceSeries)
        .execute(),
    )
    const address = { ...organization.address, city: 'Elsewhere' }
    const moved = await ann.send('PUT', base, { body: { ...organization, address, numbering }, headers })
    expect(moved).toMatchObject({ status: 200, body: { address, numbering } })
    await issue(ann, await credit(await issued()))
    for (let round = 0; round < 3; round += 1) {
      const note = await credit(await issued())
      const draft = await makeInvoice(ann, buyer.organizationId, buyer.id)
      const answers = await Promise.all([tryIssue(draft), tryIssue(note)])
      expect(answers.map(({ status }) => status)).toEqual([200, 200])
      expect(answers[0]!.body.number).not.toBe(answers[1]!.body.number)
    }
  })

  test('a member who drafts and issues invoices does neither with credit notes', async () => {
    const invoice = await issued()
    const draft = await credit(invoice)
    const member = await verifiedActor(books.app)
    const { organizationId } = books.buyer
    await books.app.db.asApp({ organizationIds: [organizationId] }, (tx) =>
      tx
        .insertInto('memberships')
        .values({ organizationId, userId: member.userId, role: 'member', createdAt: new Date().toISOString() })
        .execute(),
    )
    const headers = { 'if-match': '"1"' }
    const path = `${books.base}/invoices/${draft.id}`
    for (const answer of [
      await member.send('POST', `${path}/issue`, { headers }),
      await member.send('PUT', path, { headers, body: draft }),
      await member.send('DELETE', path, { headers }),
    ])
      expectProblem(answer, { status: 403, code: 'forbidden' })
  })
})
