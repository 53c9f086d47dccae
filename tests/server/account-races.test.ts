// Account care under races, repeats and slow clients: what somebody with bad intentions, or a bad network, does at the same moment.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql, type RawBuilder } from 'kysely'
import { uuidv7 } from '#shared/ids.ts'
import type { Tx } from '#server/db/database.ts'
import { defaultLimits } from '#server/http/limits.ts'
import { loadTokens } from '#server/http/tokens.ts'
import {
  claims,
  expectProblem,
  origin,
  register,
  startTestApp,
  verifiedActor,
  type Actor,
  type TestApp,
} from '#tests/support/app.ts'
import { makeAuthenticator } from '#tests/support/authenticator.ts'
import { organizationBody } from '#tests/support/bodies.ts'
import { makeOrganization } from '#tests/support/builders.ts'
import { openFresh } from '#tests/support/database.ts'
import { makeDevice, sendFrom } from '#tests/support/device.ts'
import { password, until } from '#tests/support/people.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp(await openFresh('postgresql'))
})
afterAll(() => app.db.close())

const fresh = () => `${uuidv7()}@example.com`
const rest = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const isIn = async (actor: Pick<Actor, 'accessToken'>) =>
  (await app.send('GET', '/api/v1/account', { headers: { authorization: `Bearer ${actor.accessToken}` } })).status ===
  200
const login = (email: string, secret = password) =>
  app.send('POST', '/api/v1/auth/login', { body: { email, password: secret } })

test('an email that changes while another one is being verified is never verified with it', async () => {
  for (const delay of [0, 10, 20, 30, 45]) {
    const ann = await register(app)
    const link = await app.mailedToken(ann.email)
    const email = fresh()
    const changing = ann.send('POST', '/account/email', { body: { email, password } })
    await rest(delay)
    await ann.send('GET', `/auth/verify-email?token=${link}`)
    await changing
    const { body } = await ann.send('GET', '/account')
    expect({ delay, isActive: body.status === 'ACTIVE' }).toEqual({ delay, isActive: body.email === ann.email })
  }
})

test('an email changes with both links or not at all, also while the change is taken back', async () => {
  for (let turn = 0; turn < 6; turn += 1) {
    const ann = await verifiedActor(app)
    const email = fresh()
    await ann.send('POST', '/account/email', { body: { email, password } })
    const token = await app.mailedToken(email)
    const confirm = () => app.send('POST', '/api/v1/auth/confirm-email', { body: { token } })
    await Promise.all([
      ...Array.from({ length: 8 }, confirm),
      ann.send('DELETE', '/account/email'),
      confirm(),
      confirm(),
    ])
    expect((await ann.send('GET', '/account')).body.email).toBe(ann.email)
  }
})

test.each(['changed', 'reset'])('no sign-in with the old password outlives the password that was %s', async (how) => {
  const ann = await verifiedActor(app)
  await app.send('POST', '/api/v1/auth/forgot-password', { body: { email: ann.email } })
  const token = await app.mailedToken(ann.email)
  const late = Array.from({ length: 8 }, async (_, each) => {
    await rest(each * 12)
    return login(ann.email)
  })
  await rest(20)
  const ended =
    how === 'changed'
      ? await ann.send('PUT', '/account/password', { body: { currentPassword: password, password: 'a new password' } })
      : await app.send('POST', '/api/v1/auth/reset-password', { body: { token, password: 'a new password' } })
  expect(ended.status).toBeLessThan(300)
  const answers = await Promise.all(late)
  app.pass(1000)
  for (const { status, body } of answers) if (status === 200) expect(await isIn(body)).toBe(false)
  expect((await login(ann.email, 'a new password')).status).toBe(200)
})

test('links that were asked for before are no longer good once one of them was used', async () => {
  const ann = await verifiedActor(app)
  const forgot = async () => {
    await app.send('POST', '/api/v1/auth/forgot-password', { body: { email: ann.email } })
    return app.mailedToken(ann.email)
  }
  const reset = (token: string, secret: string) =>
    app.send('POST', '/api/v1/auth/reset-password', { body: { token, password: secret } })
  const [first, second] = [await forgot(), await forgot()]
  expect((await reset(second, 'a new password')).status).toBe(200)
  expectProblem(await reset(first, 'another password'), { status: 410 })
  expect((await login(ann.email, 'a new password')).status).toBe(200)
})

test('a body that takes its time does not write for a session that was ended meanwhile', async () => {
  const ann = await verifiedActor(app)
  const other = (await login(ann.email)).body
  const text = new TextEncoder().encode(JSON.stringify({ name: 'Too late' }))
  let finish = () => {}
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(text.slice(0, 5))
      finish = () => {
        controller.enqueue(text.slice(5))
        controller.close()
      }
    },
  })
  const writing = app.fetch(
    new Request('http://localhost:8080/api/v1/account', {
      method: 'PUT',
      headers: { authorization: `Bearer ${other.accessToken}`, 'content-type': 'application/json' },
      body,
      duplex: 'half',
    } as RequestInit),
  )
  await rest(20)
  expect((await ann.send('DELETE', `/account/sessions/${claims(other.accessToken).sid}`)).status).toBe(204)
  app.pass(1000)
  finish()
  expect((await writing).status).toBe(401)
  expect((await ann.send('GET', '/account')).body.name).toBe('Ann')
})

test('an empty body that is held open does nothing for a session that was ended meanwhile', async () => {
  const ann = await verifiedActor(app)
  const thief = (await login(ann.email)).body
  let finish = () => {}
  const body = new ReadableStream<Uint8Array>({ start: (controller) => void (finish = () => controller.close()) })
  const ending = app.fetch(
    new Request('http://localhost:8080/api/v1/account/sessions/end-others', {
      method: 'POST',
      headers: { authorization: `Bearer ${thief.accessToken}` },
      body,
      duplex: 'half',
    } as RequestInit),
  )
  await rest(20)
  expect((await ann.send('POST', '/account/sessions/end-others')).body.ended).toBe(1)
  app.pass(1000)
  finish()
  expect((await ending).status).toBe(401)
  expect(await isIn(ann)).toBe(true)
})

/** Calls that come to wait, one after the other, for what is held; then the database changes, and they go on in their order. */
async function whileTheyWait<T>(
  held: RawBuilder<unknown>,
  calls: (() => Promise<T>)[],
  change: (tx: Tx) => Promise<unknown> = async () => {},
): Promise<T[]> {
  const answers: Promise<T>[] = []
  await app.db.asAuth(async (tx) => {
    await held.execute(tx)
    for (const call of calls) {
      answers.push(call())
      await until(async () => {
        const waiting = sql`select from pg_stat_activity where datname = current_database() and pg_blocking_pids(pid) <> '{}'`
        return (await waiting.execute(tx)).rows.length === answers.length
      })
    }
    await change(tx)
  })
  return Promise.all(answers)
}
const rowOf = ({ userId }: Actor) => sql`select from users where id = ${userId} for update`

describe('who knows the old password', () => {
  async function meet() {
    const ann = await verifiedActor(app)
    const thief = { authorization: `Bearer ${(await login(ann.email)).body.accessToken}` }
    const forgot = async () => {
      await app.send('POST', '/api/v1/auth/forgot-password', { body: { email: ann.email } })
      return app.mailedToken(ann.email)
    }
    const steal = () => {
      const body = { currentPassword: password, password: 'the thief’s own' }
      return app.send('PUT', '/api/v1/account/password', { body, headers: thief })
    }
    const reset = (token: string) =>
      app.send('POST', '/api/v1/auth/reset-password', { body: { token, password: 'the owner’s own' } })
    const expectOwned = async (by: Pick<Actor, 'accessToken'>) => {
      expect((await login(ann.email, 'the owner’s own')).status).toBe(200)
      expect((await login(ann.email, 'the thief’s own')).status).toBe(401)
      expect(await isIn(by)).toBe(true)
    }
    return { ann, forgot, steal, reset, expectOwned }
  }

  test('cannot change it past its owner’s reset', async () => {
    const { ann, forgot, steal, reset, expectOwned } = await meet()
    const token = await forgot()
    const [won, ...lost] = await whileTheyWait(rowOf(ann), [() => reset(token), steal, steal])
    expect([won!.status, ...lost.map(({ status }) => status)]).toEqual([200, 422, 422])
    await expectOwned(won!.body)
  })

  test('being first does not take the way back from its owner', async () => {
    const { ann, forgot, steal, reset, expectOwned } = await meet()
    const token = await forgot()
    const [won, back] = await whileTheyWait(rowOf(ann), [steal, () => reset(token)])
    expect([won!.status, back!.status]).toEqual([204, 200])
    await expectOwned(back!.body)
  })
})

test.each([
  ['removed', (tx: Tx, userId: string) => tx.deleteFrom('passkeys').where('userId', '=', userId)],
  [
    'removed and then added to another account',
    (tx: Tx, userId: string, otherId: string) =>
      tx.updateTable('passkeys').set({ userId: otherId }).where('userId', '=', userId),
  ],
])('a passkey that is %s while a sign-in with it waits opens nothing', async (_, change) => {
  const [ann, eve] = [await verifiedActor(app), await verifiedActor(app)]
  const authenticator = makeAuthenticator({ origin })
  const { options } = (await ann.send('POST', '/account/passkey-options', { body: { password } })).body
  const added = await ann.send('POST', '/account/passkeys', { body: { response: authenticator.create(options) } })
  expect(added.status).toBe(201)
  const asked = (await app.send('POST', '/api/v1/auth/passkey-options')).body.options
  const body = { response: authenticator.get(asked, ann.userId) }
  const [answer] = await whileTheyWait(rowOf(ann), [() => app.send('POST', '/api/v1/auth/passkey', { body })], (tx) =>
    change(tx, ann.userId, eve.userId).execute(),
  )
  expectProblem(answer!, { status: 401, code: 'invalid_credentials' })
})

test('a password that changes while the account is being closed leaves everything as it was', async () => {
  const ann = await verifiedActor(app)
  const bob = await verifiedActor(app)
  const { id } = await makeOrganization(ann)
  const membership = { organizationId: id, userId: bob.userId, role: 'member' as const, createdAt: '2026-01-01' }
  await app.db.asApp({ organizationIds: [id] }, (tx) => tx.insertInto('memberships').values(membership).execute())
  const [answer] = await whileTheyWait(
    rowOf(bob),
    [() => bob.send('POST', '/account/delete', { body: { password } })],
    (tx) => tx.updateTable('users').set({ passwordHash: 'another' }).where('id', '=', bob.userId).execute(),
  )
  expectProblem(answer!, { status: 422 })
  expect((await bob.send('GET', `/organizations/${id}`)).status).toBe(200)
})

test('an email that passes to somebody else while its password is checked does not confirm them', async () => {
  const ann = await verifiedActor(app)
  const bob = await verifiedActor(app)
  const [answer] = await whileTheyWait(
    sql`select pg_advisory_xact_lock(hashtextextended(${`own password ${ann.userId}`}, 0))`,
    [() => ann.send('POST', '/account/delete', { body: { password } })],
    async (tx) => {
      const give = (userId: string, email: string) =>
        tx.updateTable('users').set({ email, emailKey: email }).where('id', '=', userId).execute()
      await give(ann.userId, fresh())
      await give(bob.userId, ann.email)
    },
  )
  expectProblem(answer!, { status: 422 })
  for (const each of [ann, bob]) expect(await isIn(each)).toBe(true)
})

test('a link that is used twice at once by one person is used once, and both are told so', async () => {
  const ann = await verifiedActor(app)
  await app.send('POST', '/api/v1/auth/forgot-password', { body: { email: ann.email } })
  const body = { token: await app.mailedToken(ann.email), password: 'a new password' }
  const reset = () => app.send('POST', '/api/v1/auth/reset-password', { body })
  const answers = await Promise.all([reset(), reset()])
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
})

test('an unbound client whose refresh was lost is not taken for a thief after it verified', async () => {
  const ann = await register(app)
  const refresh = (sent: object) => app.send('POST', '/api/v1/auth/refresh-token', { body: sent })
  await refresh(ann)
  const verified = await ann.send('GET', `/auth/verify-email?token=${await app.mailedToken(ann.email)}`)
  expect(await isIn(verified.body)).toBe(true)
  expect((await refresh(ann)).status).toBe(200)
})

test('an account that is being closed makes no organization that nobody owns', async () => {
  let closings = 0
  for (let turn = 0; turn < 12; turn += 1) {
    const ann = await verifiedActor(app)
    const other = await startTestApp(app.db)
    const headers = { authorization: `Bearer ${ann.accessToken}` }
    // The other process has just looked, and would go on for a moment.
    await other.send('GET', '/api/v1/account', { headers })
    const bodies = Array.from({ length: 8 }, () => organizationBody())
    const closing = ann.send('POST', '/account/delete', { body: { password } })
    const making = bodies.map(async (body, each) => {
      // In the last turn only once it is closed, however slow the machine: that nothing was closed would prove nothing.
      await (turn < 11 ? rest(25 + turn + each * 2) : closing)
      return other.send('POST', '/api/v1/organizations', { body, headers })
    })
    await Promise.all(making)
    if ((await closing).status !== 204) continue
    closings += 1
    const living = await app.db.asApp({ organizationIds: bodies.map(({ id }) => id) }, (tx) =>
      tx.selectFrom('organizations').select('id').where('deletedAt', 'is', null).execute(),
    )
    expect(living).toEqual([])
    other.pass(1000)
    expect((await other.send('POST', '/api/v1/organizations', { body: organizationBody(), headers })).status).toBe(401)
  }
  expect(closings).toBeGreaterThan(0)
})

test('processes that start at once sign with one key', async () => {
  for (let turn = 0; turn < 5; turn += 1) {
    const db = await openFresh('postgresql')
    const [here, there] = await Promise.all([loadTokens(db), loadTokens(db)])
    const subject = { userId: uuidv7(), sessionId: uuidv7(), status: 'ACTIVE' as const, generation: 1 }
    const now = Date.now()
    expect(await there.verifyAccess(await here.signAccess(subject, now), now)).not.toBeNull()
    expect(await here.verifyAccess(await there.signAccess(subject, now), now)).not.toBeNull()
    await db.close()
  }
})

describe('limits as they are', () => {
  let strict: TestApp
  beforeAll(async () => {
    strict = await startTestApp(app.db, { limits: defaultLimits })
  })
  const as = (actor: Actor) => ({ authorization: `Bearer ${actor.accessToken}` })

  test('an account that is not verified mails one address a minute, whatever the address', async () => {
    const ann = await register(app)
    strict.pass(100_000)
    const ask = () =>
      strict.send('POST', '/api/v1/account/email', { body: { email: fresh(), password }, headers: as(ann) })
    expect((await ask()).status).toBe(202)
    expectProblem(await ask(), { status: 429, code: 'too_many_requests' })
  })

  test('who has an account cannot be asked for ever by changing one’s email', async () => {
    const ann = await verifiedActor(app)
    const eve = await verifiedActor(app)
    strict.pass(61_000)
    const ask = () =>
      strict.send('POST', '/api/v1/account/email', { body: { email: ann.email, password }, headers: as(eve) })
    expectProblem(await ask(), { status: 409, code: 'email_taken' })
    expectProblem(await ask(), { status: 429 })
    // A repeat of what failed is not answered as done.
    strict.pass(61_000)
    const headers = { ...as(eve), 'idempotency-key': uuidv7().toUpperCase() }
    for (let turn = 0; turn < 2; turn += 1) {
      const again = { body: { email: ann.email, password }, headers }
      expectProblem(await strict.send('POST', '/api/v1/account/email', again), { status: 409, code: 'email_taken' })
    }
  })

  test('a stranger’s guesses do not keep the owner from changing the password', async () => {
    const ann = await verifiedActor(app)
    for (let turn = 0; turn < 11; turn += 1)
      await strict.send('POST', '/api/v1/auth/login', { body: { email: ann.email, password: 'guessed it' } })
    const body = { currentPassword: password, password: 'a new password' }
    const changed = await strict.send('PUT', '/api/v1/account/password', { body, headers: as(ann) })
    expect(changed.status).toBe(204)
  })

  test('a stranger who forgot somebody’s password does not keep them from registering', async () => {
    const email = fresh()
    expect((await strict.send('POST', '/api/v1/auth/forgot-password', { body: { email } })).status).toBe(204)
    const registered = await strict.send('POST', '/api/v1/auth/register', { body: { name: 'Ann', email, password } })
    expect(registered.status).toBe(201)
  })

  test('a key used again long after is a call of its own', async () => {
    const ann = await verifiedActor(app)
    const far = await startTestApp(app.db, { limits: defaultLimits })
    const headers = { 'idempotency-key': uuidv7() }
    for (let turn = 0; turn < 2; turn += 1) {
      far.pass(3_700_000)
      const body = { email: ann.email }
      expect((await far.send('POST', '/api/v1/auth/forgot-password', { body, headers })).status).toBe(204)
    }
  })

  test('a link for a forgotten password waits for the minute after another mail, and no address is told apart', async () => {
    const ann = await register(app)
    const body = { email: ann.email }
    const asked = strict.nowMs()
    expect((await app.send('POST', '/api/v1/auth/forgot-password', { body })).status).toBe(204)
    const mail = await app.db.asJobs((tx) =>
      tx
        .selectFrom('mails')
        .selectAll()
        .where('recipient', '=', ann.email)
        .where('kind', '=', 'reset-password')
        .execute(),
    )
    expect(mail).toHaveLength(1)
    expect(Date.parse(mail[0]!.dueAt)).toBeLessThanOrEqual(asked + 60_000)
  })

  describe('a key that is used again', () => {
    const makeActor = { verified: verifiedActor, waiting: register }
    const mailsTo = async (email: string) =>
      (await app.db.asJobs((tx) => tx.selectFrom('mails').select('id').where('recipient', '=', email).execute())).length

    async function withOneKey(who: keyof typeof makeActor) {
      const ann = await makeActor[who](app)
      const later = await startTestApp(app.db, { limits: defaultLimits })
      later.pass(app.nowMs() - later.nowMs() + 61_000)
      const headers = { ...as(ann), 'idempotency-key': uuidv7() }
      return {
        later,
        cancel: () => later.send('DELETE', '/api/v1/account/email', { headers: as(ann) }),
        ask: (email: string) => later.send('POST', '/api/v1/account/email', { body: { email, password }, headers }),
      }
    }

    test.each(['verified', 'waiting'] as const)('for another address is counted anew: %s', async (who) => {
      const { ask } = await withOneKey(who)
      const taken = await register(app)
      expect((await ask(fresh())).status).toBe(202)
      for (const email of [fresh(), taken.email, fresh()]) {
        const before = await mailsTo(email)
        expectProblem(await ask(email), { status: 429, code: 'too_many_requests' })
        expect(await mailsTo(email)).toBe(before)
      }
    })

    test('after the change was taken back is counted anew', async () => {
      const { ask, cancel, later } = await withOneKey('verified')
      const email = fresh()
      for (const status of [202, 202]) expect((await ask(email)).status).toBe(status)
      await cancel()
      expectProblem(await ask(email), { status: 429 })
      expect(await mailsTo(email)).toBe(1)
      later.pass(61_000)
      for (const status of [202, 202]) expect((await ask(email)).status).toBe(status)
      expect(await mailsTo(email)).toBe(2)
      await cancel()
      expectProblem(await ask(email), { status: 429 })
    })

    test('for two purposes is two calls: five mails in the hour all the same', async () => {
      const ann = await register(app)
      const later = await startTestApp(app.db, { limits: defaultLimits })
      for (let turn = 0; turn < 7; turn += 1) {
        later.pass(61_000)
        const key = { 'idempotency-key': uuidv7() }
        const body = { email: ann.email }
        await later.send('POST', '/api/v1/auth/send-verification-mail', { headers: { ...as(ann), ...key } })
        await later.send('POST', '/api/v1/auth/forgot-password', { body, headers: key })
      }
      expect(await mailsTo(ann.email)).toBe(5)
    })

    test('an address is not mailed at will by registering it and closing the account', async () => {
      const email = fresh()
      const later = await startTestApp(app.db, { limits: defaultLimits })
      const statuses: number[] = []
      for (let turn = 0; turn < 8; turn += 1) {
        const { status, body } = await later.send('POST', '/api/v1/auth/register', {
          body: { name: 'Eve', email, password },
        })
        statuses.push(status)
        const headers = { authorization: `Bearer ${body.accessToken}` }
        if (status === 201) await later.send('POST', '/api/v1/account/delete', { body: { password }, headers })
        if (turn > 0) later.pass(61_000)
      }
      expect(statuses).toEqual([201, 429, 201, 201, 201, 201, 429, 429])
      expect(await mailsTo(email)).toBe(5)
    })
  })

  test('a call that was sent twice is one call: the same key, one mail, the same answer', async () => {
    const ann = await verifiedActor(app)
    strict.pass(61_000)
    const headers = { 'idempotency-key': uuidv7() }
    const count = async () =>
      (
        await app.db.asJobs((tx) =>
          tx
            .selectFrom('mails')
            .select('id')
            .where('recipient', '=', ann.email)
            .where('kind', '=', 'reset-password')
            .execute(),
        )
      ).length
    for (let turn = 0; turn < 2; turn += 1) {
      const body = { email: ann.email }
      expect((await strict.send('POST', '/api/v1/auth/forgot-password', { body, headers })).status).toBe(204)
    }
    expect(await count()).toBe(1)
    strict.pass(61_000)
    const key = { ...as(ann), 'idempotency-key': uuidv7() }
    const change = { email: fresh(), password }
    const answers = [
      await strict.send('POST', '/api/v1/account/email', { body: change, headers: key }),
      await strict.send('POST', '/api/v1/account/email', { body: change, headers: key }),
    ]
    expect(answers.map(({ status, body }) => ({ status, body }))).toEqual(
      Array.from({ length: 2 }, () => ({ status: 202, body: { sentTo: [ann.email, change.email] } })),
    )
  })
})

test('a passkey’s answer that was sent twice by one device signs in twice; from another it does not', async () => {
  const ann = await verifiedActor(app)
  const authenticator = makeAuthenticator({ origin: 'http://localhost:8080' })
  const { options } = (await ann.send('POST', '/account/passkey-options', { body: { password } })).body
  const created = { response: authenticator.create(options) }
  for (let turn = 0; turn < 2; turn += 1)
    expect((await ann.send('POST', '/account/passkeys', { body: created })).status).toBe(201)
  expect((await ann.send('GET', '/account/passkeys')).body.data).toHaveLength(1)

  const device = await makeDevice()
  const start = (await app.send('POST', '/api/v1/auth/passkey-options')).body
  const body = { response: authenticator.get(start.options) }
  for (let turn = 0; turn < 2; turn += 1)
    expect((await sendFrom(device, app, '/api/v1/auth/passkey', body)).status).toBe(200)
  expect((await sendFrom(await makeDevice(), app, '/api/v1/auth/passkey', body)).status).toBe(401)
  expect((await app.send('POST', '/api/v1/auth/passkey', { body })).status).toBe(401)
})

test('nonsense in the place of a passkey is refused as such', async () => {
  const ann = await verifiedActor(app)
  const body = { response: { id: '\0', response: { clientDataJSON: '\0' } } }
  const odd = Buffer.from(JSON.stringify({ type: 'webauthn.create', challenge: '\0' })).toString('base64url')
  const created = { response: { id: 'x', response: { clientDataJSON: odd } } }
  expectProblem(await ann.send('POST', '/account/passkeys', { body: created }), { status: 422 })
  expectProblem(await app.send('POST', '/api/v1/auth/passkey', { body }), { status: 401 })
  expectProblem(await ann.send('DELETE', '/account/passkeys/%00'), { status: 404 })
})

test('spellings of one mailbox are one account', async () => {
  const name = uuidv7()
  await register(app, `${name}@bücher.example`)
  for (const email of [`${name}@BÜCHER.example`, `${name}@xn--bcher-kva.example`, `${name}@bücher。example`]) {
    const answer = await app.send('POST', '/api/v1/auth/register', {
      body: { name: 'Eve', email, password: 'other than it' },
    })
    expectProblem(answer, { status: 409, code: 'email_taken' })
  }
  // What would end the host's name in an address must not make two mailboxes one.
  for (const odd of ['/evil', '?x', '#x', '%2e', '\\x', '|x']) {
    const body = { name: 'Eve', email: `${name}@example.org${odd}`, password }
    expectProblem(await app.send('POST', '/api/v1/auth/register', { body }), { status: 422 })
  }
  const hidden = await app.send('POST', '/api/v1/auth/register', {
    body: { name: 'Eve', email: 'a\u200bb@example.com', password },
  })
  expectProblem(hidden, { status: 422 })
})

test('an IPv6 network counts as one place', async () => {
  const narrow = await startTestApp(app.db, { limits: { registerPerAddress: { most: 2, windowMs: 60_000 } } })
  const from = (address: string) =>
    narrow.send('POST', '/api/v1/auth/register', {
      body: { name: 'Ann', email: fresh(), password },
      headers: { 'x-forwarded-for': address },
    })
  const statuses = [await from('2001:db8:1:2::1'), await from('2001:db8:1:2:3:4:5:6'), await from('2001:DB8:1:2::9')]
  expect(statuses.map(({ status }) => status)).toEqual([201, 201, 429])
  expect((await from('2001:db8:1:3::1')).status).toBe(201)
})
