import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Organization } from '#shared/contract/organizations.ts'
import { expectProblem, startTestApp, verifiedActor, type Actor, type TestApp } from '#tests/support/app.ts'
import { itemBody } from '#tests/support/bodies.ts'
import { makeItem, makeOrganization } from '#tests/support/builders.ts'
import { engines, openFresh } from '#tests/support/database.ts'

describe.each(engines)('items on %s', (engine) => {
  let app: TestApp
  let ann: Actor
  let organization: Organization
  let base: string
  beforeAll(async () => {
    app = await startTestApp(await openFresh(engine))
    ann = await verifiedActor(app)
    organization = await makeOrganization(ann)
    base = `/organizations/${organization.id}/items`
  })
  afterAll(() => app.db.close())

  test('the smallest body makes one; the same again is 200, something else under its id 409', async () => {
    const body = itemBody({ unitPrice: '85.50' })
    const made = await ann.send('POST', base, { body })
    const blank = { sku: null, unit: 'C62', currency: null, taxMode: 'net', vat: { category: 'S', rate: '0' } }
    expect(made).toMatchObject({ status: 201, body: { ...body, ...blank, unitPrice: '85.5', version: 1 } })
    expect((await ann.send('POST', base, { body })).status).toBe(200)
    expectProblem(await ann.send('POST', base, { body: { ...body, unitPrice: '86' } }), {
      status: 409,
      code: 'id_taken',
    })
    expect(await ann.send('GET', `${base}/${body.id}`)).toMatchObject({ status: 200, body: made.body })
  })

  test('editing bumps version and revision; who comes second with the old version gets 412', async () => {
    const { id, revision } = await makeItem(ann, organization.id)
    const put = (unitPrice: string) =>
      ann.send('PUT', `${base}/${id}`, { body: { name: 'Hour', unitPrice }, headers: { 'if-match': '"1"' } })
    const saved = await put('90')
    expect(saved).toMatchObject({ status: 200, body: { name: 'Hour', unitPrice: '90', version: 2 } })
    expect(saved.body.revision).toBeGreaterThan(revision)
    expectProblem(await put('91'), { status: 412, code: 'stale' })
  })

  test('a deleted one is gone, and its id stays taken', async () => {
    const { id } = await makeItem(ann, organization.id)
    const headers = { 'if-match': '"1"' }
    expect((await ann.send('DELETE', `${base}/${id}`, { headers })).status).toBe(204)
    expectProblem(await ann.send('GET', `${base}/${id}`), { status: 404 })
    expectProblem(await ann.send('DELETE', `${base}/${id}`, { headers }), { status: 404 })
    expectProblem(await ann.send('POST', base, { body: itemBody({ id }) }), { status: 409 })
  })

  test.each([
    ['no name', { name: ' ' }, '/name'],
    ['no price', { unitPrice: '' }, '/unitPrice'],
    ['a price below nothing', { unitPrice: '-1' }, '/unitPrice'],
    ['a price with seven places', { unitPrice: '1.0000001' }, '/unitPrice'],
    ['a unit that is no code', { unit: 'hours' }, '/unit'],
    ['VAT on what bears none', { vat: { category: 'E', rate: '21' } }, '/vat/rate'],
  ])('refuses %s at the field', async (_, more, pointer) => {
    expectProblem(await ann.send('POST', base, { body: itemBody(more) }), {
      status: 422,
      errors: [{ pointer, detail: expect.any(String) }],
    })
  })

  test('a list is sorted by name, and searched by name, article number and description', async () => {
    const { id } = await makeOrganization(ann)
    await makeItem(ann, id, { name: 'Tap', sku: 'T-100' })
    await makeItem(ann, id, { name: 'bend', description: 'Copper, 15 mm' })
    await makeItem(ann, id, { name: 'Ångström' })
    const names = async (query: string) => {
      const { body } = await ann.send('GET', `/organizations/${id}/items?${query}`)
      return body.data.map(({ name }: { name: string }) => name)
    }
    expect(await names('')).toEqual(['Ångström', 'bend', 'Tap'])
    expect(await names('sort=-name&limit=2')).toEqual(['Tap', 'bend'])
    expect(await names('q=t-100')).toEqual(['Tap'])
    expect(await names('q=copper')).toEqual(['bend'])
  })
})
