import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Invoice } from '#shared/contract/invoices.ts'
import type { Organization } from '#shared/contract/organizations.ts'
import type { Recurring } from '#shared/contract/recurring.ts'
import { addDays, addMonths, todayIn } from '#shared/dates.ts'
import { contentBody } from '#page/features/recurring/content-body.ts'
import type { Tx } from '#server/db/database.ts'
import { noteNext } from '#server/invoices/recurring-store.ts'
import { repeatInvoices } from '#server/invoices/repeat.ts'
import { nextRevision } from '#server/rows/revision.ts'
import { expectProblem, origin, startTestApp, verifiedActor, type Actor, type TestApp } from '#tests/support/app.ts'
import { organizationBody, recurringBody, websiteLine } from '#tests/support/bodies.ts'
import { issue, join, makeCustomer, makeOrganization, makeRecurring } from '#tests/support/builders.ts'
import { engines, openFresh } from '#tests/support/database.ts'
import { until } from '#tests/support/people.ts'
import { dueAtOf, failureCountOf } from '#tests/support/waiting-work.ts'

const unnamed = { invoiceId: null, invoiceNumber: null }
const dayMs = 86_400_000
const job = repeatInvoices({ apiPublicUrl: origin, mailQueued: () => {} })

describe.each(engines)('recurring invoices on %s', (engine) => {
  let app: TestApp
  let ann: Actor
  let organization: Organization
  let customerId: string
  let base: string
  let today: string
  beforeAll(async () => {
    app = await startTestApp(await openFresh(engine))
    ann = await verifiedActor(app)
  })
  afterAll(() => app.db.close())

  async function fresh(): Promise<void> {
    organization = await makeOrganization(ann)
    customerId = (await makeCustomer(ann, organization.id)).id
    base = `/organizations/${organization.id}`
    today = todayIn(organization.timeZone, app.nowMs())
  }
  const repeat = (startsOn: string, more: object = {}) =>
    makeRecurring(ann, organization.id, customerId, { startsOn, ...more })
  /** The job, on a day from now. */
  const onDay = (days: number) => job(app.db, organization.id, app.nowMs() + days * dayMs)
  const invoices = async (): Promise<Invoice[]> => (await ann.send('GET', `${base}/invoices?sort=-updatedAt`)).body.data
  const now = async ({ id }: Recurring): Promise<Recurring> =>
    (await ann.send('GET', `${base}/recurring-invoices/${id}`)).body
  const put = (id: string, version: number, body: object) =>
    ann.send('PUT', `${base}/recurring-invoices/${id}`, { body, headers: { 'if-match': `"${version}"` } })
  const failures = async () => (await ann.send('GET', `${base}/failures`)).body.recurring
  const failureCount = () => failureCountOf(ann, organization.id)
  const dueAt = () => dueAtOf(app.db, organization.id, 'recurring')

  test('what is without VAT stays so when the organization’s default becomes another', async () => {
    await fresh()
    const { taxMode: _, ...invoice } = recurringBody(customerId).invoice
    const rule = await repeat(addDays(today, 1), { invoice })
    expect(rule.gross.amount).toBe('917.18')
    const { body } = await ann.send('GET', base)
    const changed = { ...body, defaults: { ...body.defaults, taxMode: 'gross' } }
    expect((await ann.send('PUT', base, { body: changed, headers: { 'if-match': '"1"' } })).status).toBe(200)
    await onDay(1)
    expect((await invoices()).map(({ gross }) => gross)).toEqual([rule.gross])
  })

  test('where the organization is at home elsewhere now, its day begins there', async () => {
    organization = await makeOrganization(ann, { timeZone: 'Pacific/Honolulu' })
    customerId = (await makeCustomer(ann, organization.id)).id
    base = `/organizations/${organization.id}`
    await repeat('2027-01-31', { action: 'issue' })
    expect(await dueAt()).toBe('2027-01-31T10:00:00.000Z')
    const { body } = await ann.send('GET', base)
    const moved = { ...body, timeZone: 'Pacific/Kiritimati' }
    expect((await ann.send('PUT', base, { body: moved, headers: { 'if-match': '"1"' } })).status).toBe(200)
    // The job is due at once, finds nothing to do, and notes the day anew.
    expect(Date.parse((await dueAt())!)).toBeLessThanOrEqual(app.nowMs())
    await onDay(0)
    expect(await dueAt()).toBe('2027-01-30T10:00:00.000Z')
  })

  test('a draft on its day, once however often it is asked for, and the next one noted', async () => {
    await fresh()
    const rule = await repeat(addDays(today, 1))
    expect(rule).toMatchObject({ nextOn: addDays(today, 1), lastOn: null, customerName: 'Bob the Baker' })
    expect(rule.gross).toEqual({ amount: '917.18', currency: 'EUR' })
    await onDay(0)
    expect(await invoices()).toEqual([])
    await Promise.all([onDay(1), onDay(1)])
    const [draft, ...others] = await invoices()
    expect(others).toEqual([])
    expect(draft).toMatchObject({ status: 'draft', customerId, gross: rule.gross })
    expect(await now(rule)).toMatchObject({
      lastOn: addDays(today, 1),
      lastInvoiceId: draft!.id,
      nextOn: addMonths(addDays(today, 1), 1),
      lastProblem: null,
      version: 1,
    })
    expect(Date.parse((await dueAt())!)).toBeGreaterThan(app.nowMs() + 20 * dayMs)
  })

  test('issued at once where that is wanted, numbers without a gap; what was missed is caught up', async () => {
    await fresh()
    const rule = await repeat(today, { interval: 'week', action: 'issue' })
    await onDay(15)
    const made = await invoices()
    expect(made.map(({ status }) => status)).toEqual(['issued', 'issued', 'issued'])
    expect(new Set(made.map(({ number }) => number)).size).toBe(3)
    expect(await now(rule)).toMatchObject({ nextOn: addDays(today, 21), lastOn: addDays(today, 14) })
  })

  test('the date of supply is the day each is for, also after three months without a server; none where none was chosen', async () => {
    await fresh()
    const euro = { vatNumber: 'NL123456782B01', email: 'bob@example.com', address: { line1: 'Kade 1', city: 'Delft' } }
    const { id: buyer } = await makeCustomer(ann, organization.id, euro)
    const invoice = {
      customerId: buyer,
      taxMode: 'net',
      lines: [{ ...websiteLine, vat: { category: 'K', rate: '0' } }],
    }
    const rule = await repeat(today, { action: 'issue', supplyOn: 'day', invoice })
    const earlier = await repeat(today)
    expect([rule.supplyOn, earlier.supplyOn]).toEqual(['day', 'none'])
    const last = addMonths(today, 3)
    await onDay((Date.parse(last) - Date.parse(today)) / dayMs)
    const of = (made: Invoice[], customer: string) => made.filter((each) => each.customerId === customer)
    const made = await Promise.all(
      (await invoices()).map(async ({ id }) => (await ann.send('GET', `${base}/invoices/${id}`)).body as Invoice),
    )
    const supplied = of(made, buyer).toSorted((a, b) => (a.number! < b.number! ? -1 : 1))
    expect(supplied.map(({ supplyDate }) => supplyDate)).toEqual([0, 1, 2, 3].map((month) => addMonths(today, month)))
    // Issued on the day of the job, each for its own.
    expect(supplied.map(({ status, issueDate }) => [status, issueDate])).toEqual(Array(4).fill(['issued', last]))
    expect(of(made, customerId).map(({ supplyDate }) => supplyDate)).toEqual(Array(4).fill(null))
    const { version, nextOn: _, ...body } = await now(rule)
    expect((await put(rule.id, version, { ...body, supplyOn: 'none' })).body).toMatchObject({ supplyOn: 'none' })
  })

  test('the currency of its prices stays when the organization takes another', async () => {
    await fresh()
    const rule = await repeat(today)
    const { id: _, ...body } = organizationBody({ currency: 'USD' })
    const saved = await ann.send('PUT', base, { body, headers: { 'if-match': `"${organization.version}"` } })
    expect(saved.body).toMatchObject({ currency: 'USD' })
    await onDay(0)
    expect(await invoices()).toMatchObject([{ gross: rule.gross }])
    expect(rule.gross.currency).toBe('EUR')
  })

  test('an end, a pause and a change of the schedule: what is past is not made', async () => {
    await fresh()
    const ending = await repeat(today, { interval: 'week', endsOn: addDays(today, 7) })
    const paused = await repeat(today, { interval: 'week', paused: true })
    expect(paused.nextOn).toBeNull()
    await onDay(30)
    expect(await invoices()).toHaveLength(2)
    expect(await now(ending)).toMatchObject({ nextOn: null, lastOn: addDays(today, 7) })
    expect(await dueAt()).toBeUndefined()
    const { id, version, invoice } = paused
    const schedule = { interval: 'week', every: 1, startsOn: addDays(today, -70), action: 'draft', invoice }
    expect((await put(id, version, schedule)).body).toMatchObject({ nextOn: today, paused: false, version: 2 })
    expectProblem(await put(id, version, schedule), { status: 412, code: 'stale' })
  })

  const deleteCustomer = () => ann.send('DELETE', `${base}/customers/${customerId}`, { headers: { 'if-match': '"1"' } })
  const withRow = (table: 'customers' | 'recurringInvoices', id: string, columns: object) =>
    app.db.asApp({ userId: ann.userId, organizationIds: [organization.id] }, (tx) =>
      tx.updateTable(table).set(columns).where('id', '=', id).execute(),
    )

  test('a customer of one that goes on is not deleted; of one that ended or was deleted they are', async () => {
    await fresh()
    const rule = await repeat(today, { interval: 'week', endsOn: addDays(today, 7) })
    const paused = await repeat(today, { paused: true })
    const refused = await deleteCustomer()
    expectProblem(refused, { status: 409, code: 'in_use' })
    expect(refused.body.detail).toBe('A recurring invoice still names this customer.')
    await ann.send('DELETE', `${base}/recurring-invoices/${paused.id}`, { headers: { 'if-match': '"1"' } })
    expectProblem(await deleteCustomer(), { status: 409, code: 'in_use' })
    await onDay(8)
    for (const { id } of await invoices())
      await ann.send('DELETE', `${base}/invoices/${id}`, { headers: { 'if-match': '"1"' } })
    expect((await now(rule)).nextOn).toBeNull()
    expect((await deleteCustomer()).status).toBe(204)
  })

  test('what could not be written on its day is written when it was mended; what was paused by hand is not', async () => {
    await fresh()
    const due = addDays(today, -3)
    const broken = await repeat(due, { interval: 'week' })
    const rested = await repeat(due, { interval: 'week', paused: true })
    const unknown = JSON.stringify({ ...broken.invoice, currency: 'XXX' })
    await withRow('recurringInvoices', broken.id, { nextOn: due, invoice: unknown })
    await withRow('recurringInvoices', rested.id, { nextOn: due })
    await onDay(0)
    expect(await now(broken)).toMatchObject({ paused: true, nextOn: null, version: 1 })
    const schedule = { interval: 'week', every: 1, startsOn: due, action: 'draft', paused: false }
    const mended = await put(broken.id, 1, { ...schedule, invoice: broken.invoice })
    expect(mended.body).toMatchObject({ nextOn: due, lastProblem: null })
    const resumed = await put(rested.id, 1, { ...schedule, invoice: rested.invoice })
    expect(resumed.body).toMatchObject({ nextOn: addDays(due, 7) })
    await onDay(0)
    expect(await invoices()).toHaveLength(1)
    expect(await now(broken)).toMatchObject({ lastOn: due, nextOn: addDays(due, 7) })
  })

  test('one that stopped by itself goes on when the editor saves what mends it, and makes up for what was due', async () => {
    await fresh()
    const due = addDays(today, -3)
    const { id, invoice } = await repeat(due, { interval: 'week' })
    await withRow('recurringInvoices', id, { nextOn: due, invoice: JSON.stringify({ ...invoice, currency: 'XXX' }) })
    await onDay(0)
    const { body: stopped } = await ann.send('GET', `${base}/recurring-invoices/${id}`)
    expect(stopped).toMatchObject({ paused: true, lastProblem: expect.any(String) })
    const saved = await put(id, stopped.version, contentBody(stopped, invoice))
    expect(saved.body).toMatchObject({ paused: false, nextOn: due })
    await onDay(0)
    expect(await invoices()).toHaveLength(1)
    // What was paused by hand stays so.
    expect(contentBody({ ...saved.body, paused: true }, invoice)).toMatchObject({ paused: true })
  })

  test('saved on a day when the job is late: what is due is still written', async () => {
    await fresh()
    const due = addDays(today, -2)
    const rule = await repeat(due, { interval: 'week' })
    await withRow('recurringInvoices', rule.id, { nextOn: due })
    const schedule = { interval: 'week', every: 1, startsOn: due, action: 'draft', invoice: rule.invoice }
    expect((await put(rule.id, 1, schedule)).body).toMatchObject({ nextOn: due })
    await onDay(0)
    expect(await invoices()).toHaveLength(1)
  })

  test('a customer that is gone all the same stops it, and it says why', async () => {
    await fresh()
    const rule = await repeat(today)
    await withRow('customers', customerId, { deletedAt: new Date(app.nowMs()).toISOString() })
    await onDay(0)
    expect(await invoices()).toEqual([])
    expect(await now(rule)).toMatchObject({ paused: true, lastProblem: 'The customer was deleted.' })
    expect(await dueAt()).toBeUndefined()
    const told = {
      recurringId: rule.id,
      customerName: 'Bob the Baker',
      problem: 'The customer was deleted.',
      ...unnamed,
    }
    expect(await failures()).toEqual([told])
    expect(await failureCount()).toBe(1)
    await ann.send('DELETE', `${base}/recurring-invoices/${rule.id}`, { headers: { 'if-match': '"1"' } })
    expect(await failures()).toEqual([])
    expect(await failureCount()).toBe(0)
  })

  const organizationNow = async () => (await ann.send('GET', base)).body
  test.each([
    [
      'the organization no longer lets its members issue',
      async () => {
        const { version, ...rest } = await organizationNow()
        const body = { ...rest, membersMayIssue: false }
        return ann.send('PUT', base, { body, headers: { 'if-match': `"${version}"` } })
      },
    ],
    [
      'its maker is a viewer now',
      ({ userId }: Actor) =>
        ann.send('PUT', `${base}/members/${userId}`, { body: { role: 'viewer' }, headers: { 'if-match': '"1"' } }),
    ],
    [
      'its maker was removed',
      ({ userId }: Actor) => ann.send('DELETE', `${base}/members/${userId}`, { headers: { 'if-match': '"1"' } }),
    ],
  ])('it issues by the right of who set it up: %s, so it prepares drafts and says so', async (_, fall) => {
    await fresh()
    const maker = await verifiedActor(app, undefined, 'Max')
    await join(app.db, organization.id, maker, 'member')
    const more = { startsOn: today, interval: 'week', action: 'issue' }
    const rule = await makeRecurring(maker, organization.id, customerId, more)
    await onDay(0)
    expect(await invoices()).toMatchObject([{ status: 'issued' }])
    expect((await fall(maker)).status).toBeLessThan(300)
    await onDay(7)
    expect((await invoices()).map(({ status }) => status).toSorted()).toEqual(['draft', 'issued'])
    const problem = 'It could not be issued and waits as a draft: Whoever set this up may not issue invoices any more.'
    expect(await now(rule)).toMatchObject({ paused: false, lastProblem: problem })
    const draft = (await invoices()).find(({ status }) => status === 'draft')!
    const named = { recurringId: rule.id, customerName: 'Bob the Baker', invoiceId: draft.id, invoiceNumber: null }
    expect(await failures()).toEqual([{ ...named, problem }])
    expect(await failureCount()).toBe(1)
    // Whoever saves it takes it over.
    const { id, version, ...schedule } = await now(rule)
    expect((await put(id, version, schedule)).status).toBe(200)
    expect(await failures()).toEqual([])
    await onDay(14)
    expect((await invoices()).filter(({ status }) => status === 'draft')).toHaveLength(1)
    expect(await now(rule)).toMatchObject({ lastOn: addDays(today, 14), lastProblem: null })
  })

  test('all that it lacks to be issued is named at once, and each only once', async () => {
    await fresh()
    const { version, ...rest } = await organizationNow()
    const body = { ...rest, eInvoiceProfile: 'peppol', endpoint: null }
    expect((await ann.send('PUT', base, { body, headers: { 'if-match': `"${version}"` } })).status).toBe(200)
    const { invoice } = recurringBody(customerId)
    const unrated = { ...websiteLine, vat: { category: 'S', rate: '0' } }
    const rule = await repeat(today, { action: 'issue', invoice: { ...invoice, lines: [unrated, unrated] } })
    await onDay(0)
    const { lastProblem } = await now(rule)
    expect(lastProblem?.split(': ')[0]).toBe('It could not be issued and waits as a draft')
    const draft = (await invoices())[0]!
    const refused = await ann.send('POST', `${base}/invoices/${draft.id}/issue`, { headers: { 'if-match': '"1"' } })
    const details = refused.body.errors.map(({ detail }: { detail: string }) => detail)
    expect(new Set(details).size).toBeGreaterThan(2)
    expect(lastProblem?.slice('It could not be issued and waits as a draft: '.length).split(' · ')).toEqual([
      ...new Set(details),
    ])
    expect(await failures()).toMatchObject([{ recurringId: rule.id, problem: lastProblem }])
  })

  test('members who may not issue repeat drafts, and leave alone what issues', async () => {
    await fresh()
    const member = await verifiedActor(app)
    await join(app.db, organization.id, member, 'member')
    const issuing = await repeat(today, { action: 'issue' })
    const { version, ...rest } = await organizationNow()
    const without = { body: { ...rest, membersMayIssue: false }, headers: { 'if-match': `"${version}"` } }
    expect((await ann.send('PUT', base, without)).status).toBe(200)
    const rule = await makeRecurring(member, organization.id, customerId, { startsOn: today })
    const refused = { status: 403, code: 'forbidden' } as const
    const of = (id: string) => `${base}/recurring-invoices/${id}`
    const headers = { 'if-match': '"1"' }
    for (const action of ['issue', 'send']) {
      const body = recurringBody(customerId, { action })
      expectProblem(await member.send('POST', `${base}/recurring-invoices`, { body }), refused)
      expectProblem(await member.send('PUT', of(rule.id), { body: { ...rule, action }, headers }), refused)
    }
    // Nor made a draft: whoever issues said that it issues.
    expectProblem(await member.send('PUT', of(issuing.id), { body: { ...issuing, action: 'draft' }, headers }), refused)
    expectProblem(await member.send('DELETE', of(issuing.id), { headers }), refused)
    expect(await now(issuing)).toEqual(issuing)
    const saved = await member.send('PUT', of(rule.id), { body: { ...rule, every: 2 }, headers })
    expect(saved).toMatchObject({ status: 200, body: { every: 2, action: 'draft' } })
    await onDay(0)
    expect((await invoices()).map(({ status }) => status).toSorted()).toEqual(['draft', 'issued'])
    expect((await member.send('DELETE', of(rule.id), { headers: { 'if-match': '"2"' } })).status).toBe(204)
  })

  test('what could not be issued is named until somebody has seen to it, also when the next one can', async () => {
    await fresh()
    const maker = await verifiedActor(app, undefined, 'Max')
    await join(app.db, organization.id, maker, 'viewer')
    const become = (role: string, version: number) =>
      ann.send('PUT', `${base}/members/${maker.userId}`, { body: { role }, headers: { 'if-match': `"${version}"` } })
    expect((await become('member', 1)).status).toBe(200)
    const rule = await makeRecurring(maker, organization.id, customerId, {
      startsOn: today,
      interval: 'week',
      action: 'issue',
    })
    expect((await become('viewer', 2)).status).toBe(200)
    await onDay(0)
    expect(await failures()).toMatchObject([{ recurringId: rule.id, invoiceNumber: null }])
    expect((await become('member', 3)).status).toBe(200)
    await onDay(7)
    expect((await invoices()).map(({ status }) => status).toSorted()).toEqual(['draft', 'issued'])
    expect(await failures()).toMatchObject([
      { recurringId: rule.id, problem: expect.stringContaining('waits as a draft') },
    ])
    expect(await failureCount()).toBe(1)
    const draft = (await invoices()).find(({ status }) => status === 'draft')!
    await issue(ann, (await ann.send('GET', `${base}/invoices/${draft.id}`)).body)
    expect(await failures()).toEqual([])
    expect(await failureCount()).toBe(0)
  })

  test('what it wrote and issued stands in the activity, done by nobody', async () => {
    await fresh()
    const { invoice } = await repeat(today, { action: 'issue' })
    await repeat(today, { invoice: { ...invoice, language: 'de' } })
    await onDay(0)
    const made = await invoices()
    const { data } = (await ann.send('GET', `${base}/activity?kind=invoice`)).body
    const issued = made.find(({ status }) => status === 'issued')!
    const draft = made.find(({ status }) => status === 'draft')!
    // Its language as well is what was said.
    expect((await ann.send('GET', `${base}/invoices/${draft.id}`)).body.language).toBe('de')
    const expected = [
      { action: 'issueInvoice', subjectId: issued.id, userId: null, label: issued.number },
      { action: 'createInvoice', subjectId: issued.id, userId: null, label: 'Bob the Baker' },
      { action: 'createInvoice', subjectId: draft.id, userId: null, label: 'Bob the Baker' },
    ]
    expect(data).toHaveLength(expected.length)
    expect(data).toEqual(expect.arrayContaining(expected.map((each) => expect.objectContaining(each))))
    const issuing = data.find(({ action }: { action: string }) => action === 'issueInvoice')
    expect(issuing.changes).toContainEqual({ field: 'status', before: 'draft', after: 'issued' })
  })

  /** As it stands when the process ends after the first transaction: written, and not issued. */
  async function dieBeforeIssuing(): Promise<void> {
    const { db } = app
    let transactions = 0
    const dying = {
      ...db,
      asApp: ((scope, work) => {
        transactions += 1
        if (transactions > 2) throw new Error('killed')
        return db.asApp(scope, work)
      }) as typeof db.asApp,
    }
    await expect(job(dying, organization.id, app.nowMs())).rejects.toThrow('killed')
    expect(await invoices()).toMatchObject([{ status: 'draft' }])
  }

  test('a job that died between writing and issuing: the next one issues it, once', async () => {
    await fresh()
    const rule = await repeat(today, { action: 'issue' })
    await dieBeforeIssuing()
    await Promise.all([onDay(0), onDay(0)])
    expect(await invoices()).toMatchObject([{ status: 'issued' }])
    expect(await now(rule)).toMatchObject({ lastProblem: null })
  })

  test('what a job that died had not issued stays a draft when its rule is ended, or is to write drafts alone', async () => {
    for (const change of ['ended', 'drafts'] as const) {
      await fresh()
      const rule = await repeat(today, { action: 'issue' })
      await dieBeforeIssuing()
      const headers = { 'if-match': `"${(await now(rule)).version}"` }
      const { status } =
        change === 'ended'
          ? await ann.send('DELETE', `/organizations/${organization.id}/recurring-invoices/${rule.id}`, { headers })
          : await ann.send('PUT', `/organizations/${organization.id}/recurring-invoices/${rule.id}`, {
              body: { ...rule, action: 'draft' },
              headers,
            })
      expect(status).toBeLessThan(300)
      await onDay(0)
      expect(await invoices()).toMatchObject([{ status: 'draft' }])
    }
  })

  test('saving another rule puts off nothing that a job which died has left', async () => {
    await fresh()
    await repeat(today, { action: 'issue' })
    await dieBeforeIssuing()
    await repeat(addDays(today, 20))
    const due = await app.db.asApp({ organizationIds: [organization.id] }, (tx) =>
      tx.selectFrom('dueWork').select('dueAt').where('kind', '=', 'recurring').executeTakeFirstOrThrow(),
    )
    expect(Date.parse(due.dueAt)).toBeLessThanOrEqual(app.nowMs())
  })

  test('what was missed, caught up by several jobs at once: each is issued, and once', async () => {
    await fresh()
    const rule = await repeat(today, { interval: 'week', action: 'issue' })
    await Promise.all([onDay(28), onDay(28), onDay(28)])
    const made = await invoices()
    expect(made.map(({ status }) => status)).toEqual(Array.from({ length: 5 }, () => 'issued'))
    expect(await now(rule)).toMatchObject({ lastOn: addDays(today, 28), lastProblem: null })
  })

  test('one that an earlier build kept and this one does not take stops, and holds up no other', async () => {
    await fresh()
    const [old, other] = [await repeat(today), await repeat(today)]
    await app.db.asApp({ organizationIds: [organization.id] }, (tx) =>
      tx
        .updateTable('recurringInvoices')
        .set({ invoice: JSON.stringify({ ...old.invoice, currency: 'XXX' }) })
        .where('id', '=', old.id)
        .execute(),
    )
    await onDay(0)
    expect(await invoices()).toHaveLength(1)
    expect(await now(old)).toMatchObject({ paused: true, lastProblem: expect.stringContaining('Choose a currency') })
    expect(await now(other)).toMatchObject({ lastOn: today, lastProblem: null })
  })

  test('nothing is due any more in an organization that was closed', async () => {
    await fresh()
    await repeat(today)
    expect(await dueAt()).toBeDefined()
    expect((await ann.send('DELETE', base, { headers: { 'if-match': '"1"' } })).status).toBe(204)
    expect(await dueAt()).toBeUndefined()
  })

  // The embedded engine runs one transaction after the other.
  describe.runIf(engine === 'postgresql')('side by side', () => {
    const inside = <T>(work: (tx: Tx) => Promise<T>) => app.db.asApp({ organizationIds: [organization.id] }, work)
    const wait = (tx: Tx, count: number) =>
      until(async () => {
        const waiting = sql`select from pg_stat_activity where datname = current_database() and pg_blocking_pids(pid) <> '{}'`
        return (await waiting.execute(tx)).rows.length === count
      })

    test('saved while the job writes one: it is not written again', async () => {
      await fresh()
      const { id, version, ...schedule } = await repeat(today, { interval: 'week' })
      let job: Promise<void> | undefined
      let saved: ReturnType<typeof put> | undefined
      await inside(async (tx) => {
        await nextRevision(tx, organization.id)
        job = onDay(0)
        await wait(tx, 1)
        saved = put(id, version, schedule)
        await wait(tx, 2)
      })
      await job
      expect((await saved!).body).toMatchObject({ lastOn: today, nextOn: addDays(today, 7) })
      await onDay(0)
      expect(await invoices()).toHaveLength(1)
    })

    test('noted for today while a job notes the next time: today stays', async () => {
      await fresh()
      const rule = await repeat(addDays(today, 40))
      let job: Promise<void> | undefined
      await inside(async (tx) => {
        await tx.updateTable('recurringInvoices').set({ nextOn: today }).where('id', '=', rule.id).execute()
        await noteNext(tx, organization.id, organization.timeZone, new Date(app.nowMs()).toISOString())
        job = onDay(0)
        await wait(tx, 1)
      })
      await job
      expect(Date.parse((await dueAt())!)).toBeLessThanOrEqual(app.nowMs())
    })
  })

  test('bad input is named at its field', async () => {
    await fresh()
    const send = (more: object) =>
      ann.send('POST', `${base}/recurring-invoices`, { body: recurringBody(customerId, { startsOn: today, ...more }) })
    const wrong: [object, string][] = [
      [{ every: 0 }, '/every'],
      [{ interval: 'day' }, '/interval'],
      [{ endsOn: addDays(today, -1) }, '/endsOn'],
      [{ invoice: { customerId: null, lines: [websiteLine] } }, '/invoice/customerId'],
      [{ invoice: { customerId, lines: [] } }, '/invoice/lines'],
      [{ invoice: { customerId: organization.id, lines: [websiteLine] } }, '/invoice/customerId'],
      [{ invoice: { customerId, lines: [{ ...websiteLine, quantity: 'x' }] } }, '/invoice/lines/0/quantity'],
    ]
    for (const [more, pointer] of wrong) {
      const answer = await send(more)
      expectProblem(answer, { status: 422, code: 'validation_failed' })
      expect(answer.body.errors.map((each: { pointer: string }) => each.pointer)).toContain(pointer)
    }
    const rule = await repeat(today)
    const listed = await ann.send('GET', `${base}/recurring-invoices`)
    expect(listed.body).toEqual({ data: [rule], page: { nextCursor: null, limit: 50 } })
    const gone = await ann.send('DELETE', `${base}/recurring-invoices/${rule.id}`, { headers: { 'if-match': '"1"' } })
    expect(gone.status).toBe(204)
    expect(await dueAt()).toBeUndefined()
  })
})
