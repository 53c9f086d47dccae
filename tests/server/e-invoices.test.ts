import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Invoice } from '#shared/contract/invoices.ts'
import type { Organization } from '#shared/contract/organizations.ts'
import { uuidv7 } from '#shared/ids.ts'
import { withMaintenanceClient } from '#server/db/database.ts'
import { expectProblem, origin, startTestApp, verifiedActor, type Actor, type TestApp } from '#tests/support/app.ts'
import { issue, makeCustomer, makeInvoice, makeOrganization } from '#tests/support/builders.ts'
import { engines, openFresh } from '#tests/support/database.ts'
import { brokenRules } from '#tests/support/e-invoice-rules.ts'
import { buyer, seller } from '#tests/support/issued-documents.ts'
import { pdfTexts } from '#tests/support/pdf-text.ts'

const { id: _, ...customerFields } = buyer
const whole = { buyerReference: 'PO 7', supplyDate: '2026-11-10' }

describe.each(engines)('e-invoices on %s', (engine) => {
  let app: TestApp
  let ann: Actor
  let database: Awaited<ReturnType<typeof openFresh>>
  beforeAll(async () => {
    database = await openFresh(engine)
    app = await startTestApp(database)
    ann = await verifiedActor(app)
  })
  afterAll(() => app.db.close())
  const pathOf = ({ organizationId, id }: { organizationId: string; id: string }) =>
    `/organizations/${organizationId}/invoices/${id}`

  const choose = async ({ id }: { id: string }, eInvoiceProfile: string) => {
    const { body } = await ann.send('GET', `/organizations/${id}`)
    const headers = { 'if-match': `"${body.version}"` }
    const answer = await ann.send('PUT', `/organizations/${id}`, { body: { ...body, eInvoiceProfile }, headers })
    expect(answer.status).toBe(200)
  }
  const mailsOf = async (invoice: Invoice) => (await ann.send('GET', `${pathOf(invoice)}/mails`)).body
  /** Sends it, and answers what its mails say. */
  async function sent(invoice: Invoice) {
    const body = { to: 'bob@example.com', subject: 'Invoice', message: 'Here it is.' }
    const headers = { 'if-match': `"${invoice.version}"` }
    expect((await ann.send('POST', `${pathOf(invoice)}/send`, { body, headers })).status).toBe(200)
    return mailsOf(invoice)
  }
  const credit = async (invoice: Invoice): Promise<Invoice> => {
    const { status, body } = await ann.send('POST', `${pathOf(invoice)}/credit-notes`, {
      body: { id: uuidv7() },
      headers: { 'if-match': `"${invoice.version}"` },
    })
    expect({ status, body }).toMatchObject({ status: 201 })
    return body
  }
  const tryIssue = (draft: Invoice) =>
    ann.send('POST', `${pathOf(draft)}/issue`, { headers: { 'if-match': `"${draft.version}"` } })

  test('with a profile, issuing refuses with every field that is missing, takes no number, and issues when they are there', async () => {
    const organization = await makeOrganization(ann, { ...seller, eInvoiceProfile: 'peppol', endpoint: null })
    const bob = await makeCustomer(ann, organization.id, { ...customerFields, endpoint: null })
    const draft = await makeInvoice(ann, organization.id, bob.id)
    const headers = { 'if-match': '"1"' }
    const refused = await ann.send('POST', `${pathOf(draft)}/issue`, { headers })
    expectProblem(refused, { status: 422, code: 'validation_failed' })
    expect(refused.body.errors.map((error: { pointer: string }) => error.pointer)).toEqual([
      '/buyerReference',
      '/seller/endpoint',
      '/buyer/endpoint',
    ])
    const saved = await ann.send('PUT', `/organizations/${organization.id}`, {
      body: { ...organization, endpoint: seller.endpoint, eInvoiceProfile: undefined },
      headers,
    })
    // What was left out stayed.
    expect(saved.body).toMatchObject({ eInvoiceProfile: 'peppol', paperSize: 'A4', endpoint: seller.endpoint })
    await ann.send('PUT', `/organizations/${organization.id}/customers/${bob.id}`, {
      body: { ...bob, ...customerFields },
      headers,
    })
    const again = await makeInvoice(ann, organization.id, bob.id, whole)
    const issued = await issue(ann, again)
    expect(issued.number).toMatch(/0001$/)
    const xml = await ann.send('GET', `${pathOf(issued)}/ubl.xml`)
    expect(xml.status).toBe(200)
    expect(xml.headers.get('content-type')).toBe('application/xml')
    expect(xml.headers.get('content-disposition')).toBe(`attachment; filename="${issued.number}.xml"`)
    expect(xml.text).toContain('poacc:billing:3.0')
    expect(xml.text).toContain(`<cbc:PayableAmount currencyID="EUR">${issued.gross.amount}</cbc:PayableAmount>`)
    expect(brokenRules(xml.text)).toEqual([])
    const plain = await ann.send('GET', `${pathOf(issued)}/ubl.xml?profile=en16931`)
    expect(plain.text).toContain('<cbc:CustomizationID>urn:cen.eu:en16931:2017</cbc:CustomizationID>')
    expect(brokenRules(plain.text)).toEqual([])
  })

  test('without one issuing asks for no more, and the XML says what it lacks', async () => {
    const organization: Organization = await makeOrganization(ann)
    const bob = await makeCustomer(ann, organization.id)
    const draft = await makeInvoice(ann, organization.id, bob.id)
    expectProblem(await ann.send('GET', `${pathOf(draft)}/ubl.xml`), { status: 409, code: 'invalid_transition' })
    const issued = await issue(ann, draft)
    const answer = await ann.send('GET', `${pathOf(issued)}/ubl.xml`)
    expectProblem(answer, { status: 422, errors: [{ pointer: '/seller/vatNumber', detail: expect.any(String) }] })
    expectProblem(await ann.send('GET', `${pathOf(issued)}/ubl.xml?profile=zugferd`), { status: 422 })
    const dinars = await issue(ann, await makeInvoice(ann, organization.id, bob.id, { currency: 'KWD' }))
    const three = await ann.send('GET', `${pathOf(dinars)}/ubl.xml`)
    expectProblem(three, { status: 422, errors: [{ pointer: '/currency', detail: expect.stringContaining('KWD') }] })
    // What is void is not to be booked, and nothing in an XML would say so.
    await ann.send('POST', `${pathOf(dinars)}/void`, { headers: { 'if-match': `"${dinars.version}"` } })
    expectProblem(await ann.send('GET', `${pathOf(dinars)}/ubl.xml`), { status: 409, code: 'invalid_transition' })
  })

  describe.each(['en16931', 'peppol', 'facturx', 'xrechnung'])('a credit note as %s', (eInvoiceProfile) => {
    const invoiced = async (): Promise<Invoice> => {
      const { id } = await makeOrganization(ann, { ...seller, eInvoiceProfile })
      const bob = await makeCustomer(ann, id, customerFields)
      return issue(ann, await makeInvoice(ann, id, bob.id, whole))
    }
    /** Its XML keeps every rule, says in whose favour it is, and names the invoice with its date. */
    const expectXml = async (note: Invoice, { number, issueDate }: Invoice) => {
      const { status, text } = await ann.send('GET', `${pathOf(note)}/ubl.xml`)
      expect({ status, text }).toMatchObject({ status: 200 })
      expect(brokenRules(text)).toEqual([])
      expect(text).toMatch(/<(cbc:Note|ram:Description)>In favour of the buyer</)
      const named =
        eInvoiceProfile === 'facturx'
          ? `<ram:InvoiceReferencedDocument><ram:IssuerAssignedID>${number}</ram:IssuerAssignedID><ram:FormattedIssueDateTime><qdt:DateTimeString format="102">${issueDate!.replaceAll('-', '')}</qdt:DateTimeString></ram:FormattedIssueDateTime></ram:InvoiceReferencedDocument>`
          : `<cac:BillingReference><cac:InvoiceDocumentReference><cbc:ID>${number}</cbc:ID><cbc:IssueDate>${issueDate}</cbc:IssueDate></cac:InvoiceDocumentReference></cac:BillingReference>`
      expect(text.replaceAll(/>\s+</g, '><')).toContain(named)
    }

    test('of the whole is issued without a due date, and names its invoice in the XML, the PDF and on the public page', async () => {
      const invoice = await invoiced()
      const { number, issueDate } = invoice
      const draft = await credit(invoice)
      expect(draft).toMatchObject({ dueDate: null, termsDays: null })
      const note = await issue(ann, draft)
      for (const each of [draft, note]) expect(each.creditedInvoice).toEqual({ id: invoice.id, number, issueDate })
      await expectXml(note, invoice)
      const request = new Request(`${origin}/api/v1${pathOf(note)}/pdf`, {
        headers: { authorization: `Bearer ${ann.accessToken}` },
      })
      const pdf = pdfTexts(new Uint8Array(await (await app.fetch(request)).arrayBuffer()))
      expect(pdf).toEqual(expect.arrayContaining([note.number, '€917.18', `Corrects invoice ${number}`]))
      const token = `note-${note.id}`
      const body = { tokenHash: createHash('sha256').update(token).digest('base64url') }
      expect((await ann.send('POST', `${pathOf(note)}/public-links`, { body })).status).toBe(201)
      expect((await app.send('GET', `/api/v1/public/invoices/${token}`)).text).toContain(`Corrects invoice ${number}`)
    })

    test('of a part, and of the rest', async () => {
      const invoice = await invoiced()
      const { totals: _, ...draft } = await credit(invoice)
      const { body: half } = await ann.send('PUT', pathOf(draft), {
        body: { ...draft, lines: [{ ...draft.lines[0], quantity: '1' }] },
        headers: { 'if-match': '"1"' },
      })
      const notes = [await issue(ann, half), await issue(ann, await credit(invoice))]
      expect(notes.map(({ gross }) => gross.amount)).toEqual(['458.59', '458.59'])
      for (const note of notes) await expectXml(note, invoice)
    })
  })

  test('what was issued is told as it was frozen', async () => {
    const organization = await makeOrganization(ann, { ...seller })
    const bob = await makeCustomer(ann, organization.id, customerFields)
    const issued = await issue(ann, await makeInvoice(ann, organization.id, bob.id, whole))
    const before = await ann.send('GET', `${pathOf(issued)}/ubl.xml?profile=peppol`)
    expect(before.status).toBe(200)
    const headers = { 'if-match': '"1"' }
    await ann.send('PUT', `/organizations/${organization.id}`, {
      body: { ...organization, name: 'Other', legalName: 'Other' },
      headers,
    })
    const after = await ann.send('GET', `${pathOf(issued)}/ubl.xml?profile=peppol`)
    expect(after.text).toBe(before.text)
  })

  describe.each(['peppol', 'xrechnung'])('a private customer of an organization with %s', (eInvoiceProfile) => {
    const draftFor = async (more: object) => {
      const { id } = await makeOrganization(ann, { ...seller, eInvoiceProfile })
      const bob = await makeCustomer(ann, id, { ...customerFields, kind: 'person', ...more })
      return makeInvoice(ann, id, bob.id)
    }

    test('without an e-invoice address gets an invoice and a credit note without XML, and whoever sends them is told why', async () => {
      const invoice = await issue(ann, await draftFor({ endpoint: null }))
      const note = await issue(ann, await credit(invoice))
      for (const each of [invoice, note]) {
        const why = ['The customer is a private person without an e-invoice address']
        expect((await mailsOf(each)).withoutXml).toEqual(why)
        expect(await sent(each)).toMatchObject({ withoutXml: why, data: [{ kind: 'invoice', hasXml: false }] })
        const refused = await ann.send('GET', `${pathOf(each)}/ubl.xml?profile=${eInvoiceProfile}`)
        expect(refused.body.errors).toContainEqual(expect.objectContaining({ pointer: '/buyer/endpoint' }))
        // Asked for by hand it is a copy of the plain standard.
        expect((await ann.send('GET', `${pathOf(each)}/ubl.xml`)).text).toContain(
          '<cbc:CustomizationID>urn:cen.eu:en16931:2017</cbc:CustomizationID>',
        )
      }
    })

    test('with one is held to the profile as a business is', async () => {
      const { endpoint } = buyer
      const refused = await tryIssue(await draftFor({ endpoint }))
      expectProblem(refused, { status: 422, errors: [{ pointer: '/buyerReference', detail: expect.any(String) }] })
    })
  })

  describe('a credit note under a profile that was chosen since', () => {
    const invoiced = async (more: object, content: object, eInvoiceProfile: string) => {
      const organization = await makeOrganization(ann, { ...seller, eInvoiceProfile: 'none' })
      const bob = await makeCustomer(ann, organization.id, { ...customerFields, ...more })
      const invoice = await issue(ann, await makeInvoice(ann, organization.id, bob.id, content))
      await choose(organization, eInvoiceProfile)
      return { bob, invoice }
    }
    const saveCustomer = async (bob: { id: string; version: number }, { organizationId }: Invoice, more: object) => {
      const answer = await ann.send('PUT', `/organizations/${organizationId}/customers/${bob.id}`, {
        body: { ...bob, ...more },
        headers: { 'if-match': `"${bob.version}"` },
      })
      expect(answer.status).toBe(200)
    }

    test.each(['peppol', 'xrechnung'])('%s: what the invoice lacks, it need not have', async (profile) => {
      const { invoice } = await invoiced({ endpoint: null }, {}, profile)
      const note = await issue(ann, await credit(invoice))
      const why = ['The invoice that it corrects lacks what the e-invoice profile needs']
      expect(await sent(note)).toMatchObject({ withoutXml: why, data: [{ hasXml: false }] })
    })

    test('where it has all that by now, it goes out with its XML', async () => {
      const { bob, invoice } = await invoiced({ endpoint: null }, whole, 'peppol')
      await saveCustomer(bob, invoice, customerFields)
      const note = await issue(ann, await credit(invoice))
      expect(await sent(note)).toMatchObject({ withoutXml: [], data: [{ hasXml: true }] })
    })

    test('where the invoice has it all, it is held to the profile', async () => {
      const { bob, invoice } = await invoiced({}, whole, 'peppol')
      await saveCustomer(bob, invoice, { endpoint: null })
      const refused = await tryIssue(await credit(invoice))
      expectProblem(refused, { status: 422, errors: [{ pointer: '/buyer/endpoint', detail: expect.any(String) }] })
    })

    test.each(['peppol', 'xrechnung'])(
      '%s: where the invoice has it all, and its customer is a private person since, it is held to the profile as well',
      async (profile) => {
        const { bob, invoice } = await invoiced({}, whole, profile)
        await saveCustomer(bob, invoice, { kind: 'person', endpoint: null })
        const refused = await tryIssue(await credit(invoice))
        expectProblem(refused, { status: 422, errors: [{ pointer: '/buyer/endpoint', detail: expect.any(String) }] })
      },
    )

    test('amounts of three decimals, which no e-invoice can have, can be taken back', async () => {
      const { invoice } = await invoiced({}, { ...whole, currency: 'KWD' }, 'facturx')
      expect((await issue(ann, await credit(invoice))).number).toMatch(/0001$/)
    })
  })

  describe('a mail without the XML', () => {
    async function issuedAs(eInvoiceProfile: string, more: object = {}) {
      const organization = await makeOrganization(ann, { ...seller, eInvoiceProfile })
      const bob = await makeCustomer(ann, organization.id, { ...customerFields, ...more })
      return { organization, invoice: await issue(ann, await makeInvoice(ann, organization.id, bob.id, whole)) }
    }

    test('issued before the profile was chosen: it says so before and after it is sent, and not where nobody wants one', async () => {
      const { organization, invoice } = await issuedAs('none')
      expect((await mailsOf(invoice)).withoutXml).toEqual([])
      await choose(organization, 'peppol')
      const why = ['It was issued before an e-invoice profile was chosen']
      expect((await mailsOf(invoice)).withoutXml).toEqual(why)
      expect(await sent(invoice)).toMatchObject({ withoutXml: why, data: [{ kind: 'invoice', hasXml: false }] })
    })

    test.each([
      ['peppol', true],
      // It is inside the PDF.
      ['facturx', false],
    ])('issued as %s: the customer has it, and nothing is to be said', async (profile, hasXml) => {
      const { invoice } = await issuedAs(profile)
      expect(await sent(invoice)).toMatchObject({ withoutXml: [], data: [{ hasXml }] })
    })

    test('issued by an older build, and what the profile of today wants is not there: each is named', async () => {
      const { organization, invoice } = await issuedAs('none', { endpoint: null })
      await withMaintenanceClient(database, 'running', async (client) => {
        for (const statement of [
          'alter table issued_invoices no force row level security',
          "update issued_invoices set content = content - 'madeAs'",
          'alter table issued_invoices force row level security',
        ])
          await client.query(statement)
      })
      await choose(organization, 'peppol')
      const { withoutXml, data } = await sent(invoice)
      expect(withoutXml).toEqual([expect.stringContaining('e-invoice address')])
      expect(data).toMatchObject([{ hasXml: false }])
    })
  })
})
