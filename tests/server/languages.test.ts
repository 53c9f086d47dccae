// Whose language it is: a mail's its reader's, a document's its customer's, chosen before it is issued and frozen with it.
import { createHash, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Customer } from '#shared/contract/customers.ts'
import type { Invoice } from '#shared/contract/invoices.ts'
import { uuidv7 } from '#shared/ids.ts'
import { expectProblem, startTestApp, verifiedActor, type Actor, type TestApp } from '#tests/support/app.ts'
import { customerBody, invoiceBody } from '#tests/support/bodies.ts'
import { issue, makeCustomer, makeInvoice, makeOrganization } from '#tests/support/builders.ts'
import { engines, openFresh } from '#tests/support/database.ts'
import { password } from '#tests/support/people.ts'

describe.each(engines)('languages on %s', (engine) => {
  let app: TestApp
  let ann: Actor
  beforeAll(async () => {
    app = await startTestApp(await openFresh(engine))
    ann = await verifiedActor(app)
  })
  afterAll(() => app.db.close())
  const pathOf = ({ organizationId, id }: Invoice) => `/organizations/${organizationId}/invoices/${id}`
  const version = ({ version }: { version: number }) => ({ 'if-match': `"${version}"` })
  const mailsTo = (recipient: string) =>
    app.db.asJobs((tx) => tx.selectFrom('mails').selectAll().where('recipient', '=', recipient).execute())

  test('a draft takes its customer’s, else that of the organization’s locale; what was chosen for it stays', async () => {
    const { id } = await makeOrganization(ann, { locale: 'de-AT' })
    const plain = await makeCustomer(ann, id)
    const english = await makeCustomer(ann, id, { language: 'en' })
    expect(plain).toMatchObject({ language: null })
    expect(await makeInvoice(ann, id, plain.id)).toMatchObject({ language: 'de' })
    const draft = await makeInvoice(ann, id, english.id)
    expect(draft).toMatchObject({ language: 'en' })
    expect(await makeInvoice(ann, id, english.id, { language: 'de' })).toMatchObject({ language: 'de' })
    const { id: _, ...edit } = invoiceBody(english.id, { language: 'de' })
    const saved = await ann.send('PUT', pathOf(draft), { body: edit, headers: version(draft) })
    expect(saved.body).toMatchObject({ language: 'de' })
    const refused = await ann.send('PUT', pathOf(draft), {
      body: { ...edit, language: 'fr' },
      headers: version(saved.body as Invoice),
    })
    expectProblem(refused, { status: 422, code: 'validation_failed' })
    expect(refused.body.errors).toMatchObject([{ pointer: '/language' }])
  })

  test('an edit that says no language leaves the customer’s: an older build kept it on a device', async () => {
    const { id } = await makeOrganization(ann)
    const bob = await makeCustomer(ann, id, { language: 'de' })
    const path = `/organizations/${id}/customers/${bob.id}`
    const { id: _, ...edit } = customerBody({ name: 'Bob & Son' })
    const saved = (await ann.send('PUT', path, { body: edit, headers: version(bob) })).body as Customer
    expect(saved).toMatchObject({ name: 'Bob & Son', language: 'de' })
    const cleared = await ann.send('PUT', path, { body: { ...edit, language: null }, headers: version(saved) })
    expect(cleared.body).toMatchObject({ language: null })
  })

  test('what is issued keeps its own: page, PDF, mail, reason and credit note are in it whatever the customer speaks later', async () => {
    const organization = await makeOrganization(ann, { locale: 'en-GB', vatNumber: 'NL123456789B01' })
    const bob = await makeCustomer(ann, organization.id, { language: 'de', email: 'bob@example.com' })
    const reversed = { name: 'Website', quantity: '2', unitPrice: '617.25', vat: { category: 'AE', rate: '0' } }
    const invoice = await issue(ann, await makeInvoice(ann, organization.id, bob.id, { lines: [reversed] }))
    expect(invoice).toMatchObject({
      language: 'de',
      vat: [{ reason: 'Steuerschuldnerschaft des Leistungsempfängers' }],
    })
    const { id: _, ...edit } = customerBody({ language: 'en' })
    const path = `/organizations/${organization.id}/customers/${bob.id}`
    expect((await ann.send('PUT', path, { body: edit, headers: version(bob) })).status).toBe(200)

    const token = `i_${randomBytes(32).toString('base64url')}`
    const tokenHash = createHash('sha256').update(token).digest('base64url')
    await ann.send('POST', `${pathOf(invoice)}/public-links`, { body: { tokenHash } })
    const { text } = await app.send('GET', `/api/v1/public/invoices/${token}`, { headers: { 'accept-language': 'en' } })
    expect(text).toContain('<html lang="de"')
    expect(text).toContain('Rechnungsdatum')
    expect(text).toContain('1.234,50\u00a0€')
    expect(text).not.toMatch(/Issue date|Total|Download/)

    const body = { to: 'bob@example.com', subject: 'Rechnung', message: 'Guten Tag' }
    const sent = await ann.send('POST', `${pathOf(invoice)}/send`, { body, headers: version(invoice) })
    expect(sent.status).toBe(200)
    const [mail] = await mailsTo('bob@example.com')
    expect(mail!.bodyHtml).toContain('<html lang="de"')
    expect(mail!.bodyHtml).toContain('Rechnung ansehen')
    const note = await ann.send('POST', `${pathOf(invoice)}/credit-notes`, {
      body: { id: uuidv7() },
      headers: version(sent.body as Invoice),
    })
    expect(note).toMatchObject({ status: 201, body: { language: 'de' } })
  })

  test('a quote is in its customer’s: page and mail; its sender is told of the answer in the organization’s', async () => {
    const organization = await makeOrganization(ann, { locale: 'de-DE' })
    const bob = await makeCustomer(ann, organization.id, { language: 'en' })
    const base = `/organizations/${organization.id}/quotes`
    const draft = await ann.send('POST', base, { body: invoiceBody(bob.id) })
    expect(draft).toMatchObject({ status: 201, body: { language: 'en' } })
    const { id: _, ...edit } = { ...invoiceBody(bob.id), language: 'de', validUntil: null }
    const path = `${base}/${draft.body.id}`
    const edited = await ann.send('PUT', path, { body: edit, headers: version(draft.body) })
    expect(edited).toMatchObject({ status: 200, body: { language: 'de' } })
    const to = `${uuidv7()}@example.com`
    const body = { to, subject: 'Angebot', message: 'Guten Tag' }
    const sent = await ann.send('POST', `${path}/send`, { body, headers: version(edited.body) })
    expect(sent).toMatchObject({ status: 200, body: { language: 'de', status: 'sent' } })
    const [mail] = await mailsTo(to)
    expect(mail!.bodyHtml).toContain('<html lang="de"')
    expect(mail!.bodyHtml).toContain('Angebot ansehen und beantworten')
    const [, token] = /quotes\/(q_[\w-]+)/.exec(mail!.bodyText)!
    const { text } = await app.send('GET', `/api/v1/public/quotes/${token}`, { headers: { 'accept-language': 'en' } })
    expect(text).toContain('<html lang="de"')
    expect(text).toContain('Angebot annehmen')
    expect(text).not.toMatch(/Valid until|Total|Download|Your name/)
    const answer = { answer: 'accepted', name: 'Bob', edition: 1 }
    expect((await app.send('POST', `/api/v1/public/quotes/${token}/answer`, { body: answer })).status).toBe(204)
    // What is made of it speaks it too, whatever the customer's own is.
    const accepted = (await ann.send('GET', path)).body
    const made = await ann.send('POST', `${path}/invoices`, { body: { id: uuidv7() }, headers: version(accepted) })
    expect(made).toMatchObject({ status: 201, body: { language: 'de' } })
    const told = await mailsTo(ann.email)
    expect(told.map(({ subject }) => subject)).toContain(`Angebot ${sent.body.number} wurde angenommen`)
  })

  test('a link that shows nothing says so in the reader’s', async () => {
    const path = `/api/v1/public/invoices/i_${randomBytes(32).toString('base64url')}`
    const { text } = await app.send('GET', path, { headers: { 'accept-language': 'de-DE,en;q=0.5' } })
    expect(text).toContain('<html lang="de"')
    expect(text).toContain('Dieser Link zeigt nichts')
    expect((await app.send('GET', path)).text).toContain('This link shows nothing')
  })

  test.each([
    ['de', 'Bestätigen Sie Ihre E-Mail für Docket', 'Guten Tag Jörg,'],
    ['fr', 'Verify your email for Docket', 'Hello Jörg,'],
  ])('mails about an account are in that of the call: %s', async (language, subject, hello) => {
    const email = `${uuidv7()}@example.com`
    const body = { name: 'Jörg', email, password }
    const headers = { 'accept-language': language }
    expect((await app.send('POST', '/api/v1/auth/register', { body, headers })).status).toBe(201)
    const [mail] = await mailsTo(email)
    expect(mail).toMatchObject({ subject })
    expect(mail!.bodyText.startsWith(hello)).toBe(true)
  })
})
