// Numbers without gap or double (DOMAIN.md "Numbers"): fifty drafts at once, asked for twice each, by several processes of which one is killed.
import { afterEach, expect, test } from 'vitest'
import { openDatabase, type Database } from '#server/db/database.ts'
import { takeNumber } from '#server/invoices/numbering.ts'
import { invoiceSeries } from '#server/rows/organization-row.ts'
import type { SeriesReport } from '#shared/contract/series.ts'
import { uuidv7 } from '#shared/ids.ts'
import { verifiedAccount } from '#tests/support/api-client.ts'
import { startTestApp, verifiedActor } from '#tests/support/app.ts'
import { customerBody, invoiceBody, organizationBody } from '#tests/support/bodies.ts'
import { issue, makeCustomer, makeInvoice, makeOrganization } from '#tests/support/builders.ts'
import { engines, freshDatabase, openFresh } from '#tests/support/database.ts'
import { until } from '#tests/support/people.ts'
import { freePort, startServer, type ServerProcess } from '#tests/support/server-process.ts'

const drafts = 50
/** So many answers are there when one process is killed: the others are under way. */
const answersBeforeKill = 15
const rollbacks = 20

const running: ServerProcess[] = []
afterEach(async () => {
  for (const server of running.splice(0)) if (server.child.exitCode === null) await server.end('SIGKILL')
})

test.each(engines)('on %s: 1 to 50, and the report says so', async (engine) => {
  const database = await freshDatabase(engine)
  const { dataDir, databaseUrl } = database
  // The embedded engine is one process's own.
  const ports = await Promise.all(Array.from({ length: engine === 'postgresql' ? 3 : 1 }, freePort))
  const start = async (index: number) => {
    running[index] = await startServer({ PORT: String(ports[index]), DATA_DIR: dataDir, DATABASE_URL: databaseUrl })
  }
  for (const index of ports.keys()) await start(index)
  const account = await verifiedAccount(running[0]!.url)
  const organization = organizationBody({ numbering: { pattern: 'R{SEQ}', reset: 'never' } })
  const base = `/organizations/${organization.id}`
  const buyer = customerBody()
  await account.call('POST', '/organizations', organization)
  await account.call('POST', `${base}/customers`, buyer)
  const ids = Array.from({ length: drafts }, () => uuidv7())
  const made = await Promise.all(
    ids.map((id) => account.call('POST', `${base}/invoices`, { ...invoiceBody(buyer.id), id })),
  )
  expect(new Set(made.map(({ status }) => status))).toEqual(new Set([201]))

  let answered = 0
  const restarts: Promise<void>[] = []
  /** Until there is an answer, under one key: what was done before the process died is told again. */
  const issue = (id: string, index: number) => {
    const headers = { 'if-match': '"1"', 'idempotency-key': uuidv7() }
    const { call } = account.at(running[index]!.url)
    return until(async () => {
      const answer = await call('POST', `${base}/invoices/${id}/issue`, undefined, headers).catch(() => null)
      if (answer === null || answer.status >= 500) return undefined
      answered += 1
      if (answered === answersBeforeKill)
        restarts.push(
          running
            .at(-1)!
            .end('SIGKILL')
            .then(() => start(ports.length - 1)),
        )
      return { id, status: answer.status, number: answer.body.number as string }
    })
  }
  const asked = ids.flatMap((id, place) => [issue(id, place % ports.length), issue(id, (place + 1) % ports.length)])
  const takenBack = engine === 'postgresql' ? takeAndRollBack(database, organization.id) : null
  const answers = await Promise.all(asked)
  await takenBack
  await Promise.all(restarts)
  expect(restarts).toHaveLength(1)

  // Of the two who asked for a draft one issued it; the other came too late, with a number taken already or before.
  const issued = answers.filter(({ status }) => status === 200)
  expect(issued.map(({ id }) => id).toSorted()).toEqual(ids.toSorted())
  expect(new Set(answers.map(({ status }) => status)).difference(new Set([200, 409, 412]))).toEqual(new Set())
  const numbers = issued.map(({ number }) => Number(number.slice(1))).toSorted((one, other) => one - other)
  expect(numbers).toEqual(Array.from({ length: drafts }, (_, index) => index + 1))
  const { body } = await account.at(running.at(-1)!.url).call('GET', `${base}/series`)
  const [report] = body.data as SeriesReport[]
  expect(report).toMatchObject({
    next: `R${drafts + 1}`,
    periods: [{ issued: drafts, first: 'R1', last: `R${drafts}`, missing: [], doubled: [] }],
  })
})

test('on embedded, in one process: 1 to 50 between transactions that take a number and give it back', async () => {
  const database = await openFresh('embedded')
  const app = await startTestApp(database)
  const ann = await verifiedActor(app)
  const { id } = await makeOrganization(ann, { numbering: { pattern: 'R{SEQ}', reset: 'never' } })
  const { id: buyer } = await makeCustomer(ann, id)
  const made = await Promise.all(Array.from({ length: drafts }, () => makeInvoice(ann, id, buyer)))
  const takenBack = takeAndRollBackIn(app.db, id)
  const issued = await Promise.all(made.map((draft) => issue(ann, draft)))
  await takenBack
  const numbers = issued.map(({ number }) => Number(number!.slice(1))).toSorted((one, other) => one - other)
  expect(numbers).toEqual(Array.from({ length: drafts }, (_, index) => index + 1))
  const { body } = await ann.send('GET', `/organizations/${id}/series`)
  expect(body.data[0]).toMatchObject({
    next: `R${drafts + 1}`,
    periods: [{ issued: drafts, missing: [], doubled: [] }],
  })
  await app.db.close()
})

/** As a transaction that fails after its number: beside the others, which wait for the counter meanwhile. */
async function takeAndRollBack(database: { dataDir: string; databaseUrl: string | undefined }, organizationId: string) {
  const db = await openDatabase(database)
  await takeAndRollBackIn(db, organizationId)
  await db.close()
}

async function takeAndRollBackIn(db: Database, organizationId: string) {
  const undone = await Promise.allSettled(
    Array.from({ length: rollbacks }, () =>
      db.asApp({ organizationIds: [organizationId] }, async (tx) => {
        const { number } = await takeNumber(tx, organizationId, invoiceSeries, '2026-11-22')
        throw new Error(`${number} is given back`)
      }),
    ),
  )
  for (const each of undone)
    expect(each).toMatchObject({
      status: 'rejected',
      reason: { message: expect.stringMatching(/^R\d+ is given back$/) },
    })
}
