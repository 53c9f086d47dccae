import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { uuidv7 } from '#shared/ids.ts'
import type { Organization } from '#shared/contract/organizations.ts'
import { expectProblem, startTestApp, verifiedActor, type Actor, type TestApp } from '#tests/support/app.ts'
import { customerBody, invoiceBody } from '#tests/support/bodies.ts'
import { issue, makeCustomer, makeInvoice, makeOrganization } from '#tests/support/builders.ts'
import { engines, openFresh } from '#tests/support/database.ts'

describe.each(engines)('customers on %s', (engine) => {
  let app: TestApp
  let ann: Actor
  let organization: Organization
  let base: string
  beforeAll(async () => {
    app = await startTestApp(await openFresh(engine))
    ann = await verifiedActor(app)
    organization = await makeOrganization(ann)
    base = `/organizations/${organization.id}/customers`
  })
  afterAll(() => app.db.close())

  test('the smallest body makes one; the same again is 200, something else under its id 409', async () => {
    const body = customerBody()
    const made = await ann.send('POST', base, { body })
    expect(made).toMatchObject({ status: 201, body: { ...body, kind: 'business', version: 1, email: null } })
    expect((await ann.send('POST', base, { body })).status).toBe(200)
    expectProblem(await ann.send('POST', base, { body: { ...body, name: 'Rob' } }), { status: 409, code: 'id_taken' })
    expect(await ann.send('GET', `${base}/${body.id}`)).toMatchObject({ status: 200, body: made.body })
  })

  test('editing bumps version and revision; who comes second with the old version gets 412', async () => {
    const { id, revision } = await makeCustomer(ann, organization.id)
    const put = (name: string) =>
      ann.send('PUT', `${base}/${id}`, { body: { name, country: 'BE' }, headers: { 'if-match': '"1"' } })
    const saved = await put('Bob & Sons')
    expect(saved).toMatchObject({ status: 200, body: { name: 'Bob & Sons', country: 'BE', version: 2 } })
    expect(saved.body.revision).toBeGreaterThan(revision)
    expectProblem(await put('Too late'), { status: 412, code: 'stale' })
  })

  test('a new name shows in drafts, and not in what was issued', async () => {
    const customer = await makeCustomer(ann, organization.id, { name: 'Old Name' })
    const draft = await makeInvoice(ann, organization.id, customer.id)
    const issued = await issue(ann, await makeInvoice(ann, organization.id, customer.id))
    const body = { name: 'New Name', country: 'NL' }
    await ann.send('PUT', `${base}/${customer.id}`, { body, headers: { 'if-match': '"1"' } })
    const nameOf = async (id: string) =>
      (await ann.send('GET', `/organizations/${organization.id}/invoices/${id}`)).body.customerName
    expect([await nameOf(draft.id), await nameOf(issued.id)]).toEqual(['New Name', 'Old Name'])
  })

  test('deleting: not while drafts name it; then it is gone, and its id stays taken', async () => {
    const customer = await makeCustomer(ann, organization.id)
    const draft = await makeInvoice(ann, organization.id, customer.id)
    const headers = { 'if-match': '"1"' }
    expectProblem(await ann.send('DELETE', `${base}/${customer.id}`, { headers }), { status: 409, code: 'in_use' })
    await ann.send('DELETE', `/organizations/${organization.id}/invoices/${draft.id}`, { headers })
    expect((await ann.send('DELETE', `${base}/${customer.id}`, { headers })).status).toBe(204)
    expectProblem(await ann.send('GET', `${base}/${customer.id}`), { status: 404 })
    expectProblem(await ann.send('DELETE', `${base}/${customer.id}`, { headers }), { status: 404 })
    expectProblem(await ann.send('POST', base, { body: customerBody({ id: customer.id }) }), { status: 409 })
  })

  test('deleting and drafting at once: a draft never outlives its customer', async () => {
    for (let turn = 0; turn < 10; turn += 1) {
      const { id } = await makeCustomer(ann, organization.id)
      const draft = invoiceBody(id)
      const [deleted, drafted] = await Promise.all([
        ann.send('DELETE', `${base}/${id}`, { headers: { 'if-match': '"1"' } }),
        ann.send('POST', `/organizations/${organization.id}/invoices`, { body: draft }),
      ])
      expect([
        [204, 422],
        [409, 201],
      ]).toContainEqual([deleted.status, drafted.status])
    }
  })

  test('a page mark of another sort is refused', async () => {
    const own = await makeOrganization(ann)
    for (const name of ['A', 'B']) await makeCustomer(ann, own.id, { name })
    const { body } = await ann.send('GET', `/organizations/${own.id}/customers?limit=1`)
    const query = new URLSearchParams({ sort: '-updatedAt', cursor: body.page.nextCursor })
    const answer = await ann.send('GET', `/organizations/${own.id}/customers?${query}`)
    expectProblem(answer, { status: 422, errors: [{ pointer: '/query/cursor', detail: expect.any(String) }] })
  })

  test.each([
    ['no name', { name: '  ' }, '/name'],
    ['no such country', { country: 'EU' }, '/country'],
    ['an email that is none', { email: 'bob' }, '/email'],
    ['terms out of range', { termsDays: 9999 }, '/termsDays'],
    ['a NUL', { contactName: 'a\0b' }, '/contactName'],
    ['half a character', { notes: '\ud800' }, '/notes'],
  ])('refuses %s at the field', async (_, more, pointer) => {
    const answer = await ann.send('POST', base, { body: customerBody(more) })
    expectProblem(answer, { status: 422, errors: [{ pointer, detail: expect.any(String) }] })
  })

  test('a list is sorted without regard to case and accents, searched, and paged without gaps or doubles', async () => {
    const { id } = await makeOrganization(ann)
    const names = ['Zoë', 'adam', 'Ádám', 'Émile', 'emil', 'Bernd', 'ÖBB', 'Zoe', 'Čapek', 'capek']
    for (const name of names) await makeCustomer(ann, id, { name })
    const seen: string[] = []
    let cursor = ''
    do {
      const query = new URLSearchParams({ limit: '3', ...(cursor && { cursor }) })
      const { status, body } = await ann.send('GET', `/organizations/${id}/customers?${query}`)
      expect(status).toBe(200)
      seen.push(...body.data.map((each: { name: string }) => each.name))
      cursor = body.page.nextCursor
    } while (cursor)
    expect(seen).toHaveLength(names.length)
    expect(new Set(seen)).toEqual(new Set(names))
    const plain = (name: string) => name.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
    expect(seen.map(plain)).toEqual(seen.map(plain).toSorted())
    const found = await ann.send('GET', `/organizations/${id}/customers?q=CAPEK`)
    expect(found.body.data).toHaveLength(2)
    expect((await ann.send('GET', `/organizations/${id}/customers?q=%25`)).body.data).toEqual([])
  })

  test.each(['limit=0', 'limit=201', 'limit=x', 'cursor=nonsense', 'cursor=["a","b"]', 'sort=colour'])(
    'a list asked for with %s is 422 with a pointer into the query',
    async (query) => {
      const answer = await ann.send('GET', `${base}?${query}`)
      expectProblem(answer, {
        status: 422,
        errors: [{ pointer: `/query/${query.split('=')[0]}`, detail: expect.any(String) }],
      })
    },
  )

  test('the id of another organization’s customer is 404', async () => {
    const other = await makeOrganization(ann)
    const { id } = await makeCustomer(ann, other.id)
    expectProblem(await ann.send('GET', `${base}/${id}`), { status: 404 })
    expectProblem(await ann.send('GET', `${base}/${uuidv7()}`), { status: 404 })
    // Ids are unique in their organization: the same one here is another customer.
    expect((await ann.send('POST', base, { body: customerBody({ id }) })).status).toBe(201)
  })
})
