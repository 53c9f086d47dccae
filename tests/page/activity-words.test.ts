// What the activity tells of every kind of row that the server writes down, each with all its fields filled: words, and none of what only programs read.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { randomBytes } from 'node:crypto'
import { activity, type Activity } from '#shared/contract/activity.ts'
import { uuidv7 } from '#shared/ids.ts'
import { english } from '#page/words/app-english.ts'
import { german } from '#page/words/app-german.ts'
import { toldChanges } from '#page/features/activity/told-changes.ts'
import { startTestApp, verifiedActor, type Actor, type TestApp } from '#tests/support/app.ts'
import { remindersBody, websiteLine } from '#tests/support/bodies.ts'
import * as make from '#tests/support/builders.ts'
import { openFresh } from '#tests/support/database.ts'
import { buyer, seller } from '#tests/support/issued-documents.ts'

let app: TestApp
let ann: Actor
let rows: Activity[]
beforeAll(async () => {
  app = await startTestApp(await openFresh('embedded'))
  ann = await verifiedActor(app, undefined, 'Ann')
  rows = await everyKind()
})
afterAll(() => app.db.close())

async function everyKind(): Promise<Activity[]> {
  const { logo: _, ...full } = seller
  const organization = await make.makeOrganization(ann, {
    ...full,
    defaults: { termsDays: 14, taxMode: 'gross', notes: 'Thank you', vatRate: '21' },
  })
  const { id } = organization
  const base = `/organizations/${id}`
  const send = async (method: string, path: string, body?: object, version?: number) => {
    const headers = version === undefined ? {} : { 'if-match': `"${version}"` }
    const answer = await ann.send(method, `${base}${path}`, { ...(body && { body }), headers })
    expect([path, answer.status < 300, answer.status < 300 ? null : answer.body]).toEqual([path, true, null])
    return answer.body
  }
  const { id: __, ...them } = buyer
  const customer = await make.makeCustomer(ann, id, {
    ...them,
    phone: '1',
    currency: 'USD',
    termsDays: 7,
    buyerReference: 'A 1',
    language: 'de',
    notes: 'Kind',
  })
  await make.makeItem(ann, id, { sku: 'A', description: 'b', unit: 'HUR', currency: 'USD', taxMode: 'gross' })
  const cut = [{ amount: '1.00', reason: 'Friend' }]
  const vat = { category: 'S', rate: '21' }
  const line = { ...websiteLine, description: 'Text', unit: 'HUR', allowances: cut, charges: cut }
  const filled = {
    language: 'de',
    termsDays: 14,
    buyerReference: 'B',
    orderReference: 'O',
    notes: 'N',
    lines: [line],
    allowances: cut.map((each) => ({ ...each, vat })),
    charges: cut.map((each) => ({ ...each, vat })),
  }
  const exchange = { from: 'USD', to: 'EUR', rate: '0.92', date: '2026-01-01', source: 'ECB' }
  const dated = { ...filled, dueDate: '2026-01-31', supplyDate: '2026-01-01', exchange }
  const issued = async () => make.issue(ann, await make.makeInvoice(ann, id, customer.id, dated))
  const invoice = await issued()
  const link = { tokenHash: randomBytes(32).toString('base64url') }
  await send('POST', `/invoices/${invoice.id}/public-links`, link)
  const mail = { to: 'bob@example.com', subject: 'S', message: 'M' }
  await send('POST', `/invoices/${invoice.id}/remind`, mail)
  await send('PUT', `/invoices/${invoice.id}/reminders`, { paused: true })
  const payment = await make.recordPayment(ann, invoice, undefined, { reference: 'Till 4', method: 'card' })
  await send('POST', `/payments/${payment.id}/reverse`, { reason: 'Twice' }, payment.version)
  const credited = await issued()
  const note = await send('POST', `/invoices/${credited.id}/credit-notes`, { id: uuidv7() }, credited.version)
  await make.issue(ann, note)
  const lost = await issued()
  await send('POST', `/invoices/${lost.id}/uncollectible`, undefined, lost.version)
  const quote = await make.makeQuote(ann, id, customer.id, { ...filled, validUntil: '2030-01-31' })
  const out = await make.moveQuote(ann, quote, 'issue')
  const answered = await make.moveQuote(ann, out, 'answer', { answer: 'accepted', name: 'Bob' })
  await send('POST', `/quotes/${quote.id}/invoices`, { id: uuidv7() }, answered.version)
  const invoiceOfEach = { customerId: customer.id, taxMode: 'net', ...filled }
  const recurring = await make.makeRecurring(ann, id, customer.id, { endsOn: '2030-01-31', invoice: invoiceOfEach })
  await send('PUT', `/recurring-invoices/${recurring.id}`, { ...recurring, paused: true, every: 2 }, recurring.version)
  const invitation = await send('POST', '/invitations', { email: 'eve@example.com', role: 'viewer' })
  await send('DELETE', `/invitations/${invitation.id}`)
  const bob = await verifiedActor(app, undefined, 'Bob')
  await make.join(app.db, id, bob, 'viewer')
  await send('PUT', `/members/${bob.userId}`, { role: 'admin' }, 1)
  await send('POST', '/exports', { id: uuidv7() })
  await make.saveLogo(ann, id)
  await send('PUT', '/reminders', remindersBody(), 1)
  const now = await send('GET', '')
  await send(
    'PUT',
    '',
    {
      ...now,
      name: 'Other',
      legalName: 'Other Ltd',
      country: 'DE',
      currency: 'USD',
      locale: 'de-DE',
      timeZone: 'Europe/Berlin',
      address: { line1: 'Kai 1', city: 'Kiel', postalCode: '24103' },
      vatNumber: 'DE1',
      registrationNumber: 'HRB 1',
      endpoint: { scheme: '0088', id: '1' },
      contact: { name: 'Eve', email: 'eve@example.com', phone: '1' },
      bank: { iban: null, bic: null, holder: 'Eve' },
      vatRegime: 'none',
      defaults: { ...now.defaults, vatRate: '19' },
      numbering: { pattern: 'X{SEQ}', reset: 'never' },
      creditNoteNumbering: { pattern: 'C{SEQ}', reset: 'never' },
      quoteNumbering: { pattern: 'Q{SEQ}', reset: 'never' },
      membersMayIssue: false,
      paperSize: 'letter',
      eInvoiceProfile: 'peppol',
    },
    now.version,
  )
  await dismissAMail(id)
  const { data } = await send('GET', '/activity?limit=200')
  return data.map((each: unknown) => activity.parse(each))
}

async function dismissAMail(organizationId: string): Promise<void> {
  const found = await app.db.asJobs((tx) =>
    tx.selectFrom('mails').select('id').where('organizationId', '=', organizationId).limit(1).executeTakeFirstOrThrow(),
  )
  await app.db.asJobs((tx) =>
    tx
      .updateTable('mails')
      .set({ failure: 'refused', givenUpAt: new Date().toISOString() })
      .where('id', '=', found.id)
      .execute(),
  )
  const { status } = await ann.send('DELETE', `/organizations/${organizationId}/mails/${found.id}`)
  expect(status).toBe(204)
}

const firm = { locale: 'en-GB', timeZone: 'Europe/London' }
const told = (kind: string, action: string) => {
  const row = rows.find((each) => each.kind === kind && each.action === action)
  if (!row) throw new Error(`${kind} ${action} was not written down`)
  return Object.fromEntries(toldChanges(row, firm).map(({ label, sides }) => [label, sides]))
}

describe('the activity', () => {
  test('tells whatever of a line was changed', () => {
    const line = { name: 'Work', description: null, quantity: '2', unit: 'HUR', unitPrice: '10', baseQuantity: '1' }
    const rest = { vat: { category: 'S', rate: '21' }, allowances: [], charges: [] }
    const side = (more: object) => [{ ...line, ...rest, ...more }]
    const told = (more: object) =>
      toldChanges(
        { ...rows[0]!, kind: 'invoice', changes: [{ field: 'lines', before: side({}), after: side(more) }] },
        firm,
      ).map(({ sides }) => sides[1])
    expect(told({ unit: 'DAY' })).toEqual([expect.stringMatching(/day/i)])
    expect(told({ description: 'On site' })).toEqual([expect.stringContaining('On site')])
    expect(told({ baseQuantity: '100' })).toEqual([expect.stringContaining('/ 100')])
    expect(told({ allowances: [{ amount: '1', percent: '5' }] })).toEqual([expect.stringContaining('5 %')])
  })

  test('has every kind of row that it has a word for', () => {
    expect(new Set(rows.map(({ kind }) => kind))).toEqual(new Set(Object.keys(english.activity.kinds)))
  })

  test.each([english, german])('has a verb for each way that an invitation ends', ({ activity: { verbs } }) => {
    for (const verb of ['revoke', 'accept', 'decline']) expect(verbs).toHaveProperty(verb)
  })

  test('tells none of them in what only programs read', () => {
    const unreadable = /undefined|\[object|[0-9a-f]{8}-[0-9a-f]{4}-|\d{4}-\d\d-\d\d|\b[a-z]+[A-Z]|null|[{}]/
    const lines = rows.flatMap((row) =>
      toldChanges(row, firm).map(({ label, sides }) => `${row.kind} ${label}: ${sides.join(' -> ')}`),
    )
    expect(lines.length).toBeGreaterThan(150)
    // What people wrote themselves may look like anything.
    const own = /\{(customer|number|YYYY|N+|SEQ.*)\}|\{[A-Z:0-9]+\}/g
    expect(lines.filter((line) => unreadable.test(line.replaceAll(own, '')))).toEqual([])
  })

  test('tells amounts with their currency, and words for what is one of a few', () => {
    expect(told('invoice', 'createInvoice')).toMatchObject({
      Lines: ['', '2 × Website, Hour, Text, US$379.00, VAT 21 %, − Friend, US$1.00, + Friend, US$1.00'],
      'Due date': ['', '31 Jan 2026'],
      'Exchange rate': ['', '1 USD = 0.92 EUR, ECB, 1 Jan 2026'],
      Discounts: ['', 'Friend, US$1.00, VAT 21 %'],
      Total: ['', 'US$917.18'],
      Status: ['', 'Draft'],
    })
    expect(told('payment', 'recordPayment')).toMatchObject({
      'Which invoices it pays': ['', expect.stringMatching(/^\S+, US\$917\.18$/)],
      How: ['', 'Card'],
    })
    expect(told('invoice', 'pauseReminders')).toEqual({ 'Reminders paused': ['No', 'Yes'] })
    expect(told('organization', 'saveOrganization')).toMatchObject({
      'Members issue and send invoices': ['Yes', 'No, they only prepare drafts'],
      VAT: ['Charges VAT', 'Outside VAT'],
    })
    const defaults = told('organization', 'saveOrganization')['Invoice defaults']!
    expect(defaults[0].split('\n').toSorted()).toEqual([
      'Days to pay: 14',
      'Notes on every invoice: Thank you',
      'Prices are entered: with VAT included',
      'Usual VAT rate (%): 21 %',
    ])
    expect(defaults[1]).toBe(defaults[0].replace('21 %', '19 %'))
    expect(told('organization', 'saveOrganization')['Address']![1]).toBe('Kai 1\n24103 Kiel')
    expect(told('recurring-invoice', 'createRecurring')).toMatchObject({ Interval: ['', 'Months'] })
  })
})
