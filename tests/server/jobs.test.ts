// Due work through the real queue: once across processes, again after a failure or a kill, and a failure stays on record.
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { uuidv7 } from '#shared/ids.ts'
import type { Invoice } from '#shared/contract/invoices.ts'
import { openDatabase, type Database } from '#server/db/database.ts'
import { setDue } from '#server/jobs/due-work.ts'
import { openQueue } from '#server/jobs/queue.ts'
import { startRunner, type Runner, type Work } from '#server/jobs/runner.ts'
import { createLog } from '#server/log.ts'
import { queueMail } from '#server/mail/queue.ts'
import { startSender, type Transport } from '#server/mail/sender.ts'
import { smtpTransport } from '#server/mail/transport.ts'
import { prepareMail } from '#server/outgoing/mail-attachments.ts'
import { expectProblem, startTestApp, verifiedActor, type Actor, type TestApp } from '#tests/support/app.ts'
import { issue, makeCustomer, makeInvoice, makeOrganization } from '#tests/support/builders.ts'
import { engines, freshDatabase, openFresh } from '#tests/support/database.ts'
import type { JobProcess, Said } from '#tests/support/job-process.ts'
import { startMailServer } from '#tests/support/mail-server.ts'

const quick = {
  retryLimit: 2,
  retryDelay: 1,
  expireInSeconds: 3,
  superviseIntervalSeconds: 1,
  pollingIntervalSeconds: 0.5,
}
const leaseMs = 3000
const patient = { timeout: 120_000, interval: 100 }
const log = createLog({ write() {} })

let open: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of open.toReversed()) await close()
  open = []
})

async function place(db: Database): Promise<string> {
  const { id } = await makeOrganization(await verifiedActor(await startTestApp(db)))
  return id
}

async function run(db: Database, work: Work, patience = quick): Promise<Runner> {
  const queue = await openQueue(db, log, patience)
  open.push(() => queue.stop())
  const runner = await startRunner({ db, queue, clock: Date.now, log, work: { recurring: work, reminders: work } })
  open.push(async () => runner.stop())
  return runner
}

const due = (db: Database, organizationId: string, at: string | null = new Date().toISOString()) =>
  db.asApp({ organizationIds: [organizationId] }, (tx) => setDue(tx, organizationId, 'recurring', at))

const noted = (db: Database, organizationId: string) =>
  db.asJobs((tx) =>
    tx.selectFrom('dueWork').selectAll().where('organizationId', '=', organizationId).executeTakeFirst(),
  )

describe.each(engines)('on %s', (engine) => {
  test('what failed is tried again, later each time; given up, it stays on record until it is noted anew', async () => {
    const db = await openFresh(engine)
    open.push(() => db.close())
    const organizationId = await place(db)
    let isBroken = true
    const tries: number[] = []
    const runner = await run(db, async () => {
      tries.push(Date.now())
      if (isBroken) throw new Error('The printer is on fire')
      await due(db, organizationId, null)
    })
    await due(db, organizationId)
    await runner.look()
    await vi.waitFor(async () => expect(await noted(db, organizationId)).toMatchObject({ failures: 3 }), patient)
    const row = (await noted(db, organizationId))!
    expect(row.lastError).toBe('The printer is on fire')
    expect(Date.parse(row.dueAt)).toBeGreaterThan(Date.now() + 30 * 60_000)
    // Not again while it rests.
    await runner.look()
    expect(tries).toHaveLength(3)
    expect(tries[2]! - tries[1]!).toBeGreaterThan(1000)
    isBroken = false
    await due(db, organizationId)
    await runner.look()
    await vi.waitFor(async () => expect(await noted(db, organizationId)).toBeUndefined(), patient)
    expect(tries).toHaveLength(4)
  })

  test('what somebody wants tried now does not wait for its next try', async () => {
    const db = await openFresh(engine)
    open.push(() => db.close())
    const organizationId = await place(db)
    let tries = 0
    const work = async () => {
      tries += 1
      if (tries === 1) throw new Error('The printer is on fire')
      await due(db, organizationId, null)
    }
    const runner = await run(db, work, { ...quick, retryDelay: 600 })
    await due(db, organizationId)
    await runner.look()
    await vi.waitFor(async () => expect(await noted(db, organizationId)).toMatchObject({ failures: 1 }), patient)
    await runner.look()
    expect(tries).toBe(1)
    // The queue may be about to note that it waits.
    await vi.waitFor(async () => {
      runner.hurry('recurring', organizationId)
      expect(await noted(db, organizationId)).toBeUndefined()
    }, patient)
    expect(tries).toBe(2)
  })
})

test('of several processes each does what is due, and together they do it once', async () => {
  const fresh = await freshDatabase('postgresql')
  const db = await openDatabase(fresh)
  open.push(() => db.close())
  const organizations = await Promise.all(Array.from({ length: 6 }, () => place(db)))
  const taken: { process: number; organizationId: string }[] = []
  const processes = [0, 1, 2].map((number) =>
    begin({ at: fresh, hangs: false }, (said) => {
      if (typeof said === 'object' && 'organizationId' in said) taken.push({ process: number, ...said })
    }),
  )
  await Promise.all(processes.map(({ ready }) => ready))
  for (const organizationId of organizations) await due(db, organizationId)
  for (const { child } of [...processes, ...processes]) child.send('look')
  await vi.waitFor(
    async () => expect((await Promise.all(organizations.map((id) => noted(db, id)))).filter(Boolean)).toEqual([]),
    patient,
  )
  expect(taken.map(({ organizationId }) => organizationId).toSorted()).toEqual(organizations.toSorted())
  // Six of 300 ms each, asked for in all of them at once.
  expect(new Set(taken.map(({ process }) => process)).size).toBeGreaterThan(1)
})

describe.each(engines)('a process killed with -9, on %s', (engine) => {
  /** Something due in a database, and a process that was killed at it. */
  async function killedAt(
    prepare: (app: TestApp) => Promise<unknown>,
    isAtIt: (said: readonly Said[]) => boolean | Promise<boolean>,
    smtpUrl: string | null = null,
  ) {
    const fresh = await freshDatabase(engine)
    // The embedded database is one process's at a time.
    const before = await openDatabase(fresh)
    try {
      await prepare(await startTestApp(before))
    } finally {
      await before.close()
    }
    const all: Said[] = []
    const { child, ready } = begin({ at: fresh, hangs: true, smtpUrl }, (said) => all.push(said))
    await ready
    await vi.waitFor(async () => expect(await isAtIt(all)).toBe(true), patient)
    child.kill('SIGKILL')
    await once(child, 'exit')
    const db = await openDatabase(fresh)
    open.push(() => db.close())
    return db
  }
  const isOfMail = (said: Said) => typeof said === 'object' && 'mailId' in said
  const isOfWork = (said: Said) => typeof said === 'object' && 'organizationId' in said

  async function sendBy(db: Database, transport: Transport): Promise<void> {
    const queue = await openQueue(db, log, quick)
    open.push(() => queue.stop())
    const sender = await startSender({ db, queue, log, transport, leaseMs, prepare: prepareMail(db) })
    open.push(async () => sender.stop())
  }

  const mailTo = (db: Database, recipient: string) =>
    db.asJobs((tx) => tx.selectFrom('mails').selectAll().where('recipient', '=', recipient).executeTakeFirstOrThrow())

  test('what it was doing another does', async () => {
    let organizationId = ''
    const db = await killedAt(
      async (app) => {
        organizationId = await place(app.db)
        await due(app.db, organizationId)
      },
      (said) => said.some(isOfWork),
    )
    const done: string[] = []
    await run(db, async (_, id) => {
      done.push(id)
      await due(db, id, null)
    })
    await vi.waitFor(async () => expect(await noted(db, organizationId)).toBeUndefined(), patient)
    expect(done).toEqual([organizationId])
  })

  test('the mail that it had not handed over another hands over', async () => {
    const to = 'ann@example.com'
    const words = { kind: 'test', subject: 'Hello', text: 'Hello', html: 'Hello' }
    const db = await killedAt(
      ({ db: before }) => before.asAuth((tx) => queueMail(tx, { to, ...words }, new Date().toISOString())),
      (said) => said.some(isOfMail),
    )
    expect(await mailTo(db, to)).toMatchObject({ attempts: 1, sentAt: null, handedOverAt: null })
    const sent: string[] = []
    await sendBy(db, { send: async ({ recipient }) => void sent.push(recipient), close() {} })
    await vi.waitFor(async () => expect(await mailTo(db, to)).toMatchObject({ attempts: 2, bodyText: '' }), patient)
    expect(sent).toEqual([to])
  })

  test('the mail whose end a mail server had, unanswered, may be there: it rests, and its invoice is not voided', async () => {
    const to = 'bob@example.com'
    const silent = await startMailServer({ isSilentTo: to })
    open.push(() => silent.close())
    let invoice: Invoice
    let ann: Actor
    const db = await killedAt(
      async (app) => {
        ann = await verifiedActor(app)
        const organization = await makeOrganization(ann)
        const bob = await makeCustomer(ann, organization.id, { email: to })
        const issued = await issue(ann, await makeInvoice(ann, organization.id, bob.id))
        const body = { to, subject: 'Your invoice', message: 'Here it is.' }
        const headers = { 'if-match': `"${issued.version}"`, 'idempotency-key': uuidv7() }
        const { status, body: sent } = await ann.send('POST', `${pathOf(issued)}/send`, { body, headers })
        expect(status).toBe(200)
        invoice = sent
      },
      async () => (await silent.mailsTo(to)).length > 0,
      `smtp://127.0.0.1:${silent.port}`,
    )
    // The next one knows nobody there: that says nothing of the first.
    const refusing = await startMailServer({ refuse: () => 'Nobody here' })
    open.push(() => refusing.close())
    await sendBy(db, smtpTransport(`smtp://127.0.0.1:${refusing.port}`, 'docket@example.com'))
    await vi.waitFor(async () => expect(await mailTo(db, to)).toMatchObject({ failure: 'unknown' }), patient)
    const { dueAt, givenUpAt, handedOverAt } = await mailTo(db, to)
    expect(Date.parse(dueAt)).toBeGreaterThan(Date.now() + 23 * 60 * 60_000)
    expect({ givenUpAt, handedOverAt }).toEqual({ givenUpAt: null, handedOverAt: null })

    const app = await startTestApp(db)
    const send: Actor['send'] = (method, path, sent = {}) => {
      const headers = { authorization: `Bearer ${ann.accessToken}`, ...sent.headers }
      return app.send(method, `/api/v1${path}`, { ...sent, headers })
    }
    expect((await send('GET', `${pathOf(invoice!)}/mails`)).body).toMatchObject({
      delivered: true,
      data: [{ state: 'unknown' }],
    })
    const press = { headers: { 'if-match': `"${invoice!.version}"` } }
    expectProblem(await send('POST', `${pathOf(invoice!)}/void`, press), { status: 409, code: 'invalid_transition' })
  })
})

const pathOf = ({ organizationId, id }: Invoice) => `/organizations/${organizationId}/invoices/${id}`

/** Another process, which the end of the test kills. */
function begin(
  asked: Pick<JobProcess, 'at' | 'hangs'> & Partial<JobProcess>,
  onSaid: (said: Said) => void,
): { child: ChildProcess; ready: Promise<void> } {
  const job: JobProcess = { patience: quick, leaseMs, smtpUrl: null, ...asked }
  const child = fork('tests/support/job-process.ts', [JSON.stringify(job)], { stdio: 'ignore' })
  open.push(async () => void child.kill('SIGKILL'))
  child.on('message', (said: Said) => onSaid(said))
  const ready = new Promise<void>((resolve, reject) => {
    child.once('message', () => resolve())
    child.once('exit', (code) => reject(new Error(`The child ended by itself: ${code}`)))
  })
  return { child, ready }
}
