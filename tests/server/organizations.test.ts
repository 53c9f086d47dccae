import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { idempotentRequest } from '#server/http/idempotency.ts'
import { uuidv7 } from '#shared/ids.ts'
import { expectProblem, origin, startTestApp, verifiedActor, type Actor, type TestApp } from '#tests/support/app.ts'
import { customerBody, organizationBody } from '#tests/support/bodies.ts'
import { issue, makeCustomer, makeInvoice, makeOrganization } from '#tests/support/builders.ts'
import { engines, openFresh } from '#tests/support/database.ts'
import { pdfTexts } from '#tests/support/pdf-text.ts'

describe.each(engines)('organizations on %s', (engine) => {
  let app: TestApp
  let ann: Actor
  let outsider: Actor
  beforeAll(async () => {
    app = await startTestApp(await openFresh(engine))
    ann = await verifiedActor(app)
    outsider = await verifiedActor(app)
  })
  afterAll(() => app.db.close())

  test('the smallest body makes one: its maker owns it, everything else has a default', async () => {
    const body = organizationBody()
    const made = await ann.send('POST', '/organizations', { body })
    expect(made).toMatchObject({
      status: 201,
      body: {
        ...body,
        role: 'owner',
        version: 1,
        locale: 'en-GB',
        timeZone: 'Etc/UTC',
        vatRegime: 'standard',
        numbering: { pattern: 'INV-{YYYY}-{SEQ:4}', reset: 'yearly' },
        defaults: { termsDays: 14, taxMode: 'net' },
      },
    })
    expect(made.headers.get('etag')).toBe('"1"')
    expect(await ann.send('GET', `/organizations/${body.id}`)).toMatchObject({ status: 200, body: made.body })
    const { body: list } = await ann.send('GET', '/organizations')
    expect(list.data.map((each: { id: string }) => each.id)).toContain(body.id)
  })

  test('the same again is 200; the id with something else in it, or of somebody else, is 409', async () => {
    const body = organizationBody()
    expect((await ann.send('POST', '/organizations', { body })).status).toBe(201)
    expect((await ann.send('POST', '/organizations', { body })).status).toBe(200)
    const changed = { ...body, name: 'Other' }
    expectProblem(await ann.send('POST', '/organizations', { body: changed }), { status: 409, code: 'id_taken' })
    expectProblem(await outsider.send('POST', '/organizations', { body }), { status: 409, code: 'id_taken' })
  })

  test('ids that no path takes are refused', async () => {
    for (const id of ['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff', '', 'x'])
      expectProblem(await ann.send('POST', '/organizations', { body: organizationBody({ id }) }), {
        status: 422,
        errors: [{ pointer: '/id', detail: 'Must be a UUID' }],
      })
  })

  test('a locale with a calendar or digits of its own is refused at its field', async () => {
    for (const locale of ['en-GB-u-ca-islamic', 'ar-u-nu-arab', 'en-x-own', 'en_GB'])
      expectProblem(await ann.send('POST', '/organizations', { body: organizationBody({ locale }) }), {
        status: 422,
        errors: [{ pointer: '/locale', detail: 'Choose a language such as en-GB' }],
      })
    const body = organizationBody({ locale: 'sr-Latn-RS' })
    expect((await ann.send('POST', '/organizations', { body })).status).toBe(201)
  })

  test('a repeated key answers as the first call did; for another request it is 422', async () => {
    const body = organizationBody()
    const headers = { 'idempotency-key': uuidv7() }
    const first = await ann.send('POST', '/organizations', { body, headers })
    const again = await ann.send('POST', '/organizations', { body, headers })
    expect([first.status, again.status]).toEqual([201, 201])
    expect(again.body).toEqual(first.body)
    expect(again.headers.get('etag')).toBe('"1"')
    const other = await ann.send('POST', '/organizations', { body: organizationBody(), headers })
    expectProblem(other, { status: 422, code: 'idempotency_key_reused' })
    // What was sent counts, not what this build's contract makes of it: the next one may know the field.
    const more = await ann.send('POST', '/organizations', { body: { ...body, colour: 'blue' }, headers })
    expectProblem(more, { status: 422, code: 'idempotency_key_reused' })
    expectProblem(await ann.send('POST', '/organizations', { body, headers: { 'idempotency-key': 'no spaces' } }), {
      status: 400,
      code: 'invalid_idempotency_key',
    })
  })

  test('what an older contract took is answered as it was then, also where today’s would refuse it', async () => {
    const { id: organizationId } = await makeOrganization(ann)
    const key = uuidv7()
    const path = `/organizations/${organizationId}/customers`
    const body = { ...customerBody(), email: 'no address' }
    const ask = () => ann.send('POST', path, { body, headers: { 'idempotency-key': key } })
    expectProblem(await ask(), { status: 422, errors: [{ pointer: '/email', detail: expect.any(String) }] })
    // As if it had been taken: the key's request is this one.
    const valid = await ann.send('POST', path, { body: customerBody(), headers: { 'idempotency-key': key } })
    const request = new Request(`http://docket/api/v1${path}`, { method: 'POST', headers: { 'idempotency-key': key } })
    const { requestHash } = idempotentRequest({ request, bodyText: JSON.stringify(body) })!
    await app.db.asApp({ userId: ann.userId, organizationIds: [organizationId] }, (tx) =>
      tx
        .updateTable('idempotency')
        .set({ requestHash })
        .where('organizationId', '=', organizationId)
        .where('key', '=', key)
        .execute(),
    )
    expect(await ask()).toMatchObject({ status: 201, body: valid.body })
  })

  test('the same for an organization that is made', async () => {
    const headers = { 'idempotency-key': uuidv7() }
    const body = { ...organizationBody(), name: '' }
    const ask = () => ann.send('POST', '/organizations', { body, headers })
    expectProblem(await ask(), { status: 422, errors: [{ pointer: '/name', detail: expect.any(String) }] })
    const valid = await ann.send('POST', '/organizations', { body: organizationBody(), headers })
    expectProblem(await ask(), { status: 422, code: 'idempotency_key_reused' })
    const request = new Request('http://docket/api/v1/organizations', { method: 'POST', headers })
    const { requestHash } = idempotentRequest({ request, bodyText: JSON.stringify(body) })!
    await app.db.asApp({ userId: ann.userId }, (tx) =>
      tx.updateTable('userIdempotency').set({ requestHash }).where('key', '=', headers['idempotency-key']).execute(),
    )
    expect(await ask()).toMatchObject({ status: 201, body: valid.body })
  })

  test('inside an organization a key stands for one request; in another organization it is another key', async () => {
    const [first, second] = [await makeOrganization(ann), await makeOrganization(ann)]
    const headers = { 'idempotency-key': uuidv7() }
    const body = customerBody()
    const make = (organization: { id: string }, asked: object) =>
      ann.send('POST', `/organizations/${organization.id}/customers`, { body: asked, headers })
    const made = await make(first, body)
    const again = await make(first, body)
    expect([made.status, again.status, again.body]).toEqual([201, 201, made.body])
    const reused = { status: 422, code: 'idempotency_key_reused' } as const
    expectProblem(await make(first, { ...body, name: 'Other' }), reused)
    expectProblem(await make(first, { ...body, colour: 'blue' }), reused)
    const change = { body, headers: { ...headers, 'if-match': '"1"' } }
    expectProblem(await ann.send('PUT', `/organizations/${first.id}/customers/${body.id}`, change), reused)
    // Its rows lie apart (decision 018): done as asked, once there.
    const there = await make(second, body)
    expect(there).toMatchObject({ status: 201, body: { organizationId: second.id } })
    expect((await make(second, body)).body).toEqual(there.body)
  })

  test('editing wants the version it was based on', async () => {
    const { id, version: _, ...rest } = await makeOrganization(ann)
    const body = { ...rest, name: 'Ann & Daughters', bank: { iban: 'nl91 abna 0417 1643 00' } }
    expectProblem(await ann.send('PUT', `/organizations/${id}`, { body }), { status: 428, code: 'if_match_required' })
    const put = (etag: string) => ann.send('PUT', `/organizations/${id}`, { body, headers: { 'if-match': etag } })
    expectProblem(await put('"7"'), { status: 412, code: 'stale' })
    expectProblem(await put('"x"'), { status: 412, code: 'stale' })
    const saved = await put('W/"1"')
    expect(saved).toMatchObject({
      status: 200,
      body: { name: 'Ann & Daughters', version: 2, bank: { iban: 'NL91ABNA0417164300' } },
    })
    expect(saved.body.revision).toBeGreaterThan(rest.revision)
    expectProblem(await put('"1"'), { status: 412, code: 'stale' })
  })

  test.each([
    ['nothing', {}, ['/country', '/currency', '/id', '/name']],
    ['no such country', { country: 'XX' }, ['/country']],
    ['no such currency', { currency: 'EUX' }, ['/currency']],
    ['a wrong IBAN', { bank: { iban: 'NL91ABNA0417164301' } }, ['/bank/iban']],
    ['a pattern without a counter', { numbering: { pattern: 'INV' } }, ['/numbering/pattern']],
    [
      'credit notes numbered like invoices',
      { creditNoteNumbering: { pattern: 'INV-{YYYY}-{SEQ}' } },
      ['/creditNoteNumbering/pattern'],
    ],
    ['a pattern of quotes without a counter', { quoteNumbering: { pattern: 'Q' } }, ['/quoteNumbering/pattern']],
    ['a time zone of nowhere', { timeZone: 'Mars/Base' }, ['/timeZone']],
    ['an id that is none', { id: '1' }, ['/id']],
  ])('refuses %s with pointers', async (name, more, pointers) => {
    const answer = await ann.send('POST', '/organizations', { body: name === 'nothing' ? {} : organizationBody(more) })
    expectProblem(answer, { status: 422, code: 'validation_failed' })
    expect(answer.body.errors.map((error: { pointer: string }) => error.pointer).toSorted()).toEqual(pointers)
  })

  test('a tax number stands on what is issued from then on; a build that does not know of it leaves it as it is', async () => {
    const { version, ...own } = await makeOrganization(ann, { country: 'DE', taxNumber: ' 12/345/67890 ' })
    expect(own.taxNumber).toBe('12/345/67890')
    const { taxNumber: _, ...older } = own
    const put = (body: object, etag: number) =>
      ann.send('PUT', `/organizations/${own.id}`, { body, headers: { 'if-match': `"${etag}"` } })
    expect((await put(older, version)).body).toMatchObject({ version: 2, taxNumber: '12/345/67890' })
    const customer = await makeCustomer(ann, own.id)
    const invoice = await issue(ann, await makeInvoice(ann, own.id, customer.id))
    expect((await put({ ...own, taxNumber: '' }, 2)).body).toMatchObject({ version: 3, taxNumber: null })
    const path = `/organizations/${own.id}/invoices/${invoice.id}`
    expect((await ann.send('GET', path)).body.seller.taxNumber).toBe('12/345/67890')
    const headers = { authorization: `Bearer ${ann.accessToken}` }
    const pdf = await app.fetch(new Request(`${origin}/api/v1${path}/pdf`, { headers }))
    expect(pdfTexts(new Uint8Array(await pdf.arrayBuffer())).join(' ')).toContain('Tax number 12/345/67890')
  })

  test('an outsider gets 404 for everything in it, and does not see it in any list', async () => {
    const { id } = await makeOrganization(ann, { name: 'Secret Works' })
    const ids = { customer: uuidv7(), invoice: uuidv7() }
    const paths: [string, string][] = [
      ['GET', `/organizations/${id}`],
      ['PUT', `/organizations/${id}`],
      ['GET', `/organizations/${id}/dashboard`],
      ['GET', `/organizations/${id}/customers`],
      ['GET', `/organizations/${id}/customers/${ids.customer}`],
      ['DELETE', `/organizations/${id}/customers/${ids.customer}`],
      ['GET', `/organizations/${id}/invoices`],
      ['GET', `/organizations/${id}/invoices/${ids.invoice}`],
      ['POST', `/organizations/${id}/invoices/${ids.invoice}/issue`],
    ]
    for (const [method, path] of paths) {
      const body = method === 'PUT' ? { name: 'Mine now', country: 'NL', currency: 'EUR' } : undefined
      const answer = await outsider.send(method, path, { headers: { 'if-match': '"1"' }, ...(body && { body }) })
      expectProblem(answer, { status: 404, code: 'not_found' })
      expect(answer.text).not.toContain('Secret')
    }
    expect((await outsider.send('GET', '/organizations')).text).not.toContain(id)
    expectProblem(await ann.send('GET', '/organizations/not-an-id'), { status: 404 })
    expectProblem(await ann.send('GET', `/organizations/${uuidv7()}`), { status: 404 })
  })

  test('a role without the permission gets 403, and changes nothing', async () => {
    const { id, version } = await makeOrganization(ann)
    await app.db.asApp({ organizationIds: [id] }, (tx) =>
      tx
        .insertInto('memberships')
        .values({ organizationId: id, userId: outsider.userId, role: 'viewer', createdAt: new Date().toISOString() })
        .execute(),
    )
    expect((await outsider.send('GET', `/organizations/${id}`)).body).toMatchObject({ id, role: 'viewer' })
    const body = { name: 'Mine now', country: 'NL', currency: 'EUR' }
    const headers = { 'if-match': `"${version}"` }
    expectProblem(await outsider.send('PUT', `/organizations/${id}`, { body, headers }), {
      status: 403,
      code: 'forbidden',
    })
    const customer = { id: uuidv7(), name: 'Eve', country: 'NL' }
    expectProblem(await outsider.send('POST', `/organizations/${id}/customers`, { body: customer }), { status: 403 })
    expect((await ann.send('GET', `/organizations/${id}`)).body).toMatchObject({ name: 'Ann Works', version })
  })
})
