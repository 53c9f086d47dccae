// Who did what: every write inside an organization is written down with it, or neither is there.
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { uuidv7 } from '#shared/ids.ts'
import type { Activity } from '#shared/contract/activity.ts'
import { purge } from '#server/purge.ts'
import { recordActivity } from '#server/rows/activity-log.ts'
import { expectProblem, startTestApp, verifiedActor, type Actor, type TestApp } from '#tests/support/app.ts'
import { customerBody } from '#tests/support/bodies.ts'
import {
  credit,
  issue,
  join,
  makeCustomer,
  makeInvoice,
  makeOrganization,
  makeQuote,
  makeRecurring,
  moveQuote,
  recordPayment,
} from '#tests/support/builders.ts'
import { engines, openFresh } from '#tests/support/database.ts'
import { password } from '#tests/support/people.ts'

describe.each(engines)('activity on %s', (engine) => {
  let app: TestApp
  let ann: Actor
  let bob: Actor
  beforeAll(async () => {
    app = await startTestApp(await openFresh(engine))
    ann = await verifiedActor(app, undefined, 'Ann')
    bob = await verifiedActor(app, undefined, 'Bob')
  })
  afterAll(() => app.db.close())

  const ask = async (id: string, query = '', actor = ann) =>
    (await actor.send('GET', `/organizations/${id}/activity${query}`)).body
  const of = async (id: string, query = ''): Promise<Activity[]> => (await ask(id, query)).data
  const told = (rows: Activity[]) => rows.map(({ action, userName, label }) => `${userName} ${action} ${label}`)
  const etag = (version: number) => ({ 'if-match': `"${version}"` })

  test('a row from its making to its end, with what changed before and after, newest first', async () => {
    const { id } = await makeOrganization(ann, { name: 'Annex' })
    await join(app.db, id, bob, 'accountant')
    const customer = await makeCustomer(ann, id, { name: 'Baker' })
    const path = `/organizations/${id}/customers/${customer.id}`
    await bob.send('PUT', path, { body: { ...customer, name: 'Bakery', email: 'a@b.nl' }, headers: etag(1) })
    await ann.send('DELETE', path, { headers: etag(2) })
    const rows = await of(id)
    expect(told(rows)).toEqual([
      'Ann deleteCustomer Bakery',
      'Bob saveCustomer Bakery',
      'Ann createCustomer Baker',
      'Ann createOrganization Annex',
    ])
    expect(rows[1]).toMatchObject({ userId: bob.userId, kind: 'customer', subjectId: customer.id })
    expect(rows[1]!.changes).toEqual([
      { field: 'name', before: 'Baker', after: 'Bakery' },
      { field: 'email', before: null, after: 'a@b.nl' },
    ])
    expect(rows[2]!.changes).toContainEqual({ field: 'country', before: null, after: 'NL' })
    expect(rows[0]!.changes).toContainEqual({ field: 'name', before: 'Bakery', after: null })
  })

  test('issuing, settings, members and invitations', async () => {
    const organization = await makeOrganization(ann)
    const { id } = organization
    await join(app.db, id, bob, 'viewer')
    const draft = await makeInvoice(ann, id, (await makeCustomer(ann, id)).id)
    const { number } = await issue(ann, draft)
    await ann.send('PUT', `/organizations/${id}`, {
      body: { ...organization, membersMayIssue: false },
      headers: etag(1),
    })
    await ann.send('PUT', `/organizations/${id}/members/${bob.userId}`, { body: { role: 'admin' }, headers: etag(1) })
    const cleo = await verifiedActor(app, undefined, 'Cleo')
    const body = { email: cleo.email, role: 'viewer' }
    const { body: invited } = await ann.send('POST', `/organizations/${id}/invitations`, { body })
    // The second time there is nothing left to decline.
    for (let each = 0; each < 2; each += 1)
      expect((await cleo.send('POST', `/invitations/${invited.id}/decline`)).status).toBe(204)
    const { body: again } = await ann.send('POST', `/organizations/${id}/invitations`, { body })
    await cleo.send('POST', `/invitations/${again.id}/accept`)
    await ann.send('POST', `/organizations/${id}/transfer`, { body: { userId: bob.userId }, headers: etag(2) })
    await cleo.send('POST', '/account/delete', { body: { password } })
    const rows = await of(id)
    expect(told(rows).slice(0, 9)).toEqual([
      'Cleo deleteAccount Cleo',
      'Ann transferOrganization Bob',
      'Cleo acceptInvitation Cleo',
      `Ann createInvitation ${cleo.email}`,
      `Cleo declineInvitation ${cleo.email}`,
      `Ann createInvitation ${cleo.email}`,
      'Ann saveMember Bob',
      'Ann saveOrganization Ann Works',
      `Ann issueInvoice ${number}`,
    ])
    expect(rows[1]!.changes).toEqual([{ field: 'role', before: 'admin', after: 'owner' }])
    expect(rows[4]).toMatchObject({
      kind: 'invitation',
      subjectId: invited.id,
      changes: [{ field: 'status', before: 'pending', after: 'declined' }],
    })
    expect(rows[6]!.changes).toEqual([{ field: 'role', before: 'viewer', after: 'admin' }])
    expect(rows[7]!.changes).toEqual([{ field: 'membersMayIssue', before: true, after: false }])
    expect(rows[8]!.changes).toContainEqual({ field: 'status', before: 'draft', after: 'issued' })
    expect(rows[8]!.changes).toContainEqual({ field: 'number', before: null, after: number })
  })

  test('a credit note is told as one, from its draft on', async () => {
    const { id } = await makeOrganization(ann)
    const invoice = await issue(ann, await makeInvoice(ann, id, (await makeCustomer(ann, id)).id))
    const note = await credit(ann, invoice)
    expect((await of(id, '?kind=credit-note')).map(({ action, subjectId }) => [action, subjectId])).toEqual([
      ['issueInvoice', note.id],
      ['createCreditNote', note.id],
    ])
  })

  test('links to an invoice are told as links: the invoice is none the less there', async () => {
    const { id } = await makeOrganization(ann)
    const invoice = await issue(ann, await makeInvoice(ann, id, (await makeCustomer(ann, id)).id))
    const path = `/organizations/${id}/invoices/${invoice.id}/public-links`
    const body = { tokenHash: randomBytes(32).toString('base64url') }
    expect((await ann.send('POST', path, { body })).status).toBe(201)
    // The second time there is nothing left to revoke.
    for (let each = 0; each < 2; each += 1) expect((await ann.send('DELETE', path)).status).toBe(204)
    const rows = (await of(id)).slice(0, 3)
    expect(told(rows)).toEqual([
      `Ann revokePublicLinks ${invoice.number}`,
      `Ann createPublicLink ${invoice.number}`,
      `Ann issueInvoice ${invoice.number}`,
    ])
    expect(rows[0]).toMatchObject({ kind: 'public-link', subjectId: invoice.id, changes: [] })
    expect(JSON.stringify(rows)).not.toContain(body.tokenHash)
  })

  test('links to a quote are told the same way', async () => {
    const { id } = await makeOrganization(ann)
    const quote = await moveQuote(ann, await makeQuote(ann, id, (await makeCustomer(ann, id)).id), 'issue')
    const path = `/organizations/${id}/quotes/${quote.id}/public-links`
    const body = { tokenHash: randomBytes(32).toString('base64url') }
    expect((await ann.send('POST', path, { body })).status).toBe(201)
    for (let each = 0; each < 2; each += 1) expect((await ann.send('DELETE', path)).status).toBe(204)
    // It was revoked, and stays so: who would think that it opens something is told.
    expectProblem(await ann.send('POST', path, { body }), { status: 409, code: 'id_taken' })
    const rows = (await of(id)).slice(0, 2)
    expect(told(rows)).toEqual([`Ann revokeQuoteLinks ${quote.number}`, `Ann createQuoteLink ${quote.number}`])
    expect(rows[0]).toMatchObject({ kind: 'public-link', subjectId: quote.id, changes: [] })
  })

  test('of a payment what its reversal changed, of a recurring invoice what was changed, and its end', async () => {
    const { id } = await makeOrganization(ann)
    const customer = await makeCustomer(ann, id)
    const invoice = await issue(ann, await makeInvoice(ann, id, customer.id))
    const payment = await recordPayment(ann, invoice, '5.00')
    const reversal = { body: { reason: 'Bounced' }, headers: etag(1) }
    await ann.send('POST', `/organizations/${id}/payments/${payment.id}/reverse`, reversal)
    const rule = await makeRecurring(ann, id, customer.id)
    const path = `/organizations/${id}/recurring-invoices/${rule.id}`
    expect((await ann.send('PUT', path, { body: { ...rule, every: 2 }, headers: etag(1) })).status).toBe(200)
    expect((await ann.send('DELETE', path, { headers: etag(2) })).status).toBe(204)
    const [ended, changed, , reversed] = await of(id)
    expect(ended).toMatchObject({ action: 'deleteRecurring', subjectId: rule.id, label: customer.name })
    expect(ended!.changes).toContainEqual({ field: 'every', before: 2, after: null })
    expect(changed!.changes.map(({ field }) => field)).toContain('every')
    expect(changed!.changes.map(({ field }) => field)).not.toContain('customerName')
    expect(reversed).toMatchObject({ action: 'reversePayment', subjectId: payment.id })
    expect(reversed!.changes).toEqual([
      { field: 'reversal', before: null, after: expect.objectContaining({ reason: 'Bounced' }) },
      // Although it stays: it says whether money had come, or was given back.
      { field: 'amount', before: payment.amount, after: payment.amount },
    ])
  })

  test('what is refused, repeated, or changes nothing leaves no trace', async () => {
    const { id } = await makeOrganization(ann)
    const headers = { 'idempotency-key': uuidv7() }
    const body = customerBody()
    const path = `/organizations/${id}/customers`
    const first = await ann.send('POST', path, { body, headers })
    expect((await ann.send('POST', path, { body, headers })).status).toBe(201)
    expect((await ann.send('POST', path, { body })).status).toBe(200)
    expect((await ann.send('POST', path, { body: { ...body, name: 'Other' } })).status).toBe(409)
    const one = `${path}/${body.id}`
    expect((await ann.send('PUT', one, { body: first.body, headers: etag(7) })).status).toBe(412)
    expect((await ann.send('PUT', one, { body: { ...first.body, name: '' }, headers: etag(1) })).status).toBe(422)
    expect((await ann.send('PUT', one, { body: first.body, headers: etag(1) })).status).toBe(200)
    expect((await of(id)).map(({ action }) => action)).toEqual(['createCustomer', 'createOrganization'])
  })

  test('is for owners, admins and accountants', async () => {
    const { id } = await makeOrganization(ann)
    for (const role of ['admin', 'accountant', 'member', 'viewer'] as const) {
      const person = await verifiedActor(app)
      await join(app.db, id, person, role)
      const answer = await person.send('GET', `/organizations/${id}/activity`)
      if (role === 'admin' || role === 'accountant') expect(answer.status).toBe(200)
      else expectProblem(answer, { status: 403, code: 'forbidden' })
    }
    expectProblem(await bob.send('GET', `/organizations/${id}/activity`), { status: 404 })
  })

  test('page by page, and by what and by whom', async () => {
    const { id } = await makeOrganization(ann)
    await join(app.db, id, bob, 'member')
    const made = []
    for (let each = 0; each < 7; each += 1) made.push(await makeCustomer(each % 2 ? bob : ann, id))
    const pages: Activity[] = []
    for (let cursor = ''; ;) {
      const { data, page } = await ask(id, `?limit=3${cursor}`)
      pages.push(...data)
      if (page.nextCursor === null) break
      cursor = `&cursor=${page.nextCursor}`
    }
    expect(pages).toEqual(await of(id))
    expect(pages).toHaveLength(8)
    expect(await of(id, `?userId=${bob.userId}`)).toHaveLength(3)
    expect(await of(id, '?kind=organization')).toHaveLength(1)
    expect(await of(id, `?subjectId=${made[2]!.id}`)).toMatchObject([{ subjectId: made[2]!.id }])
    for (const query of ['?limit=0', '?userId=x', '?cursor=x', '?cursor=WyJ4IiwieCJd'])
      expectProblem(await ann.send('GET', `/organizations/${id}/activity${query}`), { status: 422 })
  })

  test('of heavy entries few at a time, and all of them in the end', async () => {
    const { id } = await makeOrganization(ann)
    await app.db.asApp({ organizationIds: [id] }, async (tx) => {
      for (let each = 0; each < 10; each += 1) {
        const subject = { kind: 'invoice', id: uuidv7() }
        const changes = [{ field: 'notes', before: null, after: 'again '.repeat(20_000) }]
        await recordActivity(
          { tx, organizationId: id, userId: null, now: new Date(app.nowMs()).toISOString() },
          'updateInvoice',
          subject,
          '',
          changes,
        )
      }
    })
    const counts: number[] = []
    const seen = new Set<string>()
    for (let cursor = ''; ;) {
      const { data, page } = await ask(id, `?limit=200${cursor}`)
      counts.push(data.length)
      for (const each of data) seen.add(each.id)
      if (page.nextCursor === null) break
      cursor = `&cursor=${page.nextCursor}`
    }
    expect(Math.max(...counts)).toBeLessThan(6)
    expect(counts.reduce((sum, count) => sum + count)).toBe(11)
    expect(seen.size).toBe(11)
  })

  test('goes with the organization when that is erased', async () => {
    const { id } = await makeOrganization(ann)
    await ann.send('DELETE', `/organizations/${id}`, { headers: etag(1) })
    const count = () =>
      app.db.asApp(
        { organizationIds: [id] },
        async (tx) => (await tx.selectFrom('activity').select('id').execute()).length,
      )
    expect(await count()).toBe(2)
    await purge(app.db, app.nowMs() + 31 * 24 * 60 * 60_000)
    expect(await count()).toBe(0)
  })
})
