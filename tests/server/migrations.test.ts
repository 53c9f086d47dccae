// Migrations over rows that are there already: what an installation has is brought on, not only what is made new.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withMaintenanceClient } from '#server/db/database.ts'
import { migrate, readMigrations } from '#server/db/migrate.ts'
import { startTestApp, verifiedActor, type TestApp } from '#tests/support/app.ts'
import { issue, join, makeCustomer, makeInvoice, makeOrganization } from '#tests/support/builders.ts'
import { engines, openFresh } from '#tests/support/database.ts'
import { buyer, seller } from '#tests/support/issued-documents.ts'

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
        'alter table invoices no force row level security',
        'drop policy issued_stays_whole on invoices',
        'drop function docket_issued_stays(invoices)',
        'alter table invitations drop column invited_by',
        "update invoices set sent_at = null, search_key = 'bob'",
        'alter table invoices force row level security',
        "delete from schema_migrations where name = '0026-what-stays.sql'",
      ])
        await client.query(statement)
      expect(await migrate(client, readMigrations())).toEqual(['0026-what-stays.sql'])
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
})
