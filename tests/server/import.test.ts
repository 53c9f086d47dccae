// Rows of a file on their way in: judged, written, and known again.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Activity } from '#shared/contract/activity.ts'
import type { ImportReport } from '#shared/contract/import.ts'
import type { Customer } from '#shared/contract/customers.ts'
import type { Invoice } from '#shared/contract/invoices.ts'
import type { Item } from '#shared/contract/items.ts'
import { uuidv7 } from '#shared/ids.ts'
import { expectProblem, startTestApp, verifiedActor, type Actor, type TestApp } from '#tests/support/app.ts'
import { issue, makeCustomer, makeItem, makeOrganization } from '#tests/support/builders.ts'
import { engines, openFresh } from '#tests/support/database.ts'

type Values = Record<string, unknown>
type Kind = 'customers' | 'items' | 'invoices'

describe.each(engines)('on %s', (engine) => {
  let app: TestApp
  let ann: Actor
  let organizationId: string
  beforeAll(async () => {
    app = await startTestApp(await openFresh(engine))
    ann = await verifiedActor(app)
    organizationId = (await makeOrganization(ann, { defaults: { vatRate: '21' } })).id
  })
  afterAll(() => app.db.close())

  async function send(
    kind: Kind,
    write: boolean,
    rows: Values[],
    place = organizationId,
  ): Promise<ImportReport['rows']> {
    const body = { write, rows: rows.map((values, index) => ({ row: index + 2, values })) }
    const answer = await ann.send('POST', `/organizations/${place}/${kind}/import`, { body })
    expect({ status: answer.status, body: answer.body }).toMatchObject({ status: 200 })
    return answer.body.rows
  }
  const outcomes = async (...args: Parameters<typeof send>) => (await send(...args)).map((each) => each.outcome)
  const list = async <Row>(kind: Kind, place = organizationId): Promise<Row[]> =>
    (await ann.send('GET', `/organizations/${place}/${kind}?limit=200`)).body.data
  const revision = async (place: string) =>
    (
      await app.db.asApp({ organizationIds: [place] }, (tx) =>
        tx
          .selectFrom('organizationRevisions')
          .select('revision')
          .where('organizationId', '=', place)
          .executeTakeFirstOrThrow(),
      )
    ).revision

  test('customers: said before it is done, done as it was said, and a second time nothing', async () => {
    const kept = await makeCustomer(ann, organizationId, {
      name: 'Bob the Baker',
      email: 'bob@example.com',
      phone: '123',
      address: { line1: 'Old street 1', city: 'Delft' },
    })
    await makeCustomer(ann, organizationId, { name: 'Twin' })
    await makeCustomer(ann, organizationId, { name: 'TWIN' })
    const rows: Values[] = [
      { name: 'Robert the Baker', email: 'BOB@example.com', address: { city: 'Leiden' } },
      { name: 'Ångström', vatNumber: 'NL 0012.34567 B01', country: 'NL', termsDays: 30 },
      { name: 'Peter Müller', email: 'a@example.com' },
      { name: 'Peter Müller', email: 'b@example.com' },
      { name: '' },
      { name: 'Nowhere', country: 'XX', email: 'no email', termsDays: 'soon' },
      { name: 'Twin' },
    ]
    const before = [await list('customers'), await revision(organizationId)]
    const said = await send('customers', false, rows)
    expect(said.map((each) => each.outcome)).toEqual(['changed', 'new', 'new', 'new', 'bad', 'bad', 'bad'])
    expect([await list('customers'), await revision(organizationId)]).toEqual(before)
    expect(said[0]).toMatchObject({ id: kept.id, was: 'Bob the Baker' })
    expect(said[4]).toMatchObject({ row: 6, errors: [{ pointer: '/name', detail: 'Enter a name' }] })
    expect(said[5]!.errors.map(({ pointer }) => pointer).toSorted()).toEqual(['/country', '/email', '/termsDays'])
    expect(said[6]!.errors[0]!.detail).toMatch(/Several customers/)

    const done = await send('customers', true, rows)
    expect(done.map((each) => [each.row, each.outcome])).toEqual(said.map((each) => [each.row, each.outcome]))
    const customers = await list<Customer>('customers')
    // What the file does not say stays as it was.
    expect(customers.find(({ id }) => id === kept.id)).toMatchObject({
      name: 'Robert the Baker',
      phone: '123',
      address: { line1: 'Old street 1', city: 'Leiden' },
      version: 2,
    })
    expect(customers.find(({ name }) => name === 'Ångström')).toMatchObject({ country: 'NL', termsDays: 30 })
    expect(customers.filter(({ name }) => name === 'Peter Müller')).toHaveLength(2)
    expect(customers).toHaveLength(6)

    expect(await outcomes('customers', true, rows)).toEqual(['same', 'same', 'same', 'same', 'bad', 'bad', 'bad'])
    expect(await list('customers')).toEqual(customers)
    const { body } = await ann.send('GET', `/organizations/${organizationId}/activity?kind=customer`)
    expect(
      body.data
        .slice(0, 4)
        .map(({ action, label }: Activity) => `${action} ${label}`)
        .toSorted(),
    ).toEqual([
      'createCustomer Peter Müller',
      'createCustomer Peter Müller',
      'createCustomer Ångström',
      'saveCustomer Robert the Baker',
    ])
  })

  test('items: by number, then by name; VAT from the rate alone', async () => {
    const { id: place } = await makeOrganization(ann, { defaults: { vatRate: '21', taxMode: 'gross' } })
    const hour = await makeItem(ann, place, { name: 'Hour', sku: 'H-1', unitPrice: '85', taxMode: 'net' })
    const rows: Values[] = [
      { sku: 'h-1', name: 'Hour of work', unitPrice: '90' },
      { name: 'Bread', unitPrice: '2.5', vat: { rate: '9' } },
      { name: 'Book', unitPrice: '10', vat: { rate: '0' } },
      { name: 'Abroad', unitPrice: '10', vat: { rate: '0', category: 'AE' } },
      { name: 'Dear', unitPrice: '1,5' },
    ]
    expect(await outcomes('items', false, rows, place)).toEqual(['changed', 'new', 'new', 'new', 'bad'])
    expect(await list('items', place)).toHaveLength(1)
    expect(await outcomes('items', true, rows, place)).toEqual(['changed', 'new', 'new', 'new', 'bad'])
    const items = Object.fromEntries((await list<Item>('items', place)).map((item) => [item.name, item]))
    expect(items['Hour of work']).toMatchObject({ id: hour.id, sku: 'h-1', unitPrice: '90', taxMode: 'net' })
    expect(items['Bread']).toMatchObject({ taxMode: 'gross', vat: { category: 'S', rate: '9' } })
    expect(items['Book']!.vat).toMatchObject({ category: 'Z', rate: '0' })
    expect(items['Abroad']!.vat).toMatchObject({ category: 'AE', rate: '0' })
    expect(await outcomes('items', true, rows, place)).toEqual(['same', 'same', 'same', 'same', 'bad'])
  })

  test('what is in the file twice is said as it happens: new once', async () => {
    const { id: place } = await makeOrganization(ann, { defaults: { vatRate: '21' } })
    const alpha = { name: 'Alpha', country: 'DE', email: 'a@example.com' }
    const customers = [alpha, alpha, { name: 'Alpha', phone: '1' }, { name: 'alpha', country: 'XX' }]
    const hour = { name: 'Hour', unitPrice: '85' }
    for (const [kind, rows, expected] of [
      ['customers', customers, ['new', 'same', 'changed', 'bad']],
      ['items', [hour, hour, { ...hour, unitPrice: '90' }], ['new', 'same', 'changed']],
    ] as const) {
      const said = await send(kind, false, [...rows], place)
      expect(said.map((each) => each.outcome)).toEqual(expected)
      expect(said.map((each) => each.id)).toEqual(rows.map(() => null))
      expect(await outcomes(kind, true, [...rows], place)).toEqual(expected)
      expect(await list(kind, place)).toHaveLength(1)
    }
  })

  test('why there is no VAT is not said of another category than it was said of', async () => {
    const { id: place } = await makeOrganization(ann, { country: 'DE', locale: 'de-DE', vatRegime: 'small-business' })
    const rows: Values[] = [
      { name: 'Taxed', unitPrice: '10', vat: { rate: '19' } },
      { name: 'Abroad', unitPrice: '10', vat: { rate: '0', category: 'AE' } },
      { name: 'As ever', unitPrice: '10', vat: { rate: '0' } },
      { name: 'Own', unitPrice: '10', vat: { rate: '0', category: 'AE', reason: 'Reverse charge' } },
    ]
    expect(await outcomes('items', true, rows, place)).toEqual(['new', 'new', 'new', 'new'])
    const items = Object.fromEntries((await list<Item>('items', place)).map(({ name, vat }) => [name, vat]))
    expect(items['Taxed']).toMatchObject({ category: 'S', reason: null })
    expect(items['Abroad']).toMatchObject({ category: 'AE', reason: null })
    expect(items['As ever']).toMatchObject({ category: 'E', reason: expect.stringContaining('§ 19') })
    expect(items['Own']).toMatchObject({ category: 'AE', reason: 'Reverse charge' })
  })

  test('invoices: drafts without a number, known again by the one they had, left alone once they are issued', async () => {
    const { id: place } = await makeOrganization(ann, { defaults: { vatRate: '21' } })
    const bob = await makeCustomer(ann, place, { name: 'Bob', email: 'bob@example.com', currency: 'GBP' })
    const line = { name: 'Website', quantity: '2', unitPrice: '379.00' }
    const rows: Values[] = [
      {
        number: 'OLD-1',
        customer: { name: 'bob' },
        dueDate: '2026-12-24',
        lines: [line, { name: 'Stamp', unitPrice: '1', vat: { rate: '0' } }],
      },
      {
        number: 'OLD-2',
        customer: { email: 'bob@example.com' },
        currency: 'JPY',
        taxMode: 'gross',
        lines: [{ ...line, unitPrice: '100' }],
      },
      { number: 'OLD-3', customer: { name: 'Nobody' }, lines: [line] },
      { number: '', customer: { name: 'Bob' }, lines: [line] },
      { number: 'OLD-4', customer: { name: 'Bob' }, lines: [{ ...line, quantity: 'many' }] },
      { number: 'OLD-5', customer: {}, lines: [line] },
      { number: 'OLD-6', customer: { name: 'Bob' }, dueDate: '24.12.2026', lines: [] },
    ]
    const said = await send('invoices', false, rows, place)
    expect(said.map((each) => each.outcome)).toEqual(['new', 'new', 'bad', 'bad', 'bad', 'bad', 'bad'])
    expect(said[2]!.errors).toEqual([
      { pointer: '/customer/name', detail: 'No customer here is called Nobody: import the customers first' },
    ])
    expect(said[4]!.errors[0]!.pointer).toBe('/lines/0/quantity')
    expect(await list('invoices', place)).toEqual([])
    expect(await outcomes('invoices', true, rows, place)).toEqual(said.map((each) => each.outcome))
    const drafts = await list<Invoice>('invoices', place)
    expect(
      drafts
        .map(({ number, status, customerId, gross }) => [number, status, customerId, gross.amount, gross.currency])
        .toSorted((a, b) => String(a[3]).localeCompare(String(b[3]))),
    ).toEqual([
      [null, 'draft', bob.id, '200', 'JPY'],
      [null, 'draft', bob.id, '918.18', 'GBP'],
    ])
    expect(await outcomes('invoices', true, rows, place)).toEqual(['same', 'same', 'bad', 'bad', 'bad', 'bad', 'bad'])
    expect(await list('invoices', place)).toEqual(drafts)

    const [first, second] = (await send('invoices', false, rows, place)).map(({ id }) => id!)
    const whole = async (id: string): Promise<Invoice> =>
      (await ann.send('GET', `/organizations/${place}/invoices/${id}`)).body
    const draft = await whole(first!)
    const dearer = [{ ...rows[0], lines: [{ ...line, unitPrice: '400' }] }, rows[1]!]
    expect(await outcomes('invoices', true, dearer, place)).toEqual(['changed', 'same'])
    const changed = await whole(first!)
    expect(changed).toMatchObject({ version: 2, dueDate: '2026-12-24', totals: { net: { amount: '800.00' } } })
    expect(changed.lines.map(({ id }) => id)).toEqual([draft.lines[0]!.id])

    const issued = await issue(ann, changed)
    expect(issued.number).not.toBe('OLD-1')
    const gone = await ann.send('DELETE', `/organizations/${place}/invoices/${second}`, {
      headers: { 'if-match': '"1"' },
    })
    expect(gone.status).toBe(204)
    // As it was imported last; the file of before says something else.
    expect(await outcomes('invoices', true, [dearer[0]!, rows[1]!], place)).toEqual(['same', 'bad'])
    const isHere = (what: string) => [{ pointer: '/number', detail: `An invoice with this number is here, ${what}` }]
    expect((await send('invoices', true, [rows[0]!], place))[0]!.errors).toEqual(isHere('with another total'))
    // A number of one's own, as an export of Docket has it.
    const own = { ...dearer[0], number: issued.number }
    const eve = await makeCustomer(ann, place, { name: 'Eve' })
    const others = [
      own,
      { ...own, totals: { gross: issued.gross.amount }, lines: [] },
      { ...own, totals: { gross: '1.00' } },
      { ...own, customer: { id: eve.id } },
      { ...own, currency: 'CHF' },
      { ...own, customer: { name: 'Gone' } },
    ]
    const told = await send('invoices', true, others, place)
    expect(told.map((each) => each.outcome)).toEqual(['same', 'same', 'bad', 'bad', 'bad', 'same'])
    expect(told[2]!.errors).toEqual(isHere('with another total'))
    expect(told[3]!.errors).toEqual(isHere('for another customer'))
    expect(told[4]!.errors).toEqual(isHere('in another currency'))
    expect(await whole(first!)).toEqual(issued)
  })

  test('invoices: no credit notes, and no other total than the file says', async () => {
    const { id: place } = await makeOrganization(ann, { defaults: { vatRate: '21' } })
    await makeCustomer(ann, place, { name: 'Bob' })
    const row = { customer: { name: 'Bob' }, lines: [{ name: 'Hour', quantity: '2', unitPrice: '50' }] }
    const discounted = { ...row, lines: [{ ...row.lines[0], allowances: [{ amount: '10' }] }] }
    const said = await send(
      'invoices',
      true,
      [
        { ...row, number: 'N-1', type: '381' },
        { ...row, number: 'N-2', type: '380', totals: { gross: '121' } },
        { ...row, number: 'N-3', totals: { gross: '108.90' } },
        { ...discounted, number: 'N-4', totals: { gross: '108.90' } },
        { ...row, number: 'N-5', totals: { gross: 'many' } },
      ],
      place,
    )
    expect(said.map((each) => each.outcome)).toEqual(['bad', 'new', 'bad', 'new', 'bad'])
    expect(said[0]!.errors[0]!.pointer).toBe('/type')
    expect(said[2]!.errors).toEqual([{ pointer: '/totals/gross', detail: 'Computed here as 121.00 EUR' }])
    expect(said[4]!.errors[0]!.pointer).toContain('/totals/gross')
  })

  test('the same call twice writes once; a hundred rows at most; a row that is no text is named', async () => {
    const { id: place } = await makeOrganization(ann)
    const body = { write: true, rows: [{ row: 2, values: { name: 'Once', country: 'NL' } }] }
    const sent = { body, headers: { 'idempotency-key': uuidv7() } }
    const path = `/organizations/${place}/customers/import`
    const answers = await Promise.all([1, 2, 3].map(() => ann.send('POST', path, sent)))
    for (const each of answers) expect(each.body).toEqual(answers[0]!.body)
    expect(await list('customers', place)).toHaveLength(1)
    const many = Array.from({ length: 101 }, (_, index) => ({ row: index + 1, values: {} }))
    expectProblem(await ann.send('POST', path, { body: { write: false, rows: many } }), { status: 422 })
    for (const values of [{ name: 5 }, { name: { first: 'x' } }, { name: 'x', address: 'Street' }, { name: '\u0000' }])
      expect(await outcomes('customers', true, [values], place)).toEqual(['bad'])
    expect(await outcomes('invoices', true, [{ number: 'A', customer: { name: 'Once' }, lines: 'x' }], place)).toEqual([
      'bad',
    ])
  })
})
