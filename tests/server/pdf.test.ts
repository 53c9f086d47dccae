import { createHash } from 'node:crypto'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { unzlibSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Invoice } from '#shared/contract/invoices.ts'
import { expectProblem, origin, startTestApp, verifiedActor, type Actor, type TestApp } from '#tests/support/app.ts'
import { issue, makeCustomer, makeInvoice, makeOrganization } from '#tests/support/builders.ts'
import { drawPdf, stopDrawing } from '#server/outgoing/pdf-drawing.ts'
import { engines, openFresh } from '#tests/support/database.ts'
import { brokenRules } from '#tests/support/e-invoice-rules.ts'
import { buyer, documentOf, line, seller } from '#tests/support/issued-documents.ts'

describe.each(engines)('the PDF of record on %s', (engine) => {
  let app: TestApp
  let ann: Actor
  beforeAll(async () => {
    app = await startTestApp(await openFresh(engine))
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

  test('is made when the invoice is issued, kept with its hash, and never another again', async () => {
    const organization = await makeOrganization(ann)
    const bob = await makeCustomer(ann, organization.id)
    const draft = await makeInvoice(ann, organization.id, bob.id)
    const none = await ann.send('GET', `/organizations/${organization.id}/invoices/${draft.id}/pdf`)
    expectProblem(none, { status: 409, code: 'invalid_transition' })
    const issued = await issue(ann, draft)
    // Nobody has asked for it.
    await vi.waitFor(async () => expect(await filesOf(issued)).toHaveLength(1), { timeout: 120_000 })
    const [file] = await filesOf(issued)
    const first = await fetchPdf(issued)
    expect(first.status).toBe(200)
    expect(first.headers.get('content-type')).toBe('application/pdf')
    expect(first.headers.get('content-disposition')).toBe(`attachment; filename="${issued.number}.pdf"`)
    expect(first.headers.get('x-docket')).toBe('1')
    expect(first.bytes.subarray(0, 5).toString()).toBe('%PDF-')
    expect(createHash('sha256').update(first.bytes).digest('hex')).toBe(file!.contentHash)

    await ann.send('PUT', `/organizations/${organization.id}`, {
      body: { ...organization, name: 'Other', paperSize: 'letter' },
      headers: { 'if-match': '"1"' },
    })
    expect(Buffer.compare((await fetchPdf(issued)).bytes, first.bytes)).toBe(0)
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
    const elsewhere = await makeOrganization(ann)
    expect(
      await app.db.asApp({ organizationIds: [elsewhere.id] }, (tx) =>
        tx.selectFrom('invoiceFiles').selectAll().execute(),
      ),
    ).toEqual([])
  })

  test('with Factur-X chosen it is a hybrid with the XML inside, beside what was drawn before', async () => {
    const organization = await makeOrganization(ann, { ...seller })
    const { id: _, ...customer } = buyer
    const bob = await makeCustomer(ann, organization.id, customer)
    const issued = await issue(ann, await makeInvoice(ann, organization.id, bob.id, { buyerReference: 'PO 7' }))
    const plain = await fetchPdf(issued)
    expect(plain.bytes.includes('factur-x.xml')).toBe(false)
    const chosen = await ann.send('PUT', `/organizations/${organization.id}`, {
      body: { ...organization, eInvoiceProfile: 'facturx' },
      headers: { 'if-match': '"1"' },
    })
    expect(chosen.status).toBe(200)
    const hybrid = await fetchPdf(issued)
    const file = /\/Type \/EmbeddedFile[^]*?\/Length (\d+)[^]*?stream\n/.exec(hybrid.bytes.toString('latin1'))!
    const from = file.index + file[0].length
    const inside = Buffer.from(unzlibSync(hybrid.bytes.subarray(from, from + Number(file[1])))).toString()
    const xml = await ann.send('GET', `/organizations/${organization.id}/invoices/${issued.id}/ubl.xml`)
    expect(inside).toBe(xml.text)
    expect(brokenRules(inside)).toEqual([])
    expect(inside).toContain(`<ram:GrandTotalAmount>${issued.gross.amount}</ram:GrandTotalAmount>`)
    expect((await filesOf(issued)).map(({ kind }) => kind).toSorted()).toEqual(['facturx', 'pdf'])
    expect(Buffer.compare((await fetchPdf(issued)).bytes, hybrid.bytes)).toBe(0)
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
    await drawPdf({ paper: paper(1), xmlOf: null })
    const delays = monitorEventLoopDelay({ resolution: 5 })
    delays.enable()
    const startedAt = performance.now()
    await drawPdf({ paper: paper(500), xmlOf: null })
    const tookMs = performance.now() - startedAt
    delays.disable()
    expect(delays.max / 1e6).toBeLessThan(tookMs / 3)
  })
  test('whose thread ends under it fails, and the next is drawn by another', async () => {
    const lost = drawPdf({ paper: paper(300), xmlOf: null })
    await Promise.all([expect(lost).rejects.toThrow('ended'), stopDrawing()])
    const content = await drawPdf({ paper: paper(1), xmlOf: paper(1).document })
    expect(Buffer.from(content).subarray(0, 5).toString()).toBe('%PDF-')
  })
})
