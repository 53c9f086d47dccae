// Reminders by rule and by hand, through the real job and a real SMTP server: each step once, nobody twice, nobody who has paid.
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Failures } from '#shared/contract/failures.ts'
import type { Invoice } from '#shared/contract/invoices.ts'
import type { Organization } from '#shared/contract/organizations.ts'
import type { InvoiceMails, ReminderRules } from '#shared/contract/reminders.ts'
import { addDays, startOfHour, todayIn } from '#shared/dates.ts'
import { uuidv7 } from '#shared/ids.ts'
import type { Database } from '#server/db/database.ts'
import { openQueue } from '#server/jobs/queue.ts'
import { createLog } from '#server/log.ts'
import { prepareMail } from '#server/outgoing/mail-attachments.ts'
import { startSender } from '#server/mail/sender.ts'
import { smtpTransport } from '#server/mail/transport.ts'
import { nextDay, remindCustomers } from '#server/reminders/remind.ts'
import { expectProblem, origin, startTestApp, verifiedActor, type Actor, type TestApp } from '#tests/support/app.ts'
import { remindersBody } from '#tests/support/bodies.ts'
import { issue, makeCustomer, makeInvoice, makeOrganization, recordPayment } from '#tests/support/builders.ts'
import { engines, openFresh } from '#tests/support/database.ts'
import { startMailServer } from '#tests/support/mail-server.ts'
import { password, until } from '#tests/support/people.ts'
import { dueAtOf } from '#tests/support/waiting-work.ts'

const zone = 'Pacific/Auckland'
const log = createLog({ write() {} })

describe.each(engines)('reminders on %s', (engine) => {
  let app: TestApp
  let ann: Actor
  let organization: Organization
  let base: string
  /** The day of the organization's rules, in its zone. */
  let today: string
  const ends: (() => Promise<unknown>)[] = []
  beforeAll(async () => {
    app = await startTestApp(await openFresh(engine))
    ann = await verifiedActor(app)
  })
  afterEach(async () => {
    for (const end of ends.splice(0).toReversed()) await end()
  })
  afterAll(() => app.db.close())

  async function fresh(days: readonly number[] = [7]): Promise<void> {
    organization = await makeOrganization(ann, {
      timeZone: zone,
      contact: { email: 'ann@works.example' },
    })
    base = `/organizations/${organization.id}`
    today = todayIn(zone, app.nowMs())
    if (days.length > 0) await save({ steps: days.map(step) })
  }
  const step = (days: number) => ({
    id: uuidv7(),
    days,
    words: {
      en: {
        subject: `{number} after ${days}`,
        message: 'Hello {customer},\n\n{amount} was due on {due}.\n\n{organization}',
      },
      de: null as { subject: string; message: string } | null,
    },
  })
  const said = (de: { subject: string; message: string }) => {
    const { words, ...rest } = step(7)
    return { ...rest, words: { ...words, de } }
  }
  const rules = async (): Promise<ReminderRules> => (await ann.send('GET', `${base}/reminders`)).body
  async function save(more: object): Promise<ReminderRules> {
    const { version } = await rules()
    const answer = await ann.send('PUT', `${base}/reminders`, {
      body: { ...remindersBody(), ...more },
      headers: { 'if-match': `"${version}"` },
    })
    expect({ status: answer.status, text: answer.text }).toMatchObject({ status: 200 })
    return answer.body
  }
  /** Due today, unless its terms say something else. */
  async function issued(customer: object = { email: 'bob@example.com' }, more: object = {}): Promise<Invoice> {
    const bob = await makeCustomer(ann, organization.id, customer)
    return issue(ann, await makeInvoice(ann, organization.id, bob.id, { termsDays: 0, ...more }))
  }
  /** Sessions end meanwhile. */
  async function pass(days: number): Promise<void> {
    app.pass(days * 86_400_000)
    const { body } = await app.send('POST', '/api/v1/auth/login', { body: { email: ann.email, password } })
    ann.accessToken = body.accessToken
  }
  const remind = remindCustomers({ apiPublicUrl: origin, mailQueued: () => {} })
  const at = (days: number, hour: number) => startOfHour(addDays(today, days), hour, zone)
  /** The job, at nine on a day from now, in the organization's zone. */
  const onDay = (days: number, hour = 9) => remind(app.db, organization.id, at(days, hour))
  const mailsOf = async ({ id }: Invoice): Promise<InvoiceMails> =>
    (await ann.send('GET', `${base}/invoices/${id}/mails`)).body
  const reminded = async (invoice: Invoice) => (await mailsOf(invoice)).data.map(({ days }) => days)
  const dueAt = () => dueAtOf(app.db, organization.id, 'reminders')
  const failures = async (): Promise<Failures> => (await ann.send('GET', `${base}/failures`)).body

  async function mailServer(answer: (recipient: string) => string | null = () => null) {
    const server = await startMailServer({ refuse: answer })
    ends.push(server.close)
    const { db } = app
    const queue = await openQueue(db, log)
    const transport = smtpTransport(`smtp://127.0.0.1:${server.port}`, 'Docket <docket@example.com>')
    const sender = await startSender({ db, queue, transport, log, prepare: prepareMail(db) })
    ends.push(async () => {
      sender.stop()
      await queue.stop()
      transport.close()
    })
    /** The job ran on a day to come; the mail server lives today. */
    const deliver = async () => {
      const dueAt = new Date().toISOString()
      await db.asJobs((tx) =>
        tx
          .updateTable('mails')
          .set({ dueAt })
          .where('organizationId', '=', organization.id)
          .where('sentAt', 'is', null)
          .where('givenUpAt', 'is', null)
          .execute(),
      )
      sender.nudge()
    }
    await deliver()
    return { ...server, deliver }
  }

  test('a step whose day is changed begins anew, with its day as it is announced', async () => {
    await fresh([])
    const later = step(7)
    await save({ steps: [later] })
    const invoice = await issued()
    await onDay(7)
    await save({ steps: [{ ...later, days: 14 }] })
    expect((await mailsOf(invoice)).reminders).toMatchObject({ next: { on: addDays(today, 14), days: 14 } })
    await onDay(13)
    expect(await reminded(invoice)).toEqual([7])
    await onDay(14)
    await onDay(15)
    expect(new Set(await reminded(invoice))).toEqual(new Set([7, 14]))
  })

  test('a mail with the PDF and a link at nine where the organization is; in the history and the activity, once however often it is asked for', async () => {
    await fresh([7])
    const invoice = await issued()
    expect(await mailsOf(invoice)).toEqual({
      data: [],
      withoutXml: [],
      delivered: false,
      reminders: { paused: false, next: { on: addDays(today, 7), days: 7 }, recipient: 'bob@example.com', sent: 0 },
    })
    await onDay(6)
    await onDay(7, 8)
    expect(await reminded(invoice)).toEqual([])
    expect(await dueAt()).toBe(new Date(at(7, 9)).toISOString())
    await Promise.all([onDay(7), onDay(7), onDay(7, 11)])
    expect(await dueAt()).toBe(new Date(at(8, 9)).toISOString())
    await onDay(8)
    expect((await mailsOf(invoice)).data).toMatchObject([
      { kind: 'reminder', recipient: 'bob@example.com', days: 7, sentBy: null, state: 'waiting' },
    ])
    const { mailsTo } = await mailServer()
    const mail = await until(async () => (await mailsTo('bob@example.com'))[0])
    expect(mail.subject).toBe(`${invoice.number} after 7`)
    expect(mail.replyTo).toMatchObject([{ address: 'ann@works.example' }])
    expect(mail.text).toContain('Hello Bob the Baker,\n\n€917.18 was due on ')
    expect(mail.text).toMatch(/\n\nAnn Works\n\nView the invoice:\nhttp\S+\/public\/invoices\/i_/)
    expect(mail.attachments.map(({ filename }) => filename)).toEqual([`${invoice.number}.pdf`])
    await until(async () => (await mailsOf(invoice)).data[0]!.state === 'sent')
    expect(await mailsTo('bob@example.com')).toHaveLength(1)
    const { body: activity } = await ann.send('GET', `${base}/activity?subjectId=${invoice.id}`)
    expect(activity.data[0]).toMatchObject({ action: 'remindInvoice', userId: null, label: invoice.number })
    // The link in it shows the invoice.
    const link = /http\S+\/public\/invoices\/\S+/.exec(mail.text!)![0]
    expect((await app.send('GET', new URL(link).pathname)).text).toContain(invoice.number!)
  })

  test('in the language of its invoice: the rule’s words in that language, Docket’s own where it has none, never those of another', async () => {
    await fresh([7])
    const german = { language: 'de' }
    const untranslated = await issued({ email: 'eva@example.com', ...german })
    await onDay(7)
    await save({ steps: [{ ...said({ subject: 'Bitte {number}', message: 'Am {due}: {amount}' }), days: 8 }] })
    const translated = await issued({ email: 'max@example.com', ...german })
    await onDay(8)
    const { mailsTo } = await mailServer()
    const [own] = await until(async () => {
      const found = await mailsTo('eva@example.com')
      return found.length > 1 ? found.filter(({ subject }) => subject!.startsWith('Zahlungserinnerung')) : undefined
    })
    expect(own!.subject).toBe(`Zahlungserinnerung: Rechnung ${untranslated.number}`)
    expect(own!.text).toContain('917,18')
    expect(own!.text).not.toContain('was due on')
    const theirs = await until(async () => (await mailsTo('max@example.com'))[0])
    expect(theirs.subject).toBe(`Bitte ${translated.number}`)
    expect(theirs.text).toContain('917,18')
  })

  const nobodys = { en: null, de: null }
  const queued = async () => {
    const rows = await app.db.asJobs((tx) =>
      tx
        .selectFrom('mails')
        .select(['subject', 'bodyText'])
        .where('organizationId', '=', organization.id)
        .where('kind', '=', 'reminder')
        .orderBy('createdAt')
        .orderBy('id')
        .execute(),
    )
    return rows.map(({ subject, bodyText }) => `${subject}\n${bodyText}`)
  }

  test('Docket’s own words go by how often somebody was asked, not by how late it is; each holds after a part payment', async () => {
    await fresh([])
    const own = (days: number) => ({ ...step(days), words: nobodys })
    await save({ steps: [-3, 3, 14, 28].map(own) })
    const invoice = await issued({ email: 'pat@example.com' }, { termsDays: 10 })
    await recordPayment(ann, invoice, '900.00')
    await onDay(7)
    // The server was down for weeks: what goes out then is the first that says so, and the notice from before was none.
    await onDay(26)
    expect((await mailsOf(invoice)).reminders.sent).toBe(1)
    await onDay(38)
    const again = await save({ steps: [...(await rules()).steps, { ...own(40), words: nobodys }] })
    expect(again.steps.at(-1)!.words).toEqual(nobodys)
    await onDay(50)
    const mails = await queued()
    const heads = mails.map((mail) => mail.split('\n')[0])
    expect(heads).toEqual([
      expect.stringMatching(/^Invoice \S+ is due on /),
      `Reminder: invoice ${invoice.number}`,
      `Second reminder: invoice ${invoice.number}`,
      `Last reminder: invoice ${invoice.number}`,
    ])
    for (const mail of mails) {
      expect(mail).toContain(`€17.18 of our invoice ${invoice.number} is `)
      expect(mail).not.toMatch(/not received|for €17|attached again/)
    }

    // By hand counts as well; what the organization wrote itself stays as it is.
    await fresh([])
    await save({ steps: [own(7), { ...own(20), words: { en: { subject: 'Mine', message: 'Pay.' }, de: null } }] })
    const late = await issued({ email: 'pat@example.com' })
    await byHand(late, 'pat@example.com')
    await pass(1)
    expect((await mailsOf(late)).reminders.sent).toBe(0)
    await byHand(late, 'pat@example.com')
    expect((await mailsOf(late)).reminders.sent).toBe(1)
    await onDay(7)
    await onDay(20)
    expect((await queued()).map((mail) => mail.split('\n')[0])).toEqual([
      'Please',
      'Please',
      `Second reminder: invoice ${late.number}`,
      'Mine',
    ])
  })

  test('a notice that comes too late to be one says that it is late', async () => {
    await fresh([])
    await save({ steps: [{ ...step(-3), words: nobodys }] })
    const invoice = await issued({ email: 'pat@example.com' }, { termsDays: 10 })
    await onDay(15)
    expect(await queued()).toEqual([expect.stringContaining(`Reminder: invoice ${invoice.number}\nHello`)])
  })

  test('what has come due and is not out yet is shown, and can be stopped', async () => {
    await fresh([7, 30])
    const invoice = await issued()
    await pass(7)
    const on = nextDay(zone, addDays(today, 7), app.nowMs())
    expect((await mailsOf(invoice)).reminders.next).toEqual({ on, days: 7 })
    await onDay(7)
    expect(await reminded(invoice)).toEqual([7])
    expect((await mailsOf(invoice)).reminders.next).toEqual({ on: addDays(today, 30), days: 30 })
    const stopped = await issued()
    await pass(8)
    const pause = await ann.send('PUT', `${base}/invoices/${stopped.id}/reminders`, { body: { paused: true } })
    expect(pause.body.reminders).toMatchObject({ paused: true, next: null })
  })

  test('before it is due, once, of an invoice that nobody ever mailed: it is attached, and counts as sent from then on', async () => {
    await fresh([-3])
    const invoice = await issued({ email: 'bob@example.com' }, { termsDays: 10 })
    const paid = await issued({ email: 'eve@example.com' }, { termsDays: 10 })
    // It falls on the day of issue, or before: whoever gets the invoice today needs no notice of it.
    const short = await issued({ email: 'max@example.com' }, { termsDays: 3 })
    expect([invoice.sentAt, short.sentAt]).toEqual([null, null])
    expect((await mailsOf(invoice)).reminders.next).toEqual({ on: addDays(today, 7), days: -3 })
    expect((await mailsOf(short)).reminders.next).toBeNull()
    await recordPayment(ann, paid)
    await onDay(6)
    expect(await reminded(invoice)).toEqual([])
    await onDay(7)
    await onDay(8)
    expect([await reminded(invoice), await reminded(paid), await reminded(short)]).toEqual([[-3], [], []])
    const { body } = await ann.send('GET', `${base}/invoices/${invoice.id}`)
    expect(body).toMatchObject({ sentAt: expect.any(String), overdue: false })
    const { mails, unaddressed } = await failures()
    expect([mails, unaddressed]).toEqual([[], []])
  })

  test('of what was missed only the latest goes out; what lies before the rules, a pause or the issue is not caught up', async () => {
    await fresh([-3, 0, 7, 14, 30])
    const invoice = await issued({ email: 'bob@example.com' }, { termsDays: 10 })
    const late = await issued({ email: 'eve@example.com' }, { dueDate: addDays(today, -40) })
    await onDay(25)
    expect([await reminded(invoice), await reminded(late)]).toEqual([[14], []])
    await onDay(40)
    expect(await reminded(invoice)).toEqual([30, 14])
    await onDay(400)
    expect(await reminded(invoice)).toEqual([30, 14])

    await fresh([1, 20])
    const paused = await issued()
    const pause = (isPaused: boolean) =>
      ann.send('PUT', `${base}/invoices/${paused.id}/reminders`, { body: { paused: isPaused } })
    expect((await pause(true)).body.reminders).toMatchObject({ paused: true, next: null })
    await onDay(1)
    await pass(2)
    expect((await pause(false)).body.reminders).toMatchObject({ paused: false, next: { days: 20 } })
    await onDay(3)
    expect(await reminded(paused)).toEqual([])
    // Off and on again: what was between is past.
    await save({ enabled: false, steps: (await rules()).steps })
    expect(await dueAt()).toBeUndefined()
    await onDay(20)
    expect(await reminded(paused)).toEqual([])
    await pass(19)
    await save({ steps: (await rules()).steps })
    await onDay(30)
    expect(await reminded(paused)).toEqual([])
  })

  test('paid, part paid, credited, void, given up: asked for what is due, and nobody who owes nothing', async () => {
    await fresh([7])
    const [open, paid, part, gone, lost] = [
      await issued(),
      await issued(),
      await issued(),
      await issued(),
      await issued(),
    ]
    await recordPayment(ann, paid)
    await recordPayment(ann, part, '17.18')
    for (const [invoice, what] of [
      [gone, 'void'],
      [lost, 'uncollectible'],
    ] as const) {
      const headers = { 'if-match': `"${invoice.version}"` }
      expect((await ann.send('POST', `${base}/invoices/${invoice.id}/${what}`, { headers })).status).toBe(200)
    }
    await onDay(7)
    expect(await Promise.all([open, paid, part, gone, lost].map(reminded))).toEqual([[7], [], [7], [], []])
    const asked = await app.db.asJobs((tx) =>
      tx.selectFrom('mails').select('bodyText').where('organizationId', '=', organization.id).execute(),
    )
    expect(asked.map(({ bodyText }) => /€[\d.]+/.exec(bodyText)![0]).toSorted()).toEqual(['€900.00', '€917.18'])
  })

  test('a payment and a reminder at once: whoever pays first is not asked; who pays before the mail is handed over is not asked either', async () => {
    await fresh([7])
    const invoice = await issued()
    // The payment holds the row; the reminder waits for it and sees it.
    let jobDone: Promise<void> | undefined
    await app.db.asApp({ organizationIds: [organization.id] }, async (tx) => {
      await tx
        .updateTable('invoices')
        .set({ paidAmount: 91_718n })
        .where('organizationId', '=', organization.id)
        .where('id', '=', invoice.id)
        .execute()
      jobDone = onDay(7)
      // It has come as far as it can: on one connection it has not begun, on several it waits for the row.
      if (engine === 'postgresql') await until(() => isBlocked())
    })
    await jobDone
    expect(await reminded(invoice)).toEqual([])

    const raced = await Promise.all(Array.from({ length: 6 }, () => issued()))
    await Promise.all([...raced.map((each) => recordPayment(ann, each)), onDay(7)])
    const asked = (await Promise.all(raced.map(reminded))).flat().length
    const { mailsTo } = await mailServer()
    // Those who were asked first and paid before it went out: taken back.
    await until(async () => {
      const states = (await Promise.all(raced.map(mailsOf))).flatMap(({ data }) => data.map(({ state }) => state))
      return states.length === asked && states.every((state) => state === 'ended')
    })
    expect(await mailsTo('bob@example.com')).toEqual([])
  })

  test('nobody to write to is named, until there is an address; a bad one fails with its reason and can be tried again or let be', async () => {
    await fresh([7])
    const invoice = await issued({})
    const bad = await issued({ email: 'gone@example.com' })
    // On its day, as the screen sees it.
    await onDay(7)
    await pass(7)
    expect(await failures()).toMatchObject({
      mails: [],
      unaddressed: [{ invoiceId: invoice.id, invoiceNumber: invoice.number, customerName: 'Bob the Baker' }],
      recurring: [],
      work: [],
    })
    let known = 'nobody'
    const { mailsTo, deliver } = await mailServer((address) =>
      address === 'gone@example.com' && known === 'nobody' ? 'No such person' : null,
    )
    const failed = await until(async () => (await failures()).mails[0])
    expect(failed).toMatchObject({
      kind: 'reminder',
      recipient: 'gone@example.com',
      invoiceNumber: bad.number,
      failure: 'address',
      answer: expect.stringContaining('No such person'),
      nextTryAt: null,
      tries: 1,
    })
    const counted = async () => (await ann.send('GET', '/failures')).body.data
    expect(await counted()).toContainEqual({ organizationId: organization.id, count: 2 })
    known = 'everybody'
    expect((await ann.send('POST', `${base}/mails/${failed.id}/retry`)).status).toBe(204)
    await deliver()
    await until(async () => (await mailsTo('gone@example.com')).length > 0)
    await until(async () => (await failures()).mails.length === 0)
    // An address at last.
    const { body: customer } = await ann.send('GET', `${base}/customers/${invoice.customerId}`)
    const headers = { 'if-match': `"${customer.version}"` }
    const body = { ...customer, email: 'bob@example.com' }
    expect((await ann.send('PUT', `${base}/customers/${invoice.customerId}`, { body, headers })).status).toBe(200)
    expect((await failures()).unaddressed).toEqual([])
    await onDay(8)
    await deliver()
    await until(async () => (await mailsTo('bob@example.com')).length > 0)
    known = 'nobody'
    const answer = await ann.send('POST', `${base}/invoices/${invoice.id}/remind`, {
      body: { to: 'gone@example.com', subject: 'Please', message: 'Pay.' },
    })
    const [byHand] = (answer.body as InvoiceMails).data.filter(({ days }) => days === null)
    expect(byHand).toMatchObject({ kind: 'reminder', sentBy: ann.userId, recipient: 'gone@example.com' })
    await deliver()
    const again = await until(async () => (await failures()).mails[0])
    expect((await ann.send('DELETE', `${base}/mails/${again.id}`)).status).toBe(204)
    expect(await counted()).not.toContainEqual(expect.objectContaining({ organizationId: organization.id }))
    expect((await mailsOf(invoice)).data.find(({ id }) => id === byHand!.id)).toMatchObject({ state: 'ended' })
    const kept = await app.db.asJobs((tx) => tx.selectFrom('mails').selectAll().where('id', '=', again.id).execute())
    expect(kept).toMatchObject([{ bodyText: '', bodyHtml: '', endedAs: 'dismissed' }])
  })

  test('a job that failed is named with its reason, and tried when somebody says so', async () => {
    await fresh([7])
    const failed = { failures: 2, failedAt: new Date().toISOString(), lastError: 'The printer is on fire' }
    await app.db.asJobs((tx) =>
      tx.updateTable('dueWork').set(failed).where('organizationId', '=', organization.id).execute(),
    )
    expect((await failures()).work).toMatchObject([
      { job: 'reminders', failures: 2, lastError: 'The printer is on fire', nextTryAt: expect.any(String) },
    ])
    const retry = (job: string) => ann.send('POST', `${base}/failures/retry`, { body: { job } })
    expect((await retry('reminders')).status).toBe(204)
    expect(Date.parse((await dueAt())!)).toBeLessThanOrEqual(app.nowMs())
    expectProblem(await retry('everything'), { status: 422 })
  })

  const byHand = (invoice: Invoice, to = 'bob@example.com') =>
    ann.send('POST', `${base}/invoices/${invoice.id}/remind`, {
      body: { to, subject: 'Please', message: 'Pay.' },
    })

  test('an invoice that nobody can be reminded of keeps no other back: the job fails by it, and tries it again', async () => {
    await fresh()
    const invoices = [await issued(), await issued({ email: 'eve@example.com' })]
    await pass(7)
    let calls = 0
    // Whom to remind is asked first; then the first of them meets a database that takes nothing.
    const failing: Database = {
      ...app.db,
      asApp: (scope, work) =>
        app.db.asApp(scope, async (tx) => {
          const result = await work(tx)
          if ((calls += 1) === 2) throw new Error('The disk is full')
          return result
        }),
    }
    await expect(remind(failing, organization.id, at(7, 9))).rejects.toThrow('The disk is full')
    const days = async () =>
      (await Promise.all(invoices.map(reminded))).map((each) => each.length).toSorted((a, b) => a - b)
    expect(await days()).toEqual([0, 1])
    await onDay(7, 10)
    expect(await days()).toEqual([1, 1])
  })

  test('pressed twice, or by two at once, it asks the customer once; another address is another reminder', async () => {
    await fresh([])
    const invoice = await issued()
    const answers = await Promise.all([byHand(invoice), byHand(invoice), byHand(invoice)])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409])
    const refused = answers.find(({ status }) => status === 409)!
    expectProblem(refused, { status: 409, code: 'invalid_transition' })
    expect(refused.body.detail).toBe('A reminder went to this address less than ten minutes ago.')
    expect((await byHand(invoice, 'books@example.com')).status).toBe(200)
    await pass(11 / 1440)
    expect((await byHand(invoice)).status).toBe(200)
  })

  test('by hand it takes the place of a step of that day or the next three, and of no later one', async () => {
    await fresh([2, 10])
    const invoice = await issued()
    expect((await mailsOf(invoice)).reminders.next).toMatchObject({ on: addDays(today, 2) })
    expect((await byHand(invoice)).status).toBe(200)
    expect((await mailsOf(invoice)).reminders.next).toMatchObject({ on: addDays(today, 10) })
    await onDay(2)
    expect(await reminded(invoice)).toEqual([null])
    await onDay(10)
    expect(await reminded(invoice)).toEqual([10, null])
  })

  test('the day of one by hand is the organization’s, not that of UTC', async () => {
    await fresh([5])
    const invoice = await issued()
    // 8 in the morning in Auckland is the evening before in UTC: of the day two days after which the step is.
    const early = at(2, 8)
    app.pass(early - app.nowMs())
    await pass(0)
    expect((await byHand(invoice, 'pat@example.com')).status).toBe(200)
    // The step on the third day after it is taken, as it is on the screen.
    expect((await mailsOf(invoice)).reminders.next).toBeNull()
    await onDay(5)
    expect(await reminded(invoice)).toEqual([null])
  })

  /** The customer of this invoice is found elsewhere from now on. */
  async function customerAt(email: string, { customerId }: Invoice): Promise<void> {
    const path = `${base}/customers/${customerId}`
    const { id: _, ...customer } = (await ann.send('GET', path)).body
    const headers = { 'if-match': `"${customer.version}"` }
    expect((await ann.send('PUT', path, { body: { ...customer, email }, headers })).status).toBe(200)
  }

  test('to where the last mail went if that was an address of its own, else to where the customer is now', async () => {
    await fresh([])
    const [moved, given] = [await issued(), await issued()]
    await byHand(moved)
    await byHand(given, 'books@example.com')
    for (const invoice of [moved, given]) await customerAt('new@example.com', invoice)
    expect((await mailsOf(moved)).reminders.recipient).toBe('new@example.com')
    expect((await mailsOf(given)).reminders.recipient).toBe('books@example.com')
  })

  test('a customer’s address that was wrong for a while is not the invoice’s own, by hand or by a rule', async () => {
    await fresh([3])
    const [byRule, sent] = [await issued(), await issued()]
    for (const invoice of [byRule, sent]) await customerAt('typo@example.com', invoice)
    await byHand(sent, 'Typo@example.com')
    await onDay(3)
    for (const invoice of [byRule, sent]) {
      expect((await mailsOf(invoice)).data[0]).toMatchObject({ recipient: expect.stringMatching(/^typo@/i) })
      await customerAt('right@example.com', invoice)
      expect((await mailsOf(invoice)).reminders.recipient).toBe('right@example.com')
    }
  })

  test('by hand only where something is due; what is wrong with a rule is said at its field', async () => {
    await fresh([])
    const words = { to: 'bob@example.com', subject: 'Please', message: 'Pay.' }
    const paid = await issued()
    await recordPayment(ann, paid)
    const draft = await makeInvoice(ann, organization.id, null)
    for (const { id } of [paid, draft])
      expectProblem(await ann.send('POST', `${base}/invoices/${id}/remind`, { body: words }), { status: 409 })
    expect(await rules()).toEqual({ enabled: false, steps: [], version: 1, updatedAt: null })
    const put = (body: object, version = 1) =>
      ann.send('PUT', `${base}/reminders`, { body, headers: { 'if-match': `"${version}"` } })
    const wrong: [object, string, RegExp][] = [
      [{ enabled: true, steps: [] }, '/steps', /at least one/],
      [{ enabled: true, steps: [1, 2, 3, 4, 5, 6].map(step) }, '/steps', /At most 5/],
      [{ enabled: true, steps: [step(7), step(7)] }, '/steps/1/days', /already/],
      [{ enabled: true, steps: [{ ...step(7), days: 1.5 }] }, '/steps/0/days', /whole/],
      [
        { enabled: true, steps: [said({ subject: 'Pay {sum}', message: 'Pay.' })] },
        '/steps/0/words/de/subject',
        /\{sum\}.*\{amount\}/,
      ],
      [{ enabled: true, steps: [said({ subject: 'Pay', message: ' ' })] }, '/steps/0/words/de/message', /few words/],
    ]
    for (const [body, pointer, detail] of wrong) {
      const answer = await put(body)
      expectProblem(answer, { status: 422, code: 'validation_failed' })
      expect(answer.body.errors).toContainEqual({ pointer, detail: expect.stringMatching(detail) })
    }
    expect((await put({ enabled: true, steps: [step(7)] })).body).toMatchObject({ version: 2, enabled: true })
    expectProblem(await put({ enabled: false, steps: [] }), { status: 412, code: 'stale' })
  })

  async function isBlocked(): Promise<boolean> {
    const { rows } = await app.db.asJobs((tx) =>
      sql`select 1 from pg_locks waiting join pg_locks held using (pid) join pg_database d on d.oid = held.database
        where not waiting.granted and held.granted and d.datname = current_database()`.execute(tx),
    )
    return rows.length > 0
  }
})
