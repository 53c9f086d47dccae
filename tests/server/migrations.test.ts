// Migrations over rows that are there already: what an installation has is brought on, not only what is made new.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { uuidv7 } from '#shared/ids.ts'
import { withMaintenanceClient } from '#server/db/database.ts'
import { migrate, readMigrations } from '#server/db/migrate.ts'
import { startTestApp, verifiedActor, type TestApp } from '#tests/support/app.ts'
import { websiteLine } from '#tests/support/bodies.ts'
import { issue, join, makeCustomer, makeInvoice, makeOrganization, makeRecurring } from '#tests/support/builders.ts'
import { engines, openFresh } from '#tests/support/database.ts'
import { buyer, seller } from '#tests/support/issued-documents.ts'

const without0027 = [
  'alter table invoices drop constraint invoices_exchange_whole',
  ...['exchange_rate', 'exchange_date', 'exchange_source', 'accounting_currency'].map(
    (column) => `alter table invoices drop column ${column}`,
  ),
  "delete from schema_migrations where name = '0027-exchange-rates.sql'",
]

describe.each(engines)('on %s', (engine) => {
  let database: Awaited<ReturnType<typeof openFresh>>
  let app: TestApp
  beforeAll(async () => {
    database = await openFresh(engine)
    app = await startTestApp(database)
  })
  afterAll(() => app.db.close())

  test('0026: who asked is found by the name, if one has it; what was mailed has been sent; a search finds amounts', async () => {
    const [ann, bob, other] = [
      await verifiedActor(app, undefined, 'Ann'),
      await verifiedActor(app, undefined, 'Bob'),
      await verifiedActor(app, undefined, 'Bob'),
    ]
    const { id } = await makeOrganization(ann, seller)
    for (const each of [bob, other]) await join(app.db, id, each, 'admin')
    for (const [who, email] of [
      [ann, 'cleo@example.com'],
      [bob, 'dan@example.com'],
    ] as const)
      expect(
        (await who.send('POST', `/organizations/${id}/invitations`, { body: { email, role: 'member' } })).status,
      ).toBe(201)
    const { id: _, ...fields } = buyer
    const customer = await makeCustomer(ann, id, fields)
    const [mailed, kept] = [
      await issue(ann, await makeInvoice(ann, id, customer.id, { buyerReference: 'PO 7' })),
      await issue(ann, await makeInvoice(ann, id, customer.id, { buyerReference: 'PO 8' })),
    ]
    const path = `/organizations/${id}/invoices/${mailed.id}`
    const words = { to: 'bob@example.com', subject: 'Invoice', message: 'Here it is.' }
    const sent = await ann.send('POST', `${path}/send`, { body: words, headers: { 'if-match': `"${mailed.version}"` } })
    expect(sent.status).toBe(200)

    await withMaintenanceClient(database, 'running', async (client) => {
      // As the build before left them.
      for (const statement of [
        ...without0027,
        'alter table invoices no force row level security',
        'drop policy issued_stays_whole on invoices',
        'drop function docket_issued_stays(invoices)',
        'alter table invitations drop column invited_by',
        "update invoices set sent_at = null, search_key = 'bob'",
        'alter table invoices force row level security',
        "delete from schema_migrations where name = '0026-what-stays.sql'",
      ])
        await client.query(statement)
      expect(await migrate(client, readMigrations())).toEqual(['0026-what-stays.sql', '0027-exchange-rates.sql'])
    })

    const { body: invitations } = await ann.send('GET', `/organizations/${id}/invitations`)
    expect(invitations.data.map(({ email, status }: { email: string; status: string }) => [email, status])).toEqual([
      ['dan@example.com', 'revoked'],
      ['cleo@example.com', 'pending'],
    ])
    expect((await ann.send('GET', path)).body.sentAt).toBe(sent.body.sentAt)
    expect((await ann.send('GET', `/organizations/${id}/invoices/${kept.id}`)).body.sentAt).toBeNull()
    expect((await ann.send('GET', `/organizations/${id}/invoices?q=917`)).body.data).toHaveLength(2)
  })

  test('0027: what was issued before is in the currency of its organization’s books, and has no rate', async () => {
    const ann = await verifiedActor(app)
    const { id } = await makeOrganization(ann, { currency: 'GBP' })
    const customer = await makeCustomer(ann, id)
    const issued = await issue(ann, await makeInvoice(ann, id, customer.id, { currency: 'USD' }))
    const draft = await makeInvoice(ann, id, customer.id, { currency: 'USD' })
    await withMaintenanceClient(database, 'running', async (client) => {
      // As the build before left them: what it froze says nothing of either.
      for (const statement of [
        ...without0027,
        'alter table issued_invoices no force row level security',
        "update issued_invoices set content = content - 'exchange' - 'accountingCurrency' - 'accountingTax'",
        'alter table issued_invoices force row level security',
      ])
        await client.query(statement)
      expect(await migrate(client, readMigrations())).toEqual(['0027-exchange-rates.sql'])
    })
    const now = async (which: { id: string }) =>
      (await ann.send('GET', `/organizations/${id}/invoices/${which.id}`)).body
    expect(await now(issued)).toEqual(issued)
    expect(issued).toMatchObject({ accountingCurrency: 'GBP', exchange: null, accountingTax: null })
    expect(await now(draft)).toEqual(draft)
    // And it moves on as before.
    const path = `/organizations/${id}/invoices/${issued.id}/void`
    const voided = await ann.send('POST', path, { headers: { 'if-match': `"${issued.version}"` } })
    expect(voided).toMatchObject({ status: 200, body: { status: 'void', accountingCurrency: 'GBP' } })
    const exchange = { from: 'USD', to: 'GBP', rate: '0.79', date: '2026-11-21', source: 'BoE' }
    expect(await issue(ann, await makeInvoice(ann, id, customer.id, { currency: 'USD', exchange }))).toMatchObject({
      accountingTax: { amount: '125.75', currency: 'GBP' },
    })
  })

  test('0030: a reminder’s words stand under the organization’s language, and nothing under the other', async () => {
    const ann = await verifiedActor(app)
    const words = { subject: 'Invoice {number}', message: 'Pay {amount}.' }
    const since = '2026-11-01'
    const kept = async (locale: string) => {
      const { id } = await makeOrganization(ann, { locale })
      const own = { id: uuidv7(), days: 7 }
      return { id, own, steps: JSON.stringify([{ ...own, ...words, since }]) }
    }
    const [german, british, none] = [await kept('de-AT'), await kept('en-GB'), await kept('de-DE')]
    await withMaintenanceClient(database, 'running', async (client) => {
      await client.query("delete from schema_migrations where name = '0030-reminder-words.sql'")
      await client.query('alter table reminder_rules no force row level security')
      for (const { id, steps } of [german, british, { ...none, steps: '[]' }])
        await client.query(
          `insert into reminder_rules values ('${id}', true, '${steps}', '${ann.userId}', 2, '2026-11-01T08:00:00Z')`,
        )
      await client.query('alter table reminder_rules force row level security')
      expect(await migrate(client, readMigrations())).toEqual(['0030-reminder-words.sql'])
    })
    const stepsOf = async (id: string) => (await ann.send('GET', `/organizations/${id}/reminders`)).body.steps
    expect(await stepsOf(german.id)).toEqual([{ ...german.own, words: { en: null, de: words } }])
    expect(await stepsOf(british.id)).toEqual([{ ...british.own, words: { en: words, de: null } }])
    expect(await stepsOf(none.id)).toEqual([])
  })

  test('0035: a step whose words nobody wrote goes by what went out again; words of an organization’s own stay', async () => {
    const ann = await verifiedActor(app)
    const { id } = await makeOrganization(ann)
    const last = {
      subject: 'Last reminder: invoice {number}',
      message:
        'Hello {customer},\n\nIn spite of our reminders {amount} of our invoice {number} is still open. It was due on {due}. Please pay it within seven days.\n\n{organization}',
    }
    const mine = { ...last, message: `${last.message}!` }
    const step = (days: number, en: object | null) => ({ id: uuidv7(), days, words: { en, de: null } })
    const [nobodys, own, empty] = [step(28, last), step(7, mine), step(3, null)]
    await withMaintenanceClient(database, 'running', async (client) => {
      await client.query("delete from schema_migrations where name = '0035-nobodys-words.sql'")
      await client.query('alter table reminder_rules no force row level security')
      const steps = JSON.stringify([nobodys, own, empty].map((each) => ({ ...each, since: '2026-11-01' })))
      await client.query('insert into reminder_rules values ($1, true, $2, $3, 2, $4)', [
        id,
        steps,
        ann.userId,
        '2026-11-01T08:00:00Z',
      ])
      await client.query('alter table reminder_rules force row level security')
      expect(await migrate(client, readMigrations())).toEqual(['0035-nobodys-words.sql'])
    })
    expect((await ann.send('GET', `/organizations/${id}/reminders`)).body.steps).toEqual([
      { ...nobodys, words: { en: null, de: null } },
      own,
      empty,
    ])
  })

  test('0039: what recurs without a buyer reference goes on with the customer’s; one of its own stays', async () => {
    const ann = await verifiedActor(app)
    const { id } = await makeOrganization(ann)
    const bob = await makeCustomer(ann, id, { buyerReference: 'PO-1' })
    const content = { customerId: bob.id, taxMode: 'net', lines: [websiteLine] }
    const own = await makeRecurring(ann, id, bob.id, { invoice: { ...content, buyerReference: 'PO-2' } })
    const old = await makeRecurring(ann, id, bob.id, { invoice: { ...content, buyerReference: null } })
    await withMaintenanceClient(database, 'running', async (client) => {
      await client.query("delete from schema_migrations where name = '0039-own-buyer-reference.sql'")
      expect(await migrate(client, readMigrations())).toEqual(['0039-own-buyer-reference.sql'])
    })
    const saysOf = async (rule: string) =>
      (await ann.send('GET', `/organizations/${id}/recurring-invoices/${rule}`)).body.invoice
    expect(await saysOf(own.id)).toMatchObject({ buyerReference: 'PO-2' })
    expect(await saysOf(old.id)).not.toHaveProperty('buyerReference')
  })
  test('0045: invoices of one day stand in the order of their numbers, also those of before; drafts come first', async () => {
    const ann = await verifiedActor(app)
    const { id } = await makeOrganization(ann)
    const bob = await makeCustomer(ann, id)
    const [first, second, third, draft] = [
      await makeInvoice(ann, id, bob.id),
      await makeInvoice(ann, id, bob.id),
      await makeInvoice(ann, id, bob.id),
      await makeInvoice(ann, id, bob.id),
    ]
    const numbered = [await issue(ann, third), await issue(ann, first), await issue(ann, second)]
    const inOrder = [...numbered.map(({ number }) => number), draft.number]
    const listed = async (sort: string) => {
      const { body } = await ann.send('GET', `/organizations/${id}/invoices?sort=${sort}`)
      return body.data.map(({ number }: { number: string | null }) => number)
    }
    expect(await listed('issueDate')).toEqual(inOrder)
    await withMaintenanceClient(database, 'running', async (client) => {
      await client.query("delete from schema_migrations where name = '0045-by-date-then-number.sql'")
      await client.query('alter table invoices no force row level security')
      await client.query(
        "update invoices set issue_key = to_char(issue_date, 'YYYY-MM-DD') where issue_date is not null",
      )
      await client.query('alter table invoices force row level security')
      expect(await migrate(client, readMigrations())).toEqual(['0045-by-date-then-number.sql'])
    })
    expect(await listed('issueDate')).toEqual(inOrder)
    expect(await listed('-issueDate')).toEqual(inOrder.toReversed())
  })
})
