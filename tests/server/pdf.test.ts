import { createHash, randomBytes } from 'node:crypto'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { unzlibSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Invoice } from '#shared/contract/invoices.ts'
import type { Organization } from '#shared/contract/organizations.ts'
import { todayIn } from '#shared/dates.ts'
import { uuidv7 } from '#shared/ids.ts'
import { ciiXml } from '#documents/cii/cii.ts'
import { withMaintenanceClient, type Database } from '#server/db/database.ts'
import { repeatInvoices } from '#server/invoices/repeat.ts'
import { openQueue } from '#server/jobs/queue.ts'
import { startRunner } from '#server/jobs/runner.ts'
import { createLog } from '#server/log.ts'
import type { Attachment } from '#server/mail/queue.ts'
import { drawIssued } from '#server/outgoing/draw-issued.ts'
import { prepareMail } from '#server/outgoing/mail-attachments.ts'
import { expectProblem, origin, startTestApp, verifiedActor, type Actor, type TestApp } from '#tests/support/app.ts'
import { websiteLine } from '#tests/support/bodies.ts'
import { issue, makeCustomer, makeInvoice, makeOrganization, makeRecurring } from '#tests/support/builders.ts'
import { drawPdf, stopDrawing } from '#server/outgoing/pdf-drawing.ts'
import { engines, openFresh } from '#tests/support/database.ts'
import { brokenRules } from '#tests/support/e-invoice-rules.ts'
import { buyer, documentOf, line, seller } from '#tests/support/issued-documents.ts'
import { pdfTexts } from '#tests/support/pdf-text.ts'

const a4 = '0 0 595.28 841.89'

describe.each(engines)('the PDF of record on %s', (engine) => {
  let database: Awaited<ReturnType<typeof openFresh>>
  let app: TestApp
  let ann: Actor
  beforeAll(async () => {
    database = await openFresh(engine)
    app = await startTestApp(database)
    ann = await verifiedActor(app)
  })
  afterAll(() => app.db.close())

  async function fetchPdf({ organizationId, id }: Invoice) {
    const path = `${origin}/api/v1/organizations/${organizationId}/invoices/${id}/pdf`
    const answer = await app.fetch(new Request(path, { headers: { authorization: `Bearer ${ann.accessToken}` } }))
    return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) }
  }
  const filesOf = ({ organizationId, id }: Invoice) =>
    app.db.asApp({ organizationIds: [organizationId] }, (tx) =>
      tx.selectFrom('invoiceFiles').selectAll().where('invoiceId', '=', id).execute(),
    )

  const due = ({ organizationId }: Invoice) =>
    app.db.asJobs(async (tx) => {
      const rows = await tx.selectFrom('dueWork').select('kind').where('organizationId', '=', organizationId).execute()
      return rows.map(({ kind }) => kind)
    })
  /** Answers the next version. */
  async function choose(organization: Organization, choice: Partial<Organization>): Promise<number> {
    const { status, body } = await ann.send('PUT', `/organizations/${organization.id}`, {
      body: { ...organization, ...choice },
      headers: { 'if-match': `"${organization.version}"` },
    })
    expect(status).toBe(200)
    return body.version
  }
  const mediaBoxes = (pdf: Buffer) =>
    new Set([...pdf.toString('latin1').matchAll(/\/MediaBox \[([^\]]+)\]/g)].map(([, box]) => box))

  test('is made when the invoice is issued, kept with its hash, and never another again', async () => {
    const organization = await makeOrganization(ann)
    const bob = await makeCustomer(ann, organization.id)
    const draft = await makeInvoice(ann, organization.id, bob.id)
    const none = await ann.send('GET', `/organizations/${organization.id}/invoices/${draft.id}/pdf`)
    expectProblem(none, { status: 409, code: 'invalid_transition' })
    const issued = await issue(ann, draft)
    expect(issued).not.toHaveProperty('madeAs')
    // Chosen before it is drawn, and after it was issued.
    const version = await choose(organization, { name: 'Other', paperSize: 'letter', eInvoiceProfile: 'facturx' })
    expect(await due(issued)).toEqual(['documents'])
    await drawIssued(app.db, organization.id, app.nowMs())
    expect(await due(issued)).toEqual([])
    expect(await filesOf(issued)).toHaveLength(1)
    const [file] = await filesOf(issued)
    const first = await fetchPdf(issued)
    expect(first.status).toBe(200)
    expect(first.headers.get('content-type')).toBe('application/pdf')
    expect(first.headers.get('content-disposition')).toBe(`attachment; filename="${issued.number}.pdf"`)
    expect(first.headers.get('x-docket')).toBe('1')
    expect(first.bytes.subarray(0, 5).toString()).toBe('%PDF-')
    expect(createHash('sha256').update(first.bytes).digest('hex')).toBe(file!.contentHash)
    expect(mediaBoxes(first.bytes)).toEqual(new Set([a4]))
    expect(Buffer.compare((await fetchPdf(issued)).bytes, first.bytes)).toBe(0)
    expect(await filesOf(issued)).toHaveLength(1)
    await choose({ ...organization, version }, { paperSize: 'letter' })
    const later = await issue(ann, await makeInvoice(ann, organization.id, bob.id))
    expect(mediaBoxes((await fetchPdf(later)).bytes)).toEqual(new Set(['0 0 612 792']))
  })

  test('asked for before it is drawn: nobody waits for the drawing', async () => {
    const organization = await makeOrganization(ann)
    const bob = await makeCustomer(ann, organization.id)
    const lines = Array.from({ length: 300 }, () => ({ ...websiteLine, name: 'Πίτα und Brot' }))
    const issued = await issue(ann, await makeInvoice(ann, organization.id, bob.id, { lines }))
    const order: string[] = []
    const drawn = fetchPdf(issued).then(({ status }) => order.push(`pdf ${status}`))
    await ann.send('GET', `/organizations/${organization.id}`).then(({ status }) => order.push(`other ${status}`))
    await drawn
    expect(order).toEqual(['other 200', 'pdf 200'])
    expect(await filesOf(issued)).toHaveLength(1)
  })

  test('of a void one a copy is handed out that says so and asks nobody to pay; the record stays as it was issued', async () => {
    const iban = 'NL91ABNA0417164300'
    const organization = await makeOrganization(ann, { bank: { iban } })
    const bob = await makeCustomer(ann, organization.id)
    const issued = await issue(ann, await makeInvoice(ann, organization.id, bob.id))
    const path = `/organizations/${organization.id}/invoices/${issued.id}`
    const token = `i_${randomBytes(32).toString('base64url')}`
    const body = { tokenHash: createHash('sha256').update(token).digest('base64url') }
    expect((await ann.send('POST', `${path}/public-links`, { body })).status).toBe(201)
    const voided = await ann.send('POST', `${path}/void`, { headers: { 'if-match': `"${issued.version}"` } })
    expect(voided).toMatchObject({ status: 200, body: { status: 'void' } })
    // It was void before anybody drew it: the record is what was issued all the same.
    await drawIssued(app.db, organization.id, app.nowMs())
    const [file, ...others] = await filesOf(issued)
    expect(others).toEqual([])
    const said = (pdf: Uint8Array) => pdfTexts(pdf).join('')
    expect(said(file!.content)).toContain(iban.slice(0, 4))
    expect(said(file!.content)).not.toContain('VOID')
    const open = await app.fetch(new Request(`${origin}/api/v1/public/invoices/${token}/pdf`))
    for (const copy of [(await fetchPdf(issued)).bytes, Buffer.from(await open.arrayBuffer())]) {
      expect(said(copy)).toContain('VOID')
      expect(said(copy)).toContain(issued.number!)
      expect(said(copy)).not.toContain(iban.slice(0, 4))
    }
    expect(await filesOf(issued)).toEqual([file])
  })

  test('of a recurring invoice it is made as well, by the job that whoever issues notes', async () => {
    const organization = await makeOrganization(ann)
    const bob = await makeCustomer(ann, organization.id)
    const startsOn = todayIn(organization.timeZone, app.nowMs())
    const rule = await makeRecurring(ann, organization.id, bob.id, { startsOn, action: 'issue' })
    await repeatInvoices({ apiPublicUrl: origin, mailQueued: () => {} })(app.db, organization.id, app.nowMs())
    const path = `/organizations/${organization.id}`
    const { lastInvoiceId: id } = (await ann.send('GET', `${path}/recurring-invoices/${rule.id}`)).body
    const issued: Invoice = (await ann.send('GET', `${path}/invoices/${id}`)).body
    expect(issued.status).toBe('issued')
    // Here the process that issued is gone: what it left is the row that says what is due.
    expect(await filesOf(issued)).toEqual([])
    await choose(organization, { paperSize: 'letter' })
    const log = createLog({ write() {} })
    const queue = await openQueue(app.db, log)
    const runner = await startRunner({ db: app.db, queue, clock: app.nowMs, log, work: { documents: drawIssued } })
    await vi.waitFor(async () => expect(await due(issued)).not.toContain('documents'), { timeout: 120_000 })
    runner.stop()
    await queue.stop()
    const [file, ...others] = await filesOf(issued)
    expect(others).toEqual([])
    const { bytes } = await fetchPdf(issued)
    expect(mediaBoxes(bytes)).toEqual(new Set([a4]))
    expect(Buffer.compare(bytes, file!.content)).toBe(0)
  })

  test('one that cannot be drawn holds up no other, and stays due', async () => {
    const organization = await makeOrganization(ann)
    const bob = await makeCustomer(ann, organization.id)
    const both = [1, 2].map(async () => issue(ann, await makeInvoice(ann, organization.id, bob.id)))
    const issued = await Promise.all(both)
    let steps = 0
    const failing: Database = {
      ...app.db,
      // The first looks for what is due, the second is of the first invoice.
      asApp: async (scope, work) => {
        if ((steps += 1) === 2) throw new Error('The printer is on fire')
        return app.db.asApp(scope, work)
      },
    }
    await expect(drawIssued(failing, organization.id, app.nowMs())).rejects.toThrow('on fire')
    const drawn = async () => (await Promise.all(issued.map(filesOf))).flat().length
    expect(await drawn()).toBe(1)
    expect(await due(issued[0]!)).toEqual(['documents'])
    await Promise.all([1, 2].map(() => drawIssued(app.db, organization.id, app.nowMs())))
    expect(await drawn()).toBe(2)
    expect(await due(issued[0]!)).toEqual([])
  })

  test('the app’s role can neither change nor delete it', async () => {
    const organization = await makeOrganization(ann)
    const bob = await makeCustomer(ann, organization.id)
    const issued = await issue(ann, await makeInvoice(ann, organization.id, bob.id))
    await fetchPdf(issued)
    const scope = { organizationIds: [organization.id] }
    await expect(
      app.db.asApp(scope, (tx) => tx.updateTable('invoiceFiles').set({ contentHash: 'x' }).execute()),
    ).rejects.toMatchObject({ code: '42501' })
    await expect(app.db.asApp(scope, (tx) => tx.deleteFrom('invoiceFiles').execute())).rejects.toMatchObject({
      code: '42501',
    })
    const { organizationId, id: invoiceId } = issued
    const other = {
      kind: 'facturx',
      content: new Uint8Array([1]),
      contentHash: 'x',
      madeAt: '2000-01-01T00:00:00.000Z',
    }
    await expect(
      app.db.asApp(scope, (tx) =>
        tx
          .insertInto('invoiceFiles')
          .values({ organizationId, invoiceId, ...other })
          .execute(),
      ),
    ).rejects.toMatchObject({ code: '42501' })
    // Nor two at once.
    const undrawn = await issue(ann, await makeInvoice(ann, organization.id, bob.id))
    const both = (['pdf', 'facturx'] as const).map((kind) => ({
      ...other,
      organizationId,
      invoiceId: undrawn.id,
      kind,
    }))
    await expect(
      app.db.asApp(scope, (tx) => tx.insertInto('invoiceFiles').values(both).execute()),
    ).rejects.toMatchObject({ code: '42501' })
    const elsewhere = await makeOrganization(ann)
    expect(
      await app.db.asApp({ organizationIds: [elsewhere.id] }, (tx) =>
        tx.selectFrom('invoiceFiles').selectAll().execute(),
      ),
    ).toEqual([])
  })

  /** What an invoice that was issued with this profile goes out as: PDF and XML as they are answered, and what a mail takes along. */
  async function issuedAs(eInvoiceProfile: Organization['eInvoiceProfile']) {
    const organization = await makeOrganization(ann, { ...seller, eInvoiceProfile })
    const { id: _, ...customer } = buyer
    const bob = await makeCustomer(ann, organization.id, customer)
    const issued = await issue(ann, await makeInvoice(ann, organization.id, bob.id, { buyerReference: 'PO 7' }))
    const path = `/organizations/${organization.id}/invoices/${issued.id}`
    const xml = async (query = '') => (await ann.send('GET', `${path}/ubl.xml${query}`)).text
    const sent = async () => {
      const body = { to: `${uuidv7()}@example.com`, subject: 'Invoice', message: 'Here it is' }
      const { version } = (await ann.send('GET', path)).body
      const answer = await ann.send('POST', `${path}/send`, { body, headers: { 'if-match': `"${version}"` } })
      expect(answer.status).toBe(200)
      const mail = await app.db.asJobs((tx) =>
        tx.selectFrom('mails').selectAll().where('recipient', '=', body.to).executeTakeFirstOrThrow(),
      )
      const attachments = mail.attachments as unknown as Attachment[]
      const files = await prepareMail(app.db)(organization.id, { kind: 'invoice', attachments })
      return files!.map(({ content }) => content.toString('base64'))
    }
    const all = async () => ({
      pdf: (await fetchPdf(issued)).bytes.toString('base64'),
      xml: await xml(),
      sent: await sent(),
    })
    return { organization, issued, xml, all }
  }

  test('with Factur-X chosen it is a hybrid with the XML inside', async () => {
    const { issued, xml } = await issuedAs('facturx')
    const hybrid = await fetchPdf(issued)
    const file = /\/Type \/EmbeddedFile[^]*?\/Length (\d+)[^]*?stream\n/.exec(hybrid.bytes.toString('latin1'))!
    const from = file.index + file[0].length
    const inside = Buffer.from(unzlibSync(hybrid.bytes.subarray(from, from + Number(file[1])))).toString()
    expect(inside).toBe(await xml())
    expect(brokenRules(inside)).toEqual([])
    expect(inside).toContain(`<ram:GrandTotalAmount>${issued.gross.amount}</ram:GrandTotalAmount>`)
    expect((await filesOf(issued)).map(({ kind }) => kind).toSorted()).toEqual(['facturx', 'facturx.xml'])
  })

  test.each([
    ['none', ['pdf'], 'urn:cen.eu:en16931:2017</cbc'],
    ['en16931', ['en16931.xml', 'pdf'], 'urn:cen.eu:en16931:2017</cbc'],
    ['peppol', ['pdf', 'peppol.xml'], 'poacc:billing:3.0'],
    ['xrechnung', ['pdf', 'xrechnung.xml'], 'xrechnung_3.0'],
    ['facturx', ['facturx', 'facturx.xml'], 'CrossIndustryInvoice'],
  ] as const)(
    'issued as %s, PDF and XML are those of that day whatever is chosen later',
    async (profile, kinds, said) => {
      const { organization, issued, all } = await issuedAs(profile)
      const before = await all()
      expect(before.xml).toContain(said)
      expect(before.sent).toHaveLength(profile === 'none' || profile === 'facturx' ? 1 : 2)
      let { version } = organization
      for (const eInvoiceProfile of ['peppol', 'facturx', 'xrechnung', 'none', 'en16931'] as const) {
        version = await choose({ ...organization, version }, { eInvoiceProfile, paperSize: 'letter' })
        expect(await all()).toEqual(before)
      }
      const files = await filesOf(issued)
      expect(files.map(({ kind }) => kind).toSorted()).toEqual(kinds)
      for (const { content, contentHash } of files)
        expect(createHash('sha256').update(content).digest('hex')).toBe(contentHash)
    },
  )

  test('what an older build issued and froze nothing of is made as is chosen when it is first asked for, and stays so', async () => {
    const { organization, issued, xml } = await issuedAs('none')
    await withMaintenanceClient(database, 'running', async (client) => {
      for (const statement of [
        'alter table issued_invoices no force row level security',
        "update issued_invoices set content = content - 'madeAs'",
        'alter table issued_invoices force row level security',
      ])
        await client.query(statement)
    })
    const version = await choose(organization, { eInvoiceProfile: 'facturx', paperSize: 'letter' })
    expect(await xml()).toContain('CrossIndustryInvoice')
    const first = await fetchPdf(issued)
    expect(mediaBoxes(first.bytes)).toEqual(new Set(['0 0 612 792']))
    expect(first.bytes.includes('factur-x.xml')).toBe(true)
    await choose({ ...organization, version }, { eInvoiceProfile: 'peppol' })
    await drawIssued(app.db, organization.id, app.nowMs())
    expect(Buffer.compare((await fetchPdf(issued)).bytes, first.bytes)).toBe(0)
    expect((await filesOf(issued)).map(({ kind }) => kind)).toEqual(['facturx'])
  })

  test('an XML that was kept is answered as it is, however this build would write it', async () => {
    const { issued, xml } = await issuedAs('none')
    const content = new TextEncoder().encode('<Invoice>of an older build: Ä</Invoice>')
    const { organizationId, id: invoiceId } = issued
    const file = { organizationId, invoiceId, kind: 'peppol.xml', content, contentHash: '' }
    await app.db.asApp({ organizationIds: [organizationId] }, (tx) =>
      tx
        .insertInto('invoiceFiles')
        .values({ ...file, madeAt: new Date(app.nowMs()).toISOString() })
        .execute(),
    )
    expect(await xml('?profile=peppol')).toBe(new TextDecoder().decode(content))
    expect(await xml()).toContain('urn:cen.eu:en16931:2017</cbc')
    expect((await fetchPdf(issued)).bytes.subarray(0, 5).toString()).toBe('%PDF-')
  })

  test('asked for by several at once it is one', async () => {
    const organization = await makeOrganization(ann)
    const bob = await makeCustomer(ann, organization.id)
    const issued = await issue(ann, await makeInvoice(ann, organization.id, bob.id))
    const all = await Promise.all([1, 2, 3].map(() => fetchPdf(issued)))
    expect(new Set(all.map(({ bytes }) => bytes.toString('base64'))).size).toBe(1)
    expect(await filesOf(issued)).toHaveLength(1)
  })
})

describe('drawing', () => {
  const paper = (count: number) => {
    const document = documentOf({ lines: Array.from({ length: count }, () => line({ name: 'Πίτα und Brot' })) })
    return { document, seller, buyer, size: 'A4' as const }
  }
  test('leaves the server’s thread free: its longest wait is a small part of the time that it takes', async () => {
    await drawPdf({ paper: paper(1), xml: null })
    const delays = monitorEventLoopDelay({ resolution: 5 })
    delays.enable()
    const startedAt = performance.now()
    await drawPdf({ paper: paper(500), xml: null })
    const tookMs = performance.now() - startedAt
    delays.disable()
    expect(delays.max / 1e6).toBeLessThan(tookMs / 3)
  })
  test('whose thread ends under it fails, and the next is drawn by another', async () => {
    const lost = drawPdf({ paper: paper(300), xml: null })
    await Promise.all([expect(lost).rejects.toThrow('ended'), stopDrawing()])
    const content = await drawPdf({ paper: paper(1), xml: ciiXml(paper(1).document) })
    expect(Buffer.from(content).subarray(0, 5).toString()).toBe('%PDF-')
  })
})
