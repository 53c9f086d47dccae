// Due work through the real queue: once across processes, again after a failure or a kill, and a failure stays on record.
import { fork, type ChildProcess } from 'node:child_process'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { openDatabase, type Database } from '#server/db/database.ts'
import { setDue } from '#server/jobs/due-work.ts'
import { openQueue } from '#server/jobs/queue.ts'
import { startRunner, type Runner, type Work } from '#server/jobs/runner.ts'
import { createLog } from '#server/log.ts'
import { queueMail } from '#server/mail/queue.ts'
import { startSender, type Transport } from '#server/mail/sender.ts'
import { startTestApp, verifiedActor } from '#tests/support/app.ts'
import { makeOrganization } from '#tests/support/builders.ts'
import { engines, freshDatabase, openFresh } from '#tests/support/database.ts'

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

describe('several processes', () => {
  test('each does what is due, and together they do it once', async () => {
    const { databaseUrl } = await freshDatabase('postgresql')
    const databases = await Promise.all([1, 2, 3].map(() => openDatabase({ dataDir: '', databaseUrl })))
    for (const db of databases) open.push(() => db.close())
    const first = databases[0]!
    const organizations = await Promise.all(Array.from({ length: 6 }, () => place(first)))
    const done: string[] = []
    const runners = await Promise.all(
      databases.map((each) =>
        run(each, async (db, organizationId) => {
          done.push(organizationId)
          await new Promise((resolve) => setTimeout(resolve, 300))
          await due(db, organizationId, null)
        }),
      ),
    )
    for (const organizationId of organizations) await due(first, organizationId)
    await Promise.all([...runners, ...runners].map((runner) => runner.look()))
    await vi.waitFor(
      async () => expect((await Promise.all(organizations.map((id) => noted(first, id)))).filter(Boolean)).toEqual([]),
      patient,
    )
    expect(done.toSorted()).toEqual(organizations.toSorted())
  })

  test('what a killed process was doing another does', async () => {
    const { databaseUrl } = await freshDatabase('postgresql')
    const db = await openDatabase({ dataDir: '', databaseUrl })
    open.push(() => db.close())
    const organizationId = await place(db)
    await due(db, organizationId)
    await dieAtWork(databaseUrl!)
    let isDone = false
    await run(db, async () => {
      isDone = true
      await due(db, organizationId, null)
    })
    await vi.waitFor(() => expect(isDone).toBe(true), patient)
  })

  test('the mail that a killed process was handing over another hands over', async () => {
    const { databaseUrl } = await freshDatabase('postgresql')
    const db = await openDatabase({ dataDir: '', databaseUrl })
    open.push(() => db.close())
    const words = { kind: 'test', subject: 'Hello', text: 'Hello', html: 'Hello' }
    const now = new Date().toISOString()
    await db.asAuth((tx) => queueMail(tx, { to: 'ann@example.com', ...words }, now))
    await dieAtWork(databaseUrl!)
    const sent: string[] = []
    const transport: Transport = {
      async send({ recipient }) {
        sent.push(recipient)
      },
      close() {},
    }
    const queue = await openQueue(db, log, quick)
    open.push(() => queue.stop())
    const sender = await startSender({ db, queue, log, transport, leaseMs })
    open.push(async () => sender.stop())
    const row = () => db.asJobs((tx) => tx.selectFrom('mails').selectAll().executeTakeFirstOrThrow())
    await vi.waitFor(async () => expect(await row()).toMatchObject({ attempts: 2, bodyText: '' }), patient)
    expect(sent).toEqual(['ann@example.com'])
  })
})

/** Another process takes up what is due, and is killed at it. */
async function dieAtWork(databaseUrl: string): Promise<void> {
  const args = [databaseUrl, JSON.stringify(quick), String(leaseMs)]
  const child = fork('tests/support/hanging-job.ts', args, { stdio: 'ignore' })
  await began(child)
  child.kill('SIGKILL')
}

/** Its work says so, and never ends. */
function began(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('message', () => resolve())
    child.once('exit', (code) => reject(new Error(`The child ended by itself: ${code}`)))
  })
}
