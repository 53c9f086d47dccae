import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { uuidv7 } from '#shared/ids.ts'
import { purge } from '#server/purge.ts'
import { register, startTestApp, verifiedActor, type TestApp } from '#tests/support/app.ts'
import { customerBody, organizationBody } from '#tests/support/bodies.ts'
import { makeOrganization } from '#tests/support/builders.ts'
import { engines, openFresh } from '#tests/support/database.ts'

const day = 24 * 60 * 60_000

describe.each(engines)('on %s', (engine) => {
  let app: TestApp
  beforeAll(async () => {
    app = await startTestApp(await openFresh(engine))
  })
  afterAll(() => app.db.close())

  test('what has served its time goes, and nothing before', async () => {
    const ann = await verifiedActor(app)
    const organization = await makeOrganization(ann)
    const path = `/organizations/${organization.id}/customers`
    const headers = { 'idempotency-key': uuidv7() }
    await ann.send('POST', path, { body: customerBody(), headers })
    await ann.send('POST', '/organizations', { body: organizationBody(), headers })
    await register(app)
    const counts = () =>
      Promise.all([
        count('sessions'),
        count('limitedEvents'),
        count('emailTokens'),
        app.db
          .asApp({ userId: ann.userId, organizationIds: [organization.id] }, (tx) =>
            tx.selectFrom('idempotency').select('key').union(tx.selectFrom('userIdempotency').select('key')).execute(),
          )
          .then((rows) => rows.length),
      ])
    const [sessions, , tokens] = await counts()
    await purge(app.db, app.nowMs())
    expect(await counts()).toEqual([sessions, expect.any(Number), tokens, 1])
    await purge(app.db, app.nowMs() + 8.1 * day)
    expect(await counts()).toEqual([sessions, 0, 0, 1])
    await purge(app.db, app.nowMs() + 46 * day)
    expect(await counts()).toEqual([0, 0, 0, 1])
    await purge(app.db, app.nowMs() + 91 * day)
    expect(await counts()).toEqual([0, 0, 0, 0])
  })

  function count(table: 'sessions' | 'limitedEvents' | 'emailTokens'): Promise<number> {
    return app.db.asAuth(async (tx) => (await tx.selectFrom(table).selectAll().execute()).length)
  }
})
