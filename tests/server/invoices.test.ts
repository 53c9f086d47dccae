import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { uuidv7 } from '#shared/ids.ts'
import type { Customer } from '#shared/contract/customers.ts'
import type { CurrencyFigures } from '#shared/contract/dashboard.ts'
import type { Invoice } from '#shared/contract/invoices.ts'
import type { Organization } from '#shared/contract/organizations.ts'
import { withMaintenanceClient } from '#server/db/database.ts'
import { rekeyInvoices } from '#server/db/rekey.ts'
import { expectProblem, startTestApp, verifiedActor, type Actor, type TestApp } from '#tests/support/app.ts'
import { customerBody, invoiceBody, websiteLine } from '#tests/support/bodies.ts'
import { issue, makeCustomer, makeInvoice, makeOrganization } from '#tests/support/builders.ts'
import { engines, openFresh } from '#tests/support/database.ts'

const year = new Date().getUTCFullYear()

describe.each(engines)('invoices on %s', (engine) => {
  let database: Awaited<ReturnType<typeof openFresh>>
  let app: TestApp
  let ann: Actor
  let organization: Organization
  let customer: Customer
  let base: string
  beforeAll(async () => {
    database = await openFresh(engine)
    app = await startTestApp(database)
    ann = await verifiedActor(app)
    organization = await makeOrganization(ann)
    customer = await makeCustomer(ann, organization.id)
    base = `/organizations/${organization.id}/invoices`
  })
  afterAll(() => app.db.close())
  const put = (invoice: Invoice, body: object) =>
    ann.send('PUT', `${base}/${invoice.id}`, { body, headers: { 'if-match': `"${invoice.version}"` } })

  test('found by all that is written on it; what was stored before is brought up to it', async () => {
    const { id } = await makeOrganization(ann)
    const bob = await makeCustomer(ann, id)
    const more = {
      orderReference: 'PO-4711',
      buyerReference: '04011000-12345-67',
      notes: 'Thank you, Zoë',
      charges: [{ amount: '5.00', reason: 'Freight', vat: { category: 'S', rate: '21' } }],
      lines: [{ ...websiteLine, description: 'Façade', allowances: [{ amount: '5.00', reason: 'Early bird' }] }],
    }
    const draft = await makeInvoice(ann, id, bob.id, more)
    const { id: issuedId } = await issue(ann, await makeInvoice(ann, id, bob.id, more))
    await makeInvoice(ann, id, bob.id, { lines: [{ ...websiteLine, quantity: '3' }] })
    const found = async (q: string) =>
      (await ann.send('GET', `/organizations/${id}/invoices?q=${encodeURIComponent(q)}`)).body.data.map(
        (each: Invoice) => each.id,
      )
    const asked = [
      '917.18',
      '917,18',
      '917',
      'facade',
      'zoe thank',
      'po-4711',
      '12345-67',
      'freight',
      'early bird',
      'bob 917.18',
    ]
    const both = [draft.id, issuedId].toSorted()
    for (const q of asked) expect([q, (await found(q)).toSorted()]).toEqual([q, both])
    await withMaintenanceClient(database, 'running', async (client) => {
      // As an earlier build left them.
      await client.query('alter table invoices no force row level security')
      await client.query(`update invoices set search_key = 'bob the baker website'`)
      await client.query('alter table invoices force row level security')
      expect(await found('917')).toEqual([])
      await rekeyInvoices(client)
    })
    for (const q of asked) expect([q, (await found(q)).toSorted()]).toEqual([q, both])
    // A draft that gets its customer's new name keeps what else it is found by.
    const renamed = { body: { ...customerBody(), name: 'Robert' }, headers: { 'if-match': '"1"' } }
    expect((await ann.send('PUT', `/organizations/${id}/customers/${bob.id}`, renamed)).status).toBe(200)
    expect(await found('robert 917,18 facade po-4711 12345-67 freight early bird zoe')).toEqual([draft.id])
  })

  test('what no invoice says is refused at its field: below 0, a discount of more than all; a due date long past is the sender’s affair', async () => {
    const field = (pointer: string, detail: string) => ({ status: 422, errors: [{ pointer, detail }] })
    const press = ({ id, version }: Invoice) =>
      ann.send('POST', `${base}/${id}/issue`, { headers: { 'if-match': `"${version}"` } })
    const below = await makeInvoice(ann, organization.id, customer.id, { lines: [{ ...websiteLine, quantity: '-1' }] })
    const words = 'An invoice cannot be below 0: money is given back by a credit note'
    expectProblem(await press(below), field('/lines', words))
    const long = await makeInvoice(ann, organization.id, customer.id, { dueDate: '1900-01-01' })
    expect(await press(long)).toMatchObject({ status: 200, body: { dueDate: '1900-01-01', overdue: true } })
    const discounted = (percent: string, amount: string) => {
      const lines = [{ ...websiteLine, allowances: [{ amount, percent }] }]
      return ann.send('POST', base, { body: { ...invoiceBody(customer.id), lines } })
    }
    expectProblem(await discounted('150', '1137.00'), field('/lines/0/allowances/0/percent', 'At most 100 %'))
    expect((await discounted('100', '758.00')).status).toBe(201)
  })

  describe('drafts', () => {
    test('the smallest body makes one; amounts leave as text with their currency', async () => {
      const body = invoiceBody(customer.id)
      const made = await ann.send('POST', base, { body })
      expect(made).toMatchObject({
        status: 201,
        body: {
          id: body.id,
          status: 'draft',
          number: null,
          issueDate: null,
          customerName: 'Bob the Baker',
          currency: 'EUR',
          net: { amount: '758.00', currency: 'EUR' },
          tax: { amount: '159.18', currency: 'EUR' },
          gross: { amount: '917.18', currency: 'EUR' },
          vat: [{ category: 'S', rate: '21', base: { amount: '758.00' }, tax: { amount: '159.18' } }],
          lines: [{ name: 'Website', quantity: '2', unitPrice: '379', net: { amount: '758.00', currency: 'EUR' } }],
          seller: null,
          buyer: null,
          version: 1,
        },
      })
      expect(made.headers.get('etag')).toBe('"1"')
      expect(await ann.send('GET', `${base}/${body.id}`)).toMatchObject({ status: 200, body: made.body })
      expect((await ann.send('POST', base, { body })).status).toBe(200)
      expectProblem(await ann.send('POST', base, { body: { ...body, taxMode: 'gross' } }), {
        status: 409,
        code: 'id_taken',
      })
    })

    test('lines come back in their order, with every place of their numbers', async () => {
      const long = { quantity: '0.0001', unitPrice: '123456789012.123456', baseQuantity: '0.1234' }
      const lines = [{ ...websiteLine, ...long }, ...Array.from({ length: 11 }, () => websiteLine)]
      const named = lines.map((line, index) => ({ ...line, name: `${index}` }))
      const { id } = await makeInvoice(ann, organization.id, customer.id, { lines: named })
      const { body } = await ann.send('GET', `${base}/${id}`)
      expect(body.lines[0]).toMatchObject(long)
      expect(body.lines.map(({ name }: { name: string }) => name)).toEqual(named.map(({ name }) => name))
    })

    test('a draft may be unfinished, and what is left out comes from customer and organization', async () => {
      const own = await makeOrganization(ann, { defaults: { termsDays: 30, taxMode: 'gross', notes: 'Thank you' } })
      const british = await makeCustomer(ann, own.id, { currency: 'GBP', termsDays: 7, buyerReference: 'PO-1' })
      const path = `/organizations/${own.id}/invoices`
      const bare = await ann.send('POST', path, { body: { id: uuidv7() } })
      expect(bare).toMatchObject({
        status: 201,
        body: { customerId: null, currency: 'EUR', taxMode: 'gross', termsDays: 30, notes: 'Thank you', lines: [] },
      })
      const forHim = await ann.send('POST', path, { body: { id: uuidv7(), customerId: british.id } })
      expect(forHim.body).toMatchObject({ currency: 'GBP', termsDays: 7, buyerReference: 'PO-1' })
      // Blank is what an older page says of a field that nobody touched.
      for (const [buyerReference, kept] of [
        [' ', 'PO-1'],
        [null, null],
        ['PO-2', 'PO-2'],
      ])
        expect(
          (await ann.send('POST', path, { body: { id: uuidv7(), customerId: british.id, buyerReference } })).body,
        ).toMatchObject({ buyerReference: kept })
    })

    test('gross prices hold their tax: 500.00 with 10 % is 454.55 and 45.45', async () => {
      const lines = [{ ...websiteLine, quantity: '1', unitPrice: '500.00', vat: { category: 'S', rate: '10' } }]
      const { net, tax, gross } = await makeInvoice(ann, organization.id, customer.id, { taxMode: 'gross', lines })
      expect([net.amount, tax.amount, gross.amount]).toEqual(['454.55', '45.45', '500.00'])
    })

    test('editing wants the version, replaces the lines, and computes anew', async () => {
      const draft = await makeInvoice(ann, organization.id, customer.id)
      const body = { ...invoiceBody(customer.id), lines: [websiteLine, { ...websiteLine, quantity: '-1' }] }
      const saved = await put(draft, body)
      expect(saved).toMatchObject({ status: 200, body: { version: 2, net: { amount: '379.00' } } })
      expect(saved.body.lines).toHaveLength(2)
      expectProblem(await put(draft, body), { status: 412, code: 'stale' })
      expectProblem(await ann.send('PUT', `${base}/${draft.id}`, { body }), { status: 428 })
    })

    test('totals that the client computed otherwise are refused', async () => {
      const totals = { gross: { amount: '917.19', currency: 'EUR' } }
      const answer = await ann.send('POST', base, { body: invoiceBody(customer.id, { totals }) })
      expectProblem(answer, { status: 422, errors: [{ pointer: '/totals/gross', detail: expect.any(String) }] })
      const right = { gross: { amount: '917.18', currency: 'EUR' } }
      expect((await ann.send('POST', base, { body: invoiceBody(customer.id, { totals: right }) })).status).toBe(201)
    })

    test.each([
      ['a customer of nobody', { customerId: uuidv7() }, '/customerId'],
      ['a quantity with letters', { lines: [{ ...websiteLine, quantity: '2x' }] }, '/lines/0/quantity'],
      ['a number for a quantity', { lines: [{ ...websiteLine, quantity: 2 }] }, '/lines/0/quantity'],
      ['a negative price', { lines: [{ ...websiteLine, unitPrice: '-1' }] }, '/lines/0/unitPrice'],
      ['seven decimals', { lines: [{ ...websiteLine, unitPrice: '0.1234567' }] }, '/lines/0/unitPrice'],
      ['a line without a name', { lines: [websiteLine, { ...websiteLine, name: '' }] }, '/lines/1/name'],
      ['a year before all dates', { dueDate: '0000-01-01' }, '/dueDate'],
      ['a day that is none', { supplyDate: '2026-02-30' }, '/supplyDate'],
      ['a rate over 100', { lines: [{ ...websiteLine, vat: { category: 'S', rate: '101' } }] }, '/lines/0/vat/rate'],
      ['VAT on an export', { lines: [{ ...websiteLine, vat: { category: 'G', rate: '21' } }] }, '/lines/0/vat/rate'],
      [
        'a rate beyond any amount',
        { lines: [{ ...websiteLine, quantity: '99999999999999', unitPrice: '99999999999999' }] },
        '/lines/0/unitPrice',
      ],
    ])('refuses %s at the field', async (_, more, pointer) => {
      const answer = await ann.send('POST', base, { body: { ...invoiceBody(customer.id), ...more } })
      expectProblem(answer, { status: 422, code: 'validation_failed' })
      expect(answer.body.errors.map((error: { pointer: string }) => error.pointer)).toContain(pointer)
    })

    test('"not subject to VAT" stands alone', async () => {
      const lines = [websiteLine, { ...websiteLine, vat: { category: 'O', rate: '0' } }]
      const answer = await ann.send('POST', base, { body: invoiceBody(customer.id, { lines }) })
      expectProblem(answer, { status: 422, errors: [{ pointer: '/lines/1/vat/category', detail: expect.any(String) }] })
    })

    test('a deleted one is gone', async () => {
      const draft = await makeInvoice(ann, organization.id, customer.id)
      const headers = { 'if-match': '"1"' }
      expect((await ann.send('DELETE', `${base}/${draft.id}`, { headers })).status).toBe(204)
      expectProblem(await ann.send('GET', `${base}/${draft.id}`), { status: 404 })
    })
  })

  describe('issuing', () => {
    test('takes the next number, dates it, freezes seller and buyer', async () => {
      const own = await makeOrganization(ann, { name: 'Numbered', vatNumber: 'NL1', timeZone: 'Pacific/Kiritimati' })
      const bob = await makeCustomer(ann, own.id, { vatNumber: 'NL2' })
      const first = await issue(ann, await makeInvoice(ann, own.id, bob.id))
      expect(first).toMatchObject({
        status: 'issued',
        number: `INV-${first.issueDate!.slice(0, 4)}-0001`,
        seller: { name: 'Numbered', vatNumber: 'NL1' },
        buyer: { name: 'Bob the Baker', vatNumber: 'NL2' },
        paymentStatus: 'unpaid',
        amountDue: { amount: '917.18', currency: 'EUR' },
        version: 2,
      })
      const there = new Intl.DateTimeFormat('en-CA', { timeZone: 'Pacific/Kiritimati' }).format(app.nowMs())
      expect(first.issueDate).toBe(there)
      expect(Date.parse(first.dueDate!) - Date.parse(first.issueDate!)).toBe(14 * 86_400_000)
      const second = await issue(ann, await makeInvoice(ann, own.id, bob.id))
      expect(second.number).toMatch(/-0002$/)
    })

    test('what was issued cannot be changed, deleted or issued again, and shows what it showed', async () => {
      const issued = await issue(ann, await makeInvoice(ann, organization.id, customer.id))
      const headers = { 'if-match': `"${issued.version}"` }
      for (const answer of [
        await put(issued, invoiceBody(customer.id)),
        await ann.send('DELETE', `${base}/${issued.id}`, { headers }),
        await ann.send('POST', `${base}/${issued.id}/issue`, { headers }),
      ]) {
        expectProblem(answer, { status: 409, code: 'invalid_transition' })
      }
      const { body: organizationNow } = await ann.send('GET', `/organizations/${organization.id}`)
      await ann.send('PUT', `/organizations/${organization.id}`, {
        body: { ...organizationNow, name: 'Renamed' },
        headers: { 'if-match': `"${organizationNow.version}"` },
      })
      expect((await ann.send('GET', `${base}/${issued.id}`)).body).toEqual(issued)
    })

    test('wants a customer and a line, named by pointers', async () => {
      const draft = await makeInvoice(ann, organization.id, null, { lines: [] })
      const answer = await ann.send('POST', `${base}/${draft.id}/issue`, { headers: { 'if-match': '"1"' } })
      expectProblem(answer, { status: 422, code: 'validation_failed' })
      expect(answer.body.errors.map((error: { pointer: string }) => error.pointer).toSorted()).toEqual([
        '/customerId',
        '/lines',
      ])
    })

    test('a repeat under the same key answers the same; without it 409; with an old version 412', async () => {
      const draft = await makeInvoice(ann, organization.id, customer.id)
      const send = (headers: object) =>
        ann.send('POST', `${base}/${draft.id}/issue`, { headers: { 'if-match': '"1"', ...headers } })
      expectProblem(await ann.send('POST', `${base}/${draft.id}/issue`), { status: 428 })
      expectProblem(await send({ 'if-match': '"9"' }), { status: 412, code: 'stale' })
      const key = { 'idempotency-key': uuidv7() }
      const first = await send(key)
      const repeat = await send(key)
      expect([first.status, repeat.status]).toEqual([200, 200])
      expect(repeat.body).toEqual(first.body)
      expectProblem(await send({}), { status: 409, code: 'invalid_transition' })
    })

    test('fifty at once, each sent twice, with failures between them: no gap, no double', async () => {
      const own = await makeOrganization(ann)
      const bob = await makeCustomer(ann, own.id)
      const drafts = await Promise.all(Array.from({ length: 50 }, () => makeInvoice(ann, own.id, bob.id)))
      const unfinished = await Promise.all(
        Array.from({ length: 10 }, () => makeInvoice(ann, own.id, bob.id, { lines: [] })),
      )
      const send = (draft: Invoice, key: string) =>
        ann.send('POST', `/organizations/${own.id}/invoices/${draft.id}/issue`, {
          headers: { 'if-match': '"1"', 'idempotency-key': key },
        })
      const answers = await Promise.all(
        [...drafts, ...unfinished].flatMap((draft) => {
          const key = uuidv7()
          return [send(draft, key), send(draft, key)]
        }),
      )
      const issued = answers.filter(({ status }) => status === 200)
      expect(issued).toHaveLength(100)
      expect(answers.filter(({ status }) => status === 422)).toHaveLength(20)
      const numbers = [...new Set(issued.map(({ body }) => String(body.number)))].toSorted()
      expect(numbers).toEqual(
        Array.from({ length: 50 }, (_, index) => `INV-${year}-${String(index + 1).padStart(4, '0')}`),
      )
    })

    test('one draft issued by ten at once takes one number', async () => {
      const own = await makeOrganization(ann)
      const bob = await makeCustomer(ann, own.id)
      const draft = await makeInvoice(ann, own.id, bob.id)
      const path = `/organizations/${own.id}/invoices/${draft.id}/issue`
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => ann.send('POST', path, { headers: { 'if-match': '"1"' } })),
      )
      const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b)
      expect(statuses[0]).toBe(200)
      expect(statuses.slice(1).every((status) => status === 409 || status === 412)).toBe(true)
      const next = await issue(ann, await makeInvoice(ann, own.id, bob.id))
      expect(next.number).toBe(`INV-${year}-0002`)
    })

    test('a new pattern keeps counting and never makes a number twice', async () => {
      const own = await makeOrganization(ann, { numbering: { pattern: 'A{SEQ}', reset: 'never' } })
      const bob = await makeCustomer(ann, own.id)
      const numberOfNext = async () => (await issue(ann, await makeInvoice(ann, own.id, bob.id))).number
      expect([await numberOfNext(), await numberOfNext()]).toEqual(['A1', 'A2'])
      const change = async (numbering: object) => {
        const { body } = await ann.send('GET', `/organizations/${own.id}`)
        const headers = { 'if-match': `"${body.version}"` }
        const saved = await ann.send('PUT', `/organizations/${own.id}`, { body: { ...body, numbering }, headers })
        expect(saved.status).toBe(200)
      }
      await change({ pattern: '{YY}-{SEQ}', reset: 'yearly' })
      expect(await numberOfNext()).toBe(`${String(year).slice(2)}-1`)
      await change({ pattern: 'A{SEQ}', reset: 'never' })
      expect(await numberOfNext()).toBe('A3')
    })
  })

  describe('lists', () => {
    let own: Organization
    beforeAll(async () => {
      own = await makeOrganization(ann)
      const bob = await makeCustomer(ann, own.id, { name: 'Bob' })
      const zoe = await makeCustomer(ann, own.id, { name: 'Zoë' })
      for (let index = 0; index < 12; index += 1) {
        const draft = await makeInvoice(ann, own.id, index % 2 ? bob.id : zoe.id, {
          lines: [
            {
              ...websiteLine,
              name: `Job ${'abcdefghijkl'[index]!.repeat(3)}`,
              unitPrice: String(10 + ((index * 7) % 12)),
            },
          ],
        })
        if (index % 3) await issue(ann, draft)
      }
    })
    const list = (query: string) => ann.send('GET', `/organizations/${own.id}/invoices?${query}`)

    test.each([
      '-issueDate',
      'issueDate',
      '-number',
      'number',
      'customer',
      '-customer',
      'gross',
      '-gross',
      'dueDate',
      '-dueDate',
      '-updatedAt',
    ])('sorted by %s, paged by two: every row once', async (sort) => {
      const whole = await list(`sort=${sort}`)
      const ids = whole.body.data.map((each: Invoice) => each.id)
      expect(ids).toHaveLength(12)
      const paged: string[] = []
      for (let cursor: string | null = ''; cursor !== null;) {
        const query = new URLSearchParams({ sort, limit: '2', ...(cursor && { cursor }) })
        const page = (await list(String(query))).body
        paged.push(...page.data.map((each: Invoice) => each.id))
        cursor = page.page.nextCursor
      }
      expect(paged).toEqual(ids)
      const amounts = whole.body.data.map((each: Invoice) => Number(each.gross.amount))
      if (sort === 'gross') expect(amounts).toEqual(amounts.toSorted((a: number, b: number) => a - b))
    })

    test('filtered by state and customer, searched by number, customer and line', async () => {
      const states = async (query: string) =>
        (await list(query)).body.data.map((each: Invoice) => each.status) as string[]
      expect(await states('status=draft')).toEqual(Array(4).fill('draft'))
      expect(await states('status=issued')).toEqual(Array(8).fill('issued'))
      expect(await states('status=overdue')).toEqual([])
      expect(await states('q=zoe')).toHaveLength(6)
      expect(await states('q=JOB%20eee')).toHaveLength(1)
      expect(await states(`q=INV-${year}-0003`)).toHaveLength(1)
      expect(await states(`customerId=${uuidv7()}`)).toEqual([])
      expectProblem(await list('status=lost'), { status: 422 })
    })

    test('overdue the day after the due date, and not a day earlier', async () => {
      const later = await startTestApp(app.db)
      const send = async () => {
        const { body } = await later.send('POST', '/api/v1/auth/login', {
          body: { email: ann.email, password: 'correct horse' },
        })
        const headers = { authorization: `Bearer ${body.accessToken}` }
        return later.send('GET', `/api/v1/organizations/${own.id}/invoices?status=overdue`, { headers })
      }
      later.pass(14 * 86_400_000)
      expect((await send()).body.data).toEqual([])
      later.pass(86_400_000)
      expect((await send()).body.data).toHaveLength(8)
    })
  })

  test('of all organizations of a person in one list: filtered and paged as each is, and of nobody else’s', async () => {
    const eve = await verifiedActor(app)
    expect((await eve.send('GET', '/invoices')).body.data).toEqual([])
    const made: Invoice[] = []
    for (const timeZone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
      const { id } = await makeOrganization(eve, { timeZone })
      const bob = await makeCustomer(eve, id)
      made.push(await issue(eve, await makeInvoice(eve, id, bob.id, { termsDays: 0 })))
      made.push(await makeInvoice(eve, id, bob.id, { notes: 'Zilverreiger' }))
    }
    const all = async (query: string) => (await eve.send('GET', `/invoices${query}`)).body
    const ids = (list: Pick<Invoice, 'id'>[]) => list.map(({ id }) => id).toSorted()
    expect(ids((await all('')).data)).toEqual(ids(made))
    expect(ids((await all('?q=zilverreiger')).data)).toEqual(ids(made.filter(({ status }) => status === 'draft')))
    const first = await all('?limit=3&sort=number')
    const rest = await all(`?limit=3&sort=number&cursor=${encodeURIComponent(first.page.nextCursor)}`)
    expect(first.data).toHaveLength(3)
    expect(rest.page.nextCursor).toBeNull()
    expect(ids([...first.data, ...rest.data])).toEqual(ids(made))
    // Due today where each is: by the date of the one that is ahead, the other's would be overdue.
    expect((await all('?status=overdue')).data).toEqual([])
    expect(ids((await ann.send('GET', '/invoices?limit=200')).body.data)).not.toContain(made[0]!.id)
  })

  test('duplicated: a draft of its own, like it in whatever state it is, without what belonged to that one time', async () => {
    const bob = await makeCustomer(ann, organization.id)
    const source = await issue(
      ann,
      await makeInvoice(ann, organization.id, bob.id, { orderReference: 'PO-9', notes: 'Thank you', taxMode: 'gross' }),
    )
    const id = uuidv7()
    const path = `${base}/${source.id}/duplicate`
    const { status, body: copy, headers } = await ann.send('POST', path, { body: { id } })
    expect(status).toBe(201)
    expect(headers.get('etag')).toBe('"1"')
    const kept = ({ customerId, orderReference, notes, taxMode, gross }: Invoice) => ({
      customerId,
      orderReference,
      notes,
      taxMode,
      gross,
    })
    expect(kept(copy)).toEqual(kept(source))
    const bare = ({ lines }: Invoice) => lines.map(({ id: _, ...line }) => line)
    expect(bare(copy)).toEqual(bare(source))
    expect(copy.lines[0].id).not.toBe(source.lines[0]!.id)
    expect(copy).toMatchObject({ id, status: 'draft', number: null, issueDate: null, payments: [], version: 1 })
    // Once more, because the answer was lost, as with creating.
    expect(await ann.send('POST', path, { body: { id } })).toMatchObject({ status: 200, body: copy })
    expectProblem(await ann.send('POST', path, { body: { id: source.id } }), { status: 409, code: 'id_taken' })
    const { version } = (await ann.send('GET', `${base}/${copy.id}`)).body
    await ann.send('DELETE', `${base}/${copy.id}`, { headers: { 'if-match': `"${version}"` } })
    // Its customer is gone since.
    const gone = await ann.send('DELETE', `/organizations/${organization.id}/customers/${bob.id}`, {
      headers: { 'if-match': `"${bob.version}"` },
    })
    expect(gone.status).toBe(204)
    const alone = await ann.send('POST', path, { body: { id: uuidv7() } })
    expect(alone).toMatchObject({ status: 201, body: { customerId: null, gross: source.gross } })
    const credit = await ann.send('POST', `${base}/${source.id}/credit-notes`, {
      body: { id: uuidv7() },
      headers: { 'if-match': `"${source.version}"` },
    })
    expectProblem(await ann.send('POST', `${base}/${credit.body.id}/duplicate`, { body: { id: uuidv7() } }), {
      status: 409,
      code: 'invalid_transition',
    })
  })

  test('what an earlier build took and this one would not is no duplicate: named at its field', async () => {
    const bob = await makeCustomer(ann, organization.id)
    const source = await makeInvoice(ann, organization.id, bob.id)
    await app.db.asApp({ organizationIds: [organization.id] }, (tx) =>
      tx
        .updateTable('invoiceLines')
        .set({ unit: 'hours' })
        .where('organizationId', '=', organization.id)
        .where('invoiceId', '=', source.id)
        .execute(),
    )
    const answer = await ann.send('POST', `${base}/${source.id}/duplicate`, { body: { id: uuidv7() } })
    expectProblem(answer, { status: 422, code: 'validation_failed' })
    expect(answer.body).toMatchObject({
      detail: 'What this invoice says cannot be used for a new one',
      errors: [{ pointer: '/lines/0/unit', detail: 'A unit code such as C62' }],
    })
  })

  test('the dashboard adds up per currency, never across them', async () => {
    const own = await makeOrganization(ann)
    const bob = await makeCustomer(ann, own.id)
    for (const currency of ['EUR', 'EUR', 'JPY']) {
      await issue(
        ann,
        await makeInvoice(ann, own.id, bob.id, { currency, lines: [{ ...websiteLine, unitPrice: '100' }] }),
      )
    }
    await makeInvoice(ann, own.id, bob.id)
    await issue(ann, await makeInvoice(ann, own.id, bob.id, { currency: 'GBP', dueDate: '2020-01-01' }))
    const { status, body } = await ann.send('GET', `/organizations/${own.id}/dashboard`)
    expect(status).toBe(200)
    const figures = Object.fromEntries(body.currencies.map((each: { currency: string }) => [each.currency, each]))
    expect(Object.keys(figures).toSorted()).toEqual(['EUR', 'GBP', 'JPY'])
    expect(figures.EUR).toMatchObject({
      drafts: { count: 1, amount: { amount: '917.18' } },
      invoiced: { count: 2, amount: { amount: '484.00', currency: 'EUR' } },
      outstanding: { count: 2, amount: { amount: '484.00' } },
      overdue: { count: 0, amount: { amount: '0.00' } },
    })
    const ages = (currency: string) =>
      figures[currency].ageing.map((each: { days: number; count: number; amount: { amount: string } }) => [
        each.days,
        each.count,
        each.amount.amount,
      ])
    const none = (days: number) => [days, 0, '0.00']
    expect(ages('EUR')).toEqual([[0, 2, '484.00'], ...[1, 31, 61, 91].map(none)])
    expect(ages('GBP')).toEqual([...[0, 1, 31, 61].map(none), [91, 1, '917.18']])
    expect(figures.JPY.invoiced.amount).toEqual({ amount: '242', currency: 'JPY' })
    expect(figures.EUR.months).toHaveLength(12)
    expect(figures.EUR.months.at(-1).invoiced.amount).toBe('484.00')
    expect(body.customers).toBe(1)
  })

  test('the dashboard names the customers to whom most was invoiced, per currency, credit notes taken off', async () => {
    const own = await makeOrganization(ann)
    const names = ['Ada', 'Bea', 'Cem', 'Dov', 'Eli', 'Fay', 'Gus']
    const customers = await Promise.all(names.map((name) => makeCustomer(ann, own.id, { name })))
    const bill = async (index: number, unitPrice: string, currency = 'EUR') => {
      const lines = [{ ...websiteLine, quantity: '1', unitPrice, vat: { category: 'Z', rate: '0' } }]
      return issue(ann, await makeInvoice(ann, own.id, customers[index]!.id, { currency, lines }))
    }
    for (const index of [0, 1, 2, 3, 4, 5]) await bill(index, String(100 + index))
    // Two that together are most; one in another currency; one that was taken back whole; a draft.
    await bill(0, '50')
    await bill(1, '900', 'USD')
    const back = await bill(6, '5000')
    const credited = await ann.send('POST', `/organizations/${own.id}/invoices/${back.id}/credit-notes`, {
      body: { id: uuidv7() },
      headers: { 'if-match': `"${back.version}"` },
    })
    await issue(ann, credited.body)
    await makeInvoice(ann, own.id, customers[2]!.id, { lines: [{ ...websiteLine, unitPrice: '9999' }] })
    const top = async () => {
      const { body } = await ann.send('GET', `/organizations/${own.id}/dashboard`)
      return Object.fromEntries(
        body.currencies.map((each: CurrencyFigures) => [
          each.currency,
          each.topCustomers.map(({ name, invoiced }) => `${name} ${invoiced.amount} ${invoiced.currency}`),
        ]),
      )
    }
    expect(await top()).toEqual({
      EUR: ['Ada 150.00 EUR', 'Fay 105.00 EUR', 'Eli 104.00 EUR', 'Dov 103.00 EUR', 'Cem 102.00 EUR'],
      USD: ['Bea 900.00 USD'],
    })
    // Renamed: the latest invoice says how they are called.
    const { version } = customers[5]!
    const renamed = { body: { name: 'Fay Ltd', country: 'NL' }, headers: { 'if-match': `"${version}"` } }
    await ann.send('PUT', `/organizations/${own.id}/customers/${customers[5]!.id}`, renamed)
    expect((await top())['EUR'][1]).toBe('Fay 105.00 EUR')
    await bill(5, '1')
    expect((await top())['EUR'][1]).toBe('Fay Ltd 106.00 EUR')
  })
})
