// An invoice goes out by mail with its documents, and can be seen by whoever has its link and by nobody else.
import { createHash, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Invoice } from '#shared/contract/invoices.ts'
import { openQueue } from '#server/jobs/queue.ts'
import { createLog } from '#server/log.ts'
import { prepareMail } from '#server/outgoing/mail-attachments.ts'
import { startSender, type AttachedFile, type QueuedMail } from '#server/mail/sender.ts'
import { uuidv7 } from '#shared/ids.ts'
import { expectProblem, startTestApp, verifiedActor, type Actor, type TestApp } from '#tests/support/app.ts'
import { credit, issue, makeCustomer, makeInvoice, makeOrganization, recordPayment } from '#tests/support/builders.ts'
import { engines, openFresh } from '#tests/support/database.ts'
import { buyer, seller } from '#tests/support/issued-documents.ts'
import { epcPicture } from '#documents/pdf/epc-code.ts'

const { id: _, ...customerFields } = buyer
const words = { to: 'bob@example.com', subject: 'Invoice for November', message: 'Hello Bob,\n\nhere it is.\nAnn' }

describe.each(engines)('sending on %s', (engine) => {
  let app: TestApp
  let ann: Actor
  beforeAll(async () => {
    app = await startTestApp(await openFresh(engine))
    ann = await verifiedActor(app)
  })
  afterAll(() => app.db.close())
  const pathOf = ({ organizationId, id }: Invoice) => `/organizations/${organizationId}/invoices/${id}`
  const version = (invoice: Invoice) => ({ 'if-match': `"${invoice.version}"` })

  async function issued(more: object = {}): Promise<Invoice> {
    const organization = await makeOrganization(ann, { ...seller, ...more })
    const bob = await makeCustomer(ann, organization.id, customerFields)
    return issue(ann, await makeInvoice(ann, organization.id, bob.id, { buyerReference: 'PO 7' }))
  }

  /** The next mail to Bob, as it is handed over. */
  async function handedOver(): Promise<{ mail: QueuedMail; files: readonly AttachedFile[] }> {
    const done = Promise.withResolvers<{ mail: QueuedMail; files: readonly AttachedFile[] }>()
    const transport = {
      async send(mail: QueuedMail, files: readonly AttachedFile[]) {
        if (mail.recipient === words.to) done.resolve({ mail, files })
      },
      close() {},
    }
    const { db } = app
    const log = createLog({ write: () => {} })
    const queue = await openQueue(db, log)
    const sender = await startSender({ db, queue, transport, log, prepare: prepareMail(db) })
    try {
      return await done.promise
    } finally {
      sender.stop()
      await queue.stop()
    }
  }

  test('what waits to be mailed when its organization is closed goes to nobody', async () => {
    const invoice = await issued()
    const headers = { ...version(invoice), 'idempotency-key': uuidv7() }
    const body = { ...words, to: 'closed@example.com' }
    expect((await ann.send('POST', `${pathOf(invoice)}/send`, { body, headers })).status).toBe(200)
    const path = `/organizations/${invoice.organizationId}`
    const organization = (await ann.send('GET', path)).body
    const closing = { 'if-match': `"${organization.version}"`, 'idempotency-key': uuidv7() }
    expect((await ann.send('DELETE', path, { headers: closing })).status).toBe(204)
    const sent: string[] = []
    const { db } = app
    const log = createLog({ write: () => {} })
    const queue = await openQueue(db, log)
    const transport = { send: async ({ recipient }: QueuedMail) => void sent.push(recipient), close() {} }
    const sender = await startSender({ db, queue, transport, log, prepare: prepareMail(db) })
    const ended = () =>
      db.asJobs((tx) => tx.selectFrom('mails').select('endedAs').where('recipient', '=', body.to).executeTakeFirst())
    await expect.poll(ended).toEqual({ endedAs: 'withdrawn' })
    sender.stop()
    await queue.stop()
    expect(sent).not.toContain(body.to)
  })

  test('the mail holds the words, the PDF, the XML of the profile and a link; its row holds no document and forgets the words', async () => {
    const invoice = await issued({ eInvoiceProfile: 'peppol' })
    const headers = { ...version(invoice), 'idempotency-key': uuidv7() }
    const sent = await ann.send('POST', `${pathOf(invoice)}/send`, { body: words, headers })
    expect(sent).toMatchObject({ status: 200, body: { sentAt: expect.any(String), version: invoice.version + 1 } })
    // Repeated, it is the first answer and no second mail.
    expect((await ann.send('POST', `${pathOf(invoice)}/send`, { body: words, headers })).body).toEqual(sent.body)
    const queued = () =>
      app.db.asJobs((tx) => tx.selectFrom('mails').selectAll().where('recipient', '=', words.to).execute())
    expect(await queued()).toHaveLength(1)
    expect(JSON.stringify(await queued()).length).toBeLessThan(4000)

    const { mail, files } = await handedOver()
    expect(mail).toMatchObject({ subject: words.subject, replyTo: seller.contact.email, senderName: seller.name })
    expect(mail.bodyText).toContain('here it is.\nAnn')
    expect(mail.bodyHtml).toContain('here it is.<br>Ann')
    expect(files.map(({ filename }) => filename)).toEqual([`${invoice.number}.pdf`, `${invoice.number}.xml`])
    expect(files[0]!.content.subarray(0, 5).toString()).toBe('%PDF-')
    expect(files[1]!.content.toString()).toContain('poacc:billing:3.0')
    const link = /http\S+\/public\/invoices\/\S+/.exec(mail.bodyText)![0]
    const page = await app.send('GET', new URL(link).pathname)
    expect(page).toMatchObject({ status: 200, text: expect.stringContaining(invoice.number!) })
    const after = await queued()
    expect(after[0]).toMatchObject({ bodyText: '', bodyHtml: '', sentAt: expect.any(String) })
    const token = link.split('/').at(-1)!
    const links = await app.db.asAuth((tx) => tx.selectFrom('publicLinks').selectAll().execute())
    expect(JSON.stringify([links, after, await ann.send('GET', pathOf(invoice))])).not.toContain(token)
    expect(app.logged()).not.toContain('here it is')
  })

  test.each([
    ['en', 'Credit note', 'View the credit note', 'Invoice', 'View the invoice'],
    ['de', 'Rechnungskorrektur', 'Rechnungskorrektur ansehen', 'Rechnung', 'Rechnung ansehen'],
  ])('the mail of a credit note says that it is one, in %s', async (language, title, view, ofInvoice, viewInvoice) => {
    const organization = await makeOrganization(ann, seller)
    const bob = await makeCustomer(ann, organization.id, customerFields)
    const invoice = await issue(ann, await makeInvoice(ann, organization.id, bob.id, { language }))
    const asked = { body: { id: uuidv7() }, headers: version(invoice) }
    const note = await issue(ann, (await ann.send('POST', `${pathOf(invoice)}/credit-notes`, asked)).body)
    const htmlOf = async (document: Invoice) => {
      const to = `${document.type}-${language}@example.com`
      const sent = await ann.send('POST', `${pathOf(document)}/send`, {
        body: { ...words, to },
        headers: version(document),
      })
      expect(sent.status).toBe(200)
      const mails = await app.db.asJobs((tx) =>
        tx.selectFrom('mails').select('bodyHtml').where('recipient', '=', to).execute(),
      )
      return mails[0]!.bodyHtml
    }
    const corrected = (await ann.send('GET', pathOf(invoice))).body
    const [credit, original] = [await htmlOf(note), await htmlOf(corrected)]
    expect(credit).toContain(`<title>${title}</title>`)
    expect(credit).toContain(`>${view}</a>`)
    expect(original).toContain(`<title>${ofInvoice}</title>`)
    expect(original).toContain(`>${viewInvoice}</a>`)
  })

  test('a draft is not sent, a stale version neither, and not without words', async () => {
    const invoice = await issued()
    const send = (sent: object, target = invoice) => ann.send('POST', `${pathOf(target)}/send`, sent)
    expectProblem(await send({ body: words }), { status: 428 })
    expectProblem(await send({ body: words, headers: { 'if-match': '"1"' } }), { status: 412, code: 'stale' })
    const bad = await send({ body: { to: 'bob', subject: '', message: '' }, headers: version(invoice) })
    expectProblem(bad, { status: 422 })
    expect(bad.body.errors.map((each: { pointer: string }) => each.pointer)).toEqual(['/to', '/subject', '/message'])
    const draft = await makeInvoice(ann, invoice.organizationId, null)
    expectProblem(await send({ body: words, headers: version(draft) }, draft), { status: 409 })
    const { sentAt } = (await ann.send('GET', pathOf(invoice))).body
    expect(sentAt).toBeNull()
  })

  test('200 mails of one organization in an hour are enough', async () => {
    const invoice = await issued()
    const { organizationId, id: invoiceId } = invoice
    const row = {
      organizationId,
      invoiceId,
      kind: 'invoice',
      recipient: 'x@example.com',
      ownRecipient: true,
      sentBy: ann.userId,
    }
    const sentAt = new Date(app.nowMs()).toISOString()
    await app.db.asApp({ organizationIds: [organizationId] }, (tx) =>
      tx
        .insertInto('invoiceMails')
        .values(Array.from({ length: 200 }, () => ({ ...row, id: uuidv7(), sentAt })))
        .execute(),
    )
    const refused = await ann.send('POST', `${pathOf(invoice)}/send`, { body: words, headers: version(invoice) })
    expectProblem(refused, { status: 429, code: 'too_many_requests' })
    expect(refused.headers.get('retry-after')).toBe('600')
  })

  describe('the public page', () => {
    const fresh = () => `i_${randomBytes(32).toString('base64url')}`
    const hash = (token: string) => createHash('sha256').update(token).digest('base64url')
    const page = (token: string, rest = '') => `/api/v1/public/invoices/${token}${rest}`
    async function linked(): Promise<{ invoice: Invoice; token: string }> {
      const invoice = await issued()
      const token = fresh()
      const made = await ann.send('POST', `${pathOf(invoice)}/public-links`, { body: { tokenHash: hash(token) } })
      expect(made.status).toBe(201)
      return { invoice, token }
    }

    test('is readable without an account, by nobody’s search engine, and loads nothing', async () => {
      const { invoice, token } = await linked()
      const { status, headers, text } = await app.send('GET', page(token))
      expect(status).toBe(200)
      expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(headers.get('x-robots-tag')).toContain('noindex')
      expect(headers.get('referrer-policy')).toBe('no-referrer')
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('content-security-policy')).toContain("default-src 'none'")
      expect(headers.get('content-security-policy')).not.toContain('unsafe-inline')
      for (const shown of [invoice.number!, 'Bob the Baker', '€917.18', 'NL91 ABNA 0417 1643 00'])
        expect(text).toContain(shown)
      expect(text).not.toMatch(/(src|href)="(?!\/api\/v1\/public\/)/)
      const pdf = await app.send('GET', page(token, '/pdf'))
      expect([pdf.status, pdf.text.slice(0, 5)]).toEqual([200, '%PDF-'])
      // A link is as good as a key: the log names no link, and says which call it was.
      expect(app.logged()).not.toContain(token)
      expect(app.logged()).toContain('/public/invoices/…/pdf')
    })

    test('says what was paid, and how to pay only while something is due', async () => {
      const { invoice, token } = await linked()
      const shown = async () => (await app.send('GET', page(token))).text
      const iban = 'NL91 ABNA 0417 1643 00'
      expect(await shown()).not.toMatch(/Paid|Credited/)
      // What a banking app scans is what is left.
      const code = (amount: string) => {
        const { iban: account, bic, holder } = invoice.seller!.bank
        const transfer = {
          iban: account!,
          bic,
          holder: holder ?? invoice.seller!.legalName ?? '',
          amount,
          reference: invoice.number!,
        }
        return `<path d="${epcPicture(transfer).path}"/>`
      }
      expect(await shown()).toContain(code('917.18'))
      await recordPayment(ann, invoice, '100.00', { date: '2026-10-01' })
      expect(await shown()).toContain(code('817.18'))
      expect(await shown()).toContain('Paid €100.00 of €917.18: €817.18 is due.')
      expect(await shown()).toContain(iban)
      await recordPayment(ann, invoice, '817.18', { date: '2026-10-03' })
      expect(await shown()).toMatch(/Paid on .*Oct.* 2026: there is nothing to pay\./)
      expect(await shown()).not.toContain(iban)
      expect(await shown()).not.toContain('<svg')
      // What came last was money given back: paid it was before.
      await credit(ann, invoice, [{ ...invoice.lines[0], quantity: '1' }])
      await recordPayment(ann, invoice, '-458.59', { date: '2026-10-30' })
      expect(await shown()).toMatch(/Paid on 0?3 Oct.* 2026: there is nothing to pay\./)
      expect(await shown()).not.toMatch(/458\.59|30 Oct/)
      const credited = await linked()
      const asked = { body: { id: uuidv7() }, headers: version(credited.invoice) }
      await issue(ann, (await ann.send('POST', `${pathOf(credited.invoice)}/credit-notes`, asked)).body)
      const after = (await app.send('GET', page(credited.token))).text
      expect(after).toContain('Credited: there is nothing to pay.')
      expect(after).not.toContain(iban)
    })

    test('is seen when a person sees it: not when it is fetched or asked for its head', async () => {
      const { invoice, token } = await linked()
      await app.send('HEAD', page(token))
      await app.send('GET', page(token))
      expect((await app.send('HEAD', page(token, '/pdf'))).status).toBe(200)
      // As the organization's own people are led to it by the page.
      expect((await app.send('GET', page(token, '/pdf?own'))).status).toBe(200)
      expect((await ann.send('GET', pathOf(invoice))).body.viewedAt).toBeNull()
      expect((await app.send('POST', page(token, '/viewed'))).status).toBe(204)
      const { body: seen } = await ann.send('GET', pathOf(invoice))
      expect(seen).toMatchObject({ viewedAt: expect.any(String), version: invoice.version })
      expect(seen.revision).toBeGreaterThan(invoice.revision)
      app.pass(60_000)
      await app.send('POST', page(token, '/viewed'))
      expect((await ann.send('GET', pathOf(invoice))).body.viewedAt).toBe(seen.viewedAt)
    })

    test('is gone when its links are revoked, the same as one that never was', async () => {
      const { invoice, token } = await linked()
      const never = await app.send('GET', page(fresh()))
      expect((await ann.send('DELETE', `${pathOf(invoice)}/public-links`)).status).toBe(204)
      const gone = await app.send('GET', page(token))
      expect(gone.status).toBe(404)
      expect(gone.text).toBe(never.text)
      expect(gone.text).not.toContain(invoice.number!)
      expectProblem(await app.send('GET', page(token, '/pdf')), { status: 404 })
      expectProblem(await app.send('POST', page(token, '/viewed')), { status: 404 })
      // The same once more would be a link that opens nothing: it is refused, and so is another invoice's.
      const again = { body: { tokenHash: hash(token) } }
      expectProblem(await ann.send('POST', `${pathOf(invoice)}/public-links`, again), { status: 409, code: 'id_taken' })
      const other = await linked()
      const taken = { body: { tokenHash: hash(other.token) } }
      expectProblem(await ann.send('POST', `${pathOf(invoice)}/public-links`, taken), { status: 409, code: 'id_taken' })
      expect((await ann.send('POST', `${pathOf(other.invoice)}/public-links`, taken)).status).toBe(201)
      // What is kept opens nothing.
      expect((await app.send('GET', page(hash(token)))).status).toBe(404)
    })

    test('closes with its organization; a draft has none', async () => {
      const { invoice, token } = await linked()
      const draft = await makeInvoice(ann, invoice.organizationId, null)
      const body = { tokenHash: hash(fresh()) }
      expectProblem(await ann.send('POST', `${pathOf(draft)}/public-links`, { body }), { status: 409 })
      const headers = { 'if-match': '"1"' }
      expect((await ann.send('DELETE', `/organizations/${invoice.organizationId}`, { headers })).status).toBe(204)
      expect((await app.send('GET', page(token))).status).toBe(404)
    })
  })
})
