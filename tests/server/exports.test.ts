// Everything an organization has as one ZIP: what is in it, who may have it, and that a job that dies goes on where it was.
import { execFileSync, fork } from 'node:child_process'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { unzipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { csvRows } from '#documents/tables/csv.ts'
import type { Invoice } from '#shared/contract/invoices.ts'
import type { OrganizationExport } from '#shared/contract/exports.ts'
import { uuidv7 } from '#shared/ids.ts'
import { openDatabase, type Database } from '#server/db/database.ts'
import { makeExports } from '#server/exports/make.ts'
import { openQueue } from '#server/jobs/queue.ts'
import { startRunner } from '#server/jobs/runner.ts'
import { createLog } from '#server/log.ts'
import { expectProblem, startTestApp, verifiedActor, type Actor, type TestApp } from '#tests/support/app.ts'
import { remindersBody, websiteLine } from '#tests/support/bodies.ts'
import {
  issue,
  join,
  makeCustomer,
  makeInvoice,
  makeItem,
  makeOrganization,
  makeQuote,
  makeRecurring,
  moveQuote,
  recordPayment,
  saveLogo,
} from '#tests/support/builders.ts'
import { engines, freshDatabase, openFresh } from '#tests/support/database.ts'
import { copyDraft } from '#tests/support/many-invoices.ts'

const origin = 'http://localhost:8080'
const make = makeExports({ publicUrl: origin, mailQueued: () => {} })
const day = 24 * 60 * 60_000
type Lines = Record<string, string>[]

const byId = (list: { id: string }[]) => list.toSorted((a, b) => (a.id < b.id ? -1 : 1))

/** The files of the ZIP as text, PDFs as bytes. */
async function download(app: TestApp, actor: Actor, organizationId: string, exportId: string) {
  const answer = await app.fetch(
    new Request(`${origin}/api/v1/organizations/${organizationId}/exports/${exportId}/file`, {
      headers: { authorization: `Bearer ${actor.accessToken}` },
    }),
  )
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="export-\d{4}-\d\d-\d\d\.zip"$/)
  const zip = Buffer.from(await answer.arrayBuffer())
  // Another reader than the one whose library wrote it.
  const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'docket-zip-')), 'export.zip')
  fs.writeFileSync(file, zip)
  execFileSync('python3', [
    '-c',
    'import sys, zipfile; sys.exit(zipfile.ZipFile(sys.argv[1]).testzip() is not None)',
    file,
  ])
  const bytes = unzipSync(zip)
  const text = (name: string) => Buffer.from(bytes[name]!).toString('utf8')
  const table = (name: string) => {
    expect(text(name).startsWith('\u{feff}')).toBe(true)
    const { data, errors } = csvRows(text(name).slice(1).trimEnd().replaceAll('\r\n', '\n'), { delimiter: ',' })
    expect(errors).toEqual([])
    const [head = [], ...rows] = data
    return rows.map((row) => Object.fromEntries(head.map((column, at) => [column, row[at]!]))) satisfies Lines
  }
  return { names: Object.keys(bytes).toSorted(), bytes, table, json: (name: string) => JSON.parse(text(name)) }
}

async function ask(actor: Actor, organizationId: string): Promise<OrganizationExport> {
  const { status, body } = await actor.send('POST', `/organizations/${organizationId}/exports`, {
    body: { id: uuidv7() },
  })
  expect(status).toBe(201)
  return body
}

const read = async (actor: Actor, { organizationId, id }: OrganizationExport): Promise<OrganizationExport> =>
  (await actor.send('GET', `/organizations/${organizationId}/exports/${id}`)).body

describe.each(engines)('on %s', (engine) => {
  let app: TestApp
  let ann: Actor
  beforeAll(async () => {
    app = await startTestApp(await openFresh(engine))
    ann = await verifiedActor(app)
  })
  afterAll(() => app.db.close())

  test('holds every row as the API shows it, every PDF of record with its hash, and XML where the profile’s rules are kept', async () => {
    const organization = await makeOrganization(ann, {
      name: 'Works',
      eInvoiceProfile: 'en16931',
      vatNumber: 'NL001234567B01',
      address: { line1: 'Street 1', city: 'Delft', postalCode: '2611' },
    })
    const base = `/organizations/${organization.id}`
    const bob = await makeCustomer(ann, organization.id, {
      name: '=HYPERLINK("http://evil")',
      notes: 'two\nlines; "quoted"',
    })
    await makeCustomer(ann, organization.id, { name: 'Ångström, Łódź', phone: '+31 6 1234' })
    await makeItem(ann, organization.id, { name: 'Rabatt', unitPrice: '0.5', sku: '-1' })
    const back = { ...websiteLine, name: 'Returned', quantity: '-1', unitPrice: '12.5' }
    const first = await issue(ann, await makeInvoice(ann, organization.id, bob.id, { lines: [websiteLine, back] }))
    const second = await issue(
      ann,
      await makeInvoice(ann, organization.id, bob.id, {
        currency: 'JPY',
        lines: [{ ...websiteLine, unitPrice: '100' }],
      }),
    )
    await recordPayment(ann, first, '100.00')
    await makeInvoice(ann, organization.id, bob.id)
    const asked = await ask(ann, organization.id)
    expect(asked).toMatchObject({ state: 'waiting', done: 0, failures: 0 })
    await make(app.db, organization.id, app.nowMs())
    const ready = await read(ann, asked)
    const activity = byId((await ann.send('GET', `${base}/activity?limit=200`)).body.data)
    const rowsInAll = 9 + activity.length
    expect(ready).toMatchObject({ state: 'ready', total: rowsInAll, done: rowsInAll })
    expect(Date.parse(ready.expiresAt!) - app.nowMs()).toBeGreaterThan(6.9 * day)

    const zip = await download(app, ann, organization.id, asked.id)
    const rows = async (kind: string) =>
      (await ann.send('GET', `${base}/${kind}?limit=200`)).body.data as { id: string }[]
    expect(zip.json('customers.json')).toEqual(byId(await rows('customers')))
    expect(zip.json('items.json')).toEqual(byId(await rows('items')))
    expect(zip.json('payments.json')).toEqual(byId(await rows('payments')))
    const summaries = byId(await rows('invoices'))
    const whole = await Promise.all(
      summaries.map(async ({ id }) => (await ann.send('GET', `${base}/invoices/${id}`)).body),
    )
    expect(zip.json('invoices.json')).toEqual(whole)
    expect(zip.json('activity.json')).toEqual(activity)

    // The tables say the same: totals are the API's, a currency stands beside each amount, and nothing is a formula.
    expect(
      zip
        .table('invoices.csv')
        .map(({ Net, VAT, Gross, Currency, ...row }) => [row['Amount due'], Net, VAT, Gross, Currency]),
    ).toEqual(
      (whole as Invoice[]).map(({ net, tax, gross, amountDue, currency }) => [
        amountDue.amount,
        net.amount,
        tax.amount,
        gross.amount,
        currency,
      ]),
    )
    const [website, returned] = zip.table('invoice-lines.csv').filter(({ Number }) => Number === first.number)
    expect(website).toMatchObject({ Line: '1', Item: 'Website', Quantity: '2', 'Line net': '758.00', Currency: 'EUR' })
    expect(returned).toMatchObject({ Line: '2', Quantity: '-1', 'Line net': '-12.50' })
    expect(zip.table('invoice-vat.csv').find(({ Number }) => Number === first.number)).toMatchObject({
      Net: '745.50',
      VAT: '156.56',
    })
    expect(zip.table('invoice-payments.csv')).toEqual([
      expect.objectContaining({ Number: first.number, Amount: '100.00', Currency: 'EUR' }),
    ])
    expect(zip.table('payments.csv')).toEqual([expect.objectContaining({ Amount: '100.00', Invoices: first.number })])
    const customers = zip.table('customers.csv')
    expect(customers.map(({ Name }) => Name)).toEqual([`'=HYPERLINK("http://evil")`, 'Ångström, Łódź'])
    expect(customers[0]).toMatchObject({ Notes: 'two\nlines; "quoted"' })
    expect(customers[1]).toMatchObject({ Phone: "'+31 6 1234" })
    expect(zip.table('items.csv')).toEqual([expect.objectContaining({ 'Item number': '-1', 'Unit price': '0.5' })])

    const documents = zip.table('documents.csv')
    expect(documents.map(({ Number }) => Number)).toEqual([first.number, second.number])
    for (const [index, { id }] of [first, second].entries()) {
      const { PDF: pdf, XML: xml, ...row } = documents[index]!
      const content = zip.bytes[pdf!]!
      expect(createHash('sha256').update(content).digest('hex')).toBe(row['SHA-256 of the PDF'])
      const kept = await app.db.asApp({ organizationIds: [organization.id] }, (tx) =>
        tx
          .selectFrom('invoiceFiles')
          .select('contentHash')
          .where('invoiceId', '=', id)
          .where('kind', '=', 'pdf')
          .executeTakeFirstOrThrow(),
      )
      expect(row['SHA-256 of the PDF']).toBe(kept.contentHash)
      expect(xml! in zip.bytes || row['Why there is no XML'] !== '').toBe(true)
    }
    expect(documents[0]!['XML']).toBe(`documents/${first.number}.xml`)
    expect(Buffer.from(zip.bytes[`documents/${first.number}.xml`]!).toString()).toBe(
      (await ann.send('GET', `${base}/invoices/${first.id}/ubl.xml`)).text,
    )
    expect(zip.json('organization.json')).toMatchObject({
      organization: { id: organization.id, name: 'Works' },
      rows: rowsInAll,
    })

    const mail = await app.db.asJobs((tx) =>
      tx.selectFrom('mails').selectAll().where('kind', '=', 'export').where('recipient', '=', ann.email).execute(),
    )
    expect(mail.map(({ subject }) => subject)).toEqual(['Your export of Works is ready'])
    expect(mail[0]!.bodyText).toContain(`${origin}/organization/${organization.id}/data`)
    expect(mail[0]!.bodyText).not.toContain(asked.id)
  })

  test('holds what else an organization keeps: quotes, recurring invoices, reminders, mails, members, the logo', async () => {
    const { id } = await makeOrganization(ann)
    const base = `/organizations/${id}`
    const bob = await makeCustomer(ann, id, { email: 'bob@example.com' })
    const quote = await moveQuote(ann, await makeQuote(ann, id, bob.id), 'issue')
    const rule = await makeRecurring(ann, id, bob.id)
    const headers = { 'if-match': '"1"' }
    const rules = await ann.send('PUT', `${base}/reminders`, { body: remindersBody(), headers })
    expect(rules.status).toBe(200)
    const logo = await saveLogo(ann, id)
    const invoice = await issue(ann, await makeInvoice(ann, id, bob.id))
    const mailed = await ann.send('POST', `${base}/invoices/${invoice.id}/send`, {
      body: { to: 'bob@example.com', subject: 'Invoice', message: 'Here it is.', withXml: false },
      headers: { 'if-match': `"${invoice.version}"` },
    })
    expect(mailed.status).toBe(200)
    const offered = await ann.send('POST', `${base}/quotes/${quote.id}/send`, {
      body: { to: 'bob@example.com', subject: 'Quote', message: 'Here it is.' },
      headers: { 'if-match': `"${quote.version}"` },
    })
    expect(offered.status).toBe(200)
    const asked = await ask(ann, id)
    await make(app.db, id, app.nowMs())
    const zip = await download(app, ann, id, asked.id)
    expect(zip.json('quotes.json')).toEqual([(await ann.send('GET', `${base}/quotes/${quote.id}`)).body])
    expect(zip.json('recurring-invoices.json')).toEqual([rule])
    expect(zip.table('quotes.csv')).toMatchObject([
      {
        Number: quote.number,
        Status: 'sent',
        Customer: bob.name,
        Gross: quote.gross.amount,
        Currency: 'EUR',
        Invoice: '',
      },
    ])
    expect(zip.table('recurring-invoices.csv')).toMatchObject([
      { Customer: bob.name, Interval: rule.interval, Next: rule.nextOn, Gross: rule.gross.amount, ID: rule.id },
    ])
    expect(zip.json('mails.json')).toMatchObject([
      { invoiceId: invoice.id, quoteId: null, recipient: 'bob@example.com', kind: 'invoice', state: 'waiting' },
      { invoiceId: null, quoteId: quote.id, recipient: 'bob@example.com', kind: 'quote', state: 'waiting' },
    ])
    expect(zip.json('reminders.json')).toMatchObject({ enabled: true, steps: rules.body.steps })
    expect(zip.json('members.json')).toEqual((await ann.send('GET', `${base}/members`)).body.data)
    expect(JSON.stringify(zip.json('activity.json'))).toContain('issueInvoice')
    expect(createHash('sha256').update(zip.bytes['logo.png']!).digest('hex')).toBe(logo)
  })

  test('an empty organization’s export is whole as well', async () => {
    const { id } = await makeOrganization(ann)
    const asked = await ask(ann, id)
    await make(app.db, id, app.nowMs())
    const zip = await download(app, ann, id, asked.id)
    for (const kind of ['customers', 'items', 'invoices', 'payments', 'quotes', 'recurring-invoices']) {
      expect(zip.json(`${kind}.json`)).toEqual([])
      expect(zip.table(`${kind}.csv`)).toEqual([])
    }
  })

  test('is made in steps: cancelled between two nothing of it is left; asked for again it begins anew', async () => {
    const { id } = await makeOrganization(ann)
    await makeCustomer(ann, id)
    const asked = await ask(ann, id)
    const path = `/organizations/${id}/exports/${asked.id}`
    expectProblem(await ann.send('GET', `${path}/file`), { status: 404, code: 'not_found' })
    let steps = 0
    const interrupted: Database = {
      ...app.db,
      asApp: async (scope, work) => {
        if ((steps += 1) === 7) expect((await ann.send('DELETE', path)).status).toBe(204)
        return app.db.asApp(scope, work)
      },
    }
    await make(interrupted, id, app.nowMs())
    expect(steps).toBeGreaterThan(7)
    expectProblem(await ann.send('GET', path), { status: 404, code: 'not_found' })
    const left = await app.db.asApp({ organizationIds: [id] }, async (tx) => [
      ...(await tx.selectFrom('exportPieces').select('position').execute()),
      ...(await tx.selectFrom('exportFiles').select('position').execute()),
      ...(await tx.selectFrom('dueWork').select('kind').execute()),
    ])
    expect(left).toEqual([])
    const again = await ask(ann, id)
    await make(app.db, id, app.nowMs())
    expect((await download(app, ann, id, again.id)).json('customers.json')).toHaveLength(1)
  })

  test('broken off at any step, and gone on with by two at once: the file is the same', async () => {
    const { id } = await makeOrganization(ann)
    const bob = await makeCustomer(ann, id)
    const draft = await makeInvoice(ann, id, bob.id)
    await copyDraft(app, ann, draft, 240)
    await issue(ann, draft)
    const asked = await ask(ann, id)
    for (let most = 1; (await read(ann, asked)).state !== 'ready'; most = (most % 5) + 1) {
      let steps = 0
      const dying: Database = {
        ...app.db,
        asApp: (scope, work) =>
          app.db.asApp(scope, async (tx) => {
            const result = await work(tx)
            // Before the commit: what it wrote is gone.
            if ((steps += 1) > most) throw new Error('killed')
            return result
          }),
      }
      const tries = await Promise.allSettled([make(dying, id, app.nowMs()), make(dying, id, app.nowMs())])
      for (const each of tries) if (each.status === 'rejected') expect(each.reason).toEqual(new Error('killed'))
    }
    const acts = (await ann.send('GET', `/organizations/${id}/activity?limit=200`)).body.data.length
    expect(await read(ann, asked)).toMatchObject({ done: 243 + acts, total: 243 + acts })
    const zip = await download(app, ann, id, asked.id)
    const ids = zip.json('invoices.json').map((row: Invoice) => row.id)
    expect(new Set(ids).size).toBe(241)
    expect(ids).toHaveLength(241)
    expect(zip.table('invoices.csv')).toHaveLength(241)
    expect(zip.table('invoice-lines.csv')).toHaveLength(241)
    expect(zip.table('documents.csv')).toHaveLength(1)
    const mails = await app.db.asJobs((tx) =>
      tx.selectFrom('mails').select('id').where('organizationId', '=', id).where('kind', '=', 'export').execute(),
    )
    expect(mails).toHaveLength(1)
  })

  test('goes after a week, and three at most wait', async () => {
    const { id } = await makeOrganization(ann)
    const asked = await ask(ann, id)
    await ask(ann, id)
    await ask(ann, id)
    const fourth = await ann.send('POST', `/organizations/${id}/exports`, { body: { id: uuidv7() } })
    expectProblem(fourth, { status: 429, code: 'too_many_requests' })
    expect(fourth.headers.get('retry-after')).toBe('60')
    await make(app.db, id, app.nowMs())
    const list = async () => (await ann.send('GET', `/organizations/${id}/exports`)).body.data
    expect((await list()).map(({ state }: OrganizationExport) => state)).toEqual(['ready', 'ready', 'ready'])
    const due = () =>
      app.db.asJobs((tx) =>
        tx
          .selectFrom('dueWork')
          .select('dueAt')
          .where('organizationId', '=', id)
          .where('kind', '=', 'export')
          .execute(),
      )
    const { expiresAt } = await read(ann, asked)
    expect(await due()).toEqual([{ dueAt: expiresAt }])
    await make(app.db, id, app.nowMs() + 7.1 * day)
    expect(await list()).toEqual([])
    expect(await due()).toEqual([])
  })

  test('who is put out while downloading gets no more of it', async () => {
    const { id } = await makeOrganization(ann)
    const eve = await verifiedActor(app)
    await join(app.db, id, eve, 'accountant')
    await makeCustomer(ann, id)
    const asked = await ask(ann, id)
    await make(app.db, id, app.nowMs())
    const url = `${origin}/api/v1/organizations/${id}/exports/${asked.id}/file`
    const answer = await app.fetch(new Request(url, { headers: { authorization: `Bearer ${eve.accessToken}` } }))
    expect(answer.status).toBe(200)
    const reader = answer.body!.getReader()
    await reader.read()
    const { version } = (await ann.send('GET', `/organizations/${id}/members/${eve.userId}`)).body
    const out = await ann.send('DELETE', `/organizations/${id}/members/${eve.userId}`, {
      headers: { 'if-match': `"${version}"` },
    })
    expect(out.status).toBe(204)
    const rest = async () => {
      for (;;) if ((await reader.read()).done) return
    }
    await expect(rest()).rejects.toThrow('Not found')
  })
})

describe('several processes', () => {
  test('one is killed in the middle: another goes on, and it is done once', async () => {
    const { databaseUrl } = await freshDatabase('postgresql')
    const db = await openDatabase({ dataDir: '', databaseUrl })
    const app = await startTestApp(db)
    const ann = await verifiedActor(app)
    const { id } = await makeOrganization(ann)
    const bob = await makeCustomer(ann, id)
    await copyDraft(app, ann, await makeInvoice(ann, id, bob.id), 1200)
    const asked = await ask(ann, id)
    const quick = {
      retryLimit: 2,
      retryDelay: 1,
      expireInSeconds: 5,
      heartbeatSeconds: 10,
      superviseIntervalSeconds: 1,
      pollingIntervalSeconds: 0.5,
    }
    const child = fork('tests/support/exporting-job.ts', [databaseUrl!, JSON.stringify(quick)], { stdio: 'ignore' })
    const progress = async () => (await read(ann, asked)).done
    await vi.waitFor(async () => expect(await progress()).toBeGreaterThan(200), { timeout: 120_000, interval: 5 })
    child.kill('SIGKILL')
    const killedAt = await progress()
    expect(killedAt).toBeLessThan(1200)
    const log = createLog({ write() {} })
    const queue = await openQueue(db, log, quick)
    const runner = await startRunner({ db, queue, clock: Date.now, log, work: { export: make } })
    await vi.waitFor(async () => expect((await read(ann, asked)).state).toBe('ready'), {
      timeout: 60_000,
      interval: 100,
    })
    runner.stop()
    await queue.stop()
    const zip = await download(app, ann, id, asked.id)
    expect(new Set(zip.json('invoices.json').map((row: Invoice) => row.id)).size).toBe(1201)
    expect(zip.table('invoice-lines.csv')).toHaveLength(1201)
    await db.close()
  })
})
