// A mail server that takes its time: what it was handed is not handed to it again, and where nobody knows what became of it a person is told.
import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '#server/db/database.ts'
import { openQueue } from '#server/jobs/queue.ts'
import { createLog } from '#server/log.ts'
import { startSender } from '#server/mail/sender.ts'
import { smtpTransport } from '#server/mail/transport.ts'
import { register, startTestApp, verifiedActor, type TestApp } from '#tests/support/app.ts'
import { makeOrganization } from '#tests/support/builders.ts'
import { engines, openFresh } from '#tests/support/database.ts'
import { until } from '#tests/support/people.ts'

/** So many times shorter than in production, each in proportion: the mail server below takes longer than the lease, and than a look. */
const leaseMs = 1500
const patience = { handOver: 30_000, answer: 30_000 }
const quick = { superviseIntervalSeconds: 1, pollingIntervalSeconds: 0.5 }
const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
const dayMs = 24 * 60 * 60_000

describe.each(engines)('a slow mail server, on %s', (engine) => {
  let app: TestApp
  let databaseUrl: string | undefined
  const log = createLog({ write() {} })
  let ends: (() => Promise<unknown>)[] = []
  beforeAll(async () => {
    const db = await openFresh(engine)
    databaseUrl = db.databaseUrl
    app = await startTestApp(db)
  })
  afterEach(async () => {
    for (const end of ends.toReversed()) await end()
    ends = []
  })
  afterAll(() => app.db.close())

  /** Answers the whole message after `answerMs`, never where that is null, with a word or by hanging up, and each reply before it after `replyMs`. */
  async function slowServer(answerMs: number | null, replyMs = 0, more: SMTPServerOptions & { hangsUp?: true } = {}) {
    const received: string[] = []
    const slowly = (done: () => void) => void setTimeout(done, replyMs)
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      logger: false,
      onConnect: (_, done) => slowly(done),
      onMailFrom: (_, __, done) => slowly(done),
      onRcptTo: (_, __, done) => slowly(done),
      onData(stream, session, done) {
        stream.resume()
        stream.on('end', () => {
          received.push(...session.envelope.rcptTo.map(({ address }) => address))
          if (answerMs !== null) setTimeout(more.hangsUp ? hangUp : done, answerMs)
        })
      },
      ...more,
    })
    server.on('error', () => {})
    const hangUp = () => sockets.forEach((socket) => socket.destroy())
    const sockets: Socket[] = []
    server.server.on('connection', (socket) => sockets.push(socket))
    server.listen(0, '127.0.0.1')
    await once(server.server, 'listening')
    ends.push(() => new Promise<void>((resolve) => server.close(() => resolve())))
    const to = (email: string) => received.filter((each) => each === email).length
    return { to, url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}` }
  }

  /** A process as far as mails go; answers how it ends. */
  async function sendBy(url: string, given = patience, db = app.db) {
    const transport = smtpTransport(url, 'a@example.com', given)
    const queue = await openQueue(db, log, quick)
    const sender = await startSender({ db, queue, transport, log, leaseMs })
    const end = async () => {
      sender.stop()
      transport.close()
      await sender.settled()
      await queue.stop()
    }
    ends.push(end)
    return end
  }

  const rowOf = (recipient: string) =>
    app.db.asJobs((tx) =>
      tx.selectFrom('mails').selectAll().where('recipient', '=', recipient).executeTakeFirstOrThrow(),
    )

  test('that answers after the lease was handed the mail once, and it is sent', async () => {
    const { to, url } = await slowServer(4500)
    await sendBy(url)
    const { email } = await register(app)
    await until(async () => (await rowOf(email)).sentAt)
    await wait(2500)
    expect(to(email)).toBe(1)
    expect(await rowOf(email)).toMatchObject({ attempts: 1, failure: null, bodyText: '' })
  })

  test('whose replies together outlast the lease was handed the mail once', async () => {
    const { to, url } = await slowServer(1200, 1200)
    await sendBy(url)
    const { email } = await register(app)
    await until(async () => (await rowOf(email)).sentAt)
    await wait(2500)
    expect(to(email)).toBe(1)
    expect(await rowOf(email)).toMatchObject({ attempts: 1, failure: null })
  })

  test('that never answers the message: it rests for a day, somebody is told, and after the second time it rests for good', async () => {
    const { to, url } = await slowServer(null)
    const ann = await verifiedActor(app)
    const { id } = await makeOrganization(ann)
    await sendBy(url, { handOver: 30_000, answer: 1000 })
    const email = `${id}@example.com`
    const invited = await ann.send('POST', `/organizations/${id}/invitations`, { body: { email, role: 'member' } })
    expect(invited.status).toBeLessThan(300)
    await until(async () => (await rowOf(email)).failure)
    const row = await rowOf(email)
    expect(row).toMatchObject({ failure: 'unknown', sentAt: null, givenUpAt: null, attempts: 1 })
    expect(Date.parse(row.dueAt)).toBeGreaterThan(Date.now() + 0.9 * dayMs)
    const told = async () => (await ann.send('GET', `/organizations/${id}/failures`)).body.mails
    expect(await told()).toMatchObject([{ id: row.id, failure: 'unknown', answer: null, nextTryAt: row.dueAt }])
    // Neither the next looks nor another lease bring it again.
    await wait(4000)
    expect(to(email)).toBe(1)
    await ann.send('POST', `/organizations/${id}/mails/${row.id}/retry`)
    await until(async () => (await rowOf(email)).givenUpAt)
    expect(await told()).toMatchObject([{ failure: 'unknown', nextTryAt: null, tries: 2 }])
    expect(to(email)).toBe(2)
  })

  test('that never answered and later knows nobody there: it is perhaps delivered still', async () => {
    const silent = await slowServer(null)
    const ann = await verifiedActor(app)
    const { id } = await makeOrganization(ann)
    const end = await sendBy(silent.url, { handOver: 30_000, answer: 1000 })
    const email = `${id}@example.com`
    await ann.send('POST', `/organizations/${id}/invitations`, { body: { email, role: 'member' } })
    await until(async () => (await rowOf(email)).failure)
    await end()
    const { url } = await slowServer(0, 0, {
      onRcptTo: (_, __, done) => done(Object.assign(new Error('Nobody here'), { responseCode: 550 })),
    })
    await sendBy(url)
    await ann.send('POST', `/organizations/${id}/mails/${(await rowOf(email)).id}/retry`)
    await until(async () => (await rowOf(email)).givenUpAt)
    expect(await rowOf(email)).toMatchObject({ failure: 'unknown', lastError: expect.stringContaining('Nobody here') })
  })

  test('that hangs up instead of answering the message: nobody knows either', async () => {
    const { to, url } = await slowServer(0, 0, { hangsUp: true })
    await sendBy(url)
    const { email } = await register(app)
    await until(async () => (await rowOf(email)).failure)
    expect(await rowOf(email)).toMatchObject({ failure: 'unknown', attempts: 1 })
    expect(to(email)).toBe(1)
  })

  test('that refuses the message after a while has said so: it is tried again soon', async () => {
    const { url } = await slowServer(null, 0, {
      onData(stream, _, done) {
        stream.resume()
        stream.on('end', () => setTimeout(() => done(new Error('Not today')), 2000))
      },
    })
    await sendBy(url)
    const { email } = await register(app)
    await until(async () => (await rowOf(email)).failure)
    const { failure, dueAt } = await rowOf(email)
    expect(failure).toBe('refused')
    expect(Date.parse(dueAt)).toBeLessThan(Date.now() + 60_000)
  })

  test('that hangs before it has the message has not got it: it is tried again soon', async () => {
    const { to, url } = await slowServer(0, 0, { onRcptTo: () => {} })
    await sendBy(url, { handOver: 1000, answer: 30_000 })
    const { email } = await register(app)
    await until(async () => (await rowOf(email)).failure)
    const { failure, dueAt } = await rowOf(email)
    expect(failure).toBe('unreachable')
    expect(Date.parse(dueAt)).toBeLessThan(Date.now() + 60_000)
    expect(to(email)).toBe(0)
  })

  test('a process that ends while the answer is awaited leaves word that nobody knows', async () => {
    const { to, url } = await slowServer(null)
    const end = await sendBy(url)
    const { email } = await register(app)
    await until(() => to(email))
    await end()
    expect(await rowOf(email)).toMatchObject({ failure: 'unknown', attempts: 1 })
    await sendBy(url)
    await wait(2500)
    expect(to(email)).toBe(1)
  })

  test.runIf(engine === 'postgresql')('several processes hand it the mail once', async () => {
    const { to, url } = await slowServer(4500)
    for (let count = 0; count < 3; count += 1) {
      const db = await openDatabase({ dataDir: '', databaseUrl })
      await sendBy(url, patience, db)
      ends.unshift(() => db.close())
    }
    const { email } = await register(app)
    await until(async () => (await rowOf(email)).sentAt)
    await wait(2500)
    expect(to(email)).toBe(1)
  })
})
