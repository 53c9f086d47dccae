// The changes feed: a device that follows it has what the server has, whoever writes meanwhile.
import type { KyselyPlugin } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Change, Changes } from '#shared/contract/changes.ts'
import type { Invoice } from '#shared/contract/invoices.ts'
import type { Organization } from '#shared/contract/organizations.ts'
import { findChanges } from '#server/changes/store.ts'
import type { Tx } from '#server/db/database.ts'
import { expectProblem, startTestApp, verifiedActor, type Actor, type TestApp } from '#tests/support/app.ts'
import { customerBody, invoiceBody } from '#tests/support/bodies.ts'
import { issue, makeCustomer, makeInvoice, makeOrganization } from '#tests/support/builders.ts'
import { engines, openFresh } from '#tests/support/database.ts'

describe.each(engines)('on %s', (engine) => {
  let app: TestApp
  let ann: Actor
  let organization: Organization
  beforeAll(async () => {
    app = await startTestApp(await openFresh(engine))
    ann = await verifiedActor(app)
  })
  afterAll(() => app.db.close())

  const path = (rest = '') => `/organizations/${organization.id}${rest}`
  async function ask(since: string, limit = 200): Promise<Changes> {
    const { status, body } = await ann.send('GET', path(`/changes?since=${since}&limit=${limit}`))
    expect(status).toBe(200)
    return body
  }
  /** Asks on until there is no more. */
  async function follow(since = '', limit = 200): Promise<{ told: Change[]; next: string; calls: number }> {
    const told: Change[] = []
    for (let calls = 1; ; calls += 1) {
      const { data, page } = await ask(since, limit)
      expect(data.length).toBeLessThanOrEqual(limit)
      told.push(...data)
      since = page.next
      if (!page.more) return { told, next: since, calls }
    }
  }
  const put = (path: string, version: number, body: object) =>
    ann.send('PUT', path, { body, headers: { 'if-match': `"${version}"` } })

  test('tells what was made, changed and deleted, whole, in the order in which it happened', async () => {
    organization = await makeOrganization(ann)
    const customer = await makeCustomer(ann, organization.id)
    const draft = await makeInvoice(ann, organization.id, customer.id)
    const first = await follow()
    const { data: members } = (await ann.send('GET', path('/members'))).body
    expect(first.told).toEqual([
      { kind: 'member', id: ann.userId, revision: 1, row: members[0] },
      { kind: 'customer', id: customer.id, revision: customer.revision, row: customer },
      { kind: 'invoice', id: draft.id, revision: draft.revision, row: draft },
    ])
    expect((await follow(first.next)).told).toEqual([])

    const issued = await issue(ann, draft)
    const gone = await makeCustomer(ann, organization.id)
    await ann.send('DELETE', path(`/customers/${gone.id}`), { headers: { 'if-match': '"1"' } })
    const second = await follow(first.next)
    expect(second.told).toEqual([
      { kind: 'invoice', id: issued.id, revision: issued.revision, row: issued },
      { kind: 'customer', id: gone.id, revision: expect.any(Number), row: null },
    ])
    expect(issued.seller).not.toBeNull()
  })

  test('rows that changed together are told whole however small the pages are', async () => {
    organization = await makeOrganization(ann)
    const customer = await makeCustomer(ann, organization.id)
    const drafts = await Promise.all(Array.from({ length: 7 }, () => makeInvoice(ann, organization.id, customer.id)))
    const before = await follow()
    // Renaming a customer renames it in its drafts: eight rows of one revision.
    await put(path(`/customers/${customer.id}`), 1, { ...customerBody(), name: 'Renamed' })
    for (const limit of [1, 2, 3, 200]) {
      const { told, calls } = await follow(before.next, limit)
      expect(told.map(({ id }) => id).toSorted()).toEqual([customer.id, ...drafts.map(({ id }) => id)].toSorted())
      expect(told[0]!.kind).toBe('customer')
      expect(new Set(told.map(({ revision }) => revision)).size).toBe(1)
      expect(calls).toBe(Math.ceil(8 / limit))
    }
  })

  test('of heavy invoices few at a time, and all of them in the end, drafts and issued ones', async () => {
    organization = await makeOrganization(ann)
    const customer = await makeCustomer(ann, organization.id)
    const line = { name: 'Work', quantity: '1', unitPrice: '1.00', vat: { category: 'S', rate: '21' } }
    const lines = Array.from({ length: 500 }, () => ({ ...line, description: 'again '.repeat(330).trim() }))
    const made: Invoice[] = []
    for (let each = 0; each < 8; each += 1) made.push(await makeInvoice(ann, organization.id, customer.id, { lines }))
    for (const draft of made.slice(0, 4)) await issue(ann, draft)
    const { told, calls } = await follow()
    expect(told.flatMap(({ kind, id }) => (kind === 'invoice' ? [id] : [])).toSorted()).toEqual(
      made.map(({ id }) => id).toSorted(),
    )
    // Four megabytes an answer.
    expect(calls).toBe(3)
  })

  test('says at the beginning how many rows there are, and later not', async () => {
    organization = await makeOrganization(ann)
    const customer = await makeCustomer(ann, organization.id)
    await makeInvoice(ann, organization.id, customer.id)
    const { page } = await ask('', 1)
    expect(page).toMatchObject({ total: 3, more: true })
    expect((await ask(page.next)).page).not.toHaveProperty('total')
  })

  test('a mark that is none is refused at its place; one from a future that was put back says so', async () => {
    organization = await makeOrganization(ann)
    for (const since of [
      'x',
      '1.invoice',
      '1.person.0190f0a0-0000-7000-8000-000000000000',
      '1.invoice.x',
      '-1',
      'x-1',
      '0123456-1',
      '0123456789-1',
      '9'.repeat(30),
    ]) {
      const answer = await ann.send('GET', path(`/changes?since=${since}`))
      expectProblem(answer, { status: 422 })
      expect(answer.body.errors[0].pointer).toBe('/query/since')
    }
    for (const since of ['999999', '01234567-1', '01234567-1.invoice.0190f0a0-0000-7000-8000-000000000000'])
      expectProblem(await ann.send('GET', path(`/changes?since=${since}`)), { status: 410, code: 'changes_lost' })
    expect((await ann.send('GET', path('/changes?since=0'))).status).toBe(200)
    for (const limit of [0, 501, 'x'])
      expectProblem(await ann.send('GET', path(`/changes?limit=${limit}`)), { status: 422 })
  })

  test('writers at once, a reader between them: nothing committed is ever skipped', async () => {
    organization = await makeOrganization(ann)
    const customers = await Promise.all(Array.from({ length: 4 }, () => makeCustomer(ann, organization.id)))
    let writing = true
    const copy = new Map<string, Change['row']>()
    let since = ''
    const catchUp = async () => {
      const { data, page } = await ask(since, 3)
      for (const { id, row } of data) {
        if (row === null) copy.delete(id)
        else copy.set(id, row)
      }
      since = page.next
      return page.more
    }
    const reader = (async () => {
      while (writing) await catchUp()
    })()
    await Promise.all(
      customers.map(async (customer, writer) => {
        let name = customer
        for (let turn = 0; turn < 12; turn += 1) {
          const draft = invoiceBody(customer.id)
          expect((await ann.send('POST', path('/invoices'), { body: draft })).status).toBe(201)
          if (turn % 3 === 0)
            await ann.send('POST', path(`/invoices/${draft.id}/issue`), { headers: { 'if-match': '"1"' } })
          if (turn % 3 === 1)
            await ann.send('DELETE', path(`/invoices/${draft.id}`), { headers: { 'if-match': '"1"' } })
          if (turn % 4 === 2) {
            const { body } = await put(path(`/customers/${customer.id}`), name.version, {
              ...customerBody(),
              name: `Customer ${writer} ${turn}`,
            })
            name = body
          }
        }
      }),
    )
    writing = false
    await reader
    while (await catchUp());
    const all = await follow()
    expect(Object.fromEntries(copy)).toEqual(
      Object.fromEntries(all.told.filter(({ row }) => row !== null).map(({ id, row }) => [id, row])),
    )
    const listed = (await ann.send('GET', path('/invoices?limit=200'))).body.data
    expect(listed.length).toBeGreaterThan(20)
    for (const { id, version, revision } of listed) expect(copy.get(id)).toMatchObject({ version, revision })
  })
})

test('what commits between the queries of one answer is told by the next, not skipped', async () => {
  const app = await startTestApp(await openFresh('postgresql'))
  const ann = await verifiedActor(app)
  const { id } = await makeOrganization(ann)
  await makeCustomer(ann, id)
  // Whoever looks at customers first and at invoices later would tell the invoice, go on behind it, and never tell its customer.
  let queries = 0
  const busy: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      queries += 1
      if (queries <= 3) await makeInvoice(ann, id, (await makeCustomer(ann, id)).id)
      return result
    },
  }
  const ask = (since: string) => (tx: Tx) => findChanges(tx, id, { since, limit: 100 }, '2026-01-01')
  const scope = { userId: ann.userId, organizationIds: [id] }
  const first = await app.db.asApp(scope, (tx) => ask('')(tx.withPlugin(busy)))
  const second = await app.db.asApp(scope, ask(first.page.next))
  expect(queries).toBeGreaterThan(3)
  const told = [...first.data, ...second.data]
  expect(told.filter(({ kind }) => kind === 'customer')).toHaveLength(4)
  expect(told.filter(({ kind }) => kind === 'invoice')).toHaveLength(3)
  await app.db.close()
})
