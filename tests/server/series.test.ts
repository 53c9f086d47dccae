import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SeriesReport } from '#shared/contract/series.ts'
import { withMaintenanceClient } from '#server/db/database.ts'
import { expectProblem, startTestApp, verifiedActor, type Actor, type TestApp } from '#tests/support/app.ts'
import { issue, makeCustomer, makeInvoice, makeOrganization } from '#tests/support/builders.ts'
import { uuidv7 } from '#shared/ids.ts'
import { engines, openFresh } from '#tests/support/database.ts'

describe.each(engines)('the report of numbers on %s', (engine) => {
  let app: TestApp
  let database: Awaited<ReturnType<typeof openFresh>>
  let ann: Actor
  beforeAll(async () => {
    database = await openFresh(engine)
    app = await startTestApp(database)
    ann = await verifiedActor(app)
  })
  afterAll(() => app.db.close())

  async function begin(numbering: object) {
    const own = await makeOrganization(ann, { numbering })
    const customer = await makeCustomer(ann, own.id)
    return {
      own,
      give: async () => issue(ann, await makeInvoice(ann, own.id, customer.id)),
      report: async (): Promise<SeriesReport> => {
        const { status, body } = await ann.send('GET', `/organizations/${own.id}/series`)
        expect(status).toBe(200)
        return body.data[0]
      },
      async change(next: object) {
        const { body } = await ann.send('GET', `/organizations/${own.id}`)
        const headers = { 'if-match': `"${body.version}"` }
        await ann.send('PUT', `/organizations/${own.id}`, { body: { ...body, numbering: next }, headers })
      },
    }
  }

  test('says that numbers run from the first to the last, and what the next one is', async () => {
    const { give, report } = await begin({ pattern: 'R{SEQ:3}', reset: 'never' })
    expect(await report()).toMatchObject({ pattern: 'R{SEQ:3}', next: 'R001', periods: [] })
    for (let count = 0; count < 3; count += 1) await give()
    expect(await report()).toMatchObject({
      next: 'R004',
      periods: [{ period: '', issued: 3, first: 'R001', last: 'R003', missing: [], doubled: [] }],
    })
  })

  test('a number in small letters is the same number: its file would be', async () => {
    const { give, report, change } = await begin({ pattern: 'S-{YYYY}-{SEQ}', reset: 'yearly' })
    const first = await give()
    await change({ pattern: 's-{YYYY}-{SEQ}', reset: 'never' })
    const next = first.number!.toLowerCase().replace(/1$/, '2')
    expect((await report()).next).toBe(next)
    expect((await give()).number).toBe(next)
  })

  test('each period counts for itself; a place that the counter has given and no number has is missing', async () => {
    const { own, give, report, change } = await begin({ pattern: 'A{SEQ}', reset: 'never' })
    await give()
    await change({ pattern: 'B{SEQ}{YY}', reset: 'yearly' })
    await give()
    await change({ pattern: 'A{SEQ}', reset: 'never' })
    await give()
    await change({ pattern: 'A{SEQ}{YY}', reset: 'yearly' })
    expect((await report()).periods.map(({ period, missing }) => [period.length, missing])).toEqual([
      [4, []],
      [0, []],
    ])
    // No road of Docket's leads here: a hand in the database does.
    await app.db.asApp({ organizationIds: [own.id] }, (tx) =>
      sql`update number_counters set last_sequence = 4 where organization_id = ${own.id} and period = ''`.execute(tx),
    )
    expect((await report()).periods.at(-1)!.missing).toEqual([{ from: 3, to: 4, isPassedOver: false }])
  })

  test('what an earlier pattern has given is passed over, and said', async () => {
    const { give, report, change } = await begin({ pattern: 'C{YYYY}{SEQ}', reset: 'never' })
    await give()
    await change({ pattern: 'C{YYYY}{SEQ}', reset: 'yearly' })
    const second = await give()
    const [yearly] = (await report()).periods
    expect(yearly).toMatchObject({ issued: 1, first: second.number, missing: [{ from: 1, to: 1, isPassedOver: true }] })
  })

  test('what one pattern passed over stays so when the next one comes', async () => {
    const { give, report, change } = await begin({ pattern: 'D{YYYY}{SEQ}', reset: 'never' })
    await give()
    await change({ pattern: 'D{YYYY}{SEQ}', reset: 'yearly' })
    const second = await give()
    await change({ pattern: 'E{YYYY}-{SEQ}', reset: 'yearly' })
    const third = await give()
    const [yearly] = (await report()).periods
    expect(yearly).toMatchObject({
      issued: 2,
      first: second.number,
      last: third.number,
      missing: [{ from: 1, to: 1, isPassedOver: true }],
    })
  })

  test('however many an earlier pattern has given, they are passed over; the next number is the one that then comes', async () => {
    const { own, give, report, change } = await begin({ pattern: 'G{YYYY}-{SEQ}', reset: 'yearly' })
    const year = (await give()).number!.slice(1, 5)
    const numberOf = (sequence: number) => `G${year}-${sequence}`
    // As if 119 more had been issued: copies of the first.
    // The app's role makes drafts only.
    await withMaintenanceClient(database, 'running', async (client) => {
      for (const table of ['invoices', 'issued_invoices'])
        await client.query(`alter table ${table} no force row level security`)
      await client.query(
        `with copies as (select gen_random_uuid() as id, place from generate_series(2, 120) as place),
        made as (
          insert into invoices select (jsonb_populate_record(invoices, jsonb_build_object(
            'id', copies.id, 'number', $1::text || place))).*
          from invoices, copies where organization_id = $2::uuid returning id)
        insert into issued_invoices select (jsonb_populate_record(issued_invoices, jsonb_build_object(
          'invoice_id', copies.id, 'number', $1::text || place, 'sequence', place))).*
        from issued_invoices, copies where organization_id = $2::uuid and (select count(*) from made) > 0`,
        [`G${year}-`, own.id],
      )
      for (const table of ['invoices', 'issued_invoices'])
        await client.query(`alter table ${table} force row level security`)
    })
    await app.db.asApp({ organizationIds: [own.id] }, async (tx) => {
      await sql`update number_counters set last_sequence = 120 where organization_id = ${own.id}`.execute(tx)
    })
    expect(await report()).toMatchObject({ next: numberOf(121), periods: [{ issued: 120, missing: [] }] })
    await change({ pattern: 'G{YYYY}-{SEQ}', reset: 'never' })
    expect((await report()).next).toBe(numberOf(121))
    expect((await give()).number).toBe(numberOf(121))
    const { next, periods } = await report()
    expect(next).toBe(numberOf(122))
    expect(periods.find(({ period }) => period === '')).toMatchObject({
      issued: 1,
      first: numberOf(121),
      missing: [{ from: 1, to: 120, isPassedOver: true }],
    })
  })

  test('credit notes are numbered as the organization says, before the first of them and after; left out, it stays', async () => {
    const { own, give } = await begin({ pattern: 'S{SEQ}', reset: 'never' })
    const path = `/organizations/${own.id}`
    const noted = async () => {
      const invoice = await give()
      const headers = { 'if-match': `"${invoice.version}"` }
      const asked = { body: { id: uuidv7() }, headers }
      const { body } = await ann.send('POST', `${path}/invoices/${invoice.id}/credit-notes`, asked)
      return (await issue(ann, body)).number
    }
    const change = async (more: object) => {
      const { body } = await ann.send('GET', path)
      const headers = { 'if-match': `"${body.version}"` }
      return ann.send('PUT', path, { body: { ...body, ...more }, headers })
    }
    expect((await ann.send('GET', path)).body.creditNoteNumbering).toEqual({
      pattern: 'CN-{YYYY}-{SEQ:4}',
      reset: 'yearly',
    })
    await change({ creditNoteNumbering: { pattern: 'K{SEQ:3}', reset: 'never' } })
    expect(await noted()).toBe('K001')
    const renamed = await change({ name: 'Other Works', creditNoteNumbering: undefined })
    expect(renamed.body.creditNoteNumbering).toEqual({ pattern: 'K{SEQ:3}', reset: 'never' })
    await change({ creditNoteNumbering: { pattern: 'L{SEQ:3}', reset: 'never' } })
    expect(await noted()).toBe('L002')
    // Each would pass over what the other has given.
    for (const same of [
      { creditNoteNumbering: { pattern: 'S{SEQ:4}' } },
      { numbering: { pattern: 'L{SEQ}', reset: 'never' }, creditNoteNumbering: undefined },
    ])
      expectProblem(await change(same), { status: 422, code: 'validation_failed' })
    const { body } = await ann.send('GET', `${path}/series`)
    expect(body.data).toMatchObject([
      { kind: 'credit-note', next: 'L003', periods: [{ issued: 2, first: 'K001', last: 'L002', missing: [] }] },
      { kind: 'invoice', next: 'S3' },
    ])
  })
})
