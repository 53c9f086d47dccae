// A recurring invoice that goes out by itself: once whatever dies, by the right of who set it up, and never silently not.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Invoice } from '#shared/contract/invoices.ts'
import type { Organization } from '#shared/contract/organizations.ts'
import type { Recurring } from '#shared/contract/recurring.ts'
import type { InvoiceMails } from '#shared/contract/reminders.ts'
import { addDays, todayIn } from '#shared/dates.ts'
import { uuidv7 } from '#shared/ids.ts'
import type { Database } from '#server/db/database.ts'
import { repeatInvoices } from '#server/invoices/repeat.ts'
import { origin, startTestApp, verifiedActor, type Actor, type TestApp } from '#tests/support/app.ts'
import { join, makeCustomer, makeOrganization, makeRecurring } from '#tests/support/builders.ts'
import { engines, openFresh } from '#tests/support/database.ts'
import { buyer, seller } from '#tests/support/issued-documents.ts'
import { dueAtOf, failureCountOf } from '#tests/support/waiting-work.ts'

const { id: _, ...customerFields } = buyer
const dayMs = 86_400_000

describe.each(engines)('recurring invoices that are sent on %s', (engine) => {
  let app: TestApp
  let ann: Actor
  let organization: Organization
  let customerId: string
  let base: string
  let today: string
  let told = 0
  beforeAll(async () => {
    app = await startTestApp(await openFresh(engine))
    ann = await verifiedActor(app)
  })
  afterAll(() => app.db.close())

  async function fresh(email: string | null = 'bob@example.com', more: object = {}): Promise<void> {
    organization = await makeOrganization(ann, { ...seller, ...more })
    customerId = (await makeCustomer(ann, organization.id, { ...customerFields, email })).id
    base = `/organizations/${organization.id}`
    today = todayIn(organization.timeZone, app.nowMs())
  }
  const repeat = (more: object = {}) =>
    makeRecurring(ann, organization.id, customerId, { startsOn: today, interval: 'week', action: 'send', ...more })
  const job = repeatInvoices({ apiPublicUrl: origin, mailQueued: () => (told += 1) })
  const at = (ms: number, db: Database = app.db) => job(db, organization.id, app.nowMs() + ms)
  const onDay = (days: number) => at(days * dayMs)
  const invoices = async (): Promise<Invoice[]> => (await ann.send('GET', `${base}/invoices?sort=-updatedAt`)).body.data
  const whole = async ({ id }: { id: string }): Promise<Invoice> =>
    (await ann.send('GET', `${base}/invoices/${id}`)).body
  const now = async ({ id }: Recurring): Promise<Recurring> =>
    (await ann.send('GET', `${base}/recurring-invoices/${id}`)).body
  const failures = async () => (await ann.send('GET', `${base}/failures`)).body
  const failureCount = () => failureCountOf(ann, organization.id)
  const mails = () =>
    app.db.asJobs((tx) => tx.selectFrom('mails').selectAll().where('organizationId', '=', organization.id).execute())
  const dueAt = () => dueAtOf(app.db, organization.id, 'recurring')
  const sendByHand = async ({ id }: { id: string }) => {
    const { version } = await whole({ id })
    const body = { to: 'bob@example.com', subject: 'Invoice', message: 'Here it is.' }
    return ann.send('POST', `${base}/invoices/${id}/send`, { body, headers: { 'if-match': `"${version}"` } })
  }
  /** As many mails as an organization may send in an hour, of some invoice. */
  async function useUpMails(invoiceId: string): Promise<void> {
    const row = {
      organizationId: organization.id,
      invoiceId,
      kind: 'invoice',
      recipient: 'x@example.com',
      ownRecipient: true,
    }
    const sentAt = new Date(app.nowMs()).toISOString()
    await app.db.asApp({ organizationIds: [organization.id] }, (tx) =>
      tx
        .insertInto('invoiceMails')
        .values(Array.from({ length: 200 }, () => ({ ...row, sentBy: ann.userId, id: uuidv7(), sentAt })))
        .execute(),
    )
  }

  test('issued and mailed on its day, as by hand: words in its language, PDF and XML, a link; nobody’s doing in the activity', async () => {
    await fresh('bob@example.com', { eInvoiceProfile: 'peppol' })
    const { invoice: content } = await repeat({ paused: true })
    await repeat({ invoice: { ...content, buyerReference: 'PO 7', language: 'de' } })
    const before = told
    await Promise.all([onDay(0), onDay(0)])
    expect(told - before).toBe(1)
    const [made, ...others] = await invoices()
    expect(others).toEqual([])
    const invoice = await whole(made!)
    expect(invoice).toMatchObject({ status: 'issued', sentAt: expect.any(String), version: 3 })
    const sent = await mails()
    expect(sent).toMatchObject([{ recipient: 'bob@example.com', kind: 'invoice', replyTo: seller.contact.email }])
    expect(sent[0]!.subject).toBe(`Rechnung ${invoice.number} von ${organization.name}`)
    expect(sent[0]!.bodyText).toContain('anbei erhalten Sie unsere Rechnung über')
    expect(sent[0]!.bodyText).toContain(`${origin}/api/v1/public/invoices/i_`)
    expect(sent[0]!.attachments).toEqual([
      { invoiceId: invoice.id, kind: 'pdf' },
      { invoiceId: invoice.id, kind: 'peppol' },
    ])
    const listed: InvoiceMails = (await ann.send('GET', `${base}/invoices/${invoice.id}/mails`)).body
    expect(listed.data).toMatchObject([{ kind: 'invoice', recipient: 'bob@example.com', sentBy: null }])
    const { data } = (await ann.send('GET', `${base}/activity?kind=invoice`)).body
    const sending = data.find(({ action }: { action: string }) => action === 'sendInvoice')
    expect(sending).toMatchObject({ subjectId: invoice.id, userId: null, label: invoice.number })
    expect(sending.changes).toContainEqual({ field: 'sentAt', before: null, after: invoice.sentAt })
    expect(await failures()).toMatchObject({ recurring: [], mails: [] })
  })

  test('one that issues and one that drafts send nothing', async () => {
    await fresh()
    await repeat({ action: 'issue' })
    await repeat({ action: 'draft' })
    await onDay(14)
    expect(await invoices()).toHaveLength(6)
    expect(await mails()).toEqual([])
  })

  test('nobody knows an address: it is issued, named with its number until somebody sends it, and holds up no other', async () => {
    await fresh(null)
    const rule = await repeat()
    await onDay(7)
    const made = await invoices()
    expect(made.map(({ status }) => status)).toEqual(['issued', 'issued'])
    expect(await mails()).toEqual([])
    const problem = 'It was issued and not sent: The customer has no email address.'
    expect(await now(rule)).toMatchObject({ paused: false, lastProblem: problem, lastOn: addDays(today, 7) })
    const named = { recurringId: rule.id, customerName: customerFields.name, problem }
    const expected = made.map(({ id, number }) => ({ ...named, invoiceId: id, invoiceNumber: number }))
    expect((await failures()).recurring).toEqual(expect.arrayContaining(expected))
    expect(await failureCount()).toBe(2)
    expect((await sendByHand(made[0]!)).status).toBe(200)
    expect((await failures()).recurring).toEqual([expected[1]])
    expect(await failureCount()).toBe(1)
    // Whoever saves the rule has seen it.
    const { id, version, ...schedule } = await now(rule)
    const headers = { 'if-match': `"${version}"` }
    expect((await ann.send('PUT', `${base}/recurring-invoices/${id}`, { body: schedule, headers })).status).toBe(200)
    expect((await failures()).recurring).toEqual([])
    expect(await failureCount()).toBe(0)
    expect(await mails()).toHaveLength(1)
  })

  test('a mail that bounced is named among the failures, as one sent by hand', async () => {
    await fresh()
    await repeat()
    await onDay(0)
    const [invoice] = await invoices()
    const bounced = { failure: 'address', lastError: 'Nobody here', givenUpAt: new Date().toISOString() }
    await app.db.asJobs((tx) =>
      tx.updateTable('mails').set(bounced).where('organizationId', '=', organization.id).execute(),
    )
    expect((await failures()).mails).toMatchObject([{ invoiceId: invoice!.id, recipient: 'bob@example.com' }])
    expect(await failureCount()).toBe(1)
  })

  test('a job that dies anywhere: each is issued once and sent once by the ones that follow', async () => {
    let died = 0
    for (let allowed = 0; ; allowed += 1) {
      await fresh()
      await repeat()
      await repeat()
      let transactions = 0
      const dying: Database = {
        ...app.db,
        asApp: ((scope, work) => {
          transactions += 1
          if (transactions > allowed) throw new Error('killed')
          return app.db.asApp(scope, work)
        }) as Database['asApp'],
      }
      const isDead = await at(0, dying).then(
        () => false,
        () => true,
      )
      if (isDead) died += 1
      // Still due: the next look takes it up.
      if (isDead) expect(Date.parse((await dueAt())!)).toBeLessThanOrEqual(app.nowMs())
      await Promise.all([onDay(0), onDay(0)])
      expect(await invoices()).toMatchObject([{ status: 'issued' }, { status: 'issued' }])
      expect(await mails()).toHaveLength(2)
      if (!isDead) break
    }
    expect(died).toBeGreaterThan(8)
  })

  test('more than an hour may see: issued on its day, sent within the next hours, or by somebody who was faster', async () => {
    await fresh()
    await repeat({ action: 'issue' })
    await onDay(0)
    await useUpMails((await invoices())[0]!.id)
    const rules = [await repeat(), await repeat()]
    await onDay(0)
    const made = await Promise.all(rules.map(now))
    const issued = await Promise.all(made.map(({ lastInvoiceId }) => whole({ id: lastInvoiceId! })))
    expect(issued).toMatchObject([
      { status: 'issued', sentAt: null },
      { status: 'issued', sentAt: null },
    ])
    expect(await mails()).toEqual([])
    expect(await failureCount()).toBe(0)
    expect(Date.parse((await dueAt())!)).toBeLessThanOrEqual(app.nowMs() + 30 * 60_000)
    // A rule that is saved meanwhile does not put them off for a week.
    const { id, version, ...schedule } = made[0]!
    await ann.send('PUT', `${base}/recurring-invoices/${id}`, {
      body: schedule,
      headers: { 'if-match': `"${version}"` },
    })
    expect(Date.parse((await dueAt())!)).toBeLessThanOrEqual(app.nowMs() + 31 * 60_000)
    const headers = { 'if-match': `"${issued[1]!.version}"` }
    expect((await ann.send('POST', `${base}/invoices/${issued[1]!.id}/void`, { headers })).status).toBe(200)
    await at(61 * 60_000)
    expect(await mails()).toHaveLength(1)
    expect((await whole(issued[0]!)).sentAt).not.toBeNull()
    expect((await whole(issued[1]!)).sentAt).toBeNull()
    expect(await failureCount()).toBe(0)
    expect(Date.parse((await dueAt())!)).toBeGreaterThan(app.nowMs() + 5 * dayMs)
  })

  test('who set it up may not send any more by then: issued, not sent, and named', async () => {
    await fresh()
    await repeat({ action: 'issue' })
    await onDay(0)
    await useUpMails((await invoices())[0]!.id)
    const max = await verifiedActor(app, undefined, 'Max')
    await join(app.db, organization.id, max, 'member')
    const more = { startsOn: today, interval: 'week', action: 'send' }
    const rule = await makeRecurring(max, organization.id, customerId, more)
    await onDay(0)
    const headers = { 'if-match': '"1"' }
    expect((await ann.send('DELETE', `${base}/members/${max.userId}`, { headers })).status).toBe(204)
    await at(61 * 60_000)
    expect(await mails()).toEqual([])
    const problem = 'It was issued and not sent: Whoever set this up may not send invoices any more.'
    expect(await now(rule)).toMatchObject({ lastProblem: problem })
    expect((await failures()).recurring).toMatchObject([{ problem, invoiceId: (await now(rule)).lastInvoiceId }])
  })
})
